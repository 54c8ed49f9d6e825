import { exitCodes } from "../adapters/headless/index.ts";
import { type Entered, forgetUnused, useModelOf } from "../adapters/shell/index.ts";
import type { Limits } from "../core/index.ts";
import { plainLines, saidSystem } from "../show/index.ts";
import type { Surrounded } from "./around.ts";
import { type Given, UsageError } from "./flags.ts";
import { checkCost } from "./limits.ts";
import { doLaunched, doLine, enteringFor, worse } from "./lined.ts";
import { linesOf, mostLineBytes } from "./lines.ts";
import { made } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { earlierSession, folder, sessionMaker, startModel } from "./starting.ts";

type Piping = { readonly given: Given; readonly limits: Partial<Limits>; readonly root: string };

/**
 * The shell without a terminal: each line that comes is done before the next. None of them is ever an answer (ANS-6); a
 * question goes to the terminal that this process has in the foreground, or to nobody (APPR-9).
 */
export async function piped(assent: Surrounded, piping: Piping): Promise<number> {
  const begun: string[] = [];
  const noted = (session: string) => {
    begun.push(session);
    return session;
  };
  const code = await doLines(assent, piping, noted);
  for (const session of begun) forgetUnused(assent.host, session);
  return code;
}

async function doLines(
  assent: Surrounded,
  { given, limits, root }: Piping,
  noted: (session: string) => string,
): Promise<number> {
  const { host, around } = assent;
  const tell = (text: string) => void stdout.write(text);
  const earlier = earlierSession(host, given, { reads: true });
  await startModel(assent, given.text("model"), earlier === null ? null : host.view(earlier).model);
  const model = around.model.name();
  if (model !== null) checkCost(limits, model);
  const make = sessionMaker(assent, { cwd: folder(given.text("cwd")), limits });
  const begin = () => noted(made(make()));
  const entering = enteringFor(assent, "shell");
  let session = earlier;
  let code: number = exitCodes.done;
  let lines = false;
  for await (const read of linesOf(process.stdin)) {
    lines = true;
    if (read === null)
      throw new UsageError(`stdin: expected lines of at most ${mostLineBytes} bytes, found a longer one`);
    session ??= begin();
    const lined = { session, given, entering, tell };
    const done = await doLine(read.replace(/\r$/, ""), lined);
    code = worse(code, done.code);
    if (done.stops) return code;
    code = worse(code, await doLaunched(lined));
    const next = following(done.entered, { session, begin });
    if (next === null) return code;
    if (next !== session) tell(plainLines(await useModelOf(next, assent)));
    session = next;
  }
  // Nobody has said anything, and nobody could: so that a first try shows something, it is the demo (CLI-5).
  if (session === null && model === null) return (await import("./demo.ts")).demo([], root);
  if (!lines) stderr.write("assent: nothing was piped in, so there was nothing to do\n");
  return code;
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
      if (errand.told !== undefined) stdout.write(plainLines(saidSystem(errand.told)));
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
