import { constants } from "node:os";
import type { Writable } from "node:stream";
import type {
  EventOf,
  InputBody,
  InteractionRequest,
  Person,
  Refusal,
  Session,
  SessionEvent,
  Unattended,
} from "../../core/index.ts";
import { renderBlock } from "../../core/interaction/index.ts";
import {
  asksForRunning,
  digestOf,
  type Hold,
  type SessionHost,
  type Watch,
  type Watched,
} from "../../runtime/index.ts";
import {
  describeBreaks,
  plainLines,
  promptFor,
  refusedFor,
  type Said,
  Showing,
  saidPrompt,
  saidResolution,
  saidRetry,
  saidSubject,
  saidSystem,
  saidTokens,
} from "../../show/index.ts";
import { encodeEvent } from "../../wire/index.ts";
import { exitCode, exitCodes } from "./exit-code.ts";
import { showText } from "./show.ts";
import { openSink, type Sink } from "./sink.ts";
import type { Asked, PersonTerminal } from "./terminal.ts";

export type Following = {
  readonly host: SessionHost;
  readonly session: string;
  /** The exchange to follow to its end. */
  readonly exchange: number;
  /** Events after this one are shown. */
  readonly after: number;
  /** It was under way before this process came. */
  readonly joins: boolean;
  readonly person: Person;
  /** Where people are asked; `null` when nobody can be. */
  readonly terminal: PersonTerminal | null;
  /** What the command line said; it wins over a terminal (APPR-9). */
  readonly unattended: Unattended | null;
  /** Nothing may be changed while this process works on it. */
  readonly readOnly?: boolean;
  readonly json: boolean;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
};

/** How much is held back to be printed together. */
const mostHeldBack = 64 * 1024;
/** Between a second Ctrl-C and the end: longer than it takes to kill what runs. */
const mostPatienceMs = 500;
const stopping = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Nobody gets what the command has to say. */
class OutputError extends Error {
  override readonly name = "OutputError";
}

/** Follows one exchange to its end, works on it while nobody else does, and returns the exit code (CLI-2). */
export async function follow(following: Following): Promise<number> {
  return new Follower(following).run();
}

class Follower {
  readonly #following: Following;
  readonly #showing: Showing;
  readonly #watch: Watch;
  readonly #stdout: Sink;
  readonly #stderr: Sink;
  #hold: Hold | null = null;
  /** The question that was open before this process came stays open, unless the command line says otherwise. */
  readonly #inherited: string | null;
  #ended: EventOf<"exchange.ended"> | null = null;
  #asked: { readonly id: string; readonly asked: Asked } | null = null;
  /** The last question whose subject was shown. */
  #shown: string | null = null;
  #parked: InteractionRequest | null = null;
  #failure: { readonly error: unknown } | null = null;
  #signal: number | null = null;
  /** The last event that was taken, and whether this process has let go of the session. */
  #last: number;
  #left = false;
  /** Events that were recorded together are printed together. */
  #lines = "";

  constructor(following: Following) {
    this.#following = following;
    const { host, session, after, json } = following;
    this.#stdout = openSink(following.stdout);
    this.#stderr = openSink(following.stderr);
    const state = host.view(session);
    const { exchange } = state;
    this.#showing = new Showing(state);
    // Of an exchange that is under way the beginning is not shown again, but what it is about.
    const begun = exchange !== null && (exchange.replies > 0 || (state.flow?.state.answers.length ?? 0) > 0);
    if (!json && begun) this.#stderr.write(plainLines(saidPrompt(exchange.prompt)));
    this.#inherited = following.joins ? (state.interactions[0]?.request.interaction_id ?? null) : null;
    this.#watch = host.watch(session, { after });
    this.#last = after;
  }

  async run(): Promise<number> {
    const { stdout, stderr } = this.#following;
    const onSignal = (signal: NodeJS.Signals) => this.#interrupt(signal);
    for (const signal of stopping) process.on(signal, onSignal);
    stdout.on("error", (error) => this.#outputFailed(error));
    // Nobody reads what is told beside the result; the work goes on.
    stderr.on("error", () => {});
    try {
      this.#hold = this.#takeHold();
      for await (const watched of this.#watch) {
        if (watched.type === "recorded") await this.#take(watched);
        else this.#takeLive(watched);
      }
      // Nothing may begin while what is left is told.
      const worked = this.#hold.works();
      await this.#hold.release();
      if (worked) await this.#takeRest();
      await this.#printLines();
      if (!this.#following.json && this.#ended !== null)
        await this.#print(showText(this.#showing.resultText(this.#ended)));
      return await this.#code();
    } finally {
      this.#watch.close();
      this.#withdraw("");
      await this.#hold?.release();
      for (const signal of stopping) process.off(signal, onSignal);
    }
  }

  #takeHold(): Hold {
    const { host, session, json } = this.#following;
    const busy = host.holder(session);
    return host.hold(session, {
      unattended: (request) => this.#unattended(request),
      attended: () => this.#following.terminal !== null && this.#following.unattended === null,
      readOnly: this.#following.readOnly ?? false,
      onBreaks: (breaks) => this.#tell(saidSystem(describeBreaks(session, breaks))),
      onWork: () => {
        if (busy !== null && !json) this.#tell(saidSystem(`process ${busy.pid} has left; this one goes on`));
      },
    });
  }

  /** A reader that has seen enough ends the program as it ends others. Each write may complain; once is enough. */
  #outputFailed(error: Error): void {
    const gone = "code" in error && error.code === "EPIPE";
    if (!gone) this.#failure ??= { error: new OutputError(`cannot write the output: ${error.message}`) };
    if (this.#signal === null) this.#interrupt("SIGPIPE");
  }

  #code(): number | Promise<number> {
    if (this.#failure !== null) throw this.#failure.error;
    if (this.#signal !== null) return 128 + this.#signal;
    if (this.#ended !== null) return exitCode(this.#ended);
    return this.#parked === null ? exitCodes.failed : this.#park(this.#parked);
  }

  async #take({ seq, session, event, newest }: Extract<Watched, { type: "recorded" }>): Promise<void> {
    const { json } = this.#following;
    this.#closeQuestion(event);
    this.#last = seq;
    if (json) this.#lines += `${encodeEvent({ seq, session, event })}\n`;
    else this.#lines += plainLines(this.#showing.show(event));
    if (event.type === "exchange.ended" && event.exchange === this.#following.exchange) {
      const { lastResult, usage } = this.#view();
      if (!json && lastResult !== null) this.#lines += plainLines(saidTokens(lastResult.usage, usage));
      const way = promptFor(this.#following.session, event);
      if (!json && way !== "") this.#lines += plainLines(saidSystem(way));
      this.#ended = event;
      this.#watch.finish();
    }
    if (newest || this.#lines.length > mostHeldBack) await this.#printLines();
    // Only what is open now is asked, not what was at some time before.
    if (newest && !this.#left) this.#ask();
  }

  #takeLive(watched: Exclude<Watched, { type: "recorded" }>): void {
    if (watched.type === "live" && watched.live.type === "retry" && !this.#following.json) {
      this.#tell(saidRetry(watched.live));
    }
  }

  /** Leaving is recorded, too: the shell that is closed, the processes that end with it. */
  async #takeRest(): Promise<void> {
    const { host, session } = this.#following;
    this.#left = true;
    const rest = host.watch(session, { after: this.#last });
    rest.finish();
    for await (const watched of rest) if (watched.type === "recorded") await this.#take(watched);
  }

  async #printLines(): Promise<void> {
    const lines = this.#lines;
    this.#lines = "";
    if (lines === "") return;
    if (this.#following.json) await this.#print(lines);
    else this.#stderr.write(lines);
  }

  #tell(said: readonly Said[]): void {
    this.#stderr.write(plainLines(said));
  }

  async #print(text: string): Promise<void> {
    const { stdout } = this.#following;
    // Events wait in the journal for a slow reader, not in memory.
    if (!this.#stdout.write(text)) await drained(stdout);
  }

  #view(): Session {
    return this.#following.host.view(this.#following.session);
  }

  /** What becomes of a question when nobody can be asked here; `null` while somebody can. */
  #unattended(request: InteractionRequest): Unattended | null {
    const { terminal, unattended } = this.#following;
    if (unattended === null && terminal !== null) return null;
    const what = unattended ?? (request.interaction_id === this.#inherited ? "park" : "deny");
    const state = this.#view();
    // A call that runs cannot wait for somebody to come: it is told that nobody is there, and goes on.
    const goesOn = state.interactions.slice(0, 1).some((open) => asksForRunning(state, open));
    if (what === "park" && !goesOn) {
      this.#parked = request;
      this.#watch.finish();
    }
    return what;
  }

  /** Leaves the question to whoever answers it, whenever that is. */
  async #park(request: InteractionRequest): Promise<number> {
    const { json, session } = this.#following;
    const { interaction_id: id } = request;
    // As an event it has been printed already.
    if (!json) await this.#print(`${JSON.stringify(request)}\n`);
    // What is on a command line can be seen by others.
    const how = request.sensitive ? "assent answer - (a response as JSON on stdin)" : `assent answer ${id} <reply>`;
    if (!json) this.#tell(saidSystem(`parked: ${how}, then assent resume ${session}`));
    return exitCodes.parked;
  }

  /** Shows the question that is open now, if it is not shown already. */
  #ask(): void {
    const { terminal, unattended } = this.#following;
    // First: to look at the session is to ask the store whether others have changed it.
    if (terminal === null || unattended !== null) return;
    const { seq, interactions } = this.#view();
    // What led to a question is shown before it.
    if (seq > this.#last) return;
    const request = interactions[0]?.request ?? null;
    if (request === null) return;
    const { interaction_id: id } = request;
    if (this.#asked?.id === id) return;
    this.#withdraw("");
    const block = renderBlock(request);
    // What it is about is said once; after a reply that was none, the block alone is asked again (ANS-4).
    const before = this.#shown === id ? [] : [...saidSubject(request), ...saidExpiry(request)];
    this.#shown = id;
    const text = `${plainLines(before)}${block}`;
    const asked = terminal.ask({ text, hidden: request.sensitive === true }, (line) => {
      const reply = { type: "reply", interaction: id, line, shown: digestOf(block), ...this.#acting() } as const;
      const refusal = this.#submit(reply);
      // Neither an answer nor a failed one: what is wrong with it is said, and the question stands as before.
      const isUntold = refusal?.code === "not_as_recorded" || refusal?.code === "invalid_response";
      if (isUntold && refusal.attempt === undefined) {
        terminal.write(plainLines(saidSystem(refusedFor(this.#following.session, refusal))));
      }
    });
    this.#asked = { id, asked };
  }

  /** A question that somebody answered, here or elsewhere, or that ended otherwise, is taken away (INT-6). */
  #closeQuestion(event: SessionEvent): void {
    const { person, json, stderr } = this.#following;
    if (!("interaction" in event) || event.interaction !== this.#asked?.id) return;
    const elsewhere = !("by" in event) || event.by.name !== person.name || event.by.adapter !== person.adapter;
    const told = event.type === "interaction.rejected" ? this.#showing.saidRejection(event) : saidResolution(event);
    // What goes to the same terminal by the other way need not be said twice.
    const shown = !json && stderr.isTTY === true;
    this.#withdraw(`${elsewhere ? "\n" : ""}${shown ? "" : plainLines(told)}`);
  }

  #withdraw(notice: string): void {
    this.#asked?.asked.close(notice);
    this.#asked = null;
  }

  /** The first signal ends the work and what runs; after a second Ctrl-C this process waits no longer (STOP-3). */
  #interrupt(signal: NodeJS.Signals): void {
    const code = constants.signals[signal];
    if (this.#signal !== null) {
      // The others may well come twice: from a terminal that closes, and from a parent that passes it on. What runs gets
      // the time to end by itself; who says it twice wants it killed.
      if (signal === "SIGINT") {
        setTimeout(() => process.exit(128 + code), mostPatienceMs).unref();
        void this.#hold?.release();
      }
      return;
    }
    this.#signal = code;
    const { exchange, person } = this.#following;
    const by = { name: person.name, adapter: `signal ${signal}` };
    // Someone else's work goes on: this process only watched.
    const stopped =
      this.#hold?.works() === true &&
      this.#submit({ type: "stop", mode: "kill", exchange, by, authority: "act" }) === null;
    if (!stopped) this.#watch.finish();
  }

  /** Why it was not taken; a journal that fails is told at the end. */
  #submit(body: InputBody): Refusal | null {
    const { host, session } = this.#following;
    try {
      return host.submit(session, body).refusal;
    } catch (error) {
      this.#failure ??= { error };
      this.#watch.finish();
      return null;
    }
  }

  #acting() {
    return { by: this.#following.person, authority: "act" } as const;
  }
}

function saidExpiry({ timeout_ms }: InteractionRequest): readonly Said[] {
  return timeout_ms === undefined ? [] : saidSystem(`this question stays open for ${timeout_ms / 1_000} s`);
}

/** Until it takes more, or never will. */
function drained(stream: Writable): Promise<void> {
  const ends = ["drain", "close", "error"] as const;
  return new Promise((resolve) => {
    const done = () => {
      for (const end of ends) stream.off(end, done);
      resolve();
    };
    for (const end of ends) stream.on(end, done);
  });
}
