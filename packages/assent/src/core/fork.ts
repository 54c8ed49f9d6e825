import type { Forked } from "./inputs.ts";
import { entries } from "./log.ts";
import { type HistoryMessage, type Session, turnCalls } from "./state.ts";

const unfinished =
  "not finished when this session was forked from the one where it was called; its result is not known here";
const stillOpen = "[assent: this session was forked here from one that was still at work on this]";

/** What a new session takes over from this one. The history is one that every API accepts: each call in it has its result. */
export function forkedFrom(session: Session): Forked {
  const { id, seq, name, exchange, history, addresses, worked } = session;
  const messages = entries(history).map(renamed);
  const went = { ...(addresses.length === 0 ? {} : { addresses }), ...(worked ? {} : ({ unworked: true } as const)) };
  const origin = { session: id, seq, name, ...went };
  if (exchange === null || exchange.compacts) return { ...origin, history: messages };
  const open = exchange.entered ? [] : turnCalls(session).filter(({ status }) => status.type !== "settled");
  const results = open.map(({ id: call, original }) => {
    const result = { role: "tool", call, original, text: unfinished, failed: true } as const;
    return renamed(result);
  });
  return { ...origin, history: [...messages, ...results, { role: "user", text: stillOpen }] };
}

/** The new session counts its calls from the start: those of before must have other names. */
function renamed(message: HistoryMessage): HistoryMessage {
  if (message.role === "tool") return { ...message, call: renamedId(message.call) };
  if (message.role === "user") return message;
  return { ...message, calls: message.calls.map((call) => ({ ...call, id: renamedId(call.id) })) };
}

/** No call of a session is called so, and no two become one, however often a fork is forked. */
function renamedId(id: string): string {
  return `f${id}`;
}
