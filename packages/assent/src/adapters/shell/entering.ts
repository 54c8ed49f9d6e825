import type { EnteredCall, InputBody, InteractionRequest, Person, Refusal } from "../../core/index.ts";
import { renderBlock } from "../../core/interaction/index.ts";
import { digestOf, type SessionHost } from "../../runtime/index.ts";
import { inShellWords, refusedFor, type Said, saidPrompt, saidSystem } from "../../show/index.ts";
import { type Errand, readSlash, type Surroundings } from "../../slash/index.ts";
import { attachFiles } from "./attached.ts";
import { type Routed, route } from "./router.ts";

export type Entering = {
  readonly host: SessionHost;
  readonly person: Person;
  readonly around: Surroundings;
  /** A command of the person's own, as its tool reads it. */
  readonly readCommand: (
    command: string,
    options: { readonly tty: boolean; readonly persistent: boolean },
  ) => EnteredCall;
  /** Why a file that a prompt names must not go to the model; `null` where it may. */
  readonly whyNotAttached: (path: string, cwd: string) => Promise<string | null>;
  /** Whether a command is one that wants the terminal for itself. */
  readonly wantsTerminal: (command: string) => boolean;
};

/** What came of a line: things to show, something only the shell can do, and the line itself where it was not taken. */
export type Entered = {
  readonly said: readonly Said[];
  readonly errand?: Errand;
  readonly back?: string;
  /** It was an answer to a question, and stays out of the history of lines. */
  readonly isReply?: true;
};

/** Does with a typed line what it says (ANS-0). What follows from it comes as events, as everything does. */
export async function enterLine(line: string, where: Omit<Place, "line">, entering: Entering): Promise<Entered> {
  const routed = route(line, { open: where.open, isCommand: (name) => isRegistered(name, entering) });
  const place = { ...where, line };
  switch (routed.type) {
    case "nothing":
      return { said: [] };
    case "unknown":
      return { said: saidSystem(describeUnknown(line, entering)), back: line };
    case "slash":
      return enterSlash(routed, place, entering);
    case "command":
      return enterCommand(routed, place, entering);
    case "reply":
      return enterReply(routed, place, entering);
    case "prompt":
      return enterPrompt(routed, place, entering);
    default:
      return routed satisfies never;
  }
}

type Place = {
  readonly session: string;
  readonly open: InteractionRequest | null;
  readonly line: string;
  /** Nobody waits for what the line does any longer. */
  readonly signal?: AbortSignal;
};
type Kind<T extends Routed["type"]> = Extract<Routed, { readonly type: T }>;

function isRegistered(name: string, { around }: Entering): boolean {
  const read = readSlash(`/${name}`, around.commands());
  return read !== null && "command" in read;
}

function describeUnknown(line: string, { around }: Entering): string {
  const read = readSlash(line, around.commands());
  const [name, nearest] = read !== null && "unknown" in read ? [read.unknown, read.nearest] : [line, null];
  const meant = nearest === null ? "/help lists all." : `did you mean /${nearest}?`;
  return `unknown command /${name}; ${meant} A line that begins with a space is sent as it is.`;
}

async function enterSlash({ line }: Kind<"slash">, { session, signal }: Place, entering: Entering): Promise<Entered> {
  const told = signal === undefined ? {} : { signal };
  const { host, person: by, around } = entering;
  const read = readSlash(line, around.commands());
  if (read === null || !("command" in read)) return { said: saidSystem(describeUnknown(line, entering)) };
  const echo = saidPrompt(line);
  const { command, given } = read;
  const recorded = command.recorded === undefined ? line : `/${command.name} ${command.recorded(given)}`;
  submit(entering, session, { type: "entry", command: recorded, by, authority: "act" });
  const result = await command.run(given, { host, session, by, around, ...told });
  switch (result.type) {
    case "told":
      return { said: [...echo, ...(result.text === "" ? [] : saidSystem(result.text))] };
    case "wrong":
      return { said: [...echo, ...saidSystem(`${result.problem}\nusage: ${command.usage}`)] };
    case "errand":
      return { said: echo, errand: result.errand };
    default:
      return result satisfies never;
  }
}

function enterCommand({ command, tty }: Kind<"command">, { session, line }: Place, entering: Entering): Entered {
  const { host, person: by, readCommand, wantsTerminal } = entering;
  const persistent = host.view(session).terminal.state === "open";
  const call = readCommand(command, { tty: tty || wantsTerminal(command), persistent });
  const refusal = submit(entering, session, { type: "command", text: line, ...call, by, authority: "act" });
  return refused(refusal, { session, line });
}

function enterReply({ line }: Kind<"reply">, { session, open }: Place, entering: Entering): Entered {
  if (open === null) return { said: [] };
  const { person: by } = entering;
  const { interaction_id: interaction, sensitive } = open;
  const shown = digestOf(renderBlock(open));
  const echo = saidPrompt(sensitive ? "(hidden)" : line === "" ? " " : line);
  const refusal = submit(entering, session, { type: "reply", interaction, line, shown, by, authority: "act" });
  // What cost an attempt, and who was faster, is told by the journal.
  const untold = refusal !== null && refusal.attempt === undefined && refusal.code !== "already_resolved";
  return {
    said: [...echo, ...(untold ? saidSystem(inShellWords(session, refusedFor(session, refusal))) : [])],
    isReply: true,
  };
}

async function enterPrompt({ text }: Kind<"prompt">, { session, line }: Place, entering: Entering): Promise<Entered> {
  const { host, person: by } = entering;
  const { whyNotAttached } = entering;
  const attached = await attachFiles(text, { cwd: host.view(session).cwd, whyNotAttached, unfit: "refused" });
  if ("problem" in attached) return { said: saidSystem(attached.problem), back: line };
  const body = { type: "prompt", text: attached.text, delivery: "now", entry: "typed", by, authority: "act" } as const;
  const { refusal, events } = host.submit(session, body);
  // A word that stops is no prompt, and nothing else would show it (STOP-1).
  const stops = events.some(({ event }) => event.type === "stop.requested");
  if (stops) return { said: [...saidPrompt(line), ...saidSystem(stopping)] };
  return refusal === null
    ? { said: attached.missed.flatMap((each) => saidSystem(each)) }
    : refused(refusal, { session, line });
}

const stopping = "stopping: what runs finishes first; Ctrl-C kills it";

/** Nothing that was typed is lost where it could not be taken. */
function refused(refusal: Refusal | null, { session, line }: Pick<Place, "session" | "line">): Entered {
  if (refusal === null) return { said: [] };
  const said = saidSystem(inShellWords(session, refusedFor(session, refusal)));
  // Where none is taken any more, it would only be in the way of what is: it is shown, and recalled as all that was typed.
  return refusal.code === "session_aborted" ? { said: [...saidPrompt(line), ...said] } : { said, back: line };
}

function submit({ host }: Entering, session: string, body: InputBody): Refusal | null {
  return host.submit(session, body).refusal;
}
