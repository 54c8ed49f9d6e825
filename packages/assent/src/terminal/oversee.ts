import type { InputDraft } from "../core/index.ts";
import type { Typed } from "../runtime/ports.ts";
import { type Killed, seenFrom } from "./kill.ts";
import { plainText } from "./plain-text.ts";
import type { Known } from "./processes.ts";
import type { Exit, Started, Tty } from "./start.ts";
import type { Streams } from "./streams.ts";
import type { TypedSecrets } from "./typed-secrets.ts";
import { modesOf, waitsForInput } from "./waiting.ts";

/** How a command came to its end. */
export type Why = "by-itself" | "timeout" | "aborted" | "no-input";

export type Overseen = {
  readonly started: Pick<Started, "pid" | "tty">;
  readonly ended: Promise<Exit>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly ask: (draft: InputDraft) => Promise<Typed | null>;
  readonly streams: Streams;
  /** Where to add what was typed unseen. */
  readonly secrets: TypedSecrets;
  readonly kill: (seen: Iterable<Known>) => Promise<Killed>;
};

export type OverseenEnd = {
  readonly why: Why;
  readonly exit: Exit;
  readonly killed: Killed | null;
  /** What was seen to come from the command, for those that have lost their parents since. */
  readonly seen: readonly Known[];
};

/** How often a command is looked at: what it has started, and whether it waits for input. */
const lookMs = 150;
/** A command that is looked at for long is looked at less often. */
const mostLookMs = 1_000;
const mostSeen = 10_000;
/** What has been killed and does not end is told as it is. */
const mostPatienceMs = 1_000;
const enter = "\r";
const endOfInput = "\u0004";
/** What people type for it. */
const endWord = "^D";
/** Of what it has shown, so many lines are shown again. */
const mostLines = 20;
const literalNext = "\u0016";

/** Stays with a command until its end: brings it what a person types, and ends it when its time is over or somebody says so. */
export async function oversee(overseen: Overseen): Promise<OverseenEnd> {
  const watch = new Oversight(overseen);
  try {
    return await watch.end();
  } finally {
    watch.stop();
  }
}

class Oversight {
  readonly #overseen: Overseen;
  readonly #seen = new Map<string, Known>();
  readonly #due: Promise<Why>;
  #settle: (why: Why) => void = () => {};
  readonly #onAbort = () => this.#settle(isUnanswered(this.#overseen.signal.reason) ? "no-input" : "aborted");
  #timer: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  #leftMs: number;
  #since = performance.now();
  #looks = 0;
  /** What the command waited for when it was last looked at. */
  #waited: string | null = null;
  #stopped = false;

  constructor(overseen: Overseen) {
    this.#overseen = overseen;
    this.#leftMs = overseen.timeoutMs;
    this.#due = new Promise((resolve) => {
      this.#settle = resolve;
    });
    overseen.signal.addEventListener("abort", this.#onAbort, { once: true });
    if (overseen.signal.aborted) this.#onAbort();
    this.#goOn();
    this.#lookLater();
  }

  async end(): Promise<OverseenEnd> {
    const { ended, kill } = this.#overseen;
    const first = await Promise.race([ended, this.#due]);
    this.stop();
    if (typeof first !== "string")
      return { why: "by-itself", exit: first, killed: null, seen: [...this.#seen.values()] };
    this.#remember();
    const killed = await kill(this.#seen.values());
    const exit = await Promise.race([ended, later(mostPatienceMs)]);
    return { why: first, exit: exit ?? { exit: null, signal: null }, killed, seen: [...this.#seen.values()] };
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#look);
    this.#overseen.signal.removeEventListener("abort", this.#onAbort);
  }

  /** The time in which a person is asked does not count (INT-13). */
  #pause(): void {
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#since;
  }

  #goOn(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#settle("timeout"), Math.max(0, this.#leftMs));
  }

  #lookLater(): void {
    this.#looks += 1;
    // Who waits for a person is noticed soon, however long the command has run.
    const most = this.#overseen.started.tty === null ? mostLookMs : 2 * lookMs;
    this.#look = setTimeout(() => void this.#lookNow(), Math.min(most, lookMs * Math.ceil(this.#looks / 10)));
  }

  async #lookNow(): Promise<void> {
    this.#remember();
    const { tty, pid } = this.#overseen.started;
    const waits = tty === null ? null : waitsForInput(pid);
    // Seen twice in the same wait: it was no passing moment.
    const same = waits !== null && waits === this.#waited;
    this.#waited = waits;
    if (same && tty !== null) await this.#askFor(tty);
    // While a person was asked, the command may have come to its end.
    if (!this.#stopped) this.#lookLater();
  }

  #remember(): void {
    for (const known of seenFrom(this.#overseen.started.pid)) {
      if (this.#seen.size < mostSeen) this.#seen.set(`${known.pid} ${known.started}`, known);
    }
  }

  async #askFor(tty: Tty): Promise<void> {
    const { started, ask, streams, secrets } = this.#overseen;
    const { echo, lines } = await modesOf(started.pid);
    if (this.#stopped) return;
    this.#pause();
    const shown = secrets.hide(`${streams.recent()}${plainText(Buffer.from(tty.shown()))}`);
    const typed = await ask(inputDraft(shown, !echo));
    if (this.#stopped) return;
    this.#goOn();
    this.#waited = null;
    streams.forgetRecent();
    if (typed === null) this.#settle("no-input");
    else if (typed.text === endWord) tty.type(endOfInput);
    else {
      if (typed.secret) secrets.add(typed.text);
      tty.type((lines ? literally(typed.text) : typed.text) + enter);
    }
  }
}

/** The call ends because nobody answers what the command asked. */
function isUnanswered(reason: unknown): boolean {
  return reason === "cancelled" || reason === "nobody";
}

/** Keys that mean something to a terminal are typed as themselves. */
function literally(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, `${literalNext}$&`);
}

/** What a person is asked: without options, for whatever is typed is for the command, also a number or nothing. */
function inputDraft(shown: string, sensitive: boolean): InputDraft {
  const lines = shown.split("\n").slice(-mostLines);
  const subject = shown === "" ? {} : { subject: { terminal: lines } };
  const draft = { options: [], allow_free_text: true, response_schema: { type: "string", minLength: 0 }, ...subject };
  if (sensitive) return { ...draft, question: "The command waits for a secret.", sensitive };
  return { ...draft, question: `The command waits for input; ${endWord} ends it.` };
}

function later(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });
}
