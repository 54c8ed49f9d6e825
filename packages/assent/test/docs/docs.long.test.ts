import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { readFlow } from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";

const repository = join(import.meta.dirname, "..", "..", "..", "..");
const source = join(repository, "packages", "assent", "src");

function read(file: string): string {
  return readFileSync(join(repository, file), "utf8");
}

/** The programs in a document, in order. */
function programs(file: string): readonly string[] {
  return [...read(file).matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
}

/** Runs a program as if it stood in the repository, and expects that it ends well and complains of nothing. */
function run(argv: readonly string[], input: string): string {
  const ran = spawnSync(process.execPath, ["--conditions=source", ...argv], {
    cwd: repository,
    input,
    encoding: "utf8",
  });
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: "" });
  return ran.stdout;
}

const fromInput = ["--input-type=module-typescript", "-"];

test("the example in README.md runs and prints what it says", () => {
  expect(run(fromInput, programs("README.md")[0] ?? "")).toMatch(/type: 'call-model',\s+number: 1,/);
});

describe("each example of the guide to the interaction contract holds:", () => {
  const guide = programs("docs/guide/interaction.md");
  test("there are six", () => expect(guide).toHaveLength(6));
  test.each(guide.map((program, index) => [index + 1, program] as const))("example %i", (_, program) => {
    expect(program).toContain("assert");
    run(fromInput, program);
  });
});

test("a flow file as the guide shows it is one", () => {
  const file = /```json\n([\s\S]*?)```/.exec(read("docs/guide/flows.md"))?.[1] ?? "";
  expect(readFlow(JSON.parse(file))).toMatchObject({
    type: "read",
    value: { steps: [{}, {}, { sensitive: true }, {}] },
  });
});

verifies("FLOW-5b", "a program runs a flow with the library alone", () => {
  const printed = run(["examples/flow/main.ts"], "option 2\n2\nregion=2\n3\n1\n1\nyes\n");
  expect(printed).toContain("Summary:\n- env: Production\n- region: US\n\n1) Confirm");
  expect(printed.split("\n").at(-2)).toBe('confirmed {"env":1,"region":2}');
});

verifies("TERM-9", "that nothing is rolled back or backed up is told where people look", () => {
  expect(read("README.md")).toMatch(/Nothing that was allowed is rolled back or backed up/);
  expect(read("SECURITY.md")).toMatch(/no automatic rollback and no\s+backup/);
});

test("every file of the source that ARCHITECTURE.md names is there", () => {
  const named = [...read("ARCHITECTURE.md").matchAll(/`((?:core|wire|cli|runtime|adapters)\/[\w/.-]+\.ts)`/g)].map(
    (match) => match[1] ?? "",
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((file) => !existsSync(join(source, file)))).toEqual([]);
});

test("every file of the core has its line in ARCHITECTURE.md", () => {
  const plumbing = ["index.ts", "draft.ts", "json.ts", "log.ts"];
  const map = read("ARCHITECTURE.md");
  const files = globSync("core/*.ts", { cwd: source, exclude: ["**/*.test.ts"] }).map((file) => basename(file));
  expect(files.filter((file) => !plumbing.includes(file) && !map.includes(file))).toEqual([]);
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
