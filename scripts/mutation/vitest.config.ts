import { defineConfig } from "vitest/config";
import { fewWalks, leftOut, parts } from "./parts.ts";

/** The tests that a mutant has to get past, of the part that MUTATED names. */
const tests = parts.find(({ name }) => name === process.env["MUTATED"])?.tests ?? [];

export default defineConfig({
  test: {
    include: tests.map((glob) => `packages/assent/${glob}`),
    exclude: [...leftOut],
    env: fewWalks,
    testTimeout: 60_000,
    // One process for all test files of a mutant, and a new one for the next mutant.
    isolate: false,
    reporters: [],
  },
});
