import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts"],
    // Generous: a test that hangs is still told, and a busy machine fails none.
    testTimeout: 60_000,
    pool: "forks",
    // Left to itself vitest leaves one core free, which of two is half. Most tests wait more than they work: one more than there
    // are cores takes a tenth less time.
    maxWorkers: 3,
    isolate: false,
    reporters: ["default", "./packages/assent/test/requirements/reporter.ts"],
  },
});
