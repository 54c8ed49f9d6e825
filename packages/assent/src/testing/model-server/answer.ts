import { type Asked, replyOf, type ServerFormat, type StreamEvent } from "./format.ts";
import { malform } from "./malform.ts";
import type { Fault, ScriptEntry } from "./script.ts";

/** What is sent, as data. Without a head nothing is sent at all; after the last step the body ends. */
export type Answer = { readonly head: Head | null; readonly steps: readonly Step[] };

type Head = { readonly status: number; readonly headers: Readonly<Record<string, string>> };

export type Step =
  | { readonly type: "write"; readonly bytes: Uint8Array }
  | { readonly type: "wait"; readonly milliseconds: number }
  /** The rest lasts until the client leaves. */
  | { readonly type: "hang" }
  | { readonly type: "ping"; readonly bytes: Uint8Array; readonly every: number }
  | { readonly type: "destroy" };

/** The answer of an entry to a request in a format. */
export function answerOf(entry: ScriptEntry, format: ServerFormat, asked: Asked): Answer {
  const { fault } = entry;
  const played = asked.body["stream"] === true ? streamed(entry, format, asked) : inOnePiece(entry, format, asked);
  if (fault === undefined) return { head: played.head, steps: writesOf(played.parts) };
  return answerInstead(fault, format) ?? faultyAnswer(fault, played, format);
}

/** An answer that is an error of the API. */
export function errorAnswer(format: ServerFormat, status: number, message: string): Answer {
  return jsonAnswer(status, format.errorBody(status, { message }));
}

export function jsonAnswer(status: number, body: unknown): Answer {
  return bodyAnswer({ status, headers: { "content-type": "application/json" } }, JSON.stringify(body));
}

function bodyAnswer(head: Head, body: string): Answer {
  const bytes = Buffer.from(body);
  const headers = { "content-length": String(bytes.length), ...head.headers };
  return { head: { ...head, headers }, steps: bytes.length === 0 ? [] : [{ type: "write", bytes }] };
}

/** A reply as it is sent: the parts that faults count, and how signs of life look between them. */
type Played = {
  readonly head: Head;
  readonly parts: readonly string[];
  readonly events: readonly StreamEvent[];
  /** How many events close the stream. */
  readonly closing: number;
  encode(event: StreamEvent): string;
  readonly ping: string;
  readonly isStream: boolean;
};

const streamHead: Head = {
  status: 200,
  headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
};

function streamed(entry: ScriptEntry, format: ServerFormat, asked: Asked): Played {
  const { body, closing } = format.stream(replyOf(entry), asked);
  const events = [...body, ...closing];
  return {
    head: streamHead,
    parts: events.map(encodeEvent),
    events,
    closing: closing.length,
    encode: encodeEvent,
    ping: format.ping,
    isStream: true,
  };
}

function encodeEvent({ name, data }: StreamEvent): string {
  return `${name === "" ? "" : `event: ${name}\n`}data: ${data}\n\n`;
}

function inOnePiece(entry: ScriptEntry, format: ServerFormat, asked: Asked): Played {
  const json = JSON.stringify(format.whole(replyOf(entry), asked));
  const size = Math.ceil(json.length / 4);
  const parts = [0, 1, 2, 3].map((index) => json.slice(index * size, (index + 1) * size));
  return {
    head: { status: 200, headers: { "content-type": "application/json" } },
    parts,
    events: parts.map((data) => ({ name: "", data })),
    closing: 0,
    encode: ({ data }) => data,
    // White space may stand around JSON.
    ping: "\n",
    isStream: false,
  };
}

/** The answers that have nothing of a reply in them. */
function answerInstead(fault: Fault, format: ServerFormat): Answer | null {
  if ("redirect" in fault)
    return bodyAnswer({ status: fault.status ?? 307, headers: { location: fault.redirect } }, "");
  if ("status" in fault) return statusAnswer(fault, format);
  if ("contentType" in fault) {
    return bodyAnswer({ status: 200, headers: { "content-type": fault.contentType } }, fault.body);
  }
  if ("raw" in fault) return { head: streamHead, steps: writesOf([fault.raw]) };
  if ("close" in fault && fault.close === "before-answer") return { head: null, steps: [{ type: "destroy" }] };
  return "hang" in fault && fault.hang === "answer" ? { head: null, steps: [{ type: "hang" }] } : null;
}

function statusAnswer(fault: Extract<Fault, { status: number; redirect?: never }>, format: ServerFormat): Answer {
  const { status } = fault;
  const body =
    fault.body === undefined ? format.errorBody(status, { message: `scripted status ${status}` }) : fault.body;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = text.startsWith("<") ? "text/html; charset=utf-8" : "application/json";
  return bodyAnswer({ status, headers: { "content-type": type, ...fault.headers } }, text);
}

/** A client that reads by web streams throws away what it has not read when the connection breaks: it gets time to read. */
const settle: Step = { type: "wait", milliseconds: 25 };

function faultyAnswer(fault: Fault, played: Played, format: ServerFormat): Answer {
  const { head, parts } = played;
  const first = (count: number) => writesOf(parts.slice(0, count));
  if ("cut" in fault) return { head, steps: [...first(fault.cut), settle, { type: "destroy" }] };
  if ("close" in fault) return { head, steps: [settle, { type: "destroy" }] };
  if ("end" in fault) return { head, steps: first(fault.end) };
  if ("hang" in fault) return { head, steps: [...first(Number(fault.hang)), { type: "hang" }] };
  if ("pings" in fault) {
    const ping: Step = { type: "ping", bytes: Buffer.from(played.ping), every: fault.every ?? 20 };
    return { head, steps: [...first(fault.pings), ping] };
  }
  if ("error" in fault) return errorInside(fault, played, format);
  if ("slow" in fault) {
    const wait: Step = { type: "wait", milliseconds: fault.slow };
    return { head, steps: writesOf(parts).flatMap((write) => [wait, write]) };
  }
  if ("bytes" in fault) return { head, steps: inPackets(Buffer.from(parts.join("")), fault.bytes) };
  if ("malformed" in fault) {
    return { head, steps: malform(played, fault.malformed).map((bytes) => ({ type: "write", bytes })) };
  }
  return { head, steps: writesOf(parts) };
}

function errorInside(fault: Extract<Fault, { error: unknown }>, played: Played, format: ServerFormat): Answer {
  const { error, failed = false } = fault;
  if (!played.isStream) {
    const status = error.status ?? 500;
    return jsonAnswer(status, format.errorBody(status, error));
  }
  const { head, parts } = played;
  const before = parts.slice(0, fault.after ?? Math.ceil(parts.length / 2));
  return { head, steps: writesOf([...before, encodeEvent(format.errorEvent(error, failed))]) };
}

function inPackets(all: Uint8Array, size: number): readonly Step[] {
  const step = Math.max(1, size);
  const count = Math.ceil(all.length / step);
  // A pause between them keeps the packets apart.
  return Array.from({ length: count }, (_, index) => all.subarray(index * step, (index + 1) * step)).flatMap(
    (bytes): Step[] => [
      { type: "write", bytes },
      { type: "wait", milliseconds: 0 },
    ],
  );
}

function writesOf(parts: readonly string[]): readonly Step[] {
  return parts.map((part) => ({ type: "write", bytes: Buffer.from(part) }));
}
