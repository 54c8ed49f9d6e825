import type { Json } from "../core/index.ts";

/** Exactly what a call would do, as data: this is judged, shown, hashed, and then run. */
export type Plan = {
  readonly tool: string;
  readonly cwd: string;
  readonly command?: string;
  readonly more?: Json;
  /** The files and folders that it names. */
  readonly paths?: readonly PlannedPath[];
  /** What it makes of a file. */
  readonly change?: PlannedChange;
  /** It cannot be done, and why: running it only says so. */
  readonly fails?: string;
};

/**
 * `path` as people know it, `real` where links lead; `outside`: that is not in the session's folder. Both are relative to
 * that folder when they lie in it, otherwise absolute.
 */
export type PlannedPath = {
  readonly path: string;
  readonly real: string;
  readonly use: "read" | "write";
  readonly outside: boolean;
};

export type PlannedChange = { readonly path: string; readonly diff: string };

/** The policy's word on one plan. */
export type Verdict = { readonly verdict: "allow" | "ask" | "deny"; readonly rule: string; readonly reason: string };

/** A pure function of what would be done. `version` is part of what an approval is bound to (APPR-6). */
export type Policy = { readonly version: string; judge(plan: Plan): Verdict };
