import * as v from "valibot";
import type { Json } from "../core/index.ts";

/**
 * Held at compile time: what a schema lets through is exactly the core's type, so the two cannot drift apart. Being
 * assignable both ways would not do: it overlooks an optional field that only one side has.
 */
export type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;

/** Unions and intersections spelled out, everything read-only: two types that mean the same look the same. */
type Plain<T> = Json extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Plain<T[K]> }
      : T;

export const text = v.string();
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const amount = v.pipe(v.number(), v.finite());
export const flag = v.boolean();
export const optional = v.exactOptional;

/** The core's lists are read-only. */
export function list<const S extends v.GenericSchema>(item: S) {
  return v.pipe(v.array(item), v.readonly());
}

/** What came out of JSON.parse is JSON; only its absence has to be told. What a program gave may also be absent from its bytes. */
export const json = v.custom<Json>(isThere, "expected a JSON value, found nothing");

function isThere(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return !["undefined", "function", "symbol"].includes(typeof value);
  return !("toJSON" in value && typeof value.toJSON === "function");
}

/** What is wrong with a value: at least one thing. */
export type Issues = readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]];

/** One line on the first thing that is wrong: where, what was expected, what came. */
export function describeIssue(issues: Issues): string {
  return describeField(issues, (issue) => issue.received);
}

/** The same without what came, but for its kind. */
export function describeField(
  issues: Issues,
  found: (issue: v.BaseIssue<unknown>) => string = ({ input }) => `a value of type ${typeof input}`,
): string {
  const [issue] = issues;
  const keys = issue.path?.map((item) => String(item.key)) ?? [];
  const path = keys.join(".");
  if (issue.expected === "never") return `${path}: no such field`;
  if (issue.input === undefined && path !== "") {
    // To a schema a list is an object, too: it lacks every field, and that says nothing.
    const isList = issue.path?.at(-1)?.type === "object" && Array.isArray(issue.path.at(-1)?.input);
    return isList ? `${keys.slice(0, -1).join(".") || "value"}: expected Object, found Array` : `${path}: is missing`;
  }
  // The words of a pattern or a check say what was expected; itself it says that to nobody.
  const expected = issue.type === "regex" || issue.type === "check" ? issue.message : (issue.expected ?? issue.type);
  return `${path === "" ? "value" : path}: expected ${expected}, found ${found(issue)}`;
}
