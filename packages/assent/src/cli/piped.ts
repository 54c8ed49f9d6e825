import { exitCodes } from "../adapters/headless/index.ts";
import { type Entered, type Entering, enterLine } from "../adapters/shell/index.ts";
import type { Limits } from "../core/index.ts";
import { plainLines, saidSystem } from "../show/index.ts";
import { enteredCommand } from "../tools/index.ts";
import type { Surrounded } from "./around.ts";
import { whyNotAttached } from "./attaching.ts";
import { type Given, UsageError } from "./flags.ts";
import { followExchange } from "./follow.ts";
import { checkCost } from "./limits.ts";
import { linesOf } from "./lines.ts";
import { person } from "./open.ts";
import { stdout } from "./output.ts";
import { earlierSession, folder, made } from "./run.ts";
import { exitMeanings } from "./specs/surroundings.ts";
import { sessionMaker, startModel } from "./starting.ts";

/**
 * The shell without a terminal: each line that comes is done before the next. None of them is ever an answer (ANS-6); a
 * question goes to the terminal that this process has in the foreground, or to nobody (APPR-9).
 */
export async function piped(
  assent: Surrounded,
  { given, limits, root }: { readonly given: Given; readonly limits: Partial<Limits>; readonly root: string },
): Promise<number> {
  const { host, around } = assent;
  const earlier = earlierSession(host, given);
  await startModel(assent, given.text("model"), earlier === null ? null : host.view(earlier).model);
  const model = around.model.name();
  if (model !== null) checkCost(limits, model);
  const make = sessionMaker(assent, { cwd: folder(given.text("cwd")), limits });
  const begin = () => made(make());
  const entering = {
    host,
    around,
    person: person("shell"),
    readCommand: enteredCommand,
    wantsTerminal: () => false,
    whyNotAttached,
  };
  let session = earlier;
  let code: number = exitCodes.done;
  for await (const read of linesOf(process.stdin)) {
    if (read === null) throw new UsageError("a line of the input is longer than anybody means to say");
    session ??= begin();
    const done = await doLine(read.replace(/\r$/, ""), { session, given, entering });
    code = worse(code, done.code);
    const next = done.stops ? null : following(done.entered, { session, begin });
    if (next === null) return code;
    session = next;
  }
  // Nobody has said anything, and nobody could: so that a first try shows something, it is the demo (CLI-5).
  if (session === null && model === null) return (await import("./demo.ts")).demo([], root);
  return code;
}

type Lined = { readonly session: string; readonly given: Given; readonly entering: Entering };
type Done = { readonly entered: Entered; readonly code: number; readonly stops: boolean };

/** One line, to the end of all that follows from it. */
async function doLine(line: string, { session, given, entering }: Lined): Promise<Done> {
  const { host } = entering;
  const { seq, exchange } = host.view(session);
  if (exchange !== null) throw new UsageError(`session ${session} has an open exchange; assent resume ${session}`);
  const entered = await enterLine(line, { session, open: null }, entering);
  stdout.write(plainLines(entered.said));
  const { exchange: started } = host.view(session);
  if (started === null) return { entered, code: exitCodes.done, stops: false };
  const readOnly = given.has("read-only");
  const followed = { session, exchange: started.ordinal, after: seq, joins: false, readOnly, given };
  const code = await followExchange(host, followed);
  // Whoever stopped it, or is asked something, wants no more done.
  return { entered, code, stops: code >= 128 || code === exitCodes.parked };
}

/** The first that fits of all that was done (CLI-2). */
function worse(one: number, other: number): number {
  const order = exitMeanings.flatMap(({ codes }) => codes);
  return order.indexOf(other) < order.indexOf(one) ? other : one;
}

/** The session to go on with; none where it ends here. */
function following(
  { errand }: Entered,
  { session, begin }: { readonly session: string; readonly begin: () => string },
): string | null {
  switch (errand?.type) {
    case undefined:
    case "clear":
      return session;
    case "leave":
      return null;
    case "open":
      return errand.session;
    case "begin":
      return begin();
    case "show":
      stdout.write(plainLines(errand.said));
      return session;
    case "pick":
    case "child":
      stdout.write(plainLines(saidSystem("this needs a terminal")));
      return session;
    default:
      return errand satisfies never;
  }
}
