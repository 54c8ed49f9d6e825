import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts"],
    // Generous: a test that hangs is still told, and a busy machine fails none.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Left to itself vitest leaves one core free, which of two is half; most tests wait more than they work. A third worker takes a
    // quarter less time, but some tests of terminals and time-outs do not stand that on two cores.
    maxWorkers: 2,
    isolate: false,
    reporters: ["default", "./packages/assent/test/requirements/reporter.ts"],
  },
});
