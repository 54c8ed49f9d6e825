import type { Json } from "../core/index.ts";
import type { ModelQuestion, OfferedTool } from "../runtime/ports.ts";
import { isLooseRecord, type Loose, looseCount, looseRecord, looseText } from "../wire/index.ts";
import type { Format, Sign, Target } from "./format.ts";
import {
  addArguments,
  afterEnd,
  beginCall,
  beginKept,
  beginText,
  brings,
  type CallEntry,
  counted,
  endBy,
  flawCalls,
  idle,
  isError,
  type KeptEntry,
  malformed,
  newReply,
  openReader,
  orderOf,
  progress,
  type Reply,
  serverError,
  type TextEntry,
} from "./reply-parts.ts";
import {
  type Constant,
  isBlank,
  isTame,
  madeOnce,
  type Part,
  type Piece,
  partsOf,
  piecesOf,
  renderedOnce,
  safeId,
  sentArguments,
  sentName,
  toJson,
  toolsOf,
} from "./request-parts.ts";

/** Anthropic's Messages. What may be cached is marked by whoever asks. */
export const anthropic: Format = {
  path: "/v1/messages",
  headers: ({ key }) => ({
    "anthropic-version": "2023-06-01",
    ...(key === null ? {} : { "x-api-key": key }),
  }),
  encode,
  open: () => {
    const stream: Stream = { reply: newReply(), blocks: new Map(), tokens: newTokens() };
    return openReader({
      reply: stream.reply,
      read: (record, event) => {
        const handler = handlers.get(looseText(record["type"]) || event.name);
        if (handler !== undefined) return handler(stream, record);
        return isError(record["error"]) ? { type: "error", error: serverError(record["error"]) } : idle;
      },
      done: () => (stream.reply.whole ? { type: "end" } : idle),
      reasoning: () => orderOf(stream.reply),
    });
  },
};

// ── Requests ───────────────────────────────────────────────────────────────────────────────────────────────────────

type Said = { readonly role: "user" | "assistant"; readonly blocks: readonly string[] };
type Turn = { readonly role: Said["role"]; readonly blocks: string[] };

const arranged = piecesOf(safeId);
const rendered = renderedOnce(renderPiece);
const cacheMark = `"cache_control":{"type":"ephemeral"}`;

/** Three marks of the four that are allowed: the system, what the next request begins with, and what this one did. */
function encode(question: ModelQuestion, target: Target): string {
  const { request } = question;
  const { forbidden, ...constant } = toolsOf(question);
  const turns = turnsOf(rendered(arranged(request.messages), target));
  markLast(turns.at(-1));
  markLast(turns.slice(0, -1).findLast(({ role }) => role === "user"));
  if (!isBlank(request.closing)) turnFor(turns, "user").blocks.push(textBlock(request.closing));
  const messages = turns.map(({ role, blocks }) => `{"role":"${role}","content":[${blocks.join(",")}]}`);
  const choice = forbidden ? `,"tool_choice":{"type":"none"}` : "";
  return `{${headOf(constant, target)}${messages.join(",")}]${choice}}`;
}

const headOf = madeOnce(({ system, tools }: Constant, { model, mostOutput }: Target): string => {
  const options = {
    model,
    max_tokens: mostOutput ?? mostOutputOf(model),
    stream: true,
    ...(tools.length === 0 ? {} : { tools: tools.map(offered) }),
    ...(isBlank(system) ? {} : { system: [{ type: "text", text: system, cache_control: { type: "ephemeral" } }] }),
  };
  return `${toJson(options).slice(1, -1)},"messages":[`;
});

/** The API wants to be told; more than a model can is refused. */
function mostOutputOf(model: string): number {
  if (/claude-3-(?:haiku|opus|sonnet)/.test(model)) return 4_096;
  return /claude-3[-.]5/.test(model) ? 8_192 : 32_000;
}

function offered({ name, description, parameters }: OfferedTool): Json {
  return { name, description, input_schema: parameters };
}

/** Roles alternate: whatever stands on one side between two replies is one message. */
function turnsOf(said: readonly Said[]): Turn[] {
  const turns: Turn[] = [];
  for (const { role, blocks } of said) turnFor(turns, role).blocks.push(...blocks);
  return turns;
}

function turnFor(turns: Turn[], role: Turn["role"]): Turn {
  const last = turns.at(-1);
  if (last?.role === role) return last;
  const turn: Turn = { role, blocks: [] };
  turns.push(turn);
  return turn;
}

function markLast(turn: Turn | undefined): void {
  const block = turn?.blocks.pop();
  if (block !== undefined) turn?.blocks.push(`${block.slice(0, -1)},${cacheMark}}`);
}

function renderPiece(piece: Piece, target: Target): Said {
  switch (piece.type) {
    case "user":
      return { role: "user", blocks: [textBlock(piece.text)] };
    case "result": {
      const { id, text, failed } = piece;
      const error = failed ? { is_error: true } : {};
      return { role: "user", blocks: [toJson({ type: "tool_result", tool_use_id: id, content: text, ...error })] };
    }
    case "assistant":
      return { role: "assistant", blocks: partsOf(piece, target, isSigned).map(renderPart) };
    default:
      piece satisfies never;
      return { role: "user", blocks: [] };
  }
}

function textBlock(text: string): string {
  return toJson({ type: "text", text });
}

function renderPart(part: Part): string {
  switch (part.type) {
    case "text":
      return textBlock(part.text);
    case "call": {
      // Its own text, not a value made of it: nothing of it may change, and that is also quickest.
      const { tool, arguments: given } = part.call;
      return `{"type":"tool_use","id":${toJson(part.id)},"name":"${sentName(tool)}","input":${sentArguments(given)}}`;
    }
    case "kept": {
      const { type, thinking, signature, data } = part.item;
      return toJson(type === "thinking" ? { type, thinking, signature } : { type, data });
    }
    default:
      part satisfies never;
      return "";
  }
}

/** The API takes back what it has signed or sealed, and nothing else. */
function isSigned({ type, thinking, signature, data }: Loose): boolean {
  if (type === "redacted_thinking") return looseText(data) !== "";
  return type === "thinking" && typeof thinking === "string" && looseText(signature) !== "";
}

// ── Replies ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Stream = { readonly reply: Reply; readonly blocks: Map<string, Block>; readonly tokens: Tokens };

type Block =
  | { readonly type: "text"; readonly entry: TextEntry; closed: boolean }
  | { readonly type: "call"; readonly entry: CallEntry; closed: boolean; readonly given: unknown }
  | {
      readonly type: "thinking";
      readonly entry: KeptEntry;
      closed: boolean;
      readonly thought: { thinking: string; signature: string };
    }
  | { readonly type: "redacted"; readonly entry: KeptEntry; closed: boolean; readonly data: string }
  | { readonly type: "other"; closed: boolean };

/** Counted by the API in parts, some at the beginning and some at the end. */
type Tokens = { input_tokens: number; cache_creation: number; cache_read: number; output_tokens: number };

function newTokens(): Tokens {
  return { input_tokens: 0, cache_creation: 0, cache_read: 0, output_tokens: 0 };
}

const handlers = new Map<string, (stream: Stream, record: Loose) => Sign>([
  ["ping", () => idle],
  ["message_start", readStart],
  ["content_block_start", beginBlock],
  ["content_block_delta", readDelta],
  ["content_block_stop", closeBlock],
  ["message_delta", readMessageDelta],
  ["message_stop", readStop],
  ["error", (_stream, { error }) => ({ type: "error", error: serverError(error) })],
]);

function readStart(stream: Stream, record: Loose): Sign {
  readUsage(stream, looseRecord(record["message"])["usage"]);
  return progress();
}

/** A later count is the newer one; compatible servers send zeros where they know nothing yet. */
function readUsage({ reply, tokens }: Stream, value: unknown): void {
  const usage = looseRecord(value);
  tokens.input_tokens = looseCount(usage["input_tokens"]) || tokens.input_tokens;
  tokens.cache_creation = looseCount(usage["cache_creation_input_tokens"]) || tokens.cache_creation;
  tokens.cache_read = looseCount(usage["cache_read_input_tokens"]) || tokens.cache_read;
  tokens.output_tokens = looseCount(usage["output_tokens"]) || tokens.output_tokens;
  const input = tokens.input_tokens + tokens.cache_creation + tokens.cache_read;
  reply.usage = { input: looseCount(input), output: tokens.output_tokens, cached: tokens.cache_read };
}

function keyOf({ index }: Loose): string {
  return typeof index === "number" ? `${index}` : "";
}

function beginBlock(stream: Stream, record: Loose): Sign {
  const key = keyOf(record);
  const before = stream.blocks.get(key);
  const block = newBlock(stream.reply, looseRecord(record["content_block"]));
  counted(stream.reply, `block ${key}`);
  stream.blocks.set(key, block);
  if (before !== undefined) {
    for (const twice of [before, block])
      if (twice.type === "call") twice.entry.flaw ??= "the block of the call began twice";
  }
  return progress(block.type === "text" ? block.entry.text : "");
}

function newBlock(reply: Reply, begun: Loose): Block {
  const closed = false;
  switch (begun["type"]) {
    case "text": {
      const entry = beginText(reply);
      if (!reply.ended) entry.text = counted(reply, looseText(begun["text"]));
      return { type: "text", entry, closed };
    }
    case "tool_use": {
      // The reason to end comes before the end: no call follows it.
      const entry = beginCall(reply, reply.whole ? afterEnd : null);
      entry.id = counted(reply, looseText(begun["id"]));
      entry.tool = counted(reply, looseText(begun["name"]));
      return { type: "call", entry, closed, given: begun["input"] ?? {} };
    }
    case "thinking": {
      const thought = { thinking: looseText(begun["thinking"]), signature: looseText(begun["signature"]) };
      counted(reply, thought.thinking + thought.signature);
      return { type: "thinking", entry: beginKept(reply), closed, thought };
    }
    case "redacted_thinking":
      return { type: "redacted", entry: beginKept(reply), closed, data: counted(reply, looseText(begun["data"])) };
    default:
      return { type: "other", closed };
  }
}

/** Something of a block that never began means that a part of the stream is missing. */
function readDelta(stream: Stream, record: Loose): Sign {
  const block = stream.blocks.get(keyOf(record));
  if (block === undefined) return malformed("expected the beginning of a block, came a piece of it");
  const delta = looseRecord(record["delta"]);
  const { reply } = stream;
  switch (block.type) {
    case "text":
      if (block.closed) return malformed("expected nothing more of a text that was closed, came a piece of it");
      if (!brings(delta)) return idle;
      return progress(addText(reply, block.entry, looseText(delta["text"])));
    case "call":
      addInput(reply, block, delta);
      return brings(delta) ? progress() : idle;
    case "thinking":
      block.thought.thinking += counted(reply, looseText(delta["thinking"]));
      block.thought.signature += counted(reply, looseText(delta["signature"]));
      return brings(delta) ? progress() : idle;
    case "redacted":
    case "other":
      return progress();
    default:
      block satisfies never;
      return idle;
  }
}

function addText(reply: Reply, entry: TextEntry, text: string): string {
  if (reply.ended) return "";
  entry.text += counted(reply, text);
  return text;
}

function addInput(reply: Reply, { entry, closed }: Extract<Block, { type: "call" }>, delta: Loose): void {
  if (reply.whole) entry.flaw ??= afterEnd;
  if (closed) entry.flaw ??= "the call went on after its end";
  if (delta["type"] !== "input_json_delta")
    entry.flaw ??= "something else than arguments came in the block of the call";
  addArguments(reply, entry, delta["partial_json"]);
}

function closeBlock(stream: Stream, record: Loose): Sign {
  const block = stream.blocks.get(keyOf(record));
  if (block === undefined) return malformed("expected the beginning of a block, came its end");
  if (block.closed) return progress();
  block.closed = true;
  switch (block.type) {
    case "call":
      closeCall(stream.reply, block.entry, block.given);
      break;
    case "thinking": {
      const item = { type: "thinking", ...block.thought };
      block.entry.item = isSigned(item) && !stream.reply.ended ? item : null;
      break;
    }
    case "redacted": {
      const item = { type: "redacted_thinking", data: block.data };
      block.entry.item = isSigned(item) && !stream.reply.ended ? item : null;
      break;
    }
    case "text":
    case "other":
      break;
    default:
      block satisfies never;
  }
  return progress();
}

/** A call without arguments has no pieces of them; some servers send them at once, with its beginning. */
function closeCall(reply: Reply, call: CallEntry, given: unknown): void {
  if (reply.ended) call.flaw ??= afterEnd;
  call.closed = true;
  if (call.arguments !== "") return;
  if (!isLooseRecord(given)) call.flaw ??= "the arguments came as something else than an object";
  else if (isTame(given)) call.arguments = counted(reply, JSON.stringify(given));
  else call.flaw ??= "the arguments are nested too deep";
}

function readMessageDelta(stream: Stream, record: Loose): Sign {
  readUsage(stream, record["usage"]);
  const { reply } = stream;
  const reason = looseText(looseRecord(record["delta"])["stop_reason"]);
  if (reason === "" || reply.ended) return progress();
  // `refusal` is the word of the service's filter, whatever had come; a model that refuses says so and ends its turn.
  const broken = endBy(reply, reason);
  if (broken !== null) return broken;
  if (reply.cut) cut(reply);
  return progress();
}

/** The block that the limit ended is closed like any other: a call without arguments may be one that lacks them. */
function cut(reply: Reply): void {
  const last = reply.entries.at(-1);
  if (last?.type === "call" && last.arguments === "{}") last.flaw ??= "the call was cut off before its arguments";
}

function readStop({ reply }: Stream): Sign {
  if (!reply.whole) flawCalls(reply, "the reply ended without a reason: it may be half of one");
  reply.whole = true;
  reply.ended = true;
  return { type: "end" };
}
