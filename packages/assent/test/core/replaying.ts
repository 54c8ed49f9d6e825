import { hash } from "node:crypto";
import { type ModelRequest, type Replayed, replay, type SessionEvent } from "../../src/core/index.ts";
import { decodeEvent, encodeEvent } from "../../src/wire/index.ts";

function digest(text: string): string {
  return hash("sha256", text);
}

/** Replays events as they come back from the journal's own bytes. */
export function replayed(events: readonly SessionEvent[], session = "s"): Replayed {
  return replayedLines(linesOf(events, session), session);
}

export function linesOf(events: readonly SessionEvent[], session = "s"): readonly string[] {
  return events.map((event, index) => encodeEvent({ seq: index + 1, session, event }));
}

export function replayedLines(lines: readonly string[], session = "s"): Replayed {
  const read = lines.map(decodeEvent).map((line) => {
    if (line.type === "unreadable") throw new Error(line.reason);
    return line.event;
  });
  return replayedRead(read, lines, session);
}

/** The same with the events that these lines were read as. */
export function replayedRead(events: readonly SessionEvent[], lines: readonly string[], session = "s"): Replayed {
  const written = new Map(events.map((event, index) => [event, lines[index] ?? ""]));
  // What was read is written as it stands there; what is decided anew is another event, and written by the product.
  const encode = (event: SessionEvent, seq: number) => written.get(event) ?? encodeEvent({ seq, session, event });
  return replay(events, { encode, digest });
}

type Asked = { readonly wanted: "reply" | "summary"; readonly number: number; readonly request: ModelRequest };

/** The digest that a replay tells of a request, from the request as a model got it. */
export function requestDigest({ wanted, number, request }: Asked, hashed: (text: string) => string = digest): string {
  const { messages, ...rest } = request;
  const work = wanted === "reply" ? "call-model" : "compact-history";
  const parts = { messages: messages.map((message) => hashed(JSON.stringify(message))), ...rest };
  return hashed(JSON.stringify([work, number, parts]));
}
