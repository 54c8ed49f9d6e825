import * as v from "valibot";
import type { Flow, FlowStep, InteractionRequest, InteractionResponse } from "../core/interaction/index.ts";
import { checkFlow, isBlank } from "../core/interaction/index.ts";
import { interactionRequest, interactionResponse } from "./interaction.ts";
import { parseJson } from "./json.ts";
import { isLooseRecord, type Loose } from "./loose.ts";
import { count, describeField, describeIssue, flag, list, optional, text } from "./schema.ts";

/** How much a request or a response may hold, as JSON, and how deep. A typed line inside one is not bounded by this. */
export const mostWireCharacters = 1_048_576;
const mostDepth = 64;

/** Why something from outside was not taken; nothing that comes in is ever an exception. */
export type WireRefusal = {
  readonly code:
    | "malformed_json"
    | "invalid_value"
    | "too_large"
    | "too_deep"
    | "forbidden_key"
    | "contradiction"
    | "duplicate_option_id"
    | "empty_label"
    | "unknown_default"
    | "invalid_flow";
  readonly detail: string;
};

/** What was read, or why it could not be. */
export type Read<T> =
  | { readonly type: "read"; readonly value: T }
  | { readonly type: "refused"; readonly refusal: WireRefusal };

/** A line of JSON, as a value that has no trap in it. */
export function readLine(line: string | null): Read<unknown> {
  if (line === null) return refused("too_large", "the line is longer than anything of the contract");
  // Some editors begin a file with a mark that nobody sees.
  const parsed = parseJson(line.replace(/^\ufeff/, ""));
  if (parsed.type === "broken") return refused("malformed_json", `expected JSON: ${parsed.reason}`);
  const trap = findTrap(parsed.value);
  return trap === null ? read(parsed.value) : { type: "refused", refusal: trap };
}

/** A request as any peer of the contract writes it: names in either case, unknown fields kept (INT-1). */
export function readRequest(value: unknown): Read<InteractionRequest> {
  const shaped = readShape(value, interactionRequest, defaultsOfRequest);
  return shaped.type === "refused" ? shaped : checkOptions(shaped.value);
}

/** What may become a request: an id and the like may be missing, and its texts are whatever they are. */
export function readDraft(value: unknown): Read<InteractionRequest> {
  const rest = { interaction_id: "", kind: "question", options: [], allow_cancel: true };
  return readShape(value, interactionRequest, (given) => defaultsOfRequest({ ...rest, ...given }));
}

/** The same as something that can be answered: its options can be told apart. */
export function readQuestion(value: unknown): Read<InteractionRequest> {
  const draft = readDraft(value);
  return draft.type === "refused" ? draft : checkOptions(draft.value);
}

/** What a response holds may be a secret: what is wrong with it is told without its values. */
export function readResponse(value: unknown): Read<InteractionResponse> {
  return readShape(value, interactionResponse, (given) => ({ cancelled: false, ...given }), describeField);
}

const writtenStep = {
  key: text,
  instruction: text,
  options: optional(list(text), []),
  allow_free_text: optional(flag, true),
  multi_select: optional(flag),
  min_selected: optional(count),
  max_selected: optional(count),
  sensitive: optional(flag),
  /** A regular expression that a typed text must match as a whole, and that in words. */
  pattern: optional(text),
  expected: optional(text),
};
/** Of a file that people write, a misspelt field is told: left out, it may make an open question of a secret one. */
const writtenFlow = v.strictObject({ steps: list(v.strictObject(writtenStep)) });
/** A program may have fields of its own in its flow. */
const foreignFlow = v.object({ steps: list(v.object(writtenStep)) });

/** A flow as people write it: options as labels, free text unless it is turned off (FLOW-6). Its texts are not judged here. */
export function readFlow(value: unknown): Read<Flow> {
  return readSteps(value, writtenFlow);
}

/** The same with unknown fields passed over. */
export function readForeignFlow(value: unknown): Read<Flow> {
  return readSteps(value, foreignFlow);
}

function readSteps(value: unknown, schema: typeof writtenFlow | typeof foreignFlow): Read<Flow> {
  const trap = findTrap(value) ?? tooLarge(value);
  if (trap !== null) return { type: "refused", refusal: trap };
  const spelled = withSnakeSteps(value);
  if (spelled === null) return refused("contradiction", bothSpellings);
  const checked = v.safeParse(schema, spelled);
  if (!checked.success) return refused("invalid_value", describeIssue(checked.issues));
  // Words alone hold nothing against a text.
  const wordy = checked.output.steps.find(({ pattern, expected }) => pattern === undefined && expected !== undefined);
  if (wordy !== undefined) return refused("invalid_flow", `${wordy.key}: expected goes with a pattern, found none`);
  const flow: Flow = {
    steps: checked.output.steps.map(({ instruction, options, pattern, expected, ...step }) => ({
      ...step,
      question: instruction,
      options: options.map((label, index) => ({ id: String(index + 1), label })),
      ...schemaOf(pattern, expected),
    })),
  };
  const [problem] = checkFlow(flow);
  return problem === undefined ? read(flow) : refused("invalid_flow", problem.detail);
}

function schemaOf(pattern: string | undefined, expected: string | undefined): Pick<FlowStep, "response_schema"> {
  if (pattern === undefined) return {};
  const description = expected === undefined ? {} : { description: expected };
  return { response_schema: { type: "string", pattern, ...description } };
}

const bothSpellings = "a field is given in both spellings, with different values";

/** `null` when a step contradicts itself. */
function withSnakeSteps(value: unknown): unknown {
  if (!isLooseRecord(value) || !Array.isArray(value["steps"])) return value ?? undefined;
  const known = Object.keys(writtenStep);
  const steps = value["steps"].map((step) => (isLooseRecord(step) ? toSnakeCase(step, known) : (step ?? undefined)));
  return steps.includes(null) ? null : { ...value, steps };
}

function readShape<const S extends RecordSchema>(
  value: unknown,
  schema: S,
  complete: (given: Loose) => Loose,
  describe: typeof describeIssue = describeIssue,
): Read<v.InferOutput<S>> {
  const trap = findTrap(value) ?? tooLarge(value);
  if (trap !== null) return { type: "refused", refusal: trap };
  if (!isLooseRecord(value)) return refused("invalid_value", `expected an object, found ${kindOf(value)}`);
  const given = toSnakeCase(value, Object.keys(schema.entries));
  if (given === null) return refused("contradiction", bothSpellings);
  const whole = complete(given);
  const checked = v.safeParse(schema, whole);
  if (!checked.success) return refused("invalid_value", describe(checked.issues));
  // What was given is kept, with the fields that the schema does not know; the check has just said that it fits.
  return read(whole as v.InferOutput<S>);
}

type RecordSchema = typeof interactionRequest | typeof interactionResponse;

/** Left out by a peer, free text means: at a question yes, at a confirmation no (ANS-11). */
function defaultsOfRequest(given: Loose): Loose {
  return { allow_free_text: given["kind"] !== "confirmation", ...given };
}

function checkOptions(request: InteractionRequest): Read<InteractionRequest> {
  const ids = new Set<string>();
  for (const { id, label } of request.options) {
    if (ids.has(id)) return refused("duplicate_option_id", `options: the id ${JSON.stringify(id)} is used twice`);
    if (isBlank(label)) return refused("empty_label", `options: the label of ${JSON.stringify(id)} is blank`);
    ids.add(id);
  }
  const chosen = request.default_option_id;
  if (chosen === undefined || ids.has(chosen)) return read(request);
  return refused("unknown_default", `default_option_id: no option has the id ${JSON.stringify(chosen)}`);
}

/** The names of the contract in their one spelling; `null` when both are there and disagree. */
function toSnakeCase(given: Loose, known: readonly string[]): Loose | null {
  const names = new Map(known.map((name) => [camelCase(name), name]));
  const result = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    const meant = names.get(name) ?? name;
    if (result.has(meant) && written(result.get(meant)) !== written(value)) return null;
    result.set(meant, value);
  }
  return Object.fromEntries(result);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Keys that mean something else to a program than to a reader, and nesting that nobody could follow. Without recursion. */
function findTrap(value: unknown): WireRefusal | null {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostDepth) return { code: "too_deep", detail: `expected at most ${mostDepth} levels, found more` };
    if (level.some((each) => isLooseRecord(each) && Object.hasOwn(each, "__proto__"))) {
      return { code: "forbidden_key", detail: "__proto__: no such field may be given" };
    }
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return null;
}

function tooLarge(value: unknown): WireRefusal | null {
  const json = written(value);
  if (json === null)
    return { code: "invalid_value", detail: "expected a value of JSON, found one that it does not know" };
  const { length } = json ?? "";
  if (length <= mostWireCharacters) return null;
  return { code: "too_large", detail: `expected at most ${mostWireCharacters} characters of JSON, found ${length}` };
}

/** As JSON; `null` for a value that JSON cannot write, such as a bigint or one that contains itself. */
function written(value: unknown): string | undefined | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}

function read<T>(value: T): Read<T> {
  return { type: "read", value };
}

function refused(
  code: WireRefusal["code"],
  detail: string,
): { readonly type: "refused"; readonly refusal: WireRefusal } {
  return { type: "refused", refusal: { code, detail } };
}
