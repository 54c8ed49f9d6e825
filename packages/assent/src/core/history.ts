import type { ModelReply, Shortening, ToolResult } from "./events.ts";
import { append, entries } from "./log.ts";
import type { Call, History, HistoryMessage, Session } from "./state.ts";
import { stateBlock } from "./state-block.ts";

/**
 * What the model is asked: `messages` only ever grow (but by compaction), `closing` is the one user part after them that
 * is made anew each time and never kept (STATE-1). System prompt and tool descriptions are the provider's constant part.
 */
export type ModelRequest = {
  readonly messages: readonly HistoryMessage[];
  readonly closing: string;
  readonly tools: "offered" | "none";
  /** How often this same request was asked before and its reply discarded. */
  readonly regeneration: number;
};

/** Stands where a prompt would while a run goes on. */
export const continuationLine = "Continue with the objective. Call complete when it is done or cannot be done.";
/** From here on it is told how long a command took: below, it is only noise. */
const noticedMs = 1_000;
const withoutToolsLine =
  "The history does not fit. Answer the prompt below directly, without tools, and say that the earlier history was left out.";
/**
 * A reply that was discarded is asked for again, and the model is not told. A model that always answers the same request
 * in the same way needs another request: this part of it, which is made anew each time anyway, names its number.
 */
const againLine = (request: number) => `[request ${request}]`;
const summaryLine =
  "Summarise all of the above for your own later use: what was asked, done, found and decided, and what is left. Text only.";

/** The weight of a history is how many characters it has. */
function add(history: History, message: HistoryMessage): History {
  return append(history, message, charactersOf(message));
}

function charactersOf(message: HistoryMessage): number {
  if (message.role !== "assistant") return message.text.length;
  return message.calls.reduce((sum, call) => sum + call.tool.length + call.arguments.length, message.text.length);
}

/** A history that begins with these. */
export function historyOf(messages: readonly HistoryMessage[]): History {
  return messages.reduce<History>(add, null);
}

export function addUserText(history: History, text: string): History {
  return add(history, { role: "user", text });
}

/** Something the model should know that no person said. */
export function addNote(history: History, note: string): History {
  return addUserText(history, `[assent: ${note}]`);
}

/** A reply that says and asks nothing leaves no message: some providers refuse an empty one. */
export function addReply(history: History, { text, calls, reasoning }: ModelReply): History {
  if (text === "" && calls.length === 0) return history;
  return add(history, {
    role: "assistant",
    text,
    calls: calls.map(({ id, original, tool, arguments: given }) => ({ id, original, tool, arguments: given })),
    ...(reasoning === undefined ? {} : { reasoning }),
  });
}

/** What the model reads of a result: its text and, where that is notable, how the command ended. */
export function resultText({ text, exit = 0, signal, duration_ms = 0, cwd }: ToolResult): string {
  const notable = [
    exit === 0 ? "" : `exit ${exit}`,
    signal === undefined ? "" : `signal ${signal}`,
    duration_ms < noticedMs ? "" : `${(duration_ms / 1_000).toFixed(1)} s`,
    cwd === undefined ? "" : `in ${cwd}`,
  ].filter((part) => part !== "");
  if (notable.length === 0) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}[${notable.join(", ")}]`;
}

export function addToolResult(
  history: History,
  { id: call, original }: Call,
  result: { readonly text: string; readonly failed: boolean },
): History {
  return add(history, { role: "tool", call, original, ...result });
}

/** A new prefix: the summary, the prompt that is being worked on, and what else the person said in this exchange. */
export function compactHistory(summary: string, said: readonly string[]): History {
  return said.reduce(addUserText, addNote(null, `summary of the session so far\n${summary}`));
}

/** Results cut in the middle, the old ones or all (SEL-9); what people and the model said stays. The whole is in the journal. */
export function shortenHistory(history: History, { keep, most, all }: Shortening): History {
  const messages = entries(history);
  // Who has not read a result yet should know how to. What was recorded before `all` was keeps its words: they have been sent.
  const what = all ? "this result left out: all of it does not fit, ask for less" : "this old result left out";
  const old = messages.length - keep;
  return messages.reduce<History>((shorter, message, index) => {
    const long = index < old && message.role === "tool" && message.text.length > most;
    return add(shorter, long ? { ...message, text: shortened(message.text, most, what) } : message);
  }, null);
}

function shortened(text: string, most: number, what: string): string {
  const head = text.slice(0, Math.ceil(most / 2)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(most / 4)).toWellFormed();
  return `${head}\n[… ${text.length - head.length - tail.length} characters of ${what} …]\n${tail}`;
}

export function replyRequest(session: Session): ModelRequest {
  const { exchange } = session;
  if (exchange === null) return { messages: [], closing: "", tools: "none", regeneration: 0 };
  const regeneration = exchange.discards;
  if (exchange.overflow === "conversational") {
    const closing = join(withoutToolsLine, exchange.prompt, ...exchange.said);
    return { messages: [], closing, tools: "none", regeneration };
  }
  const request = session.counted.requests + 1;
  const again = regeneration === 0 ? "" : againLine(request);
  const typed = session.waiting.filter((text) => text.sent === request).map((text) => text.text);
  const messages = entries(session.history);
  if (exchange.observing) {
    return { messages, closing: join(again, session.context), tools: "none", regeneration };
  }
  if (exchange.run !== null) {
    const closing = join(again, session.context, stateBlock(session), ...typed, continuationLine);
    return { messages, closing, tools: "offered", regeneration };
  }
  // What the exchange began with is the last message until a reply follows it: it moves behind the context.
  const fresh = exchange.replies === 0;
  const closing = join(again, session.context, fresh ? (messages.at(-1)?.text ?? "") : "", ...typed);
  return { messages: fresh ? messages.slice(0, -1) : messages, closing, tools: "offered", regeneration };
}

export function summaryRequest(session: Session): ModelRequest {
  const messages = entries(session.history);
  return { messages, closing: summaryLine, tools: "none", regeneration: 0 };
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
