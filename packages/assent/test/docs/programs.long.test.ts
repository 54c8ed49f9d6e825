import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Place } from "../e2e/product.ts";
import { Served } from "../http/served.ts";
import { citing, verifies } from "../requirements/verifies.ts";
import { examples, type Program, programsInDocs, repository } from "./programs.ts";

const programs = programsInDocs();
const folder = mkdtempSync(join(tmpdir(), "assent-programs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program as if it stood in the repository. */
async function run(argv: readonly string[], input: string, env: NodeJS.ProcessEnv = {}) {
  const { ASSENT_RUN: _marker, ...inherited } = process.env;
  const child = spawn(process.execPath, ["--conditions=assent-source", ...argv], {
    cwd: repository,
    env: { ...inherited, ...env },
  });
  child.stdin.end(input);
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { stdout, stderr, status };
}

describe("the programs of the documents", () => {
  // Not in a hook: what is to be done after all tests cannot be said there any more.
  const place = new Place([], {}, afterAll);
  let served: Served;
  beforeAll(async () => {
    served = await Served.at(place);
  }, 60_000);

  test("are there, on all pages that tell of the library", () => {
    const pages = ["README", "guide/interaction", "guide/library", "guide/policy", "guide/server", "guide/testing"];
    const missing = pages.filter((page) => !programs.some(({ name }) => name.includes(`${page}.md`)));
    expect(missing).toEqual([]);
  });

  verifies("LIB-1d", "pass the compiler as they stand", () => {
    for (const [index, { text: program }] of programs.entries()) writeFileSync(join(folder, `${index}.mts`), program);
    symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
    const compilerOptions = { incremental: false };
    const project = { extends: join(repository, "tsconfig.json"), compilerOptions, include: ["*.mts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
    const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "--project", folder], { encoding: "utf8" });
    const named = stdout.replace(/\S*?(\d+)\.mts/g, (_, index) => programs[Number(index)]?.name ?? "");
    expect(named).toBe("");
  });

  test.each(programs.map((program) => [`[LIB-1d] ${program.name}`, program] as const))(
    "%s runs, and prints what stands under it or asserts what it shows",
    citing("[LIB-1d] each"),
    async (_, program: Program) => {
      if (/assent\/client/.test(program.text)) await served.asked();
      const { stdout, stderr, status } = await run(["--input-type=module-typescript", "-"], program.text, {
        SHOP_URL: served.url,
        ASSENT_TOKEN: served.token,
      });
      expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
      if (program.printed === null) expect(program.text).toContain("assert");
      else expect(stdout).toBe(program.printed);
    },
  );
});

describe("the examples", () => {
  test("are all run, and are all told of in the guide", () => {
    const all = globSync("*/main.ts", { cwd: join(repository, "examples") }).map((file) => dirname(file));
    expect(examples.map(({ name }) => name)).toEqual(all.sort());
  });

  test.each(examples)("$name ends as its story says", async ({ name, input, prints }) => {
    const { stdout, stderr, status } = await run([`examples/${name}/main.ts`], input);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout).toMatch(prints);
  });

  verifies("FLOW-5b", "a program runs a flow with the library alone", async () => {
    const [flow] = examples.filter(({ name }) => name === "flow");
    const { stdout } = await run(["examples/flow/main.ts"], flow?.input ?? "");
    expect(stdout).toMatch(flow?.prints ?? /^$/);
  });
});
