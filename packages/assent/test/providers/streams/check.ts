import { isDeepStrictEqual } from "node:util";
import type { ModelRequest } from "../../../src/core/index.ts";
import { anthropic } from "../../../src/providers/anthropic.ts";
import type { Format, Reading, Sign, StreamEvent, Target } from "../../../src/providers/format.ts";
import { openaiChat } from "../../../src/providers/openai-chat.ts";
import { openaiResponses } from "../../../src/providers/openai-responses.ts";
import { openEventStream } from "../../../src/providers/stream.ts";
import type { ModelQuestion } from "../../../src/runtime/ports.ts";
import { checkCompletions } from "../../../src/testing/model-server/checks/completions.ts";
import { checkMessages } from "../../../src/testing/model-server/checks/messages.ts";
import { checkResponses } from "../../../src/testing/model-server/checks/responses.ts";
import { isLooseRecord, type Loose, looseRecord } from "../../../src/wire/index.ts";
import type { FormatName, Golden } from "./goldens.ts";

// What holds for whatever a server sends. It shares no code with the readers.

export const formats: Readonly<Record<FormatName, Format>> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  anthropic,
};

/** The vendors' own services: those whose rules the checks of the test server are. */
export const target: Target = {
  name: "acme:model-1",
  model: "model-1",
  baseUrl: "https://acme.example/v1",
  key: null,
  mostOutput: null,
  native: true,
};

export type Outcome = "replied" | "filtered" | "error" | "malformed" | "half";

export type Played = {
  readonly events: readonly StreamEvent[];
  readonly signs: readonly Sign[];
  readonly reading: Reading;
  /** What the client would make of it. */
  readonly outcome: Outcome;
};

export function play(format: FormatName, chunks: readonly Buffer[]): Played {
  const reader = formats[format].open();
  const [events, signs]: [StreamEvent[], Sign[]] = [[], []];
  const stream = openEventStream((event) => {
    events.push(event);
    signs.push(reader.read(event));
  });
  let fault = false;
  for (const chunk of chunks) {
    fault ||= stream.feed(chunk) !== null;
    if (fault) break;
  }
  const open = signs.length;
  if (!fault) stream.close();
  stream.insteadOfEvents();
  const reading = reader.reading();
  return { events, signs, reading, outcome: fault ? "malformed" : outcomeOf(signs, open, reading) };
}

/** The first sign that ends the reading decides; a malformed event that only the close has made one is half. */
function outcomeOf(signs: readonly Sign[], open: number, { whole, filtered }: Reading): Outcome {
  const end = signs.findIndex(
    ({ type }, at) => type === "end" || type === "error" || (type === "malformed" && at < open),
  );
  const type = signs[end]?.type;
  if (type === "error" || type === "malformed") return type;
  if (type !== "end" && !whole && !filtered) return "half";
  return filtered ? "filtered" : "replied";
}

/** What is wrong with what was read; nothing, it is hoped. */
export function problemsOf(format: FormatName, { events, signs, reading, outcome }: Played): readonly string[] {
  const { text, calls, usage, reasoning } = reading;
  const problems: string[] = [];
  const expect = (fine: boolean, what: string) => void (fine || problems.push(what));
  expect(signs.every(isSign), "a sign is of an unknown form");
  expect(typeof text === "string" && text.isWellFormed(), "the text is not well-formed");
  expect(
    [usage.input, usage.output, usage.cached].every((n) => Number.isSafeInteger(n) && n >= 0),
    "usage is no count",
  );
  expect(calls.every(isCall), "a call has a field that is no text");
  expect(outcome !== "replied" || calls.length <= 64, "there are too many calls");
  expect(
    [reading.refusal, reading.filtered, reading.cut, reading.whole].every((flag) => typeof flag === "boolean"),
    "a flag is none",
  );
  expect(
    reasoning === null || isDeepStrictEqual(JSON.parse(JSON.stringify(reasoning)), plain(reasoning)),
    "reasoning is no JSON",
  );
  if (outcome === "replied") {
    const sent = sentPieces(format, events);
    for (const call of calls) {
      if (call.flaw !== undefined || sent.whole.has(call.arguments) || isJoined(call.arguments, sent.pieces)) continue;
      problems.push(`a good call has arguments that never came: ${call.arguments.slice(0, 100)}`);
    }
  }
  return problems;
}

/** Without what JSON leaves out, such as the sign of -0. */
function plain(value: unknown): unknown {
  return structuredClone(value) === 0 ? 0 : JSON.parse(JSON.stringify(value));
}

function isSign(sign: Sign): boolean {
  switch (sign.type) {
    case "idle":
    case "end":
      return true;
    case "progress":
      return typeof sign.text === "string";
    case "malformed":
      return typeof sign.detail === "string" && sign.detail.length < 1_000;
    case "error": {
      const { status, code, message } = sign.error;
      return (status === null || Number.isInteger(status)) && typeof code === "string" && typeof message === "string";
    }
    default:
      return sign satisfies never;
  }
}

function isCall({ id, tool, arguments: given, flaw }: Reading["calls"][number]): boolean {
  return [id, tool, given].every((text) => typeof text === "string") && (flaw === undefined || flaw !== "");
}

type Sent = { readonly pieces: readonly string[]; readonly whole: ReadonlySet<string> };

/** Every text that came where arguments come, in order, and the arguments that came as a value. */
function sentPieces(format: FormatName, events: readonly StreamEvent[]): Sent {
  const records = events.map(({ data }) => looseRecord(parsed(data.trim())));
  const isPiece = (piece: unknown): piece is string => typeof piece === "string" && piece !== "";
  const pieces = records.flatMap((record) => piecesIn[format](record)).filter(isPiece);
  // In the other formats a call without a piece has the empty text, which no tool takes.
  const whole = format === "anthropic" ? records.flatMap(wholeInput) : [""];
  return { pieces, whole: new Set(whole) };
}

const piecesIn: Readonly<Record<FormatName, (record: Loose) => readonly unknown[]>> = {
  "openai-chat": (record) => entriesIn(record).flatMap(([key, value]) => (key === "arguments" ? [value] : [])),
  "openai-responses": (record) => [record["delta"], record["arguments"], looseRecord(record["item"])["arguments"]],
  anthropic: (record) => [looseRecord(record["delta"])["partial_json"]],
};

function wholeInput({ content_block: block }: Loose): readonly string[] {
  const { input } = looseRecord(block);
  if (block !== undefined && (input === undefined || input === null)) return ["{}"];
  return isLooseRecord(input) ? [shortJson(input)] : [];
}

function shortJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

function entriesIn(value: unknown, depth = 12): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null || depth === 0) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[key, inner] as const, ...entriesIn(inner, depth - 1)]);
}

/** Whether a text is some of the pieces, one behind the other, in the order in which they came. */
function isJoined(text: string, pieces: readonly string[]): boolean {
  const ends = new Set([0]);
  for (const piece of pieces) {
    for (const end of [...ends]) if (text.startsWith(piece, end)) ends.add(end + piece.length);
    if (ends.has(text.length)) return true;
  }
  return ends.has(text.length);
}

/** What differs from the sound stream where only its framing was changed. */
export function differencesFrom(golden: Played, played: Played): readonly string[] {
  const same = isDeepStrictEqual(told(golden), told(played));
  return same ? [] : ["the same events in another framing were read differently"];
}

function told({ signs, reading, outcome }: Played): unknown {
  return { signs, reading, outcome };
}

export function chunkingProblems(one: Played, other: Played): readonly string[] {
  return isDeepStrictEqual(told(one), told(other)) ? [] : ["the same bytes in other chunks were read differently"];
}

/** Good calls with arguments that can be read are those of the sound stream, where one value has become of another type. */
export function otherCalls({ calls }: Golden, { reading, outcome }: Played): readonly string[] {
  if (outcome !== "replied") return [];
  const known = new Set(calls.map(({ id, tool, pieces }) => JSON.stringify([id, tool, pieces.join("")])));
  return reading.calls
    .filter(({ flaw, tool, arguments: given }) => flaw === undefined && tool !== "" && isLooseRecord(parsed(given)))
    .filter(({ id, tool, arguments: given }) => !known.has(JSON.stringify([id, tool, given])))
    .map(({ arguments: given }) => `a good call is not as it was: ${given.slice(0, 100)}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// ── The next request ───────────────────────────────────────────────────────────────────────────────────────────────

const checks: Readonly<Record<FormatName, (body: Loose) => readonly string[]>> = {
  "openai-chat": checkCompletions,
  "openai-responses": checkResponses,
  anthropic: (body) => checkMessages(body, { "anthropic-version": "2023-06-01" }),
};

const readTool = { name: "read", description: "Reads a file.", parameters: { type: "object", properties: {} } };

/** What the API would refuse about the request that follows the reply, which stands in it twice: its ids come again. */
export function requestProblems(format: FormatName, reading: Reading): readonly string[] {
  const messages = [{ role: "user", text: "go" } as const, ...turn(1, reading), ...turn(2, reading)];
  const request = { messages, closing: "Now.", tools: "offered", regeneration: 0 } as const;
  const question: ModelQuestion = {
    session: "s1",
    number: 3,
    wanted: "reply",
    system: "Be brief.",
    tools: [readTool],
    request,
  };
  const body = formats[format].encode(question, target);
  const value = parsed(body);
  if (!isLooseRecord(value)) return [`the next request is no JSON: ${body.slice(0, 200)}`];
  // A stream that thinks behind something else gets its thoughts back where they were.
  const found = checks[format](value).filter(
    (problem) => !problem.endsWith("expected thinking before all other blocks"),
  );
  const refused = found.map((problem) => `the next request is refused: ${problem}`);
  return isWellFormed(value) ? refused : [...refused, "the next request holds half a pair of a character"];
}

function turn(n: number, { text, calls, reasoning }: Reading): ModelRequest["messages"] {
  // As the history has it: a reply without anything leaves no message.
  if (text === "" && calls.length === 0) return [];
  const made = calls.map((call, at) => ({
    id: `t${n}c${at + 1}`,
    original: call.id,
    tool: call.tool,
    arguments: call.arguments,
  }));
  const kept = reasoning === null ? {} : { reasoning: { model: target.name, content: reasoning } };
  // Every fourth result is missing: the session was closed before it came.
  const results = made
    .filter((_, at) => at % 4 !== 3)
    .map(
      ({ id, original }, at) =>
        ({ role: "tool", call: id, original, text: at % 3 === 0 ? "" : "done", failed: at % 2 === 1 }) as const,
    );
  return [{ role: "assistant", text, calls: made, ...kept }, ...results];
}

/** JSON inside a text counts too: it is parsed there. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string")
    return value.isWellFormed() && (!/^\{.*\\u[dD]/s.test(value) || isWellFormed(parsed(value)));
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}
