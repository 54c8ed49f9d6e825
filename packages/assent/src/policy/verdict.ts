import type { Grant, GrantRule, Json } from "../core/index.ts";
import type { ConfiguredRule } from "./configured.ts";
import type { Finding } from "./shell/index.ts";

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
  /** Of a tool that neither runs commands nor handles files: whether it only looks something up (SEL-7). */
  readonly tier?: "safe" | "elevated";
  /** It is a tool of an outside server. */
  readonly outside?: OutsideTool;
  /** It cannot be done, and why: running it only says so. */
  readonly fails?: string;
  /**
   * What the names in it may mean to the shell that runs it. `null`: it cannot be told. None: as to any new shell, for
   * nothing in the person's environment changes it.
   */
  readonly shell?: ShellFacts | null;
  /** Rules of the person and of the project, as they are now: they only make it stricter. */
  readonly rules?: readonly ConfiguredRule[];
  /** The ports and sockets at which Assent listens on this machine now (APPR-10). */
  readonly served?: readonly string[];
  /** Where the paths that the policy wants to know of really are. One that is not here cannot be told. */
  readonly links?: Readonly<Record<string, string>>;
};

/** A tool of an outside server, as a person accepted it. */
export type OutsideTool = {
  readonly server: string;
  /** The digest of the definition that was accepted: a grant is for this one alone. */
  readonly definition: string;
  /** What the server says of its tool, which nothing is decided by. */
  readonly claims: readonly string[];
  /** The server now says that it is another one: what was accepted, and what it is now. */
  readonly changed?: { readonly was: readonly string[]; readonly now: readonly string[] };
};

/** What a shell has that a new one in a plain environment would not have. A text that is `null` is too long to be told. */
export type ShellFacts = {
  readonly functions: Readonly<Record<string, string | null>>;
  readonly aliases: Readonly<Record<string, string | null>>;
  /** By signal, without SIG: `EXIT`, `INT`. */
  readonly traps: Readonly<Record<string, string | null>>;
  /** Exported ones and those that steer the shell itself, such as IFS; one that is gone is `null`, too. */
  readonly variables: Readonly<Record<string, string | null>>;
  /** Of `set -o` and `shopt`: whether it is on. */
  readonly options: Readonly<Record<string, boolean>>;
  /** Programs that are not looked for in the PATH (`hash -p`), and where they are instead. */
  readonly places: Readonly<Record<string, string>>;
  /** Builtins that are switched off (`enable -n`). */
  readonly disabled: readonly string[];
  /** Which of the functions, aliases and variables came with the person's own environment and are as they came. */
  readonly inherited: readonly string[];
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
  /** It is where Assent keeps what is its own: sessions, grants, secrets, its compiled code (APPR-10). */
  readonly self?: true;
  /** It is what this session's own commands wrote, and was too long to be shown. */
  readonly own?: "output";
};

/** What a file tool would make of a file, for people to read. */
export type PlannedChange = { readonly path: string; readonly diff: string };

/** The policy's word on one plan. */
export type Verdict = {
  readonly rule: string;
  readonly reason: string;
  /** All that was found in a command; the first one is the reason. */
  readonly findings?: readonly Finding[];
} /** `granted` is the id of the grant that turned an `ask` into this. */ & (
  | { readonly verdict: "allow"; readonly granted?: string }
  | { readonly verdict: "deny" }
  /** `grantable` is the rule by which a person could allow this for longer; without it, nothing can be granted (APPR-7). */
  | { readonly verdict: "ask"; readonly grantable?: GrantRule | null }
);

/**
 * A pure function of what would be done and of the grants that count at this moment: they turn an `ask` that is grantable
 * into an `allow`, and change nothing else. `version` is part of what an approval is bound to (APPR-6).
 */
export type Policy = {
  readonly version: string;
  /** The home folder of whom it judges for, where it knows; a fact that is recorded with each verdict. */
  readonly home?: string | null;
  /** Where that really is; a fact that is recorded, too. */
  readonly realHome?: string;
  judge(plan: Plan, grants?: readonly Grant[]): Verdict;
  /** The paths of which it wants to know where they really are before it judges (APPR-1). */
  wants?(plan: Plan): readonly string[];
};
