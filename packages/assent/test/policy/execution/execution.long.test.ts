import { beforeAll, describe, expect, test } from "vitest";
import { allCases, type Case } from "./cases.ts";
import { brokenPromises } from "./proof.ts";
import { isInstalled, type Outcome, runAll, whyNoSandbox } from "./sandbox.ts";

/** Each takes a while to set up, so only every second is run; `npm run campaign execution 1` runs all. */
const every = Number(process.env["EXECUTED_EVERY"] ?? 2);
/** Fewer would prove too little; a machine that has hardly any program is told. */
const fewest = 170;
const mostMs = 900_000;

/** Not on every machine: commands with them would do nothing there. */
const programs =
  "awk busybox csplit curl ed gcc git make nc node openssl patch perl python3 rsync scp sqlite3 ssh unzip vim wget xxd zip";
const missing = programs.split(" ").filter((program) => !isInstalled(program));
const isPossible = ({ command }: Case) =>
  !missing.some((program) => new RegExp(`(?<![\\w.-])${program}(?![\\w.-])`).test(command));

const all = allCases();
const chosen = all.filter(isPossible).filter((_, index) => index % every === 0);

type Tried = Case & Outcome;

/** Starting and ending namespaces is mostly waiting, so two wait at a time. */
async function tryAll(cases: readonly Case[]): Promise<readonly Tried[]> {
  const commands = cases.map(({ command }) => command);
  const middle = Math.ceil(commands.length / 2);
  const halves = await Promise.all([runAll(commands.slice(0, middle)), runAll(commands.slice(middle))]);
  return halves
    .flat()
    .flatMap((outcome, index) => cases.slice(index, index + 1).map((each) => ({ ...each, ...outcome })));
}

const problem = await whyNoSandbox();
if (problem !== null) process.stdout.write(`executed: none of ${all.length} commands: ${problem}\n`);

describe.skipIf(problem !== null)(`the sandbox${problem ? ` (${chosen.length} not run: ${problem})` : ""}`, () => {
  let broken: readonly string[] = ["not tried"];
  let tried: readonly Tried[] = [];

  beforeAll(async () => {
    broken = await brokenPromises();
    // Nothing else is run before it is proved that it can do no harm.
    if (broken.length > 0) return;
    tried = await tryAll(chosen);
    const without = missing.length > 0 ? `, none with ${missing.join(", ")}` : "";
    process.stdout.write(`executed: ${tried.length} of ${all.length} commands${without}\n`);
  }, mostMs);

  test("nothing gets out of it", () => {
    expect(broken).toEqual([]);
  });

  test("every command that runs in it does what is said of it", () => {
    expect(tried.length).toBeGreaterThanOrEqual(fewest);
    const others = tried.filter(({ does, observed }) => observed.join() !== does.join());
    expect(others.map(({ command, does, observed, output }) => ({ command, does, observed, output }))).toEqual([]);
  });
});
