import { auditSpec } from "./audit.ts";
import { demoSpec, flowSpec, resumeSpec, runSpec, shellSpec } from "./following.ts";
import { integrationsSpec } from "./integrations.ts";
import {
  completionSpec,
  doctorSpec,
  helpSpec,
  interactionSpec,
  scenarioSpec,
  schemaSpec,
  versionSpec,
} from "./others.ts";
import { policySpec } from "./policy.ts";
import { replaySpec } from "./replaying.ts";
import { serveSpec, tokenSpec } from "./serving.ts";
import { answerSpec, forkSpec, questionsSpec, sessionsSpec, stopSpec } from "./sessions.ts";
import type { CommandSpec } from "./spec.ts";

/**
 * Every command, in the order in which they are told. Help, completion and docs are made from it; a command itself reads its
 * own line alone, so that a start does not load the others.
 */
export const commandSpecs: Readonly<Record<string, CommandSpec>> = {
  shell: shellSpec,
  run: runSpec,
  resume: resumeSpec,
  sessions: sessionsSpec,
  pending: questionsSpec,
  answer: answerSpec,
  fork: forkSpec,
  stop: stopSpec,
  audit: auditSpec,
  serve: serveSpec,
  token: tokenSpec,
  flow: flowSpec,
  integrations: integrationsSpec,
  policy: policySpec,
  doctor: doctorSpec,
  interaction: interactionSpec,
  replay: replaySpec,
  scenario: scenarioSpec,
  schema: schemaSpec,
  demo: demoSpec,
  completion: completionSpec,
  help: helpSpec,
  version: versionSpec,
};

/** The command that these words name, part by part; `unknown` is the first that names none, `known` what it could be. */
export function specOf(
  words: readonly string[],
): { readonly spec: CommandSpec } | { readonly unknown: string; readonly known: readonly string[] } {
  let found: CommandSpec | null = null;
  let among: Readonly<Record<string, CommandSpec>> = commandSpecs;
  for (const word of words) {
    const next: CommandSpec | undefined = Object.hasOwn(among, word) ? among[word] : undefined;
    if (next === undefined) return { unknown: word, known: Object.keys(among) };
    found = next;
    among = next.parts ?? {};
  }
  return found === null ? { unknown: "", known: Object.keys(among) } : { spec: found };
}
