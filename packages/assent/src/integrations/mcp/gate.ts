import type { Clock } from "../../runtime/ports.ts";
import { looseRecord } from "../../wire/index.ts";
import type { McpLimits } from "./limits.ts";

/** Of a request's id: it comes back in the answer, and so a server could have us hold and send whatever it likes. */
const mostId = 200;

/**
 * What may pass from a server to the client: answers to what was asked, each once, and so many other things in a second.
 * The client would take everything, and would spell out what it does not expect.
 */
export class Gate {
  readonly #clock: Clock;
  readonly #most: number;
  /** What is asked, and what ends that. */
  readonly #asked = new Map<string | number, () => void>();
  #second = 0;
  #noticed = 0;

  constructor(clock: Clock, limits: McpLimits) {
    this.#clock = clock;
    this.#most = limits.noticesPerSecond;
  }

  /** A message goes out; a request is answered later, or given up, which `stop` is for. */
  sent(message: unknown, stop: () => void = () => undefined): void {
    const { id, method, params } = looseRecord(message);
    if (typeof method === "string" && isId(id)) this.#asked.set(id, stop);
    // What is not wanted any more is not waited for either.
    const { requestId } = looseRecord(params);
    if (method === "notifications/cancelled" && isId(requestId)) this.giveUpOn(requestId);
  }

  admits(message: unknown): boolean {
    const { id, method, params } = looseRecord(message);
    if (typeof method !== "string") return isId(id) && this.#asked.delete(id);
    if (typeof id === "string" && id.length > mostId) return false;
    if (method === "notifications/progress" && !this.#isAsked(looseRecord(params)["progressToken"])) return false;
    return this.#counted();
  }

  /** Whether this one waits for an answer; it does not any more, for it is answered here instead. */
  giveUpOn(id: string | number): boolean {
    this.#asked.get(id)?.();
    return this.#asked.delete(id);
  }

  /** All that wait for an answer, which are answered here instead. */
  giveUp(): readonly (string | number)[] {
    return [...this.#asked.keys()].filter((id) => this.giveUpOn(id));
  }

  #isAsked(token: unknown): boolean {
    return isId(token) && this.#asked.has(token);
  }

  #counted(): boolean {
    const second = Math.floor(this.#clock.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#noticed = 0;
    }
    this.#noticed += 1;
    return this.#noticed <= this.#most;
  }
}

export function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** An answer that nobody sent, for a request whose own was too big to take. */
export function tooMuch(id: string | number, { messageBytes }: McpLimits) {
  const megabytes = Math.floor(messageBytes / 1024 / 1024);
  const most = megabytes >= 1 ? `${megabytes} MB` : `${messageBytes} bytes`;
  return unsent(id, `answered with more than ${most}`);
}

/** The same for one that never came. */
export function noAnswer(id: string | number | undefined) {
  return unsent(id, "closed the stream before it answered");
}

/** The same for one that cannot be read. */
export function malformed(id: string | number) {
  return unsent(id, "answered with something that is not of the protocol");
}

/** Outside of the codes that the protocol uses, so that no server's own word is taken for it. */
export const unsentCode = -31_999;

function unsent(id: string | number | undefined, message: string) {
  const error = { code: unsentCode, message };
  return id === undefined ? { jsonrpc: "2.0" as const, error } : { jsonrpc: "2.0" as const, id, error };
}
