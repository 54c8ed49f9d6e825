import type { Json, Usage } from "../core/index.ts";
import type { RawCall } from "../runtime/ports.ts";
import { isLooseRecord, type Loose, looseRecord, looseText, parseJson } from "../wire/index.ts";
import type { Reading, ServerError, Sign, StreamEvent, StreamReader } from "./format.ts";

// What the replies of all formats have in common.

/** What a reply is made of, in the order in which it came. */
type Entry = TextEntry | CallEntry | KeptEntry;
export type TextEntry = { readonly type: "text"; text: string };
export type CallEntry = {
  readonly type: "call";
  id: string;
  tool: string;
  arguments: string;
  /** The first thing that was wrong with it. */
  flaw: string | null;
  /** All of it has come, as far as the format says so. */
  closed: boolean;
};
/** Something that the API wants back; `null` until all of it has come. */
export type KeptEntry = { readonly type: "kept"; item: Json | null };

/** A reply as far as it has come. */
export type Reply = {
  readonly entries: Entry[];
  /** How much was collected, in characters. */
  size: number;
  calls: number;
  usage: Usage;
  refusal: boolean;
  filtered: boolean;
  cut: boolean;
  whole: boolean;
  /** The end was said: what comes now is no part of it any more. */
  ended: boolean;
};

const mostCalls = 64;
const mostCharacters = 16 * 1_048_576;
/** What an entry costs even when it is empty: a server could send such without end. */
const entryCost = 1_024;
const mostMessage = 4_000;

export const idle: Sign = { type: "idle" };
export const progress = (text: string = ""): Sign => ({ type: "progress", text });
export const malformed = (detail: string): Sign => ({ type: "malformed", detail });

export const afterEnd = "the call came after the end of the reply";

export function newReply(): Reply {
  const usage = { input: 0, output: 0, cached: 0 };
  const none = { refusal: false, filtered: false, cut: false, whole: false, ended: false };
  return { entries: [], size: 0, calls: 0, usage, ...none };
}

export function beginText(reply: Reply): TextEntry {
  return added(reply, { type: "text", text: "" });
}

export function beginCall(reply: Reply, flaw: string | null = null): CallEntry {
  reply.calls++;
  return added(reply, { type: "call", id: "", tool: "", arguments: "", flaw, closed: false });
}

export function beginKept(reply: Reply): KeptEntry {
  return added(reply, { type: "kept", item: null });
}

function added<E extends Entry>(reply: Reply, entry: E): E {
  reply.entries.push(entry);
  reply.size += entryCost;
  return entry;
}

/** Counts what is collected and gives it back. */
export function counted(reply: Reply, text: string): string {
  reply.size += text.length;
  return text;
}

const soundReasons =
  /^(?:stop|tool_calls?|function_call|end_turn|tool_use|stop_sequence|eos|eos_token|end|complete|completed|pause_turn)$/i;
const cutReasons = /^(?:length|max_.*tokens|model_length|model_context_window_exceeded)$/i;
const filterReasons = /filter|safety|sensitive|prohibited|recitation|blocklist|spii|refus/i;
/** Said where the server, not the model, came to an end. */
const brokenReasons = /error|abort|cancel|time.?out|insufficient|fail|interrupt/i;

/**
 * The reply ends, for the reason that the server gives; where nobody knows that reason, none of its calls is run. An error is
 * returned where it was the server, not the model, that came to an end.
 */
export function endBy(reply: Reply, reason: string): Sign | null {
  const known = soundReasons.test(reason) || cutReasons.test(reason);
  if (!known && !filterReasons.test(reason) && brokenReasons.test(reason)) {
    return { type: "error", error: { status: null, code: reason, message: `the server ended the reply: ${reason}` } };
  }
  reply.whole = true;
  if (cutReasons.test(reason)) reply.cut = true;
  else if (!known && filterReasons.test(reason)) reply.filtered = true;
  else if (!known) flawCalls(reply, `the reply ended for a reason that is not known: ${reason || "none"}`);
  return null;
}

/** Of such a reply nothing is run. */
export function flawCalls(reply: Reply, flaw: string): void {
  for (const entry of reply.entries) if (entry.type === "call") entry.flaw ??= flaw;
}

/** Whether an event brings anything of a reply: a text that is empty is none. */
export function brings(delta: Loose): boolean {
  return Object.entries(delta).some(([name, value]) => {
    if (name === "role" || name === "type" || value === null || value === "") return false;
    return Array.isArray(value) ? value.length > 0 : true;
  });
}

export type FormatReader = {
  readonly reply: Reply;
  readonly read: (record: Loose, event: StreamEvent) => Sign;
  /** What the line `[DONE]` means. */
  readonly done: () => Sign;
  readonly reasoning: () => Json | null;
};

export function openReader({ reply, read, done, reasoning }: FormatReader): StreamReader {
  return {
    read(event) {
      const before = excess(reply);
      if (before !== null) return malformed(before);
      const sign = readData(event, read, done);
      const after = excess(reply);
      return after === null ? sign : malformed(after);
    },
    reading: () => readingOf(reply, reasoning()),
  };
}

function readData(event: StreamEvent, read: FormatReader["read"], done: FormatReader["done"]): Sign {
  const data = event.data.trim();
  if (data === "") return idle;
  if (data === "[DONE]") return done();
  const parsed = parseJson(data);
  if (parsed.type === "parsed" && isLooseRecord(parsed.value)) return read(parsed.value, event);
  return malformed(`expected a JSON object in the stream, came ${data.slice(0, 200)}`);
}

/** Once there is too much, it stays so: nothing more is collected. */
function excess({ size, calls }: Reply): string | null {
  if (calls > mostCalls) return `expected at most ${mostCalls} calls in a reply, came more`;
  if (size > mostCharacters) return `expected at most ${mostCharacters} characters in a reply, came more`;
  return null;
}

function readingOf({ entries, usage, refusal, filtered, cut, whole }: Reply, reasoning: Json | null): Reading {
  const texts = entries.flatMap((entry) => (entry.type === "text" ? [entry.text] : []));
  const calls = entries.flatMap((entry) => (entry.type === "call" ? [rawCall(entry)] : []));
  // Behind the end of a reply, where nobody hears any longer that this is malformed, more may have come.
  const some = whole ? calls.slice(0, mostCalls) : calls;
  return { text: texts.join("").toWellFormed(), calls: some, usage, reasoning, refusal, filtered, cut, whole };
}

function rawCall({ id, tool, arguments: given, flaw, closed }: CallEntry): RawCall {
  const wrong = flaw ?? (closed ? null : "the call was never finished");
  return { id, tool, arguments: given, ...(wrong === null ? {} : { flaw: wrong }) };
}

/**
 * The order of a reply around what the API wants back: a number stands for that many characters of the text, `"call"` for
 * the next call, an object for itself. `null` when nothing is wanted back.
 */
export function orderOf({ entries }: Reply): Json | null {
  const order = entries.flatMap((entry): Json[] => {
    switch (entry.type) {
      case "text":
        return entry.text === "" ? [] : [entry.text.length];
      case "call":
        return ["call"];
      case "kept":
        return entry.item === null ? [] : [entry.item];
      default:
        entry satisfies never;
        return [];
    }
  });
  return order.some((entry) => typeof entry === "object") ? order : null;
}

/** What a server says went wrong, however it says so. */
export function serverError(value: unknown): ServerError {
  if (typeof value === "string") return { status: null, code: "", message: value.slice(0, mostMessage) };
  const { code, type, status, message } = looseRecord(value);
  const told = [code, type, status].map(looseText).find((text) => text !== "") ?? "";
  return {
    status: [status, code].find(isStatus) ?? null,
    code: told.slice(0, 200),
    message: looseText(message).slice(0, mostMessage),
  };
}

function isStatus(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 100 && value <= 599;
}

/** Whether a field says that something went wrong; many servers send it empty otherwise. */
export function isError(value: unknown): boolean {
  return isLooseRecord(value) || (typeof value === "string" && value !== "");
}

/** Adds a piece of the arguments; what is no text is the call's flaw, nothing is made of it. */
export function addArguments(reply: Reply, call: CallEntry, piece: unknown): void {
  if (typeof piece === "string") call.arguments += counted(reply, piece);
  else if (piece !== undefined && piece !== null) call.flaw ??= `the arguments came as ${kindOf(piece)}, not as text`;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`.replace("a object", "an object");
}
