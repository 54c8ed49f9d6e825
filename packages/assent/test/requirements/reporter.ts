import type { Reporter, TestModule, TestRunEndReason, TestSpecification, Vitest } from "vitest/node";
import { type Citation, checkRequirements, testsLine } from "./gate.ts";
import { requirements } from "./requirements.ts";
import type {} from "./verifies.ts"; // for the type of the meta only: its code runs inside tests

/** Runs the requirement gate after every full run. A partial run proves too little to judge, so there it is silent. */
export default class RequirementReporter implements Reporter {
  #vitest: Vitest | undefined;
  #specifications: readonly TestSpecification[] = [];

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#specifications = specifications;
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly unknown[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const vitest = this.#vitest;
    if (vitest === undefined || reason === "interrupted" || isNarrowed(vitest, this.#specifications)) return;
    if (!(await ranEveryFile(vitest, modules))) return;
    const { problems, summary } = checkRequirements({ requirements, citations: modules.flatMap(citationsOf) });
    const lines = [...problems, summary, testsLine(count(modules, unhandledErrors.length))];
    process.stdout.write(`${lines.join("\n")}\n`);
    // Vitest only ever raises the exit code, and exits with the one that is set.
    if (problems.length > 0) process.exitCode = 1;
  }
}

/** Whether an option left tests out, inside files or as whole projects that the list of files would not show. */
function isNarrowed(vitest: Vitest, specifications: readonly TestSpecification[]): boolean {
  const { changed, related, tagsFilter, project, cliExclude, cliOptions } = vitest.config;
  return (
    [changed, cliOptions.dir, vitest.getGlobalTestNamePattern()].some(Boolean) ||
    [related, tagsFilter, project, cliExclude].some((list) => list !== undefined && list.length > 0) ||
    specifications.some(
      ({ testLines, testNamePattern, testIds, testNames, testTagsFilter }) =>
        testNamePattern !== undefined ||
        [testLines, testIds, testNames, testTagsFilter].some((list) => list !== undefined && list.length > 0),
    )
  );
}

/** Compared file by file, because filters, shards and reruns each leave files out in a way of their own. */
async function ranEveryFile(vitest: Vitest, modules: readonly TestModule[]): Promise<boolean> {
  const ran = new Set(modules.map(({ moduleId }) => moduleId));
  const all = await vitest.globTestSpecifications();
  return all.every(({ moduleId }) => ran.has(moduleId));
}

function citationsOf(module: TestModule): Citation[] {
  return [...module.children.allTests()].flatMap((test) => {
    const { state } = test.result();
    const outcome = { title: test.fullName, passed: state === "passed", skipped: state === "skipped" };
    return (test.meta().requirements ?? []).map((id) => ({ id, ...outcome }));
  });
}

/** A file or a suite that broke outside its tests is a failure too, else a run could fail with none to show. */
function count(modules: readonly TestModule[], unhandled: number): Parameters<typeof testsLine>[0] {
  const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
  const passed = states.filter((state) => state === "passed").length;
  const skipped = states.filter((state) => state === "skipped").length;
  const broken = modules
    .flatMap((module) => [module, ...module.children.allSuites()])
    .filter((suite) => suite.errors().length > 0).length;
  // What neither passed nor was skipped failed, also a test that its worker's death left pending.
  return { passed, skipped, failed: states.length - passed - skipped + broken + unhandled };
}
