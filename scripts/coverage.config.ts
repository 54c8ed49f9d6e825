import { defineConfig } from "vitest/config";

/** Parts whose every branch matters, each held to the same share of branches that tests take. */
const held = [
  "src/core/**",
  "src/policy/**",
  "src/runtime/journal/**",
  "src/wire/**",
  // What makes text of others safe to show, to keep and to hand on: nothing hides in it, and no known secret stands in it.
  "src/{core/interaction/visible,adapters/headless/sink,terminal/plain-text,runtime/redact*,runtime/live-text}.ts",
];

/** The fast tests, and of the long ones those of these parts that neither measure time nor walk about for minutes. */
const tests = [
  "src/**/!(*.long).test.ts",
  "test/!(e2e|http|terminal)/**/!(*.long).test.ts",
  "src/**/{code,purity,words}.long.test.ts",
  "test/core/{state-block,replay.walks}.long.test.ts",
  "test/interaction/vectors.long.test.ts",
  "test/policy/{grants,headings,ordinary,rewriting}.long.test.ts",
  "test/runtime/journal-failures.long.test.ts",
  "test/contracts/{journal,journal-chain,journal-damage,journal-file,journal-lost}.long.test.ts",
  "test/terminal/plain-text.long.test.ts",
];

const here = (glob: string) => `packages/assent/${glob}`;

export default defineConfig({
  test: {
    include: tests.map(here),
    env: { WALKS: "500", WALK_SEED: "1" },
    testTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
    isolate: false,
    reporters: ["dot"],
    coverage: {
      enabled: true,
      provider: "v8",
      include: held.map(here),
      exclude: ["**/*.test.ts", "**/*.fixture.ts", "**/examples/**"],
      reporter: ["json", "text-summary"],
      thresholds: Object.fromEntries(held.map((glob) => [here(glob), { branches: 95 }])),
    },
  },
});
