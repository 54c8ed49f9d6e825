import { randomBytes } from "node:crypto";

/** An address that signs a browser in counts for so long, and once. */
const ticketMs = 10 * 60 * 1_000;

export class Tickets {
  readonly #until = new Map<string, number>();

  make(): string {
    const ticket = randomBytes(24).toString("base64url");
    this.#until.set(ticket, Date.now() + ticketMs);
    return ticket;
  }

  take(ticket: string): boolean {
    const until = this.#until.get(ticket) ?? 0;
    this.#until.delete(ticket);
    return until > Date.now();
  }
}
