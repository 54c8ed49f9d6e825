import type { Json } from "../core/index.ts";

/** Exactly what a call would do, as data: this is judged, shown, hashed, and then run. */
export type Plan = { readonly tool: string; readonly cwd: string; readonly command?: string; readonly more?: Json };

/** The policy's word on one plan. */
export type Verdict = { readonly verdict: "allow" | "ask" | "deny"; readonly rule: string; readonly reason: string };

/** A pure function of what would be done. `version` is part of what an approval is bound to (APPR-6). */
export type Policy = { readonly version: string; judge(plan: Plan): Verdict };
