import type { ModelRequest } from "../core/index.ts";
import type { ModelQuestion } from "../runtime/ports.ts";
import { isLooseRecord, type Loose, looseList, parseJson } from "../wire/index.ts";
import type { Target } from "./format.ts";

// What the requests of all formats have in common: whatever a model or a person said before, the next request is valid.

export type HistoryMessage = ModelRequest["messages"][number];
export type AssistantMessage = Extract<HistoryMessage, { readonly role: "assistant" }>;
type ToolMessage = Extract<HistoryMessage, { readonly role: "tool" }>;
export type HistoryCall = AssistantMessage["calls"][number];

/** A history in the order that every API takes: after the calls of a reply their results, then what people said. */
export type Piece = AssistantPiece | ResultPiece | { readonly type: "user"; readonly text: string };
/** With the ids under which its calls are sent. */
export type AssistantPiece = {
  readonly type: "assistant";
  readonly message: AssistantMessage;
  readonly ids: readonly string[];
};
export type ResultPiece = {
  readonly type: "result";
  /** The id under which its call was sent. */
  readonly id: string;
  readonly text: string;
  readonly failed: boolean;
};

/** Servers with the narrowest readers take about this much nesting; what is deeper is sent as text. */
const mostDepth = 24;
const safeName = /^[a-zA-Z0-9_-]{1,64}$/;
/** What APIs that say so take as the id of a call. */
export const safeId = safeName;

/**
 * Stand-ins for what APIs refuse: an empty text, a call without a result, a reply behind a reply (the request between
 * them ended with a part that is never kept). Constant, so that earlier bytes stay (STATE-1).
 */
const noText = "(no text)";
const noOutput = "(no output)";
const noResult = "(no result)";
const betweenReplies: Piece = { type: "user", text: "Continue." };

/** Those that every longer history has, too: a list that only grows. And those of the last reply, which may still get others. */
export type Pieces = { readonly settled: readonly Piece[]; readonly open: readonly Piece[] };

type Arranging = {
  /** Those of these messages are settled. */
  readonly messages: HistoryMessage[];
  readonly pieces: Piece[];
  /** The ids under which calls were sent. */
  readonly used: Set<string>;
  /** The calls of the last reply by our id, in their order: under which id each was sent, and its result, if it has one. */
  readonly called: Map<string, { readonly sent: string; result: Piece | null }>;
  /** Said since the last reply: it stands behind all results. */
  readonly texts: Piece[];
};

/**
 * Depends on nothing but the messages: a longer history begins with the same pieces. Whoever asks again with some more of
 * them, as each turn does, has only those arranged.
 */
export function piecesOf(fits: RegExp): (messages: readonly HistoryMessage[]) => Pieces {
  const known = new WeakMap<HistoryMessage, Arranging>();
  return (messages) => {
    const [first] = messages;
    if (first === undefined) return { settled: [], open: [] };
    const open = Math.max(0, messages.findLastIndex(isReply));
    const before = known.get(first);
    const arranging =
      before !== undefined && beginsWith(messages.slice(0, open), before.messages) ? before : newArranging();
    known.set(first, arranging);
    const { pieces, used } = arranging;
    arranging.messages.push(...arrange(arranging, messages.slice(arranging.messages.length, open), fits));
    const settled = pieces.length;
    arrange(arranging, messages.slice(open), fits);
    // They are arranged again next time, under the same ids.
    const last = pieces.splice(settled);
    for (const piece of last) if (piece.type === "assistant") for (const id of piece.ids) used.delete(id);
    return { settled: pieces, open: last };
  };
}

function newArranging(): Arranging {
  return { messages: [], pieces: [], used: new Set(), called: new Map(), texts: [] };
}

function beginsWith(messages: readonly HistoryMessage[], before: readonly HistoryMessage[]): boolean {
  // Hundreds of messages are compared each turn: a call for each of them would take most of the time.
  for (let index = before.length - 1; index >= 0; index--) if (before[index] !== messages[index]) return false;
  return true;
}

function isReply(message: HistoryMessage): message is AssistantMessage {
  return message.role === "assistant" && (message.calls.length > 0 || !isBlank(message.text));
}

function arrange(arranging: Arranging, messages: readonly HistoryMessage[], fits: RegExp): readonly HistoryMessage[] {
  for (const message of messages) {
    if (message.role === "user") arranging.texts.push(userPiece(message.text));
    else if (message.role === "tool") addResult(arranging, message);
    else if (isReply(message)) addReply(arranging, message, fits);
  }
  closeReply(arranging);
  return messages;
}

/** Results come in the order in which calls end, and are told in the order in which they were made. */
function addResult({ called, texts }: Arranging, message: ToolMessage): void {
  const { text, failed } = message;
  const call = called.get(message.call);
  if (call === undefined || call.result !== null) {
    texts.push(userPiece(`[result of an earlier call]\n${text}`));
    return;
  }
  call.result = { type: "result", id: call.sent, text: isBlank(text) ? noOutput : text, failed };
}

function addReply(arranging: Arranging, message: AssistantMessage, fits: RegExp): void {
  closeReply(arranging);
  const { pieces, used, called } = arranging;
  if (pieces.length === 0 || pieces.at(-1)?.type === "assistant") pieces.push(betweenReplies);
  const ids = message.calls.map((call) => {
    const sent = sentId(call, used, fits);
    called.set(call.id, { sent, result: null });
    return sent;
  });
  pieces.push({ type: "assistant", message, ids });
}

function closeReply({ pieces, called, texts }: Arranging): void {
  for (const { sent, result } of called.values()) {
    pieces.push(result ?? { type: "result", id: sent, text: noResult, failed: true });
  }
  called.clear();
  pieces.push(...texts.splice(0));
}

function userPiece(text: string): Piece {
  return { type: "user", text: isBlank(text) ? noText : text };
}

/** The provider's own id where the API takes it and no earlier call has it; else ours, which no earlier call has either. */
function sentId({ id, original }: HistoryCall, used: Set<string>, fits: RegExp): string {
  let sent = fits.test(original) && !used.has(original) ? original : id;
  for (let next = 2; used.has(sent); next++) sent = `${id}_${next}`;
  used.add(sent);
  return sent;
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

export function sentName(tool: string): string {
  return safeName.test(tool) ? tool : "invalid_name";
}

/** A JSON object, as text: the model's own where it is one. What it is not is told, never mended (SEL-3). */
export function sentArguments(given: string): string {
  const parsed = parseJson(given);
  if (parsed.type === "parsed" && isLooseRecord(parsed.value) && isTame(parsed.value)) {
    return withoutLoneSurrogates(given.toWellFormed());
  }
  return toJson({ unparsed_arguments: given });
}

/** Whether every server can read it: not nested too deep, no number beyond what a double holds. */
export function isTame(value: unknown, depth: number = mostDepth): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isTame(inner, depth - 1));
}

/** JSON that is valid Unicode: some servers refuse half a pair, which a cut output may well end with. */
export function toJson(value: unknown): string {
  return withoutLoneSurrogates(JSON.stringify(value));
}

/** A pair, a half of one, or any other escape: taken in this order, a backslash that is itself escaped escapes nothing. */
const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs;

function withoutLoneSurrogates(json: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return json;
  return json.replace(escapes, (whole, half: string | undefined) => (half === undefined ? whole : "\ufffd"));
}

/** Renders what is settled once: hundreds of pieces are sent again each turn. */
export function renderedOnce<T>(
  render: (piece: Piece, target: Target) => T,
): (pieces: Pieces, target: Target) => readonly T[] {
  const known = new WeakMap<readonly Piece[], { readonly target: Target; readonly rendered: T[] }>();
  return ({ settled, open }, target) => {
    const before = known.get(settled);
    const rendered = before?.target === target ? before.rendered : [];
    for (const piece of settled.slice(rendered.length)) rendered.push(render(piece, target));
    known.set(settled, { target, rendered });
    return [...rendered, ...open.map((piece) => render(piece, target))];
  };
}

/** The same where pieces are texts, put together with commas: what is settled is copied as one. */
export function writtenOnce(
  render: (piece: Piece, target: Target) => string,
): (pieces: Pieces, target: Target) => string {
  const known = new WeakMap<
    readonly Piece[],
    { readonly target: Target; readonly count: number; readonly text: string }
  >();
  return ({ settled, open }, target) => {
    const before = known.get(settled);
    const { count, text: begun } = before?.target === target ? before : { count: 0, text: "" };
    const write = (piece: Piece) => render(piece, target);
    const text = joined([begun, ...settled.slice(count).map(write)]);
    known.set(settled, { target, count: settled.length, text });
    return joined([text, ...open.map(write)]);
  };
}

/** The elements of a list of JSON; what is empty is none. */
export function joined(elements: readonly string[]): string {
  return elements.filter((element) => element !== "").join(",");
}

export type Constant = Pick<ModelQuestion, "system" | "tools">;

/** What every request to a target begins with, made once for as long as system prompt and tools stay the same. */
export function madeOnce<T>(make: (constant: Constant, target: Target) => T): typeof make {
  const known = new WeakMap<Target, { readonly constant: Constant; readonly made: T }>();
  return (constant, target) => {
    const before = known.get(target);
    if (before !== undefined && isSame(before.constant, constant)) return before.made;
    const made = make(constant, target);
    known.set(target, { constant, made });
    return made;
  };
}

function isSame(one: Constant, other: Constant): boolean {
  if (one.system !== other.system || one.tools.length !== other.tools.length) return false;
  return one.tools.every((tool, index) => {
    const same = other.tools[index];
    if (tool === same) return true;
    const { name, description, parameters } = tool;
    return same?.name === name && same.description === description && same.parameters === parameters;
  });
}

/**
 * Tools stay in a request that lets none be called, for its bytes to begin as before; but where there are no messages
 * they could only tempt.
 */
export function toolsOf({ system, tools, request }: ModelQuestion): Constant & { readonly forbidden: boolean } {
  const none = request.tools === "none";
  if (none && request.messages.length === 0) return { system, tools: [], forbidden: false };
  return { system, tools, forbidden: none && tools.length > 0 };
}

/** An assistant message in the order in which the model made it, as far as that is known. */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly call: HistoryCall; readonly id: string }
  | { readonly type: "kept"; readonly item: Loose };

/**
 * Puts what was thought back where it was, from the form that `orderOf` gives it, as far as the API takes it. However
 * damaged that is, all of the text and every call is there once. What was thought last, with nothing behind it, is left
 * out: APIs refuse that.
 */
export function partsOf(reply: AssistantPiece, target: Target, takes: (item: Loose) => boolean): readonly Part[] {
  const { text, calls, reasoning } = reply.message;
  const order = reasoning?.model === target.name ? looseList(reasoning.content) : [];
  const called = calls.map((call, index): Part => ({ type: "call", call, id: reply.ids[index] ?? call.id }));
  const parts: Part[] = [];
  let rest = text;
  const tell = (length: number) => {
    const told = rest.slice(0, length);
    rest = rest.slice(told.length);
    if (!isBlank(told)) parts.push({ type: "text", text: told });
  };
  for (const entry of order) {
    if (typeof entry === "number") tell(Math.max(0, Math.trunc(entry)));
    else if (entry === "call") parts.push(...called.splice(0, 1));
    else if (isLooseRecord(entry) && takes(entry)) parts.push({ type: "kept", item: entry });
  }
  tell(rest.length);
  parts.push(...called);
  return parts.slice(0, parts.findLastIndex(({ type }) => type !== "kept") + 1);
}
