import { join } from "node:path";
import { build } from "esbuild";
import { expect } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { verifies } from "../requirements/verifies.ts";

const root = join(import.meta.dirname, "..", "..");

verifies(
  "LIB-1c",
  "assent/policy holds the policy and nothing of the core, the runtime, the tools or Node",
  async () => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [manifest.exports["./policy"]["assent-source"]],
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
    expect([...new Set(folders)].sort()).toEqual(["src/policy", "src/policy.ts", "unbash/dist"]);
  },
);
