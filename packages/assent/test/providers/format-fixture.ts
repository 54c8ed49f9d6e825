import { expect } from "vitest";
import type { ModelRequest } from "../../src/core/index.ts";
import type { Format, Reading, Sign, StreamEvent, Target } from "../../src/providers/format.ts";
import type { ModelQuestion, OfferedTool } from "../../src/runtime/ports.ts";

// What the tests of the three formats share: questions, a long history, and streams that are damaged at random.

export type Messages = ModelRequest["messages"];
export type AssistantMessage = Extract<Messages[number], { readonly role: "assistant" }>;

export const target: Target = {
  name: "acme:model-1",
  model: "model-1",
  baseUrl: "https://acme.example/v1",
  key: "key-1",
  mostOutput: null,
  native: false,
};

export const readTool: OfferedTool = {
  name: "read",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } } },
};

type Asked = Partial<ModelRequest> & Partial<Pick<ModelQuestion, "tools" | "system">>;

export function question({
  tools = "offered",
  ...asked
}: Omit<Asked, "tools"> & { tools?: "offered" | "none" }): ModelQuestion {
  const { system = "Be brief.", messages = [], closing = "Now.", regeneration = 0 } = asked;
  const request = { messages, closing, tools, regeneration };
  return { session: "s1", number: 1, wanted: "reply", system, tools: [readTool], request };
}

export function user(text: string): Messages[number] {
  return { role: "user", text };
}

type GivenCall = { readonly original?: string; readonly tool?: string; readonly arguments?: string };

/** A reply of request n; its calls get the ids that a session would give them. */
export function assistant(n: number, text: string, ...calls: readonly GivenCall[]): AssistantMessage {
  const made = calls.map((call, index) => ({
    id: `t${n}c${index + 1}`,
    original: `call_${n}_${index + 1}`,
    tool: "read",
    arguments: `{"path":"a"}`,
    ...call,
  }));
  return { role: "assistant", text, calls: made };
}

export function result(call: string, text: string, failed = false): Messages[number] {
  return { role: "tool", call, original: "", text, failed };
}

/** A history as it was at the end of each of 40 turns, with everything in it that a request must not stumble over. */
export function growingHistory(content: NonNullable<AssistantMessage["reasoning"]>["content"]): readonly Messages[] {
  const messages: Messages[number][] = [user("do it")];
  const stages: Messages[] = [[...messages]];
  for (let n = 1; n <= 40; n++) {
    messages.push(...turn(n, content));
    stages.push([...messages]);
  }
  return stages;
}

function turn(n: number, content: NonNullable<AssistantMessage["reasoning"]>["content"]): Messages {
  const kept = { reasoning: { model: n % 2 === 0 ? target.name : "other:model", content } };
  switch (n % 8) {
    case 0:
      return [assistant(n, `thinking aloud ${n}`)];
    case 1:
      return [assistant(n, "", { original: "same" }), result(`t${n}c1`, "")];
    case 2:
      return [
        { ...assistant(n, "two", {}, { arguments: "{broken" }), ...kept },
        result(`t${n}c1`, "one"),
        user("[assent: between]"),
        result(`t${n}c2`, "no", true),
      ];
    case 3:
      return [{ ...assistant(n, "half \ud83d", { tool: "no such tool!" }), ...kept }, result(`t${n}c1`, "\ude00 half")];
    case 4:
      return [assistant(n, "   "), user("and then?")];
    case 5:
      return [assistant(n, "", { original: `t${n + 1}c1` }), result(`t${n}c1`, "taken"), user("  ")];
    case 6:
      return [
        { ...assistant(n, "", { original: "" }, { original: "a b" }), ...kept },
        result(`t${n}c2`, "second only"),
      ];
    default:
      return [assistant(n, `answer ${n}`), user(`prompt ${n}`)];
  }
}

/** Every request begins with the bytes of the one before it, up to that one's closing part. */
export function expectPrefixes(bodies: readonly string[], closing: string): void {
  bodies.slice(1).forEach((body, index) => {
    const before = bodies[index] ?? "";
    const end = before.lastIndexOf(closing);
    expect(end).toBeGreaterThan(0);
    // A comma in front of the closing part belongs to it.
    const constant = before.slice(0, end).replace(/,$/, "");
    expect(body.slice(0, constant.length)).toBe(constant);
  });
}

/** The ids under which calls and results are sent, however deep they are in a request. */
export function values(body: unknown, name: string): unknown[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => [...(key === name ? [value] : []), ...values(value, name)]);
}

// ── Streams ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** An event as data; a text stands as it is. */
export type Given = string | object;

export type Played = { readonly signs: readonly Sign[]; readonly reading: Reading };

export function play(format: Format, given: readonly Given[]): Played {
  return playEvents(format, given.map(eventOf));
}

function eventOf(given: Given): StreamEvent {
  return { name: "", data: typeof given === "string" ? given : JSON.stringify(given) };
}

function playEvents(format: Format, events: readonly StreamEvent[]): Played {
  const reader = format.open();
  const signs = events.map((event) => reader.read(event));
  return { signs, reading: reader.reading() };
}

export const nothing: Reading = {
  text: "",
  calls: [],
  usage: { input: 0, output: 0, cached: 0 },
  reasoning: null,
  refusal: false,
  filtered: false,
  cut: false,
  whole: false,
};

/** What a reply becomes in the history of the session that asked for it. */
export function remembered(n: number, { text, calls, reasoning }: Reading): AssistantMessage {
  return {
    ...assistant(n, text, ...calls.map((call) => ({ original: call.id, tool: call.tool, arguments: call.arguments }))),
    ...(reasoning === null ? {} : { reasoning: { model: target.name, content: reasoning } }),
  };
}

type Random = (below: number) => number;

/** mulberry32: small, seeded, good enough to damage streams. */
function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Damages streams at random: a reader never throws, what it has read is always of the right form and can be sent back. */
export function expectSturdy(format: Format, streams: readonly (readonly Given[])[], times: number): void {
  const random = seeded(7);
  for (let time = 0; time < times; time++) {
    let events = (streams[random(streams.length)] ?? []).map(eventOf);
    for (let count = 1 + random(4); count > 0; count--) events = damaged(events, random);
    const { signs, reading } = playEvents(format, events);
    const shown = JSON.stringify(events);
    expect(
      signs.every(({ type }) => ["idle", "progress", "end", "error", "malformed"].includes(type)),
      shown,
    ).toBe(true);
    expect(formOf(reading), shown).toEqual(formOf(nothing));
    const messages = [user("go"), remembered(2, reading)];
    expect(() => JSON.parse(format.encode(question({ messages }), target)), shown).not.toThrow();
  }
}

function formOf({ calls, reasoning, usage, ...rest }: Reading): unknown {
  const fields = Object.entries({ ...rest, ...usage }).map(([name, value]) => `${name}: ${typeof value}`);
  const counts = Object.values(usage).every((value) => Number.isSafeInteger(value) && value >= 0);
  const sound = calls.every(
    ({ id, tool, arguments: given, flaw }) =>
      [id, tool, given].every((text) => typeof text === "string") && (flaw === undefined || flaw !== ""),
  );
  const kept = JSON.parse(JSON.stringify(reasoning)) !== undefined;
  return { fields, counts, sound, kept };
}

const oddValues = ["null", "-1", "1e999", "true", '""', "[]", "{}", '[[{"a":[]}]]', `"${"x".repeat(5000)}"`, "7.5"];

function damaged(events: readonly StreamEvent[], random: Random): StreamEvent[] {
  const at = random(Math.max(1, events.length));
  const event = events[at];
  if (event === undefined) return [...events];
  const place = random(event.data.length + 1);
  const changed = (data: string) => events.with(at, { ...event, data });
  switch (random(7)) {
    case 0:
      return events.toSpliced(at, 1);
    case 1:
      return events.toSpliced(at, 0, event);
    case 2:
      return events.toSpliced(at, 1).toSpliced(random(events.length), 0, event);
    case 3:
      return changed(event.data.slice(0, place));
    case 4:
      return changed(
        `${event.data.slice(0, place)}${String.fromCharCode(random(65_536))}${event.data.slice(place + 1)}`,
      );
    case 5:
      return changed(withOddValue(event.data, random));
    default:
      return events.slice(0, at);
  }
}

/** One value of the JSON becomes another of some other kind. */
function withOddValue(data: string, random: Random): string {
  const found = [...data.matchAll(/:("(?:[^"\\]|\\.)*"|-?\d+|true|false|null|\{|\[)/g)];
  const match = found[random(Math.max(1, found.length))];
  const { index = 0 } = match ?? {};
  const value = match?.[1] ?? "";
  if (value === "") return data;
  const odd = oddValues[random(oddValues.length)] ?? "null";
  const rest = data.slice(index + 1 + value.length);
  // The beginning of something longer becomes a member of its own, so that the rest stays JSON.
  if (value === "{") return `${data.slice(0, index + 1)}{"index":${odd}${rest.startsWith("}") ? "" : ","}${rest}`;
  if (value === "[") return `${data.slice(0, index + 1)}[${odd}${rest.startsWith("]") ? "" : ","}${rest}`;
  return `${data.slice(0, index + 1)}${odd}${rest}`;
}
