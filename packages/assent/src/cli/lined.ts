import { exitCodes } from "../adapters/headless/index.ts";
import { type Entered, type Entering, enterLine } from "../adapters/shell/index.ts";
import { plainLines } from "../show/index.ts";
import { enteredCommand } from "../tools/index.ts";
import type { Surrounded } from "./around.ts";
import { whyNotAttached } from "./attaching.ts";
import { type Given, UsageError } from "./flags.ts";
import { canBeAsked, followExchange } from "./follow.ts";
import { person } from "./open.ts";
import { exitMeanings } from "./specs/surroundings.ts";

/** Lines are entered as in a shell, but for what would want its terminal. */
export function enteringFor({ host, around }: Surrounded, adapter: string): Entering {
  const none = { wantsTerminal: () => false, whyNotAttached };
  return { host, around, person: person(adapter), readCommand: enteredCommand, ...none };
}

export type Lined = {
  readonly session: string;
  readonly given: Given;
  readonly entering: Entering;
  /** Takes what is said beside the events. */
  readonly tell: (text: string) => void;
};
type Done = { readonly entered: Entered; readonly code: number; readonly stops: boolean };

/**
 * What the model has prepared begins when its exchange has ended, for there is no line in which it could wait (HAND-3). Where
 * nobody can be asked, nothing begins. Returns the exit code of all that was done.
 */
export async function doLaunched(lined: Lined): Promise<number> {
  const { session, given, entering } = lined;
  const { host, person: by } = entering;
  let code: number = exitCodes.done;
  for (;;) {
    const [launch] = host.view(session).launches;
    if (launch === undefined || host.view(session).exchange !== null || !canBeAsked(given)) return code;
    const { refusal } = host.submit(session, { type: "launch", call: launch.call, by, authority: "act" });
    if (refusal !== null) return code;
    const done = await doLine(launch.command, lined);
    code = worse(code, done.code);
    if (done.stops) return code;
  }
}

/** One line, to the end of all that follows from it. */
export async function doLine(line: string, { session, given, entering, tell }: Lined): Promise<Done> {
  const { host } = entering;
  const { seq, exchange } = host.view(session);
  if (exchange !== null) throw new UsageError(`session ${session} has an open exchange; assent resume ${session}`);
  const entered = await enterLine(line, { session, open: null }, entering);
  const { exchange: started } = host.view(session);
  // An exchange that begins with the line shows it itself.
  const isShown = started?.prompt === line.trim();
  tell(plainLines(entered.said.filter(({ channel }) => channel !== "prompt" || !isShown)));
  if (started === null) return { entered, code: exitCodes.done, stops: false };
  const readOnly = given.has("read-only");
  const followed = { session, exchange: started.ordinal, after: seq, joins: false, readOnly, given };
  const code = await followExchange(host, followed);
  // Whoever stopped it, or is asked something, wants no more done.
  return { entered, code, stops: code >= 128 || code === exitCodes.parked };
}

/** The first that fits of all that was done (CLI-2). */
export function worse(one: number, other: number): number {
  const order = exitMeanings.flatMap(({ codes }) => codes);
  return order.indexOf(other) < order.indexOf(one) ? other : one;
}
