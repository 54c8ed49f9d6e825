import { type InteractionRequest, type RecordedEvent, type Said, Showing, saidPrompt } from "../assent.ts";

/** One thing in the timeline of a session. */
export type Row =
  | { readonly type: "said"; readonly key: string; readonly at: number; readonly said: Said }
  | { readonly type: "question"; readonly key: string; readonly at: number; readonly request: InteractionRequest };

/** What a person reads of the events that are here: from the middle of a session on, or all of them. */
export class Timeline {
  readonly rows: Row[] = [];
  readonly #showing: Showing;
  /** Texts that wait, to be shown when they are sent. */
  readonly #waiting = new Map<string, string>();

  constructor(session: string) {
    this.#showing = new Showing({ id: session, exchange: null, interactions: [] });
  }

  add({ seq, event }: RecordedEvent): void {
    const { at } = event;
    const told: Said[] = [];
    if (event.type === "exchange.ended") told.push(...this.#showing.saidText(event));
    const shown = this.#showing.show(event);
    if (!isPlain(event)) told.push(...shown);
    if (event.type === "steering.received" || event.type === "prompt.queued") {
      this.#waiting.set(event.waiting, event.text);
    }
    if (event.type === "steering.sent") {
      told.push(...event.waiting.flatMap((id) => saidPrompt(this.#waiting.get(id) ?? "")));
    }
    told.forEach((said, index) => {
      this.rows.push({ type: "said", key: `${seq}.${index}`, at, said });
    });
    if (event.type === "interaction.requested") {
      this.rows.push({ type: "question", key: String(seq), at, request: event.request });
    }
  }
}

/** What says for itself what there would be to say. */
function isPlain(event: RecordedEvent["event"]): boolean {
  if (event.type === "call.judged") return event.verdict === "ask";
  return event.type === "exchange.ended" && event.outcome === "answered" && !event.refused && !event.fallback;
}
