import { lintQuestion, type Violation } from "./contract.ts";
import { type Flow, mostKeyLength, mostSteps } from "./flow.ts";

export type FlowViolation = "no-steps" | "too-many-steps" | "key-invalid" | "keys-alike" | Violation;

/** The first step it holds of, and a line that says what is wrong. */
export type FlowProblem = { readonly code: FlowViolation; readonly detail: string };

/** Everything that keeps data from being a flow (FLOW-1, FLOW-6); each of its questions keeps the text contract (TXT-7). */
export function lintFlow({ steps }: Flow): readonly FlowProblem[] {
  const found: FlowProblem[] = [];
  if (steps.length === 0) found.push({ code: "no-steps", detail: `expected 1 to ${mostSteps} steps, found none` });
  if (steps.length > mostSteps) {
    found.push({ code: "too-many-steps", detail: `expected at most ${mostSteps} steps, found ${steps.length}` });
  }
  const keys = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const where = `step ${index + 1}`;
    if (!isKey(step.key)) {
      const expected = `expected a key of 1 to ${mostKeyLength} characters without space or =`;
      found.push({ code: "key-invalid", detail: `${where}: ${expected}, found ${JSON.stringify(step.key)}` });
    }
    if (keys.has(step.key)) found.push({ code: "keys-alike", detail: `${where}: the key ${step.key} is used before` });
    keys.add(step.key);
    for (const code of lintQuestion(step)) found.push({ code, detail: `${where} (${step.key}): ${code}` });
  }
  return found;
}

function isKey(key: string): boolean {
  const { length } = [...key];
  return length >= 1 && length <= mostKeyLength && !/[=\s\p{Z}\p{C}]/u.test(key);
}
