import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { verifies } from "../requirements/verifies.ts";

const root = join(import.meta.dirname, "..", "..");

verifies("LIB-1a", "assent/interaction holds the contract and nothing of the runtime, the tools or Node", async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [manifest.exports["./interaction"]["assent-source"]],
    bundle: true,
    format: "esm",
    // A module of Node would be an error here.
    platform: "neutral",
    mainFields: ["module", "main"],
    write: false,
    metafile: true,
  });
  const folders = Object.keys(metafile.inputs).map((file) =>
    file
      .replace(/^.*node_modules\//, "")
      .split("/")
      .slice(0, 2)
      .join("/"),
  );
  expect([...new Set(folders)].sort()).toEqual(["src/core", "src/interaction.ts", "src/wire", "valibot/dist"]);
  const core = Object.keys(metafile.inputs).filter((file) => /^src\/core\/[^/]+\.ts$/.test(file));
  expect(core).toEqual([]);
});

test("what the package publishes is there", () => {
  const published = ["./schema/interaction.json", "./vectors/replies.jsonl"] as const;
  for (const path of published) {
    expect(manifest.exports[path]).toBe(path);
    expect(readFileSync(join(root, path), "utf8").length).toBeGreaterThan(100);
    expect(manifest.files).toContain(path.split("/")[1]);
  }
  expect(readdirSync(join(root, "vectors"))).toContain("README.md");
});
