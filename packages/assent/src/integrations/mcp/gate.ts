import type { Clock } from "../../runtime/ports.ts";
import { looseRecord } from "../../wire/index.ts";
import type { McpLimits } from "./limits.ts";

/**
 * What may pass from a server to the client: answers to what was asked, each once, and so many other things in a second.
 * The client would take everything, and would spell out what it does not expect.
 */
export class Gate {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #asked = new Set<string | number>();
  #second = 0;
  #noticed = 0;

  constructor(clock: Clock, limits: McpLimits) {
    this.#clock = clock;
    this.#most = limits.noticesPerSecond;
  }

  /** A message goes out; a request is answered later. */
  sent(message: unknown): void {
    const { id, method, params } = looseRecord(message);
    if (typeof method === "string" && isId(id)) this.#asked.add(id);
    // What was given up is not waited for.
    const { requestId } = looseRecord(params);
    if (method === "notifications/cancelled" && isId(requestId)) this.#asked.delete(requestId);
  }

  admits(message: unknown): boolean {
    const { id, method, params } = looseRecord(message);
    if (typeof method !== "string") return isId(id) && this.#asked.delete(id);
    if (method === "notifications/progress" && !this.#isAsked(looseRecord(params)["progressToken"])) return false;
    return this.#counted();
  }

  /** The requests that wait for an answer, which are answered here instead. */
  giveUp(): readonly (string | number)[] {
    const waiting = [...this.#asked];
    this.#asked.clear();
    return waiting;
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
