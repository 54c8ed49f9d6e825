import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { fewWalks, leftOut, parts } from "./parts.ts";

/** The tests that a mutant has to get past, of the part that MUTATED names. */
const tests = parts.find(({ name }) => name === process.env["MUTATED"])?.tests ?? [];

export default defineConfig({
  resolve: {
    alias: [{ find: /^\.{1,2}\/(?:.*\/)?when-needed\.ts$/, replacement: join(import.meta.dirname, "when-needed.ts") }],
  },
  test: {
    setupFiles: [join(import.meta.dirname, "each-test.ts")],
    include: tests.map((glob) => `packages/assent/${glob}`),
    exclude: [...leftOut],
    env: fewWalks,
    testTimeout: 60_000,
    // One process for all test files of a mutant, and a new one for the next mutant.
    isolate: false,
    reporters: [],
  },
});
