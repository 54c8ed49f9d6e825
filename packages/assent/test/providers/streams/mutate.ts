import type { StreamEvent } from "../../../src/providers/format.ts";
import type { Random } from "../../simulation/random.ts";
import { type Golden, goldens } from "./goldens.ts";

// Damages a sound stream: in its events, in the JSON of one, in its lines, in its bytes.

export type Mutant = {
  readonly golden: Golden;
  readonly bytes: Buffer;
  /** What was done to it, in order. */
  readonly done: readonly string[];
  readonly kept: Kept;
};

/** What may still be said of the reply, beside what holds for every stream. */
export type Kept =
  /** Only what surrounds the events was changed: nothing of the reply may differ. */
  | "same"
  /** One value on the way to the arguments of a call is of another type: a good call is as it was. */
  | "no other call"
  | "nothing";

type Damaged = { events: StreamEvent[]; bytes: Buffer };

/** Long ones take most of the time and show little more. */
const shortOnes = goldens.filter(({ events }) => events.length < 40);

export function mutant(random: Random): Mutant {
  const golden = pick(random.chance(0.9) ? shortOnes : goldens, random);
  const stream: Damaged = { events: [...golden.events], bytes: Buffer.alloc(0) };
  const style = random.weighted({ framing: 8, "wrong type": 14, events: 24, json: 24, lines: 12, bytes: 18 });
  const promised = style === "framing" || style === "wrong type";
  const times = promised ? 1 : 1 + random.below(4);
  const repeated = (change: Change | null) =>
    change === null ? [] : Array.from({ length: times }, () => change(stream, random));
  const inEvents = repeated(eventChanges[style]);
  stream.bytes = serialised(stream.events, style === "framing" || random.chance(0.1) ? random : null);
  const inBytes = repeated(byteChanges[style]);
  if (!promised && random.chance(0.1)) inBytes.push(changeBytes(stream, random));
  const kept: Kept = style === "framing" ? "same" : style === "wrong type" ? "no other call" : "nothing";
  return { golden, bytes: stream.bytes, done: [style, ...inEvents, ...inBytes], kept };
}

type Change = (stream: Damaged, random: Random) => string;
type Changes = Readonly<Record<"framing" | "wrong type" | "events" | "json" | "lines" | "bytes", Change | null>>;

const eventChanges: Changes = {
  framing: null,
  "wrong type": wrongType,
  events: changeEvents,
  json: (stream, random) => (random.chance(0.2) ? changeEvents : changeJson)(stream, random),
  lines: null,
  bytes: null,
};
const byteChanges: Changes = {
  framing: null,
  "wrong type": null,
  events: null,
  json: null,
  lines: changeLines,
  bytes: changeBytes,
};

function pick<T>(list: readonly T[], random: Random): T {
  const chosen = list[random.below(list.length)];
  if (chosen === undefined) throw new RangeError("expected something to choose from");
  return chosen;
}

// ── Framing ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** As bytes; with `random` in one of the many ways that mean the same. */
function serialised(events: readonly StreamEvent[], random: Random | null): Buffer {
  if (random === null) return Buffer.from(events.map((event) => linesOf(event).join("\n")).join(""));
  const ends = random.weighted({ "\n": 1, "\r\n": 1, "\r": 1, mixed: 1 });
  const end = () => (ends === "mixed" ? pick(["\n", "\r\n", "\r"], random) : ends);
  const text = events.map((event) => {
    const noise = random.chance(0.3) ? [pick(noises, random)] : [];
    return (
      [...noise, ...linesOf(event)].map((line, at, all) => (at === all.length - 1 ? "" : line + end())).join("") + end()
    );
  });
  return Buffer.from(`${random.chance(0.2) ? "\ufeff" : ""}${text.join("")}`);
}

function linesOf({ name, data }: StreamEvent): readonly string[] {
  return [...(name === "" ? [] : [`event: ${name}`]), `data: ${data}`, "", ""];
}

const noises = [
  ": ping",
  ":",
  "retry: 3000",
  "retry: never",
  "id: 7",
  "id: \u0000",
  "unknown: x",
  "no colon",
  ": 😀",
  `: ${"c".repeat(9000)}`,
];

// ── Events ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const strangers: readonly StreamEvent[] = [
  { name: "", data: "[DONE]" },
  { name: "ping", data: '{"type":"ping"}' },
  { name: "", data: "" },
  { name: "message", data: "{}" },
  { name: "e".repeat(20_000), data: '{"type":""}' },
  { name: "__proto__", data: '{"__proto__":{"type":"message_stop"},"constructor":1}' },
  { name: "constructor", data: '{"type":"constructor","index":"toString"}' },
  { name: "error", data: '{"error":"plain words"}' },
  { name: "", data: '{"error":{"status":429,"code":429,"message":["x"]}}' },
  { name: "", data: "null" },
  { name: "", data: "[]" },
  {
    name: "",
    data: '{"choices":[{"index":1,"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"read","arguments":"{}"}}]}}]}',
  },
  { name: "", data: '{"choices":[{"delta":{"function_call":{"name":"read","arguments":"{}"}}}]}' },
  {
    name: "",
    data: '{"choices":[{"delta":{"content":[{"type":"text","text":"part"},{"type":"image"}]},"finish_reason":"stop"}]}',
  },
];

function changeEvents(stream: Damaged, random: Random): string {
  const { events } = stream;
  const at = random.below(events.length);
  const other = random.below(events.length);
  const kind = random.weighted({
    drop: 4,
    twice: 3,
    move: 3,
    swap: 3,
    cut: 2,
    alien: 4,
    stranger: 4,
    rename: 1,
    repeat: 1,
    end: 2,
    splice: 1,
  });
  const event = events[at];
  if (event === undefined) return "nothing";
  switch (kind) {
    case "drop":
      events.splice(at, 1 + random.below(2));
      break;
    case "twice":
      events.splice(other, 0, event);
      break;
    case "move":
      events.splice(at, 1);
      events.splice(other, 0, event);
      break;
    case "swap":
      events[at] = events[other] ?? event;
      events[other] = event;
      break;
    case "cut":
      events.length = at;
      break;
    case "alien":
      events.splice(at, 0, pick(pick(goldens, random).events, random));
      break;
    case "stranger":
      events.splice(at, 0, pick(strangers, random));
      break;
    case "rename":
      events[at] = {
        ...event,
        name: pick(["", "ping", "error", "message_stop", "response.completed", "\u0000"], random),
      };
      break;
    case "repeat":
      events.splice(at, 0, ...Array.from({ length: random.chance(0.02) ? 3_000 : 30 }, () => event));
      break;
    case "end":
      events.push(...events.slice(-1 - random.below(4)), event);
      break;
    case "splice":
      events.splice(at, events.length, ...pick(goldens, random).events.slice(other));
      break;
    default:
      kind satisfies never;
  }
  return `${kind} at ${at}`;
}

// ── JSON ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Stands in JSON for what `JSON.stringify` would never write. */
const mark = "@@here@@";

const oddValues: readonly (() => string)[] = [
  ...[
    "null",
    "true",
    "false",
    "0",
    "-1",
    "-0",
    "1",
    "7.5",
    "1e999",
    "-1e999",
    "1e21",
    "9007199254740993",
    "1".repeat(400),
  ],
  ...['""', '" "', '"x"', '"\\ud83d"', '"\\ude00\\ud83d"', '"\\u0000"', '"\\u2028"', '"{\\"a\\":1}"', '"__proto__"'],
  ...[
    "[]",
    "[[]]",
    "[null]",
    '[{"a":[]}]',
    "{}",
    '{"a":1}',
    '{"__proto__":{"a":1}}',
    '{"toString":1,"constructor":null}',
  ],
].map((raw) => () => raw);
const hugeValues: readonly (() => string)[] = [
  () => `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
  () => `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
  () => `"${"long ".repeat(40_000)}"`,
  () => `"${"\\ud83d".repeat(5_000)}"`,
  () => `[${"{},".repeat(2_000)}{}]`,
  () => `{${Array.from({ length: 2_000 }, (_, n) => `"k${n}":${n}`).join(",")}}`,
];

type Slot = { readonly holder: object; readonly key: string; readonly path: readonly string[] };

function slotsIn(value: unknown, path: readonly string[] = []): readonly Slot[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = [...path, key];
    return [{ holder: value, key, path: here }, ...slotsIn(inner, here)];
  });
}

function changeJson(stream: Damaged, random: Random): string {
  const at = random.below(stream.events.length);
  const event = stream.events[at];
  // What is huge already stays as it is.
  const value = (event?.data.length ?? 0) > 10_000 ? null : parsed(event?.data ?? "");
  const slot = slotsIn(value).at(0) === undefined ? undefined : pick(slotsIn(value), random);
  if (event === undefined || slot === undefined) return "nothing";
  const raw = pick(random.chance(0.01) ? hugeValues : oddValues, random)();
  const kind = random.weighted({ replace: 6, remove: 2, add: 1, twice: 1, copy: 2 });
  stream.events[at] = { ...event, data: edited(value, slot, { kind, raw, random }) };
  return `${kind} ${at}:${slot.path.join(".")} ${raw.slice(0, 20)}`;
}

type Edit = {
  readonly kind: "replace" | "remove" | "add" | "twice" | "copy";
  readonly raw: string;
  readonly random: Random;
};

function edited(value: unknown, { holder, key }: Slot, { kind, raw, random }: Edit): string {
  const before: unknown = Reflect.get(holder, key);
  switch (kind) {
    case "replace":
      Reflect.set(holder, key, mark);
      return JSON.stringify(value).replace(`"${mark}"`, () => raw);
    case "remove":
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else Reflect.deleteProperty(holder, key);
      return JSON.stringify(value);
    case "add":
      if (Array.isArray(holder)) holder.push(before);
      else Reflect.set(holder, pick(["error", "index", "usage", "input", "type", "id", "toJSON"], random), mark);
      return JSON.stringify(value).replace(`"${mark}"`, () => raw);
    case "twice":
      if (Array.isArray(holder)) return JSON.stringify(value);
      Reflect.set(holder, key, mark);
      return JSON.stringify(value).replace(
        `"${mark}"`,
        () => `${JSON.stringify(before) ?? null},${JSON.stringify(key)}:${raw}`,
      );
    case "copy": {
      const other = pick(slotsIn(value), random);
      const copied: unknown = structuredClone(Reflect.get(other.holder, other.key));
      Reflect.set(holder, key, copied);
      return JSON.stringify(value);
    }
    default:
      return kind satisfies never;
  }
}

/** On the way to the arguments of a call; what says which call it is, is not among them. */
const carriers = new Set([
  "arguments",
  "partial_json",
  "delta",
  "function",
  "tool_calls",
  "choices",
  "0",
  "item",
  "input",
]);

function wrongType(stream: Damaged, random: Random): string {
  const places = stream.events.flatMap((event, at) =>
    /tool_calls|function_call|tool_use|input_json/.test(event.data) && !/completed|incomplete/.test(event.name)
      ? slotsIn(parsed(event.data))
          .filter(
            ({ key, path }) =>
              carriers.has(key) && path.every((name) => carriers.has(name) || name === "content_block"),
          )
          .map(({ path }) => ({ at, path }))
      : [],
  );
  if (places.length === 0) return "nothing";
  const { at, path } = pick(places, random);
  const event = stream.events[at];
  const value = parsed(event?.data ?? "");
  const slot = slotsIn(value).find((each) => each.path.join() === path.join());
  if (event === undefined || slot === undefined) return "nothing";
  const before: unknown = Reflect.get(slot.holder, slot.key);
  const texts = typeof before === "string" ? [] : ['"text"', '"{}"'];
  const lists = Array.isArray(before) ? [] : ['["x"]', "[1]"];
  const records = typeof before === "object" && !Array.isArray(before) ? [] : ['{"a":1}'];
  const raw = pick(["5", "true", "false", "0", ...texts, ...lists, ...records], random);
  Reflect.set(slot.holder, slot.key, mark);
  stream.events[at] = { ...event, data: JSON.stringify(value).replace(`"${mark}"`, () => raw) };
  return `${at}:${path.join(".")} becomes ${raw}`;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

// ── Lines and bytes ────────────────────────────────────────────────────────────────────────────────────────────────

const oddLines = [
  "",
  "data",
  "data:",
  "data: ",
  "data:{}",
  "event:",
  "event: error",
  "event: message_stop",
  "\u0000",
  ":",
  "id:",
  "retry: 1",
  "data: [DONE]",
  " data: {}",
  "DATA: {}",
  "\ufeffdata: {}",
  "\r",
  "data: {",
  "data: }",
];

function changeLines(stream: Damaged, random: Random): string {
  const lines = stream.bytes.toString("latin1").split("\n");
  const at = random.below(lines.length);
  const line = lines[at] ?? "";
  const kind = random.weighted({ drop: 3, blank: 2, twice: 2, swap: 2, odd: 3, join: 2, split: 2, cr: 1 });
  switch (kind) {
    case "drop":
      lines.splice(at, 1);
      break;
    case "blank":
      // The events on both sides become one.
      lines.splice(Math.max(0, lines.indexOf("", at)), 1);
      break;
    case "twice":
      lines.splice(at, 0, line);
      break;
    case "swap": {
      const other = random.below(lines.length);
      lines[at] = lines[other] ?? "";
      lines[other] = line;
      break;
    }
    case "odd":
      lines.splice(at, 0, Buffer.from(pick(oddLines, random)).toString("latin1"));
      break;
    case "join":
      lines.splice(at, 2, line + (lines[at + 1] ?? ""));
      break;
    case "split": {
      const place = random.below(line.length + 1);
      lines.splice(at, 1, line.slice(0, place), random.chance(0.5) ? `data: ${line.slice(place)}` : line.slice(place));
      break;
    }
    case "cr":
      lines[at] = `${line}\r`;
      break;
    default:
      kind satisfies never;
  }
  stream.bytes = Buffer.from(lines.join("\n"), "latin1");
  return `line ${kind} at ${at}`;
}

const oddBytes = [
  [0],
  [10],
  [13],
  [13, 10],
  [10, 10],
  [0xef, 0xbb, 0xbf],
  [0xff],
  [0xc3],
  [0xed, 0xa0, 0xbd],
  [0xf0, 0x9f],
  [0x22],
  [0x5c],
  [0x7b],
  [0x7d],
  [0xe2, 0x80, 0xa8],
];

function changeBytes(stream: Damaged, random: Random): string {
  const { bytes } = stream;
  const at = random.below(bytes.length + 1);
  const length = random.chance(0.7) ? 1 + random.below(4) : random.below(200);
  const kind = random.weighted({ flip: 4, set: 2, remove: 3, twice: 2, insert: 4, cut: 3, move: 1 });
  const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at + length)];
  switch (kind) {
    case "flip":
    case "set":
      stream.bytes = Buffer.from(bytes);
      stream.bytes[at] = kind === "flip" ? (bytes[at] ?? 0) ^ (1 << random.below(8)) : random.below(256);
      break;
    case "remove":
      stream.bytes = Buffer.concat([before, after]);
      break;
    case "twice":
      stream.bytes = Buffer.concat([before, part, part, after]);
      break;
    case "insert":
      stream.bytes = Buffer.concat([before, Buffer.from(pick(oddBytes, random)), part, after]);
      break;
    case "cut":
      stream.bytes = Buffer.from(before);
      break;
    case "move":
      stream.bytes = Buffer.concat([after, before, part]);
      break;
    default:
      kind satisfies never;
  }
  return `bytes ${kind} at ${at}`;
}

/** The bytes in pieces, cut anywhere; now and then each byte alone, or all in one. */
export function chunksOf(bytes: Buffer, random: Random): readonly Buffer[] {
  const way = random.weighted({ some: 6, one: 2, bytes: bytes.length < 3_000 ? 0.5 : 0, large: 2 });
  if (way === "one") return [bytes];
  const most = { some: 120, bytes: 1, large: 4_000 }[way] * (1 + Math.floor(bytes.length / 50_000) * 20);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random.below(most);
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}
