import { lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../runtime/index.ts";
import { reasonOf } from "../show/index.ts";
import { readRules, type WrittenRules } from "../wire/index.ts";
import { assentHome, projectFolder } from "./places.ts";

type Rules = NonNullable<Plan["rules"]>;

/** The rules that the person and the project have written. A project's cannot allow anything: no rule can. */
export function writtenRules(project: string): Rules {
  return [...rulesAt(join(assentHome(), "policy.json")), ...projectRules(project)];
}

export function projectRules(project: string): Rules {
  return rulesAt(join(projectFolder(project), "policy.json"));
}

function rulesAt(file: string): Rules {
  return lstatSync(file, { throwIfNoEntry: false }) === undefined ? [] : rulesIn(file);
}

/** Whoever wrote rules relies on them: while they cannot be read, every command asks. */
function rulesIn(file: string): Rules {
  const written = readFile(file);
  if (written.type === "read") return written.rules;
  const reason = `${file} cannot be read: ${written.reason}; until it is mended everything asks`;
  return [{ name: "policy-file", command: [], verdict: "ask", reason, examples: { match: [], differ: [] } }];
}

/** Only a plain file is read: a pipe would keep everybody waiting. */
function readFile(file: string): WrittenRules {
  try {
    if (!statSync(file).isFile()) return { type: "broken", reason: "it is not a file" };
    return readRules(readFileSync(file, "utf8"));
  } catch (error) {
    return { type: "broken", reason: reasonOf(error) };
  }
}
