import { defineConfig } from "vitest/config";

/** Parts whose every branch matters, each held to the same share of branches that tests take. */
const held = {
  core: "src/core/**",
  policy: "src/policy/**",
  journal: "src/runtime/journal/**",
  wire: "src/wire/**",
  // What makes text of others safe to show, to keep and to hand on: nothing hides in it, and no known secret stands in it.
  sanitiser:
    "src/{core/interaction/visible,adapters/headless/sink,terminal/plain-text,runtime/redact*,runtime/live-text}.ts",
};

const here = (glob: string) => `packages/assent/${glob}`;

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "test/{core,interaction,policy,purity,runtime,wire}/**/*.test.ts",
      "test/contracts/journal*.test.ts",
      "test/adapters/*.test.ts",
      "test/terminal/plain-text*.test.ts",
    ].map(here),
    // Counting makes code slow, which what is measured in time does not bear; a process that is killed tells nothing.
    exclude: ["**/*.length.long.test.ts", "**/journal-kill.long.test.ts"],
    testTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    isolate: false,
    reporters: ["dot"],
    coverage: {
      enabled: true,
      provider: "v8",
      include: Object.values(held).map(here),
      exclude: ["**/*.test.ts", "**/*.fixture.ts", "**/examples/**"],
      reporter: ["json-summary", "json", "text-summary"],
      thresholds: Object.fromEntries(Object.values(held).map((glob) => [here(glob), { branches: 95 }])),
    },
  },
});
