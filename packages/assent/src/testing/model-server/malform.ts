import type { StreamEvent } from "./format.ts";
import type { Malformed } from "./script.ts";

type Played = {
  readonly events: readonly StreamEvent[];
  readonly closing: number;
  encode(event: StreamEvent): string;
};

/** The bytes of a stream that is broken in one way. */
export function malform(played: Played, how: Malformed): readonly Uint8Array[] {
  const { events, closing, encode } = played;
  const middle = Math.floor((events.length - closing) / 2);
  const bytes = (event: StreamEvent): Uint8Array => Buffer.from(encode(event));
  const changed = (change: (event: StreamEvent) => readonly Uint8Array[]): readonly Uint8Array[] =>
    events.flatMap((event, index) => (index === middle ? change(event) : [bytes(event)]));
  switch (how) {
    case "json":
      return changed((event) => [bytes({ ...event, data: event.data.slice(0, Math.ceil(event.data.length / 2)) })]);
    case "type":
      return changed((event) => [bytes({ ...event, data: '[1,"two",null,{}]' })]);
    case "utf8":
      return changed((event) => [withBadByte(encode(event))]);
    case "order":
      return [...events.slice(0, events.length - closing).reverse(), ...events.slice(events.length - closing)].map(
        bytes,
      );
    case "unknown":
      return changed((event) => [
        bytes({ name: "scripted.unknown", data: '{"type":"scripted.unknown"}' }),
        bytes(event),
      ]);
    default:
      return how satisfies never;
  }
}

const beginOfText = /"(?:content|delta|text|thinking|arguments|partial_json)":"/;

/** At the beginning of what the event says, where the JSON would not break by it; at its end where it says nothing. */
function withBadByte(encoded: string): Uint8Array {
  const match = beginOfText.exec(encoded);
  const at = match === null ? encoded.trimEnd().length : match.index + match[0].length;
  return Buffer.concat([Buffer.from(encoded.slice(0, at)), Uint8Array.of(0xff), Buffer.from(encoded.slice(at))]);
}
