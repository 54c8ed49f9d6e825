import type { Json } from "../core/index.ts";
import type { ModelQuestion, OfferedTool } from "../runtime/ports.ts";
import { asJson, isLooseRecord, type Loose, looseCount, looseList, looseRecord, looseText } from "../wire/index.ts";
import type { Format, Sign, Target } from "./format.ts";
import {
  addArguments,
  afterEnd,
  beginCall,
  beginText,
  brings,
  type CallEntry,
  counted,
  endBy,
  flawCalls,
  idle,
  isError,
  malformed,
  newReply,
  openReader,
  progress,
  type Reply,
  serverError,
  type TextEntry,
} from "./reply-parts.ts";
import {
  type AssistantMessage,
  type Constant,
  isTame,
  joined,
  madeOnce,
  type Piece,
  piecesOf,
  sentArguments,
  sentName,
  toJson,
  toolsOf,
  writtenOnce,
} from "./request-parts.ts";

/** The format that nearly every server speaks, each a little in its own way. */
export const openaiChat: Format = {
  path: "/chat/completions",
  headers: ({ key }) => (key === null ? {} : { authorization: `Bearer ${key}` }),
  encode,
  open: () => {
    const stream: Stream = { reply: newReply(), text: null, calls: [], reasoning: "", finished: false };
    return openReader({
      reply: stream.reply,
      read: (chunk) => readChunk(stream, chunk),
      done: () => {
        // Servers in between write this, too, behind a reply that broke off.
        if (!stream.finished) flawCalls(stream.reply, "the reply ended without a reason: it may be half of one");
        stream.reply.ended = true;
        stream.reply.whole = true;
        return { type: "end" };
      },
      reasoning: () => keptOf(stream),
    });
  },
};

// ── Requests ───────────────────────────────────────────────────────────────────────────────────────────────────────

const written = writtenOnce(renderPiece);
const printableId = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]{1,64}$/u;
/** The vendor itself takes no longer ones. */
const shortId = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]{1,40}$/u;
const arranged = { newer: piecesOf(shortId), any: piecesOf(printableId) };

function encode(question: ModelQuestion, target: Target): string {
  const { session, request } = question;
  const { forbidden, ...constant } = toolsOf(question);
  const { start, system } = headOf(constant, target);
  const key = knowsNewFields(target) ? `"prompt_cache_key":${toJson(session)},` : "";
  const pieces = arranged[knowsNewFields(target) ? "newer" : "any"](request.messages);
  const closing = request.closing === "" ? "" : userMessage(request.closing);
  const messages = joined([system, written(pieces, target), closing]);
  return `{${key}${start}${messages}]${forbidden ? `,"tool_choice":"none"` : ""}}`;
}

/** Gemini's own service speaks this format too, and refuses fields that it does not know. */
function knowsNewFields({ native, baseUrl }: Target): boolean {
  return native && !baseUrl.includes("googleapis.com");
}

const headOf = madeOnce(({ system, tools }: Constant, target: Target) => {
  const { model, mostOutput } = target;
  const limit = knowsNewFields(target) ? "max_completion_tokens" : "max_tokens";
  const options = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(mostOutput === null ? {} : { [limit]: mostOutput }),
    ...(tools.length === 0 ? {} : { tools: tools.map(offered) }),
  };
  return {
    start: `${toJson(options).slice(1, -1)},"messages":[`,
    system: system === "" ? "" : toJson({ role: "system", content: system }),
  };
});

function offered({ name, description, parameters }: OfferedTool): Json {
  return { type: "function", function: { name, description, parameters } };
}

function renderPiece(piece: Piece, target: Target): string {
  switch (piece.type) {
    case "user":
      return userMessage(piece.text);
    case "result":
      return toJson({ role: "tool", tool_call_id: piece.id, content: piece.text });
    case "assistant":
      return assistantMessage(piece.message, piece.ids, target);
    default:
      piece satisfies never;
      return "";
  }
}

function userMessage(text: string): string {
  return toJson({ role: "user", content: text });
}

/** What was thought goes back only where calls follow it: elsewhere servers refuse or forget it. */
function assistantMessage(
  { text, calls, reasoning }: AssistantMessage,
  ids: readonly string[],
  target: Target,
): string {
  if (calls.length === 0) return toJson({ role: "assistant", content: text });
  const kept = looseRecord(reasoning?.model === target.name ? reasoning.content : null);
  const extra = looseRecord(kept["extra_content"]);
  const thought = looseText(kept["reasoning_content"]);
  return toJson({
    role: "assistant",
    content: text === "" ? null : text,
    ...(thought === "" ? {} : { reasoning_content: thought }),
    tool_calls: calls.map(({ id, tool, arguments: given }, index) => ({
      id: ids[index] ?? id,
      type: "function",
      function: { name: sentName(tool), arguments: sentArguments(given) },
      ...(isTameRecord(extra[index]) ? { extra_content: extra[index] } : {}),
    })),
  });
}

function isTameRecord(value: unknown): value is Loose {
  return isLooseRecord(value) && isTame(value);
}

// ── Replies ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Stream = {
  readonly reply: Reply;
  text: TextEntry | null;
  readonly calls: StreamedCall[];
  /** What was thought, where the server may want it back. */
  reasoning: string;
  /** The model has given a reason to finish; the stream may still bring how much was used. */
  finished: boolean;
};

type StreamedCall = { readonly entry: CallEntry; readonly choice: number; readonly index: number | null; extra: Json };

function readChunk(stream: Stream, chunk: Loose): Sign {
  if (isError(chunk["error"])) return { type: "error", error: serverError(chunk["error"]) };
  if (chunk["object"] === "error") return { type: "error", error: serverError(chunk) };
  const { usage } = chunk;
  if (isLooseRecord(usage)) readUsage(stream.reply, usage);
  const torn = tornPart(chunk);
  if (torn !== null) return malformed(`expected ${torn}, came something else`);
  let said: Sign = isLooseRecord(usage) ? progress() : idle;
  for (const choice of looseList(chunk["choices"])) {
    const sign = readChoice(stream, looseRecord(choice));
    if (sign.type === "progress") said = progress(`${said.type === "progress" ? said.text : ""}${sign.text}`);
    else if (sign.type !== "idle") return sign;
  }
  return said;
}

function readUsage(reply: Reply, usage: Loose): void {
  const details = looseRecord(usage["prompt_tokens_details"]);
  reply.usage = {
    input: looseCount(usage["prompt_tokens"]),
    output: looseCount(usage["completion_tokens"]),
    cached: looseCount(details["cached_tokens"]) || looseCount(usage["prompt_cache_hit_tokens"]),
  };
}

function readChoice(stream: Stream, choice: Loose): Sign {
  const number = choice["index"] === undefined || choice["index"] === null ? 0 : numberOf(choice["index"]);
  const delta = looseRecord(choice["delta"]);
  const { tool_calls: calls, function_call: legacy } = delta;
  const text = number === 0 ? readText(stream, delta) : "";
  for (const call of looseList(calls)) readCall(stream, number, looseRecord(call));
  if (isLooseRecord(legacy)) readLegacyCall(stream, number, legacy);
  const reason = number === 0 ? looseText(choice["finish_reason"]) : "";
  if (reason !== "") return finish(stream, reason, text);
  return brings(delta) ? progress(text) : idle;
}

/**
 * What is of another type on the way to the arguments of a call: a piece of them may be lost in it, and what is left may
 * well be JSON. What is missing or `null` is only left out.
 */
function tornPart({ choices }: Loose): string | null {
  if (!isListOrNone(choices)) return "choices to be a list";
  for (const choice of looseList(choices)) {
    const { delta } = looseRecord(choice);
    const { tool_calls: calls } = looseRecord(delta);
    if (!isRecordOrNone(choice) || !isRecordOrNone(delta)) return "a choice and its delta to be objects";
    if (!isListOrNone(calls)) return "tool_calls to be a list";
    const sound = (call: unknown) => isRecordOrNone(call) && isRecordOrNone(looseRecord(call)["function"]);
    if (!looseList(calls).every(sound)) return "a call and its function to be objects";
  }
  return null;
}

function isListOrNone(value: unknown): boolean {
  return value === undefined || value === null || Array.isArray(value);
}

function isRecordOrNone(value: unknown): boolean {
  return value === undefined || value === null || isLooseRecord(value);
}

/** A number that cannot be one is none of those that were asked for. */
function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : -1;
}

function finish(stream: Stream, reason: string, text: string): Sign {
  const broken = endBy(stream.reply, reason);
  if (broken !== null) return broken;
  stream.finished = true;
  return progress(text);
}

function readText(stream: Stream, delta: Loose): string {
  const { reply } = stream;
  if (reply.ended) return "";
  stream.reasoning += counted(reply, looseText(delta["reasoning_content"]));
  const refusal = looseText(delta["refusal"]);
  if (refusal !== "") reply.refusal = true;
  const text = counted(reply, contentOf(delta["content"]) + refusal);
  if (text === "") return "";
  stream.text ??= beginText(reply);
  stream.text.text += text;
  return text;
}

/** Some servers stream a list of parts, of which those that are text are the content. */
function contentOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = looseList(content).map(looseRecord);
  return parts.map(({ type, text }) => (type === "text" ? looseText(text) : "")).join("");
}

function readCall(stream: Stream, choice: number, delta: Loose): void {
  const { reply } = stream;
  const index = delta["index"] === undefined || delta["index"] === null ? null : numberOf(delta["index"]);
  const made = looseRecord(delta["function"]);
  const id = looseText(delta["id"]);
  const tool = looseText(made["name"]);
  const known = callOf(stream.calls, { choice, index, id, tool });
  const call = known ?? begin(stream, choice, index);
  name(reply, call.entry, { id, tool });
  addArguments(reply, call.entry, made["arguments"]);
  if (isTameRecord(delta["extra_content"])) {
    call.extra = asJson(delta["extra_content"]);
    counted(reply, JSON.stringify(call.extra));
  }
  if (stream.finished || reply.ended) call.entry.flaw ??= afterEnd;
}

type Sought = {
  readonly choice: number;
  readonly index: number | null;
  readonly id: string;
  readonly tool: string;
};

/** The call that a piece goes on with; `undefined` where it begins one. */
function callOf(calls: readonly StreamedCall[], { choice, index, id, tool }: Sought): StreamedCall | undefined {
  if (index === null) {
    // Servers that count nothing begin a call with its id.
    const last = calls.findLast((call) => call.choice === choice);
    return id === "" || last?.entry.id === id ? last : undefined;
  }
  const call = calls.findLast((known) => known.choice === choice && known.index === index);
  // Servers that count every call as the first send each in one piece, with an id and a name.
  const another = call !== undefined && id !== "" && call.entry.id !== "" && call.entry.id !== id && tool !== "";
  return another ? undefined : call;
}

function begin(stream: Stream, choice: number, index: number | null): StreamedCall {
  const which = choice < 0 ? "an unknown choice" : `choice ${choice}`;
  const flaw = choice === 0 ? null : `the call came in ${which}, and only one reply was asked for`;
  const call: StreamedCall = { entry: beginCall(stream.reply, flaw), choice, index, extra: null };
  // Nothing in this format says that a call is finished; half of one is no JSON.
  call.entry.closed = true;
  stream.calls.push(call);
  return call;
}

/** Id and name come once, or again the same. */
function name(reply: Reply, call: CallEntry, { id, tool }: Pick<Sought, "id" | "tool">): void {
  if (id !== "" && call.id !== "" && id !== call.id) call.flaw ??= "the id of the call changed while it came";
  if (tool !== "" && call.tool !== "" && tool !== call.tool) call.flaw ??= "the name of the call changed while it came";
  if (call.id === "") call.id = counted(reply, id);
  if (call.tool === "") call.tool = counted(reply, tool);
}

function readLegacyCall(stream: Stream, choice: number, legacy: Loose): void {
  const index = -2;
  const known = stream.calls.find((call) => call.choice === choice && call.index === index);
  const { entry } = known ?? begin(stream, choice, index);
  entry.flaw ??= "the call came as function_call, a form that has no id: use tool calls";
  name(stream.reply, entry, { id: "", tool: looseText(legacy["name"]) });
  addArguments(stream.reply, entry, legacy["arguments"]);
}

/** What is thought beside calls is wanted back with them, and so is what belongs to a call, by its place. */
function keptOf({ calls, reasoning }: Stream): Json | null {
  const extra = calls.flatMap((call, index): [string, Json][] =>
    call.extra === null ? [] : [[`${index}`, call.extra]],
  );
  if (calls.length === 0 || (reasoning === "" && extra.length === 0)) return null;
  return {
    ...(reasoning === "" ? {} : { reasoning_content: reasoning.toWellFormed() }),
    ...(extra.length === 0 ? {} : { extra_content: Object.fromEntries(extra) }),
  };
}
