import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../runtime/index.ts";
import { codeOf, readRules, type WrittenRules } from "../wire/index.ts";
import { readPlain } from "./files.ts";
import { assentHome, projectFolder } from "./places.ts";

type Rules = NonNullable<Plan["rules"]>;

/** The rules that the person and the project have written. A project's cannot allow anything: no rule can. */
export function writtenRules(project: string): Rules {
  return ruleFiles(project).flatMap(rulesAt);
}

export function projectRules(project: string): Rules {
  return rulesAt(ruleFiles(project)[1]);
}

/** The files that rules for work in that folder are looked for in. */
export function ruleFiles(project: string): readonly [string, string] {
  return [join(assentHome(), "policy.json"), join(projectFolder(project), "policy.json")];
}

/** Whoever wrote rules relies on them: while they cannot be read, every command asks. */
function rulesAt(file: string): Rules {
  const written = rulesIn(file);
  if (written === null) return [];
  if (written.type === "read") return written.rules;
  const reason = `${file} cannot be read: ${written.reason}; until it is mended everything asks`;
  return [{ name: "policy-file", command: [], verdict: "ask", reason, examples: { match: [], differ: [] } }];
}

/** What a file says; `null` where there is none. */
export function rulesIn(file: string): WrittenRules | null {
  if (!isThere(file)) return null;
  const read = readPlain(file);
  return "problem" in read ? { type: "broken", reason: read.problem } : readRules(read.text);
}

/** Where that cannot be known, reading it says why; below what is no folder there is nothing. */
function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return codeOf(error) !== "ENOTDIR";
  }
}
