import type { Ending, ModelFailure } from "../core/index.ts";
import type { ChainBreak } from "../runtime/index.ts";

/**
 * How it goes on after a failure of the model. A remedy names the session as `<session>`, for whoever writes it does not know
 * which it is; it is put in where the failure is told.
 */
const resume = "assent resume <session>";
const withAnother = "--model <provider:model>";

/** Of an exchange that outgrew its model. */
const roomier = `go on with a model that takes more: ${resume} ${withAnother}`;
/** A summary that a person wants is no exchange that could be gone on with: it is asked for again. */
const compactAgain = "echo /compact | assent --session <session>";

/** A session that is aborted is never gone on with; what is known in it is taken along by a fork. */
const fork = "assent fork <session>";
const toFork = `${fork} goes on from here in a new one`;

/** Where somebody has changed what is recorded. */
const verify = "assent audit verify <session>";
const stop = "assent stop <session>";
const pastBreak = `${verify} tells what was changed, ${stop} ends an exchange that is open, ${toFork}`;

/** What can be done where there is no model to ask. */
export const modelRemedy = "name one with --model, or set one up with /model in the shell";

/** What can be done about a failure that an exchange ended with: what did not fit goes on where there is room for it. */
export function lastRemedy({ class: kind, remedy }: ModelFailure): string {
  return kind === "overflow" ? `shorten the prompt, start a new session, or ${roomier}` : remedy;
}

/** The same where nothing but a summary was wanted. */
export function summaryRemedy({ class: kind, remedy }: ModelFailure): string {
  const again =
    kind === "overflow" ? `have it summarised by a model that takes more: ${resume} ${withAnother}` : remedy;
  return (again || `${resume} asks again`).replaceAll(resume, compactAgain);
}

/** A run that a bound has ended is over; what it did is known to the session, which takes the next prompt. */
const prompt = 'assent run --session <session> "go on"';

/** How it goes on after a run that a bound has ended; nothing of other ends. */
export function promptFor(session: string, { outcome }: Ending): string {
  const isBound = outcome === "iteration-limit" || outcome === "budget" || outcome === "stalled";
  return isBound ? withId(session, `${prompt} goes on from here`) : "";
}

/** Whatever it was, it can be gone on with: a remedy that does not say so leaves nobody without the way. */
export function remedyFor(session: string, remedy: string): string {
  return withId(session, remedy || `${resume} goes on`);
}

/** How an exchange goes on that ended as one that no longer fitted. */
export function roomierFor(session: string): string {
  return withId(session, roomier);
}

/** How it goes on after a session that is aborted. */
export function forkFor(session: string): string {
  return withId(session, toFork);
}

/** By its word, as a server may send it, too. */
type Told = { readonly code: string; readonly detail: string };

/** Why an input was not taken, with the way on where the session takes none like it any more. */
export function refusedFor(session: string, { code, detail }: Told): string {
  if (code === "session_aborted") return withId(session, `${detail}: ${fork}`);
  return code === "not_as_recorded" ? withId(session, `${detail}: ${pastBreak}`) : detail;
}

/** What an error says, with the way on where it is about a session that is not as it was recorded. */
export function failureFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const about = "session" in error && "code" in error && error.code === "not_as_recorded" ? error.session : null;
  return typeof about === "string"
    ? refusedFor(about, { code: "not_as_recorded", detail: error.message })
    : error.message;
}

/** That something in a session was changed, where it is gone on with all the same; and that a fork of it begins with that. */
export function describeBreaks(session: string, breaks: readonly ChainBreak[]): string {
  const [first] = breaks;
  if (first === undefined) return "";
  const { seq, type, reason } = first;
  const more = breaks.length === 1 ? "" : ` (and ${breaks.length - 1} more like it)`;
  const event = `event ${seq}${type === null ? "" : ` (${type})`}`;
  return withId(
    session,
    `session <session>: ${event}: ${reason}${more}; what can be read of it is gone on with: ${verify} tells more`,
  );
}

/** A remedy where there is no session, and so nothing that could be gone on with. */
export function adviceIn(remedy: string): string {
  return remedy
    .split("; ")
    .map((part) => part.replace(`, then ${resume}`, ""))
    .filter((part) => !part.includes("<session>"))
    .join("; ");
}

/** As it is typed in the shell, where the session is open. */
export function inShellWords(session: string, text: string): string {
  const typed = [
    [withId(session, resume), `/resume ${session}`],
    [withId(session, compactAgain), "/compact"],
    [withId(session, fork), "/fork"],
    [withId(session, verify), "/audit verify"],
    [withId(session, stop), "/stop"],
  ] as const;
  return typed.reduce((told, [command, here]) => {
    const whole = `${command} ${withAnother}`;
    const both = `/model <provider:model>, then ${here}`;
    // In the middle of a sentence it ends with a comma.
    return told.replace(`${whole} `, `${both}, `).replace(whole, both).replace(command, here);
  }, text);
}

/** With the session's id put in. */
function withId(session: string, text: string): string {
  return text.replaceAll("<session>", session);
}
