import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts"],
    reporters: ["default", "./packages/assent/test/requirements/reporter.ts"],
  },
});
