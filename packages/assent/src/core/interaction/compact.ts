import type { Json } from "../json.ts";
import { fieldOf } from "./field.ts";
import { type Applied, type Flow, type FlowState, type FlowStep, optionNumbers } from "./flow.ts";
import { isNumber } from "./number.ts";
import type { InteractionResponse } from "./response.ts";

/** What a compact line means, or what is wrong with it. */
export type ReadCompact =
  | { readonly type: "compact"; readonly applied: readonly Applied[]; readonly rejected: readonly string[] }
  | { readonly type: "invalid"; readonly detail: string };

/** `key=N key=N …` while a flow is open; `null` when the line is no such thing but an ordinary reply (FLOW-4, FLOW-6). */
export function readCompact(flow: Flow, line: string): ReadCompact | null {
  const tokens = line.split(/\s+/u).filter((token) => token !== "");
  const pairs = tokens.map(readPair).filter((pair) => pair !== null);
  if (tokens.length === 0 || pairs.length < tokens.length) return null;
  if (tokens.join(" ") !== line) return { type: "invalid", detail: "pairs are separated by one space" };
  const times = new Map<string, number>();
  for (const { key } of pairs) times.set(key, (times.get(key) ?? 0) + 1);
  const applied = pairs.flatMap(({ key, value }) => {
    const step = flow.steps.find((each) => each.key === key);
    // Of a key that is given twice it is not clear which number is meant.
    const options = times.get(key) === 1 ? chosen(step, value) : null;
    return options === null ? [] : [{ key, options }];
  });
  if (applied.length === 0) return { type: "invalid", detail: "no pair names a step and one of its numbers" };
  const rejected = [...times.keys()].filter((key) => !applied.some((each) => each.key === key));
  return { type: "compact", applied, rejected };
}

/**
 * The line that would give several answers at once as they were recorded; the one that was typed is not kept. `null` for an
 * answer that is no such thing. `after`: what the flow knew then.
 */
export function compactLine(
  flow: Flow | null,
  { metadata }: InteractionResponse,
  after: Pick<FlowState, "answers"> | null,
): string | null {
  const compact = fieldOf(metadata, "compact");
  const applied = fieldOf(compact, "applied");
  const rejected = fieldOf(compact, "rejected");
  if (flow === null || !Array.isArray(applied)) return null;
  const pairs = textsIn(applied).map((key) => {
    const answer = after?.answers.find((each) => each.key === key)?.answer;
    const options = answer?.type === "selected" ? answer.options : [];
    return `${key}=${[optionNumbers(flow, { key, options })].flat().join(",")}`;
  });
  // No option has this number.
  return [...pairs, ...textsIn(rejected).map((key) => `${key}=0`)].join(" ");
}

function readPair(token: string): { readonly key: string; readonly value: string } | null {
  const at = token.indexOf("=");
  return at < 1 ? null : { key: token.slice(0, at), value: token.slice(at + 1) };
}

/** The options that a value names, in their order; a value that names none, too few or too many is a bad number. */
function chosen(step: FlowStep | undefined, value: string): readonly string[] | null {
  if (step === undefined || step.sensitive) return null;
  const numbers = value.split(",", step.options.length + 1);
  const { min = 1, max = step.options.length } = step.multi_select
    ? { min: step.min_selected, max: step.max_selected }
    : { min: 1, max: 1 };
  const indexes = new Set(numbers.filter(isNumber).map(Number));
  if (indexes.size !== numbers.length || numbers.length < min || numbers.length > max) return null;
  if (numbers.some((number) => Number(number) > step.options.length)) return null;
  return step.options.filter((_, index) => indexes.has(index + 1)).map(({ id }) => id);
}

function textsIn(data: Json | undefined): readonly string[] {
  return Array.isArray(data) ? data.filter((each) => typeof each === "string") : [];
}
