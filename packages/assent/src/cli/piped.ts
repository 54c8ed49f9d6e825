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
import { chooseModel, wholeName } from "./model.ts";
import { person } from "./open.ts";
import { stdout } from "./output.ts";
import { earlierSession, folder } from "./run.ts";

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
  await startModel(assent, given, earlier);
  const model = around.model.name();
  if (model !== null) checkCost(limits, model);
  const creation = { cwd: folder(given.text("cwd")), limits, ...(model === null ? {} : { model }) };
  const begin = () => {
    const created = host.create(creation);
    if ("refusal" in created) throw new UsageError(created.refusal.detail);
    return created.session;
  };
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
    const next = done.stops ? null : following(done.entered, begin);
    if (next === null) return code;
    session = next === "" ? session : next;
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
  const order = [exitCodes.parked, 143, 130, 129, exitCodes.limit, exitCodes.failed, exitCodes.refused, exitCodes.done];
  const rank = (code: number) => (order.includes(code) ? order.indexOf(code) : -1);
  return rank(other) < rank(one) ? other : one;
}

async function startModel({ host, useModel }: Surrounded, given: Given, earlier: string | null): Promise<void> {
  const flag = given.text("model");
  try {
    useModel(wholeName(await chooseModel(flag, earlier === null ? null : host.view(earlier).model)));
  } catch (error) {
    // Commands work without a model; a prompt will say that there is none.
    if (flag !== undefined || !(error instanceof UsageError)) throw error;
  }
}

/** The session to go on with, none where it ends here; an empty name stays. */
function following({ errand }: Entered, begin: () => string): string | null {
  switch (errand?.type) {
    case undefined:
    case "clear":
      return "";
    case "leave":
      return null;
    case "open":
      return errand.session;
    case "begin":
      return begin();
    case "show":
      stdout.write(plainLines(errand.said));
      return "";
    case "pick":
    case "child":
      stdout.write(plainLines(saidSystem("this needs a terminal")));
      return "";
    default:
      return errand satisfies never;
  }
}
