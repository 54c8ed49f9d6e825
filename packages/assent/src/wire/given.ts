import * as v from "valibot";
import type { Asks, ToolResult } from "../core/index.ts";
import type { ReadArguments } from "./arguments.ts";
import { asks, failure, toolResult } from "./event-data.ts";
import { grantRule } from "./grant.ts";
import { describeIssue, flag, list, optional, text } from "./schema.ts";
import { describeGiven } from "./thrown.ts";

/**
 * What the parts give that a program brings: its tools, its model, its policy. Their types say what it is, but a program may have
 * none, or have been wrong about its own.
 */
export type ReadGiven<T> = ReadArguments<T>;

const usage = v.optional(v.unknown());
const answer = v.variant("type", [
  v.object({
    type: v.literal("replied"),
    text,
    calls: list(v.object({ id: text, tool: text, arguments: text, flaw: optional(text) })),
    usage,
    reasoning: optional(v.object({ model: text, content: v.unknown() })),
    cut: optional(v.literal(true)),
    refusal: optional(v.literal(true)),
  }),
  v.object({ type: v.literal("failed"), failure }),
  v.object({ type: v.literal("overflow"), detail: text }),
  v.object({ type: v.literal("abandoned") }),
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

/** What a tool gave, without what is not of a result. */
export function readToolResult(given: unknown): ReadGiven<ToolResult> {
  const read = checkedGiven(toolResult, given, 'a result with a type ("output" or "error") and a text');
  return read.type === "read" ? { type: "read", value: v.parse(toolResult, read.value) } : read;
}

/** What a tool made of its arguments; the same value. */
export function readAsks<T extends Asks>(given: T): ReadGiven<T> {
  return checkedGiven(asks, given, 'what the call asks for, such as { type: "tool", parallel: true }');
}

/** What a model's client answered; the same value, whose usage may be anything. */
export function readAnswer<T>(given: T): ReadGiven<T> {
  return checkedGiven(answer, given, "an answer of the type replied, failed, overflow or abandoned");
}

/** The word of a policy; the same value. */
export function readVerdict<T>(given: T): ReadGiven<T> {
  return checkedGiven(verdict, given, "a verdict (allow, ask or deny) with its rule and reason");
}

/** What a tool would do; the same value. */
export function readPlan<T>(given: T): ReadGiven<T> {
  return checkedGiven(plan, given, "a plan with the tool and its cwd");
}

function checkedGiven<T>(schema: v.GenericSchema, given: T, expected: string): ReadGiven<T> {
  const isThing = typeof given === "object" && given !== null && Object.keys(given).length > 0;
  const wrong = () => `expected ${expected}, found ${describeGiven(given)}`;
  if (!isThing || Array.isArray(given)) return { type: "invalid", reason: wrong() };
  const value = withoutUndefined(given);
  const checked = v.safeParse(schema, value);
  if (checked.success) return { type: "read", value };
  return { type: "invalid", reason: `${wrong()}; ${describeIssue(checked.issues)}` };
}

/** What is there but `undefined` is not there. The same value where nothing is. */
function withoutUndefined<T extends object>(given: T): T;
function withoutUndefined(given: object): object {
  const there = Object.entries(given).filter(([, value]) => value !== undefined);
  return there.length === Object.keys(given).length ? given : Object.fromEntries(there);
}
