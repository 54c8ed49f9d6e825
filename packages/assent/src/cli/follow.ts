import { findTerminal, follow, type PersonTerminal } from "../adapters/headless/index.ts";
import type { Unattended } from "../core/index.ts";
import { isInsideRun, type SessionHost, terminalName } from "../runtime/index.ts";
import { type Given, oneOf, UsageError } from "./flags.ts";
import { person, type Ways } from "./open.ts";
import { softOffersWords, unattendedWords } from "./specs/following.ts";

/** How questions are dealt with, as the command line says. */
export function waysOf(given: Given): Ways & { readonly unattended: Unattended | null } {
  const wanted = given.text("unattended");
  const unattended = wanted === undefined ? null : oneOf("--unattended", wanted, unattendedWords);
  const flag = given.text("soft-offers");
  const offers = flag ?? process.env["ASSENT_SOFT_OFFERS"] ?? "regenerate";
  const where = flag === undefined ? "ASSENT_SOFT_OFFERS" : "--soft-offers";
  const softOffers = oneOf(where, offers, softOffersWords);
  return { unattended, expiryMs: expiryOf(given.text("expire")), softOffers };
}

function expiryOf(typed: string | undefined): number | null {
  if (typed === undefined) return null;
  const seconds = /^\d{1,9}(\.\d+)?$/.test(typed) ? Number(typed) : 0;
  if (seconds > 0) return Math.ceil(seconds * 1_000);
  throw new UsageError(`--expire: expected a number of seconds above 0, found ${JSON.stringify(typed)}`);
}

export type Followed = {
  readonly session: string;
  readonly exchange: number;
  readonly after: number;
  /** It was under way before this process came. */
  readonly joins: boolean;
  /** Nothing may be changed. */
  readonly readOnly?: boolean;
  readonly given: Given;
};

/** Inside a run, whoever sits at the terminal may be the agent: a program can be given one and be typed to. */
function terminalFor(given: Given): PersonTerminal | null {
  return waysOf(given).unattended === null && !isInsideRun() ? findTerminal() : null;
}

/** Whether somebody is here who can be asked. */
export function canBeAsked(given: Given): boolean {
  const terminal = terminalFor(given);
  terminal?.close();
  return terminal !== null;
}

/** Follows an exchange of a session; people are asked on the terminal of this process, if it has one. */
export async function followExchange(
  host: SessionHost,
  { session, exchange, after, joins, readOnly = false, given }: Followed,
): Promise<number> {
  const { unattended } = waysOf(given);
  const terminal = terminalFor(given);
  const { stdout, stderr } = process;
  try {
    return await follow({
      ...{ host, session, exchange, after, joins, terminal, unattended, readOnly, stdout, stderr },
      // Two terminals of one person are two places to answer from.
      person: person(["terminal", terminalName()].filter(Boolean).join(" ")),
      json: given.has("json"),
    });
  } finally {
    terminal?.close();
  }
}
