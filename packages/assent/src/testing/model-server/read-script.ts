import { describeGiven, isLooseRecord, parseJson } from "../../wire/index.ts";
import type { ScriptEntry } from "./script.ts";

/** A script, or the first line that is wrong and why. */
export type ReadServerScript =
  | { readonly type: "script"; readonly entries: readonly ScriptEntry[] }
  | { readonly type: "broken"; readonly line: number; readonly reason: string };

/** A script is JSON lines, one a model request; blank lines and lines that begin with # are passed over. */
export function readServerScript(script: string): ReadServerScript {
  const entries: ScriptEntry[] = [];
  for (const [index, line] of script.split("\n").entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const parsed = parseJson(line);
    if (parsed.type === "broken") return { type: "broken", line: index + 1, reason: `expected JSON: ${parsed.reason}` };
    if (!isEntry(parsed.value)) return { type: "broken", line: index + 1, reason: reasonOf(parsed.value) };
    entries.push(parsed.value);
  }
  return { type: "script", entries };
}

type Check = (value: unknown) => boolean;
type Fields = { readonly [name: string]: Check };

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isCount: Check = (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const isOneOf =
  (...words: readonly unknown[]): Check =>
  (value) =>
    words.includes(value);
const isAnything: Check = () => true;
const isTextRecord: Check = (value) => isLooseRecord(value) && Object.values(value).every(isText);

/** An object with these fields, the first `needed` of them always, and no other: a misspelt one would do nothing. */
const hasFields =
  (fields: Fields, needed: number): Check =>
  (value) => {
    if (!isLooseRecord(value)) return false;
    const must = Object.keys(fields).slice(0, needed);
    return (
      must.every((name) => name in value) && Object.keys(value).every((name) => fields[name]?.(value[name]) ?? false)
    );
  };

const isCall = hasFields({ tool: isText, arguments: isAnything, id: (id) => id === null || typeof id === "string" }, 2);
const isUsage = hasFields({ input: isCount, output: isCount, cached: isCount }, 2);
const isError = hasFields({ message: isText, type: isText, code: isText, status: isCount }, 1);

/** One line for each kind of fault in `Fault`. */
const faults: readonly Check[] = [
  hasFields({ status: isCount, body: isAnything, headers: isTextRecord }, 1),
  hasFields({ close: isOneOf("before-answer", "after-headers") }, 1),
  hasFields({ cut: isCount }, 1),
  hasFields({ end: isCount }, 1),
  hasFields({ hang: (value) => value === "answer" || isCount(value) }, 1),
  hasFields({ pings: isCount, every: isCount }, 1),
  hasFields({ raw: isText }, 1),
  hasFields({ error: isError, after: isCount, failed: isFlag }, 1),
  hasFields({ contentType: isText, body: isText }, 2),
  hasFields({ redirect: isText, status: isCount }, 1),
  hasFields({ slow: isCount }, 1),
  hasFields({ bytes: isCount }, 1),
  hasFields({ malformed: isOneOf("json", "utf8", "order", "type", "unknown") }, 1),
];

const entryFields = {
  text: isText,
  calls: (value) => Array.isArray(value) && value.every(isCall),
  reasoning: isText,
  refusal: isText,
  usage: (value) => value === null || isUsage(value),
  finish: isText,
  stray: isOneOf("choice", "after-finish", "after-end"),
  fault: (value) => faults.some((check) => check(value)),
  repeat: isFlag,
} satisfies { readonly [Name in keyof Required<ScriptEntry>]: Check };

const hasEntryFields = hasFields(entryFields, 0);

function isEntry(value: unknown): value is ScriptEntry {
  return hasEntryFields(value);
}

/** In words, for who wrote something else. */
const expected: { readonly [Name in keyof Required<ScriptEntry>]: string } = {
  text: "a text",
  calls: 'a list of {"tool", "arguments", "id"?}',
  reasoning: "a text",
  refusal: "a text",
  usage: 'null or {"input", "output", "cached"?}, in whole numbers',
  finish: "a text",
  stray: '"choice", "after-finish" or "after-end"',
  fault: "one of the faults of the guide, with its fields and no others",
  repeat: "true or false",
};

function reasonOf(value: unknown): string {
  if (!isLooseRecord(value)) return `expected an object, found ${describeGiven(value)}`;
  const [fields, words]: [Fields, Readonly<Record<string, string>>] = [entryFields, expected];
  const wrong = Object.keys(value).find((name) => !(fields[name]?.(value[name]) ?? false)) ?? "";
  return Object.hasOwn(fields, wrong)
    ? `${wrong}: expected ${words[wrong]}, found ${describeGiven(value[wrong])}`
    : `${wrong}: there is no such field; there are ${Object.keys(fields).join(", ")}`;
}
