import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const repository = join(import.meta.dirname, "..", "..", "..", "..");
const source = join(repository, "packages", "assent", "src");

function read(file: string): string {
  return readFileSync(join(repository, file), "utf8");
}

test("the example in README.md runs and prints what it says", () => {
  const example = /```ts\n([\s\S]*?)```/.exec(read("README.md"))?.[1] ?? "";
  const argv = ["--conditions=source", "--input-type=module-typescript", "-"];
  const ran = spawnSync(process.execPath, argv, { cwd: repository, input: example, encoding: "utf8" });
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: "" });
  expect(ran.stdout).toMatch(/type: 'call-model',\s+number: 1,/);
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
