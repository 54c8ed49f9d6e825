import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The long ones first: one that begins last is waited for by a core that has nothing else to do. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      moduleId.includes(".long.test.") ? 0 : /\/(?:e2e|http)\//.test(moduleId) ? 1 : 2;
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts"],
    // Generous: a test that hangs is still told, and a busy machine fails none.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: "packages/assent/test/compiled.ts",
    setupFiles: "packages/assent/test/repeatable.ts",
    pool: "forks",
    // Left to itself vitest leaves one core free, which of two is half; most tests wait more than they work. A third worker takes a
    // quarter less time, but some tests of terminals and time-outs do not stand that on two cores.
    maxWorkers: 2,
    isolate: false,
    sequence: { sequencer: LongFirst },
    reporters: ["default", "./packages/assent/test/requirements/reporter.ts"],
  },
});
