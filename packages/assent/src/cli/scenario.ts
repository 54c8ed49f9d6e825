import { exitCodes } from "../adapters/headless/index.ts";
import type { Provider } from "../runtime/index.ts";
import { difference, playLive, playScenario, readScenario, recordScenario, type Scenario } from "../scenarios/index.ts";
import type { RecordedEvent } from "../wire/index.ts";
import { readText, writeNew } from "./files.ts";
import { partOf, readFlags, UsageError } from "./flags.ts";
import { refuseInsideRun } from "./inside.ts";
import { allEvents, findSession, modelName, openAssent, openModel } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { scenarioSpec } from "./specs/others.ts";

/** `assent scenario`: whole exchanges as text files, played or made from a session (SCEN-1, SCEN-2, SCEN-3). */
export async function scenario(argv: readonly string[]): Promise<number> {
  const refused = refuseInsideRun("play or record scenarios");
  if (refused !== null) return refused;
  const [what, ...rest] = argv;
  switch (partOf("scenario", what, scenarioSpec.parts)) {
    case "run":
      return run(rest);
    case "record":
      return record(rest);
  }
}

type Read = { readonly file: string; readonly scenario: Scenario };
/** What came of a play: nothing, where it held, or what differed line by line. */
type Outcome = { readonly differences: readonly string[]; readonly came?: readonly string[] };

async function run(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, scenarioSpec.parts.run);
  if (given.has("model") && !given.has("live"))
    throw new UsageError("--model is for --live: a play has its own script");
  // Nothing is played before all of them can be read.
  const read = given.arguments.map((file) => readFile(file));
  const real = read.find(({ scenario: { parts } }) =>
    parts.some((part) => part.type === "session" && part.settings.real),
  );
  // What a file says is nobody's leave.
  if (real !== undefined && !given.has("real")) {
    throw new UsageError(`${real.file} says that its commands are real: --real lets them run, with the answers in it`);
  }
  const model = given.has("live") ? openModel(await modelName(given.text("model"), null)) : null;
  let differing = 0;
  for (const each of read) {
    const outcome = await play(each.scenario, model);
    if (outcome.differences.length > 0) differing += 1;
    stdout.write(given.has("json") ? asJson(each, outcome) : describe(each, outcome));
  }
  if (!given.has("json")) stderr.write(`assent: ${read.length - differing} of ${read.length} scenarios hold\n`);
  return differing === 0 ? exitCodes.done : exitCodes.failed;
}

function readFile(file: string): Read {
  const read = readScenario(file, readText(file));
  if (read.type === "malformed") throw new UsageError(read.reason);
  return { file, scenario: read.scenario };
}

async function play(played: Scenario, model: Provider | null): Promise<Outcome> {
  if (model !== null) return playLive(played, model);
  const { came } = await playScenario(played);
  const found = difference(played.expected, came);
  return { differences: found === null ? [] : found.split("\n") };
}

function asJson({ file, scenario: { title } }: Read, { differences, came }: Outcome): string {
  const holds = differences.length === 0;
  return `${JSON.stringify({ file, title, holds, differences, ...(came === undefined ? {} : { came }) })}\n`;
}

function describe({ file, scenario: { title } }: Read, { differences }: Outcome): string {
  if (differences.length === 0) return `ok  ${file}: ${title}\n`;
  return `!!  ${file}: ${title}\n    - was expected, + came instead\n${differences.map((line) => `    ${line}\n`).join("")}`;
}

async function record(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, scenarioSpec.parts.record);
  const out = given.text("out");
  const { session, events } = await readSession(given.arguments[0] ?? "");
  const recorded = await recordScenario(session, events);
  if (recorded.type === "unrecordable") throw new UsageError(`session ${session}: ${recorded.reason}`);
  if (out === undefined) stdout.write(recorded.text);
  else writeNew("--out", out, recorded.text);
  if (recorded.differs === null) return exitCodes.done;
  stderr.write(`assent: played, it differs from what was recorded (- recorded, + played)\n${recorded.differs}\n`);
  return exitCodes.failed;
}

async function readSession(
  typed: string,
): Promise<{ readonly session: string; readonly events: readonly RecordedEvent[] }> {
  const { host } = openAssent();
  try {
    const { session } = findSession(host, typed);
    return { session, events: allEvents(host, session) };
  } finally {
    await host.close();
  }
}
