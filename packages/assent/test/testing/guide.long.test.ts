import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "..", "..");
const guide = readFileSync(join(root, "..", "..", "docs", "guide", "testing.md"), "utf8");

test("the program in the guide runs as it stands, by the entry that the package publishes", () => {
  const program = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  expect(program).toContain("assert");
  const ran = spawnSync(process.execPath, ["--conditions=assent-source", "--input-type=module-typescript", "-"], {
    cwd: root,
    input: program,
    encoding: "utf8",
  });
  expect([ran.status, ran.stderr]).toEqual([0, ""]);
  expect(manifest.exports["./testing"]).toEqual({
    "assent-source": "./src/testing.ts",
    types: "./dist/testing.d.ts",
    default: "./dist/testing.js",
  });
});
