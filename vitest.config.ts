import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts"],
    // Generous: a test that hangs is still told, and a busy machine fails none.
    testTimeout: 60_000,
    pool: "forks",
    isolate: false,
    reporters: ["default", "./packages/assent/test/requirements/reporter.ts"],
  },
});
