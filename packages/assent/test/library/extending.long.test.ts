// What it takes to add something to Assent itself, done to a copy of the source: one file, and one line where its kind is listed
// (with the import of it, where the list is not one of imports). The guide shows the same four.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openModelServer } from "../../src/testing.ts";
import { verifies } from "../requirements/verifies.ts";

vi.setConfig({ testTimeout: 120_000 });

const repository = join(import.meta.dirname, "..", "..", "..", "..");
const top = mkdtempSync(join(tmpdir(), "assent-extending-"));
const product = join(top, "packages", "assent");
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** The guide, which has the files and the lines. */
const guide = readFileSync(join(repository, "docs", "guide", "extending.md"), "utf8");

type Addition = {
  readonly file: string;
  readonly text: string;
  readonly list: string;
  readonly lines: readonly string[];
};

/** A section of the guide: a new file, then the lines that a file which is there gets. */
function additionIn(section: string): Addition {
  const told = guide.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  const added = /`([^`]+)`, new:\n\n```ts file\n([\s\S]*?)```/.exec(told);
  const listed = /`([^`]+)`, (?:one|two) lines?(?: \([^)]*\))?:\n\n```diff\n([\s\S]*?)```/.exec(told);
  const lines = (listed?.[2] ?? "").split("\n").filter((line) => line !== "");
  return { file: added?.[1] ?? "", text: added?.[2] ?? "", list: listed?.[1] ?? "", lines };
}

/** Each line of a diff that is not new says after which line the new ones come. */
function apply({ file, text, list, lines }: Addition): number {
  mkdirSync(dirname(join(product, file)), { recursive: true });
  writeFileSync(join(product, file), text);
  let content = readFileSync(join(product, list), "utf8");
  let after = "";
  for (const line of lines) {
    if (line.startsWith(" ")) {
      after = `${line.slice(1)}\n`;
      expect(content, `${list} has this line`).toContain(after);
    } else {
      content = content.replace(after, () => `${after}${line.slice(1)}\n`);
      after = `${line.slice(1)}\n`;
    }
  }
  writeFileSync(join(product, list), content);
  return lines.filter((line) => line.startsWith("+") && !line.startsWith("+import ")).length;
}

/** A program of the copy, to its end; not at once, for a server of this process may have to answer it. */
function run(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { ASSENT_RUN: _marker, ...inherited } = process.env;
  const own = { ASSENT_HOME: join(top, "home"), XDG_CACHE_HOME: join(top, "cache"), ...env };
  const child = spawn(process.execPath, ["--conditions=assent-source", ...argv], {
    cwd: top,
    env: { ...inherited, ...own },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]).then(
    ([stdout, stderr, [status]]) => ({ stdout, stderr, status }),
  );
}

/** The command, from the copy. */
function assent(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const start = join(top, "start.mjs");
  const main = JSON.stringify(join(product, "src", "cli", "main.ts"));
  const root = JSON.stringify(product);
  const launch = `process.exitCode = await main(process.argv.slice(2), { root: ${root} });`;
  writeFileSync(start, `import { main } from ${main};\n${launch}\n`);
  return run([start, ...argv], env);
}

beforeAll(() => {
  for (const name of ["package.json", "src", "schema"]) {
    cpSync(join(repository, "packages", "assent", name), join(product, name), { recursive: true });
  }
  cpSync(join(repository, "tsconfig.json"), join(top, "tsconfig.json"));
  writeFileSync(join(top, "package.json"), JSON.stringify({ type: "module" }));
  // Of the programs here, `assent` is the copy.
  mkdirSync(join(top, "node_modules"));
  symlinkSync(product, join(top, "node_modules", "assent"));
  symlinkSync(join(repository, "node_modules", "@types"), join(top, "node_modules", "@types"));
  symlinkSync(join(repository, "node_modules"), join(product, "node_modules"));
});

verifies("LIB-2a", "a tool is one file and one line: the model calls it, and the policy judges it", async () => {
  expect(apply(additionIn("A tool"))).toBe(1);
  const script = join(top, "tool.jsonl");
  const calls = [{ tool: "dice", arguments: { sides: 1 } }];
  writeFileSync(script, `${JSON.stringify({ calls })}\n${JSON.stringify({ text: "Rolled." })}\n`);
  const { stdout, status } = await assent(["run", "--json", "--model", `scripted:${script}`, "roll"]);
  const events = stdout.split("\n").filter((line) => line !== "");
  const found = (type: string) => events.map((line) => JSON.parse(line)).find((event) => event.type === type);
  expect(status).toBe(0);
  expect(found("call.judged")).toMatchObject({ verdict: "allow", rule: "safe-tool" });
  expect(found("call.finished")).toMatchObject({ result: { type: "output", text: "1" } });
});

verifies("LIB-2b", "a provider is one file and one line for how it speaks, and one entry for where it is", async () => {
  expect(apply(additionIn("A provider"))).toBe(2);
  const server = await openModelServer({ script: [{ text: "Hello." }], key: "k1" });
  try {
    const env = { ACME_BASE_URL: server.url, ACME_API_KEY: "k1" };
    expect((await assent(["doctor"], env)).stdout).toContain("ACME_API_KEY");
    const child = assent(["run", "--model", "acme:any", "hi"], env);
    const [request] = await server.waitFor(1);
    expect(request?.headers["x-acme-plan"]).toBe("shop");
    expect(await child).toMatchObject({ status: 0, stdout: "Hello.\n" });
  } finally {
    await server.close();
  }
});

verifies("LIB-2c", "an adapter is one file over the host and one line that opens it", async () => {
  const { file, text: adapter } = additionIn("An adapter");
  writeFileSync(join(top, file), adapter);
  const [, line = ""] = /```ts line\n([\s\S]*?)```/.exec(guide) ?? [];
  writeFileSync(join(top, "opens.ts"), line);
  expect(await run([join(top, "opens.ts")])).toEqual({ stdout: "HELLO.\n", stderr: "", status: 0 });
});

verifies(
  "LIB-2d",
  "a policy rule is one file and one line: its command is asked about, its look-alike is not",
  async () => {
    expect(apply(additionIn("A policy rule"))).toBe(1);
    expect((await assent(["policy", "explain", "cd web && shipit publish --all"])).stdout).toBe(
      "ask: it publishes the shop for everybody (network-send)\n  network: it publishes the shop for everybody (network-send)\n" +
        "    part: shipit publish --all\n",
    );
    expect((await assent(["policy", "explain", "shipit status"])).stdout).toMatch(/^allow: /);
  },
);

test("all of it is as the compiler wants it", () => {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const project = {
    extends: "./tsconfig.json",
    compilerOptions: { incremental: false },
    include: ["packages/assent/src", "*.ts"],
  };
  const options = { ...project, exclude: ["**/*.test.ts", "**/*.fixture.ts"] };
  writeFileSync(join(top, "check.json"), JSON.stringify(options));
  const { stdout } = spawnSync(process.execPath, [tsc, "--project", join(top, "check.json")], { encoding: "utf8" });
  expect(stdout).toBe("");
});
