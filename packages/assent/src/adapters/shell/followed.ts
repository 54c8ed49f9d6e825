import type { Person, SessionEvent } from "../../core/index.ts";
import type { Hold, HoldOptions, Live, SessionHost, Watch, Watched } from "../../runtime/index.ts";
import { isPartlyTaken, type Said, Showing, saidPrompt } from "../../show/index.ts";
import { inShell, shownAfter } from "./recap.ts";

export type Listening = {
  /** A text of the agent's comes, which takes more to be shown. */
  prepare(): Promise<void>;
  onSaid(said: readonly Said[]): void;
  onLive(live: Live): void;
  /** Before anything else is done about it. */
  onEvent(event: SessionEvent): void;
  /** All that is recorded has been shown. */
  onSettled(): void;
  onFailure(error: unknown): void;
};

type Following = { readonly session: string; readonly person: Person };

/** The session that the shell shows, and works on while nobody else does. */
export class Followed {
  readonly session: string;
  readonly #listening: Listening;
  readonly #showing: Showing;
  readonly #watch: Watch;
  readonly #hold: Hold;
  /** Texts that wait, to be shown when they are sent. */
  readonly #waiting = new Map<string, string>();
  /** The question that was answered here: whoever has answered need not be told. */
  #answered: string | null = null;
  #shown: number;
  /** The command that was typed here last, which is shown by now: an exchange that begins with it says nothing new. */
  #entered: string | null = null;
  readonly #person: Person;

  constructor(host: SessionHost, { session, person, ...holding }: Following & HoldOptions, listening: Listening) {
    const state = host.view(session);
    this.session = session;
    this.#person = person;
    this.#shown = shownAfter(state);
    this.#listening = listening;
    this.#showing = new Showing(state);
    for (const { id, text } of state.waiting) this.#waiting.set(id, text);
    this.#watch = host.watch(session, { after: this.#shown });
    this.#hold = host.hold(session, holding);
    void this.#follow();
  }

  /** The last event that was shown: what is recorded after it is not known to anybody here. */
  get shown(): number {
    return this.#shown;
  }

  answers(interaction: string): void {
    this.#answered = interaction;
  }

  /** What runs in it has ended when this is done. */
  async leave(): Promise<void> {
    this.#watch.close();
    await this.#hold.release();
  }

  async #follow(): Promise<void> {
    try {
      for await (const watched of this.#watch) {
        if (watched.type === "recorded") await this.#take(watched);
        else if (watched.type === "live") this.#listening.onLive(watched.live);
      }
    } catch (error) {
      this.#listening.onFailure(error);
    }
  }

  async #take({ seq, event, newest }: Extract<Watched, { type: "recorded" }>): Promise<void> {
    const listening = this.#listening;
    const isEnd = event.type === "exchange.ended";
    if (isEnd || event.type === "model.replied") await listening.prepare();
    if (isEnd) listening.onSaid(this.#showing.saidText(event));
    const said = this.#showing.show(event).map((each) => inShell(each, this.session));
    if (!this.#isPlain(event)) listening.onSaid(said);
    listening.onSaid(this.#sent(event));
    if (event.type === "exchange.started") this.#entered = null;
    const isTyped = event.type === "command.entered" && "command" in event && this.#isOwn(event.by);
    if (isTyped) this.#entered = event.command.trim();
    this.#shown = seq;
    listening.onEvent(event);
    if (newest) listening.onSettled();
  }

  /** What has been seen already, or says for itself what there would be to say. */
  #isPlain(event: SessionEvent): boolean {
    switch (event.type) {
      case "exchange.ended":
        return event.outcome === "answered" && !event.refused && event.fallback === undefined;
      case "interaction.resolved":
        if (event.interaction !== this.#answered || !("response" in event)) return false;
        return event.state !== "cancelled" && !isPartlyTaken(event.response);
      // The question tells why.
      case "call.judged":
        return event.verdict === "ask";
      case "stop.requested":
        return this.#isOwn(event.by);
      case "exchange.started":
        return event.prompt === this.#entered;
      default:
        return false;
    }
  }

  #isOwn({ name, adapter }: Person): boolean {
    return name === this.#person.name && adapter === this.#person.adapter;
  }

  /** What waits is shown where it waits; sent, it is part of what was said. */
  #sent(event: SessionEvent): readonly Said[] {
    if (event.type === "steering.received" || event.type === "prompt.queued") {
      this.#waiting.set(event.waiting, event.text);
    }
    if (event.type !== "steering.sent") return [];
    return event.waiting.flatMap((id) => saidPrompt(this.#waiting.get(id) ?? ""));
  }
}
