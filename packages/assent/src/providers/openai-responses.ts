import type { Json } from "../core/index.ts";
import type { ModelQuestion, OfferedTool } from "../runtime/ports.ts";
import { asJson, type Loose, looseCount, looseRecord, looseText } from "../wire/index.ts";
import type { Format, Sign, Target } from "./format.ts";
import {
  addArguments,
  afterEnd,
  beginCall,
  beginKept,
  beginText,
  type CallEntry,
  counted,
  idle,
  isError,
  type KeptEntry,
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
  isTame,
  joined,
  madeOnce,
  type Part,
  type Piece,
  partsOf,
  piecesOf,
  safeId,
  sentArguments,
  sentName,
  toJson,
  toolsOf,
  writtenOnce,
} from "./request-parts.ts";

/** OpenAI's newer format. Nothing is stored there: what was thought comes sealed and goes back so. */
export const openaiResponses: Format = {
  path: "/responses",
  headers: ({ key }) => (key === null ? {} : { authorization: `Bearer ${key}` }),
  encode,
  open: () => {
    const stream: Stream = { reply: newReply(), items: new Map(), texts: new Map() };
    return openReader({
      reply: stream.reply,
      read: (record, event) => {
        const type = looseText(record["type"]) || event.name;
        const handler = handlers.get(type);
        if (handler !== undefined) {
          const sign = handler(stream, record);
          return sign.type === "progress" && record["delta"] === "" ? idle : sign;
        }
        if (isError(record["error"])) return readError(stream, record);
        return type.startsWith("response.") ? progress() : idle;
      },
      done: () => (stream.reply.ended ? { type: "end" } : idle),
      reasoning: () => orderOf(stream.reply),
    });
  },
};

// ── Requests ───────────────────────────────────────────────────────────────────────────────────────────────────────

const arranged = piecesOf(safeId);
const written = writtenOnce(renderPiece);
/** They do not think, and the API refuses to be asked for what they thought. */
const thoughtless = /(?:^|\/)(?:gpt-3|gpt-4|chatgpt-)/;

function encode(question: ModelQuestion, target: Target): string {
  const { session, request } = question;
  const { forbidden, ...constant } = toolsOf(question);
  const closing = request.closing === "" ? "" : userItem(request.closing);
  const items = joined([written(arranged(request.messages), target), closing]);
  const choice = forbidden ? `,"tool_choice":"none"` : "";
  return `{"prompt_cache_key":${toJson(session)},${headOf(constant, target)}${items}]${choice}}`;
}

const headOf = madeOnce(({ system, tools }: Constant, { model, mostOutput }: Target): string => {
  const options = {
    model,
    stream: true,
    store: false,
    ...(thoughtless.test(model) ? {} : { include: ["reasoning.encrypted_content"] }),
    ...(mostOutput === null ? {} : { max_output_tokens: mostOutput }),
    ...(tools.length === 0 ? {} : { tools: tools.map(offered) }),
    ...(system === "" ? {} : { instructions: system }),
  };
  return `${toJson(options).slice(1, -1)},"input":[`;
});

function offered({ name, description, parameters }: OfferedTool): Json {
  return { type: "function", name, description, parameters, strict: false };
}

function renderPiece(piece: Piece, target: Target): string {
  switch (piece.type) {
    case "user":
      return userItem(piece.text);
    case "result":
      return toJson({ type: "function_call_output", call_id: piece.id, output: piece.text });
    case "assistant":
      return partsOf(piece, target, isSealed).map(renderPart).join(",");
    default:
      piece satisfies never;
      return "";
  }
}

function userItem(text: string): string {
  return toJson({ type: "message", role: "user", content: [{ type: "input_text", text }] });
}

function renderPart(part: Part): string {
  switch (part.type) {
    case "text":
      return toJson({ type: "message", role: "assistant", content: [{ type: "output_text", text: part.text }] });
    case "call": {
      const { tool, arguments: given } = part.call;
      const called = { type: "function_call", call_id: part.id, name: sentName(tool), arguments: sentArguments(given) };
      return toJson(called);
    }
    case "kept":
      return toJson(part.item);
    default:
      part satisfies never;
      return "";
  }
}

/**
 * Without the sealed content the server would look for the item among those that it stores, where it is not; without the
 * list of a summary it refuses the item.
 */
function isSealed(item: Loose): boolean {
  const { type, encrypted_content: sealed, summary } = item;
  return type === "reasoning" && looseText(sealed) !== "" && Array.isArray(summary) && isTame(item);
}

// ── Replies ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Stream = {
  readonly reply: Reply;
  /** Calls and thoughts, by their place in the output and by their id: some servers get one of the two wrong. */
  readonly items: Map<string, CallEntry | KeptEntry>;
  readonly texts: Map<string, TextEntry>;
};

const handlers = new Map<string, (stream: Stream, record: Loose) => Sign>([
  ["response.queued", () => idle],
  ["response.in_progress", () => idle],
  ["response.output_text.delta", (stream, { delta, ...record }) => readText(stream, record, delta)],
  ["response.output_text.done", (stream, { text, ...record }) => closeText(stream, record, text)],
  ["response.refusal.delta", (stream, { delta, ...record }) => readRefusal(stream, record, delta)],
  ["response.refusal.done", (stream, { refusal, ...record }) => closeRefusal(stream, record, refusal)],
  ["response.output_item.added", beginItem],
  ["response.function_call_arguments.delta", readArguments],
  ["response.function_call_arguments.done", closeArguments],
  ["response.output_item.done", closeItem],
  ["response.completed", readCompleted],
  ["response.incomplete", readIncomplete],
  ["response.failed", readFailed],
  ["response.cancelled", readFailed],
  ["error", readError],
]);

function textOf({ reply, texts }: Stream, { output_index, item_id, content_index }: Loose): TextEntry {
  const key = `${placeOf(output_index) ?? looseText(item_id)} ${looseCount(content_index)}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const begun = beginText(reply);
  texts.set(counted(reply, key), begun);
  return begun;
}

function readText(stream: Stream, place: Loose, delta: unknown): Sign {
  const text = looseText(delta);
  if (stream.reply.ended || text === "") return progress();
  textOf(stream, place).text += counted(stream.reply, text);
  return progress(text);
}

/** What is whole counts; what of it was not streamed is told now. */
function closeText(stream: Stream, place: Loose, whole: unknown): Sign {
  const text = looseText(whole);
  if (stream.reply.ended || text === "") return progress();
  const entry = textOf(stream, place);
  const missing = text.startsWith(entry.text) ? text.slice(entry.text.length) : "";
  stream.reply.size += text.length - entry.text.length;
  entry.text = text;
  return progress(missing);
}

function readRefusal(stream: Stream, place: Loose, delta: unknown): Sign {
  if (!stream.reply.ended && looseText(delta) !== "") stream.reply.refusal = true;
  return readText(stream, place, delta);
}

function closeRefusal(stream: Stream, place: Loose, whole: unknown): Sign {
  if (!stream.reply.ended && looseText(whole) !== "") stream.reply.refusal = true;
  return closeText(stream, place, whole);
}

function beginItem(stream: Stream, record: Loose): Sign {
  const item = looseRecord(record["item"]);
  const known = itemOf(stream, record, item);
  if (known?.type === "call") known.flaw ??= "the call began twice";
  if (known !== undefined) return progress();
  if (item["type"] === "reasoning") remember(stream, { record, item, entry: beginKept(stream.reply) });
  if (item["type"] !== "function_call") return progress();
  const call = newCall(stream, record, item);
  call.id = counted(stream.reply, looseText(item["call_id"]));
  call.tool = counted(stream.reply, looseText(item["name"]));
  return progress();
}

function readArguments(stream: Stream, record: Loose): Sign {
  const call = streamedCall(stream, record);
  if (call.closed) call.flaw ??= "the call went on after its end";
  addArguments(stream.reply, call, record["delta"]);
  return progress();
}

function closeArguments(stream: Stream, record: Loose): Sign {
  closeCall(stream.reply, streamedCall(stream, record), { arguments: record["arguments"] });
  return progress();
}

/** A piece of a call that was never begun has no name: it cannot run, and the model is told. */
function streamedCall(stream: Stream, record: Loose): CallEntry {
  const known = itemOf(stream, record, {});
  const call = known?.type === "call" ? known : newCall(stream, record, {});
  if (known === undefined) call.flaw ??= "the arguments of the call came without its beginning";
  if (stream.reply.ended) call.flaw ??= afterEnd;
  return call;
}

function closeItem(stream: Stream, record: Loose): Sign {
  const item = looseRecord(record["item"]);
  const known = itemOf(stream, record, item);
  if (item["type"] === "reasoning" && isSealed(item)) {
    const entry = known?.type === "kept" ? known : beginKept(stream.reply);
    if (stream.reply.ended) return progress();
    entry.item = asJson(item);
    counted(stream.reply, JSON.stringify(item));
  }
  if (item["type"] !== "function_call") return progress();
  const call = known?.type === "call" ? known : newCall(stream, record, item);
  closeCall(stream.reply, call, item);
  if (item["status"] === "incomplete") call.flaw ??= "the call was cut off";
  return progress();
}

/** The finished form is what counts; where pieces said something else, nobody knows which was meant. */
function closeCall(reply: Reply, call: CallEntry, finished: Loose): void {
  const before = { ...call };
  call.id = looseText(finished["call_id"]) || before.id;
  call.tool = looseText(finished["name"]) || before.tool;
  if (finished["arguments"] !== undefined) {
    reply.size -= before.arguments.length;
    call.arguments = "";
    addArguments(reply, call, finished["arguments"]);
  }
  reply.size += call.id.length - before.id.length + call.tool.length - before.tool.length;
  const changed = (["id", "tool", "arguments"] as const).some((field) => !["", call[field]].includes(before[field]));
  if (changed) call.flaw ??= "the pieces of the call differ from its finished form";
  if (reply.ended && !call.closed) call.flaw ??= afterEnd;
  call.closed = true;
}

function itemOf({ items }: Stream, { output_index, item_id }: Loose, item: Loose): CallEntry | KeptEntry | undefined {
  const place = placeOf(output_index);
  const id = looseText(item_id) || looseText(item["id"]);
  const placed = place === null ? undefined : items.get(place);
  return placed ?? (id === "" ? undefined : items.get(id));
}

function newCall(stream: Stream, record: Loose, item: Loose): CallEntry {
  const entry = beginCall(stream.reply, stream.reply.ended ? afterEnd : null);
  remember(stream, { record, item, entry });
  return entry;
}

type Seen = { readonly record: Loose; readonly item: Loose; readonly entry: CallEntry | KeptEntry };

function remember({ reply, items }: Stream, { record, item, entry }: Seen): void {
  const place = placeOf(record["output_index"]);
  const id = looseText(record["item_id"]) || looseText(item["id"]);
  if (place !== null) items.set(place, entry);
  if (id !== "") items.set(counted(reply, id), entry);
}

/** No id of an item looks like this. */
function placeOf(index: unknown): string | null {
  return typeof index === "number" && Number.isSafeInteger(index) ? `#${index}` : null;
}

function end({ reply }: Stream, response: Loose): Sign {
  readUsage(reply, looseRecord(response["usage"]));
  reply.whole = true;
  reply.ended = true;
  return { type: "end" };
}

function readUsage(reply: Reply, usage: Loose): void {
  const input = looseCount(usage["input_tokens"]);
  const output = looseCount(usage["output_tokens"]);
  const cached = looseCount(looseRecord(usage["input_tokens_details"])["cached_tokens"]);
  if (input + output > 0) reply.usage = { input, output, cached };
}

/** The event says so, and the response in it may say otherwise. */
function readCompleted(stream: Stream, record: Loose): Sign {
  const response = looseRecord(record["response"]);
  const status = looseText(response["status"]);
  if (status === "incomplete") return readIncomplete(stream, record);
  return status === "" || status === "completed" ? end(stream, response) : readFailed(stream, record);
}

function readIncomplete(stream: Stream, record: Loose): Sign {
  const response = looseRecord(record["response"]);
  const { reason } = looseRecord(response["incomplete_details"]);
  if (!stream.reply.ended) {
    if (reason === "content_filter") stream.reply.filtered = true;
    else stream.reply.cut = true;
  }
  return end(stream, response);
}

function readFailed({ reply }: Stream, record: Loose): Sign {
  const response = looseRecord(record["response"]);
  readUsage(reply, looseRecord(response["usage"]));
  const error = serverError(isError(response["error"]) ? response["error"] : record["error"]);
  return { type: "error", error: { ...error, code: error.code || looseText(response["status"]) || "failed" } };
}

/** Flat, or with the error inside, as the same server does both; `type` is then the name of the event and no code. */
function readError(_stream: Stream, { type: _type, error, ...flat }: Loose): Sign {
  const outer = serverError(flat);
  if (!isError(error)) return { type: "error", error: outer };
  const inner = serverError(error);
  return { type: "error", error: { ...inner, status: inner.status ?? outer.status } };
}
