import { createParser } from "eventsource-parser";
import { isLooseRecord, parseJson } from "../../src/wire/index.ts";
import { type Home, type Process, pause } from "./home.ts";
import { type Asked, answerTo, type Standing } from "./standing.ts";
import type { Witness } from "./witness.ts";

/** A real `assent serve`: sessions are made, followed and answered over HTTP. Whatever fails may have been killed. */
export class Spoken {
  readonly #process: Process;
  readonly #home: Home;
  readonly #witness: Witness;
  readonly #followed = new Set<string>();
  readonly #over = new AbortController();
  #told: { readonly url: string; readonly token: string } | null = null;

  constructor(process: Process, home: Home, witness: Witness) {
    this.#process = process;
    this.#home = home;
    this.#witness = witness;
  }

  /** Does what can be done now for a session. */
  async move(standing: Standing): Promise<void> {
    const { story, session, began, asks } = standing;
    if (!this.#listens()) return;
    if (session !== null) this.#follow(session);
    if (!began && session === null) {
      const made = await this.#post("/v1/sessions", { prompt: story.prompt });
      if (made !== null) this.#witness.made.add(String(made["session"]));
    } else if (!began) await this.#post(`/v1/sessions/${session}/prompts`, { text: story.prompt });
    else if (asks !== null) await this.#answer(asks, standing);
  }

  #listens(): boolean {
    const { output } = this.#process.running;
    if (!output.includes("programs of yours find")) return false;
    const url = /listening on (\S+)/.exec(output)?.[1] ?? "";
    this.#told ??= { url, token: this.#home.client().token };
    return true;
  }

  /** The same answer as before a kill, under the same key: it counts once. */
  async #answer(asks: Asked, { story }: Standing): Promise<void> {
    const { interaction_id: id, kind } = asks.request;
    const given = kind === "confirmation" ? { confirmed: true } : { selected_option_id: answerTo(asks, story) };
    const body = { interaction_id: id, ...given, answer_id: `answer to ${id}` };
    const taken = await this.#post(`/v1/interactions/${id}/response`, body);
    if (taken !== null) this.#witness.accepted.add(id);
  }

  /** What came back with 200. */
  async #post(path: string, body: object): Promise<Readonly<Record<string, unknown>> | null> {
    const { url = "", token = "" } = this.#told ?? {};
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    try {
      const signal = this.#over.signal;
      const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body), signal });
      const parsed = parseJson(await response.text());
      if (response.status === 200 && parsed.type === "parsed" && isLooseRecord(parsed.value)) return parsed.value;
      this.#witness.complain(`${path} was answered ${response.status}`);
    } catch {
      // Killed; whether it was taken is in the journal.
      await pause(5);
    }
    return null;
  }

  /** Everything that is shown of a session from its beginning on. */
  #follow(session: string): void {
    if (this.#followed.has(session)) return;
    this.#followed.add(session);
    const { url = "", token = "" } = this.#told ?? {};
    const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (event === undefined) this.#witness.read(`${data}\n`);
      },
    });
    const read = async () => {
      const { body } = await fetch(`${url}/v1/sessions/${session}/events`, { headers, signal: this.#over.signal });
      const decoder = new TextDecoder();
      for await (const part of body ?? []) parser.feed(decoder.decode(part, { stream: true }));
    };
    read().catch(() => undefined);
  }

  close(): void {
    this.#over.abort();
  }
}
