import { describeViolation, lintQuestion, type Violation } from "./contract.ts";
import { expectedText, wholeText } from "./expected-text.ts";
import { type Flow, mostKeyLength, mostSteps } from "./flow.ts";

/** What can be wrong with a flow. */
export type FlowViolation =
  | "no-steps"
  | "too-many-steps"
  | "key-invalid"
  | "keys-alike"
  | "sensitive-options"
  | "pattern-invalid"
  | Violation;

/** The first step it holds of, and a line that says what is wrong. */
export type FlowProblem = { readonly code: FlowViolation; readonly detail: string };

/** Everything that keeps data from being a flow at all (FLOW-1, FLOW-6). */
export function checkFlow({ steps }: Flow): readonly FlowProblem[] {
  const found: FlowProblem[] = [];
  if (steps.length === 0) found.push({ code: "no-steps", detail: `expected 1 to ${mostSteps} steps, found none` });
  if (steps.length > mostSteps) {
    found.push({ code: "too-many-steps", detail: `expected at most ${mostSteps} steps, found ${steps.length}` });
  }
  const keys = new Set<string>();
  for (const [index, { key, sensitive, options, response_schema }] of steps.entries()) {
    const where = `step ${index + 1}`;
    if (!isKey(key)) {
      const expected = `expected a key of 1 to ${mostKeyLength} characters without space or =`;
      found.push({ code: "key-invalid", detail: `${where}: ${expected}, found ${JSON.stringify(key)}` });
    }
    if (keys.has(key)) found.push({ code: "keys-alike", detail: `${where}: the key ${key} is used before` });
    keys.add(key);
    if (sensitive && options.length > 0) {
      found.push({
        code: "sensitive-options",
        detail: `${where} (${key}): a sensitive step takes a text and has no options`,
      });
    }
    const { pattern = "" } = expectedText(response_schema) ?? {};
    if (wholeText(pattern) === null) {
      const expected = "expected a regular expression";
      found.push({
        code: "pattern-invalid",
        detail: `${where} (${key}): ${expected}, found ${JSON.stringify(pattern)}`,
      });
    }
  }
  return found;
}

/** All of that, and what each of its questions does against the text contract (TXT-7). */
export function lintFlow(flow: Flow): readonly FlowProblem[] {
  const texts = flow.steps.flatMap((step, index) =>
    lintQuestion(step).map((code) => ({ code, detail: `step ${index + 1} (${step.key}): ${describeViolation(code)}` })),
  );
  return [...checkFlow(flow), ...texts];
}

function isKey(key: string): boolean {
  const { length } = [...key];
  return length >= 1 && length <= mostKeyLength && !/[=\s\p{Z}\p{C}]/u.test(key);
}
