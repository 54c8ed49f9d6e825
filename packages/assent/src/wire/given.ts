import * as v from "valibot";
import type { Asks, Flow, InputDraft, ToolResult } from "../core/index.ts";
import type { ReadArguments } from "./arguments.ts";
import { asks, eventData, failure, toolResult } from "./event-data.ts";
import { grantRule } from "./grant.ts";
import { flow, shownDraft } from "./interaction.ts";
import { isLooseRecord } from "./loose.ts";
import { describeIssue, flag, list, optional, text } from "./schema.ts";
import { describeGiven } from "./thrown.ts";

/**
 * What the parts give that a program brings: its tools, its model, its policy. Their types say what it is, but a program may have
 * none, or have been wrong about its own.
 */
export type ReadGiven<T> = ReadArguments<T>;

const usage = v.optional(v.unknown());
/** By its bytes: what has none there could not be read back. */
const written = v.pipe(v.unknown(), v.check(isWritten, "a JSON value"));
const answer = v.variant("type", [
  v.object({
    type: v.literal("replied"),
    text,
    calls: list(v.object({ id: text, tool: text, arguments: text, flaw: optional(text) })),
    usage,
    reasoning: optional(v.object({ model: text, content: written })),
    cut: optional(v.literal(true)),
    refusal: optional(v.literal(true)),
  }),
  v.object({ type: v.literal("failed"), failure }),
  v.object({ type: v.literal("overflow"), detail: text }),
  v.object({ type: v.literal("abandoned"), partial: optional(text) }),
]);

const word = { rule: text, reason: text, findings: optional(list(v.looseObject({}))) };
const verdict = v.variant("verdict", [
  v.object({ ...word, verdict: v.literal("allow"), granted: optional(text) }),
  v.object({ ...word, verdict: v.literal("deny") }),
  v.object({ ...word, verdict: v.literal("ask"), grantable: v.exactOptional(v.nullable(grantRule)) }),
]);

const path = v.object({ path: text, real: text, use: v.picklist(["read", "write"]), outside: flag });
const plan = v.object({
  tool: text,
  cwd: text,
  command: optional(text),
  paths: optional(list(path)),
  change: optional(v.object({ path: text, diff: text })),
  tier: optional(v.picklist(["safe", "elevated"])),
  fails: optional(text),
});

const ofProcess = { type: v.literal("process") };
const fact = v.variant("type", [
  v.object({ type: v.literal("terminal"), state: v.picklist(["opened", "closed", "lost"]), cwd: text }),
  v.variant("state", [
    v.object({ ...ofProcess, state: v.literal("started"), ...eventData["process.started"].entries }),
    v.object({ ...ofProcess, state: v.literal("ended"), ...eventData["process.ended"].entries }),
  ]),
]);

/** What a tool gave, without what is not of a result. */
export function readToolResult(given: unknown): ReadGiven<ToolResult> {
  const read = checkedGiven(toolResult, given, 'a result with a type ("output" or "error") and a text');
  return read.type === "read" ? { type: "read", value: read.known } : read;
}

/** What a tool made of its arguments; the same value. */
export function readAsks<T extends Asks>(given: T): ReadGiven<T> {
  return sameGiven(asks, given, 'what the call asks for, such as { type: "tool", parallel: true }');
}

/** What a model's client answered; the same value, whose usage may be anything. */
export function readAnswer<T>(given: T): ReadGiven<T> {
  return sameGiven(answer, given, "an answer of the type replied, failed, overflow or abandoned");
}

/** The word of a policy; the same value. */
export function readVerdict<T>(given: T): ReadGiven<T> {
  return sameGiven(verdict, given, "a verdict (allow, ask or deny) with its rule and reason");
}

/** What a tool would do; the same value. */
export function readPlan<T>(given: T): ReadGiven<T> {
  return sameGiven(plan, given, "a plan with the tool and its cwd");
}

/** What a tool tells of a terminal or a process; the same value. */
export function readFact<T>(given: T): ReadGiven<T> {
  return sameGiven(fact, given, "a fact of the type terminal or process");
}

/** What a tool asks a person, as its bytes have it: it is recorded before anybody sees it. */
export function readAsked(given: InputDraft): ReadGiven<InputDraft> {
  return sameGiven(shownDraft, asWritten(given), "a question with its options");
}

/** The same of several questions. */
export function readForm(given: Flow): ReadGiven<Flow> {
  return sameGiven(flow, asWritten(given), "a flow with its steps");
}

type Checked<T, K> =
  | { readonly type: "read"; readonly value: T; readonly known: K }
  | Extract<ReadGiven<T>, { readonly type: "invalid" }>;

function sameGiven<T>(schema: v.GenericSchema, given: T, expected: string): ReadGiven<T> {
  const read = checkedGiven(schema, given, expected);
  return read.type === "read" ? { type: "read", value: read.value } : read;
}

function checkedGiven<T, K>(schema: v.GenericSchema<unknown, K>, given: T, expected: string): Checked<T, K> {
  const isThing = typeof given === "object" && given !== null && Object.keys(given).length > 0;
  const wrong = () => `expected ${expected}, found ${describeGiven(given)}`;
  if (!isThing || Array.isArray(given)) return { type: "invalid", reason: wrong() };
  const checked = v.safeParse(schema, given);
  if (checked.success) return { type: "read", value: given, known: checked.output };
  // What it takes amiss may be no more than a field that is there but `undefined`.
  const value = withoutUndefined(given);
  const again = v.safeParse(schema, value);
  if (again.success) return { type: "read", value, known: again.output };
  return { type: "invalid", reason: `${wrong()}; ${describeIssue(again.issues)}` };
}

function withoutUndefined<T>(given: T, outer?: readonly unknown[]): T;
function withoutUndefined(given: unknown, outer: readonly unknown[] = []): unknown {
  const inner = (value: unknown) => withoutUndefined(value, [...outer, given]);
  if (outer.includes(given)) return given;
  if (Array.isArray(given)) return given.map(inner);
  if (!isLooseRecord(given)) return given;
  const all = Object.entries(given);
  const there = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, inner(value)] as const]));
  // What has no such field stays what it is, such as a date.
  const isSame = there.length === all.length && there.every(([, value], at) => value === all[at]?.[1]);
  return isSame ? given : Object.fromEntries(there);
}

function asWritten<T>(given: T): T {
  return JSON.parse(JSON.stringify(given) ?? "null");
}

function isWritten(value: unknown): boolean {
  try {
    // A text always has them, and may be long.
    return JSON.stringify(value, (_name, each) => (typeof each === "string" ? "" : each)) !== undefined;
  } catch {
    return false;
  }
}
