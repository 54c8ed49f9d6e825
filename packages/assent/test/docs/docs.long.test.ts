import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openPolicy } from "../../src/policy/index.ts";
import { readFlow } from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";

const repository = join(import.meta.dirname, "..", "..", "..", "..");
const source = join(repository, "packages", "assent", "src");

function read(file: string): string {
  return readFileSync(join(repository, file), "utf8");
}

test("what the picture in README.md shows of the demo is what it asks", () => {
  const demo = ["packages/assent/bin/assent.cjs", "demo", "--unattended=park"];
  const { stdout } = spawnSync(process.execPath, demo, { cwd: repository, encoding: "utf8" });
  const { question, options, metadata } = JSON.parse(stdout);
  const picture = read("docs/pictures/shell.svg");
  expect(read("README.md")).toContain("](docs/pictures/shell.svg)");
  const rows = [...picture.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
  const labels = options.map(({ label }: { label: string }, index: number) => `${index + 1}) ${label}`);
  expect(rows).toEqual(
    expect.arrayContaining([question, ...labels, `asked because: it ${metadata.reason.replace(/^it /, "")}`]),
  );
});

describe("each example of the guide to the policy holds:", () => {
  const guide = read("docs/guide/policy.md");
  const policy = openPolicy({ platform: "linux", home: "/home/ada", own: ["/home/ada/.local/share/assent"] });
  const rows = [...guide.matchAll(/^\| (\w+) \| (.*) \| (.*`.*) \|$/gm)].map(
    ([, category = "", asks = "", allows = ""]) => ({ category, asks: commandsIn(asks), allows: commandsIn(allows) }),
  );
  test("the table has nine kinds", () => expect(rows).toHaveLength(9));
  test.each(rows)("the row of $category", ({ category, asks, allows }) => {
    const found = (command: string): readonly string[] => {
      const { verdict, findings = [] } = policy.judge({ tool: "terminal", cwd: "/home/ada/shop", command });
      return [verdict, ...(findings.some((finding) => finding.category === category) ? [category] : [])];
    };
    expect(asks.filter((command) => found(command).join() !== `ask,${category}`)).toEqual([]);
    expect(allows.filter((command) => found(command).join() !== "allow")).toEqual([]);
  });

  const folder = mkdtempSync(join(tmpdir(), "assent-docs-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, ".assent"));
  writeFileSync(join(folder, ".assent", "policy.json"), /```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? "");
  const transcripts = ["README.md", "docs/guide/policy.md"].flatMap(transcriptsIn);
  test("there are transcripts in the guide and in README.md", () => expect(transcripts.length).toBeGreaterThan(6));
  test.each(transcripts)("$command", ({ command, printed }) => {
    const { stdout, stderr } = spawnAssent(command, folder);
    expect({ stdout, stderr }).toEqual({ stdout: printed, stderr: "" });
  });

  test("grants are added as the guide says", () => {
    const added = guide.split("\n").filter((line) => line.startsWith("assent policy grants add"));
    expect(added).toHaveLength(2);
    const { stdout } = spawnAssent(`${added.join("\n")}\nassent policy grants`, folder);
    expect(stdout).toContain("project  prefix terminal: git push … (network)\n");
    expect(stdout).toContain("project  exact terminal: rm -rf build (delete)\n");
  });
});

/** What stands between backquotes in a cell of a table. */
function commandsIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => (match[1] ?? "").replaceAll("\\|", "|"));
}

/** Commands of the policy that a document shows after a `$`, each with what it prints. */
function transcriptsIn(file: string): readonly { readonly command: string; readonly printed: string }[] {
  const blocks = [...read(file).matchAll(/```text\n(\$ [\s\S]*?)```/g)].map((match) => match[1] ?? "");
  return blocks
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((shown) => ({
      command: shown.slice(0, shown.indexOf("\n")),
      printed: shown.slice(shown.indexOf("\n") + 1),
    }));
}

/** Lines of a shell, where `assent` is the command from its source: a bundle that lies about would hide it. */
function spawnAssent(lines: string, folder: string): { readonly stdout: string; readonly stderr: string } {
  const start = join(folder, "start.mjs");
  const main = JSON.stringify(join(source, "cli", "main.ts"));
  const launch = `process.exitCode = await main(process.argv.slice(2), { root: "" });`;
  writeFileSync(start, `import { main } from ${main};\n${launch}\n`);
  const { ASSENT_RUN: _marker, ...inherited } = process.env;
  return spawnSync("bash", ["-c", `assent() { "$NODE" --conditions=assent-source "$START" "$@"; }\n${lines}`], {
    cwd: folder,
    encoding: "utf8",
    env: { ...inherited, NODE: process.execPath, START: start, ASSENT_HOME: join(folder, "home") },
  });
}

test("a flow file as the guide shows it is one", () => {
  const file = /```json\n([\s\S]*?)```/.exec(read("docs/guide/flows.md"))?.[1] ?? "";
  expect(readFlow(JSON.parse(file))).toMatchObject({
    type: "read",
    value: { steps: [{}, {}, { sensitive: true }, {}] },
  });
});

verifies("TERM-9", "that nothing is rolled back or backed up is told where people look", () => {
  expect(read("README.md")).toMatch(/Nothing that was allowed is rolled back or backed up/);
  expect(read("SECURITY.md")).toMatch(/no automatic rollback and no\s+backup/);
});

test("every file of the source that ARCHITECTURE.md names is there", () => {
  const named = [
    ...read("ARCHITECTURE.md").matchAll(/`((?:core|policy|wire|cli|runtime|adapters)\/[\w/.-]+\.ts)`/g),
  ].map((match) => match[1] ?? "");
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((file) => !existsSync(join(source, file)))).toEqual([]);
});

test("whatever ARCHITECTURE.md calls a file of the code is one", () => {
  const files = globSync(["packages/**/*.{ts,tsx,cjs,mjs}", "{scripts,bench,campaigns}/**/*.{ts,cjs}"], {
    cwd: repository,
    exclude: ["**/node_modules/**", "**/dist/**"],
  });
  const known = new Set(files.map((file) => basename(file)));
  const named = [...read("ARCHITECTURE.md").matchAll(/(?<![\w*.-])\w[\w.-]*\.(?:ts|tsx|cjs|mjs)\b/g)].map(
    ([name]) => name,
  );
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("every file of the core and of the policy has its line in ARCHITECTURE.md", () => {
  const map = read("ARCHITECTURE.md");
  const folders = ["core/*.ts", "core/interaction/*.ts", "policy/*.ts", "policy/shell/*.ts"];
  const exclude = ["**/*.test.ts", "**/index.ts"];
  const files = globSync(folders, { cwd: source, exclude }).map((file) => basename(file));
  expect(files.length).toBeGreaterThan(80);
  expect(files.filter((file) => !map.includes(file))).toEqual([]);
});

test("every link between the documents leads somewhere", () => {
  const documents = globSync(["*.md", "docs/**/*.md"], { cwd: repository });
  const dead = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)]
      .map((match) => match[1] ?? "")
      .filter((link) => !existsSync(join(repository, document, "..", link)))
      .map((link) => `${document}: ${link}`),
  );
  expect(dead).toEqual([]);
});
