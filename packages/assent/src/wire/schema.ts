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

/** What came out of JSON.parse is JSON; only its absence has to be told. */
export const json = v.custom<Json>((value) => value !== undefined, "expected a JSON value, found nothing");

/** One line on the first thing that is wrong: where, what was expected, what came. */
export function describeIssue(issues: readonly v.BaseIssue<unknown>[]): string {
  return describeField(issues, (issue) => issue.received);
}

/** The same without what came, but for its kind. */
export function describeField(
  issues: readonly v.BaseIssue<unknown>[],
  found: (issue: v.BaseIssue<unknown>) => string = ({ input }) => `a value of type ${typeof input}`,
): string {
  const issue = issues[0];
  if (issue === undefined) return "no issue";
  const path = issue.path?.map((item) => String(item.key)).join(".") ?? "";
  if (issue.expected === "never") return `${path}: no such field`;
  if (issue.input === undefined && path !== "") return `${path}: is missing`;
  return `${path === "" ? "value" : path}: expected ${issue.expected ?? issue.type}, found ${found(issue)}`;
}
