import type { Loose } from "../../wire/index.ts";
import type { FormatName, ScriptEntry, ScriptedError, ScriptedUsage, Stray } from "./script.ts";

/** How one API checks requests and writes replies. Pure. */
export type ServerFormat = {
  readonly name: FormatName;
  readonly path: string;
  /** A sign of life that belongs to no reply, as it stands in a stream. */
  readonly ping: string;
  /** What the API would refuse about a request, in the order in which it is found. */
  check(body: Loose, headers: Readonly<Record<string, string>>): readonly string[];
  stream(reply: Reply, asked: Asked): Stream;
  /** The same reply in one piece. */
  whole(reply: Reply, asked: Asked): unknown;
  errorEvent(error: ScriptedError, failed: boolean): StreamEvent;
  errorBody(status: number, error: ScriptedError): unknown;
};

/** One server-sent event; `name` is empty where the API names none. */
export type StreamEvent = { readonly name: string; readonly data: string };

/** `closing` begins with the event that says why the reply ends. */
export type Stream = { readonly body: readonly StreamEvent[]; readonly closing: readonly StreamEvent[] };

/** What a reply takes over from its request. `number` makes its ids unique. */
export type Asked = { readonly number: number; readonly model: string; readonly body: Loose };

/** An entry of the script with everything filled in. */
export type Reply = {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  readonly calls: readonly ReplyCall[];
  /** Calls that stand where none should, and where that is. */
  readonly strays: readonly ReplyCall[];
  readonly stray: Stray | null;
  readonly usage: Required<ScriptedUsage> | null;
  readonly finish: string;
};

/** `id` is the one of the script; the format makes one up for `undefined`. */
export type ReplyCall = {
  readonly ordinal: number;
  readonly id: string | null | undefined;
  readonly tool: string;
  readonly arguments: string;
};

export function replyOf(entry: ScriptEntry): Reply {
  const { text = "", reasoning = "", refusal = "", stray = null } = entry;
  const all = (entry.calls ?? []).map((call, index) => ({
    ordinal: index + 1,
    id: call.id,
    tool: call.tool,
    arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
  }));
  const calls = stray === null ? all : [];
  const finish = entry.finish ?? (refusal !== "" ? "refusal" : calls.length > 0 ? "calls" : "stop");
  const strays = stray === null ? [] : all;
  return { text, reasoning, refusal, calls, strays, stray, usage: usageOf(entry), finish };
}

/** What a reply without a word about it has taken: enough to be seen in a sum. */
const usualUsage = { input: 10, output: 5, cached: 0 };

function usageOf({ usage }: ScriptEntry): Reply["usage"] {
  return usage === null ? null : { ...usualUsage, ...usage };
}

/** The field is left out of JSON where this is `undefined`. */
export function idOf(call: ReplyCall, prefix: string, asked: Asked): string | undefined {
  return call.id === undefined ? `${prefix}_${asked.number}_${call.ordinal}` : (call.id ?? undefined);
}

/** A text in at most three pieces, as a stream brings it; no character is torn. */
export function piecesOf(text: string): readonly string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / 3));
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, index) => characters.slice(index * size, (index + 1) * size).join(""));
}

/** All replies were made at the same moment: what a script says is always the same bytes. */
export const madeAt = 1_700_000_000;
