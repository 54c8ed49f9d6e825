import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";
import { errorInBody } from "./error-body.ts";
import type { Fault } from "./errors.ts";
import type { StreamEvent } from "./format.ts";

const mebibyte = 1024 * 1024;
const mostEvent = 8 * mebibyte;
const mostStream = 256 * mebibyte;
/** How much is read of an answer that is no stream of events. */
export const mostErrorBody = 64 * 1024;

/** Bytes in, events out. */
export type EventStream = {
  /** What is wrong with the bytes, once something is; nothing may be fed then. */
  feed(bytes: Buffer): Fault | null;
  /** The stream was closed in order: an event that lacks only its blank line is one. */
  close(): void;
  /** What a stream was that is over and had no event: `null` when it was nothing. */
  insteadOfEvents(): Fault | null;
};

export function openEventStream(onEvent: (event: StreamEvent) => void): EventStream {
  const decoder = new StringDecoder("utf8");
  let events = 0;
  let size = 0;
  let start = "";
  let tooLarge = false;
  const parser = createParser({
    maxBufferSize: mostEvent,
    onEvent: ({ event = "", data }) => {
      events++;
      // An event that came in many parts is only measured by the parser while it is not whole.
      if (data.length > mostEvent) tooLarge = true;
      if (!tooLarge) onEvent({ name: event, data });
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") tooLarge = true;
    },
  });
  return {
    feed(bytes) {
      size += bytes.length;
      if (size > mostStream) return malformed(`expected at most ${mostStream / mebibyte} MiB in a stream, found more`);
      const text = decoder.write(bytes);
      if (events === 0 && start.length < mostErrorBody) start += text.slice(0, mostErrorBody - start.length);
      parser.feed(text);
      return tooLarge ? malformed(`expected at most ${mostEvent / mebibyte} MiB in an event, found more`) : null;
    },
    close: () => parser.feed("\n\n"),
    insteadOfEvents() {
      const said = start.replace(/^(?:|data|event|id|retry):.*$/gm, "").trim();
      return events > 0 || said === "" ? null : unexpectedBody(said, "other text");
    },
  };
}

/** An answer that should have been a stream of events: an error that says 200, or something else altogether. */
export function unexpectedBody(body: string, found: string): Fault {
  const error = errorInBody(200, body);
  if (error !== null) return { type: "server", error, headers: {} };
  // It was answered, perhaps at a price, and the next answer would be of the same kind.
  const detail = `expected an event stream, found ${found}: ${body.slice(0, 200)}`;
  return { type: "malformed", detail, final: true };
}

function malformed(detail: string): Fault {
  return { type: "malformed", detail };
}
