import { relative } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";

/** Every random test takes the same cases again with `WALK_SEED=<seed>`, and a failure names the command for that. */
const { WALK_SEED: given, WALKS: walks } = process.env;

fc.configureGlobal({
  ...(given === undefined ? {} : { seed: Number(given) }),
  reporter: (told: fc.RunDetails<unknown>) => {
    if (!told.failed) return;
    const again = `again: ${commandOf(told.seed)}`;
    throw new Error(`${fc.defaultReportMessage(told)}\n\n${again}`, { cause: told.errorInstance });
  },
});

function commandOf(seed: number): string {
  const { testPath = "", currentTestName = "" } = expect.getState();
  // Suites are before it; titles may hold what a pattern or the shell would take for something else.
  const title = (currentTestName.split(" > ").at(-1) ?? "").replaceAll(/[^\w ,:;-]/g, ".");
  const many = walks === undefined ? "" : `WALKS=${walks} `;
  return `${many}WALK_SEED=${seed} npx vitest run ${relative(process.cwd(), testPath)} -t '${title}'`;
}
