import { type FlowStep, type InteractionOption, lintQuestion, mostOptions } from "../../core/interaction/index.ts";
import { leastHidden } from "../../runtime/ports.ts";
import { type Loose, looseList, looseRecord, looseText } from "../../wire/index.ts";
import type { FormAnswer } from "../types.ts";
import { type Expected, expectedNumber, expectedText } from "./expected.ts";
import { outsideLine } from "./words.ts";

export type FieldValue = string | number | boolean | string[];

/** One field of a form that a server wants filled in, as a step of a flow. */
export type FormField = {
  /** As the server calls it. */
  readonly name: string;
  readonly label: string;
  readonly step: FlowStep;
  /** `null`: it is left empty. What does not fit the field is `wrong`, and asked for again. */
  readonly read: (answer: FormAnswer) => { readonly value: FieldValue | null } | { readonly wrong: string };
};

type Asked = {
  readonly server: string;
  readonly name: string;
  readonly key: string;
  readonly schema: Loose;
  readonly required: boolean;
  /** Options that the question has besides. */
  readonly more: readonly InteractionOption[];
};

type Choice = { readonly value: string; readonly label: string };

const secretName =
  /pass(?:word|phrase|code|wd)|pwd|secret|token|(?:api|access|private|ssh|signing|encryption).?key|credential/i;
/** As words of their own: others have them within. */
const secretWord = /(?<![a-z])(?:pass|pin|t?otp|mfa|cv[cv])(?![a-z])/i;
const leaveEmpty: InteractionOption = { id: "empty", label: "Leave empty" };

/** A value of so many characters is hidden from its first half on. */
const leastHalved = 16;

type From = { readonly server: string; readonly known: ReadonlySet<string> };

/** The fields of a form's schema in their order. A key is made of the name, for a name may be anything. */
export function readFields(
  { server, known }: From,
  schema: Loose,
  more: readonly InteractionOption[],
): readonly FormField[] {
  const required = looseList(schema["required"]);
  const keys = new Set<string>();
  return Object.entries(looseRecord(schema["properties"])).map(([name, given]) => {
    const key = newKey(name, keys, known);
    return readField({ server, name, key, schema: looseRecord(given), required: required.includes(name), more });
  });
}

/** A key is recorded as it is: a name in which there is something that the server should keep to itself is not made one. */
function newKey(name: string, taken: Set<string>, known: ReadonlySet<string>): string {
  const plain = keyText(name)
    .slice(0, 32)
    .replace(/[\ud800-\udbff]$/u, "");
  const own = plain === "" || holdsAny(name, known) || holdsAny(plain, known) ? "field" : plain;
  let key = own;
  for (let count = 2; taken.has(key); count += 1) key = `${own}-${count}`;
  taken.add(key);
  return key;
}

function keyText(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.-]+/gu, "-");
}

function holdsAny(text: string, known: ReadonlySet<string>): boolean {
  return [...known].some((value) => {
    if (value.length < leastHidden) return false;
    const enough = value.length < leastHalved ? value : value.slice(0, Math.ceil(value.length / 2));
    return text.includes(enough) || text.includes(keyText(enough));
  });
}

function readField(asked: Asked): FormField {
  const { schema } = asked;
  if (isSecret(asked)) return secretField(asked);
  if (schema["type"] === "array") return severalField(asked, choicesOf(looseRecord(schema["items"])));
  const choices = choicesOf(schema);
  if (choices.length > 0) return choiceField(asked, choices);
  if (schema["type"] === "boolean") return booleanField(asked);
  return textField(asked);
}

function isSecret({ name, schema }: Asked): boolean {
  const words = [name, looseText(schema["title"])].map((each) => each.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 "));
  return words.some((each) => secretName.test(each) || secretWord.test(each)) || schema["format"] === "password";
}

/** The field's own words, in which no sentence can be made that would pass for Assent's. */
function labelOf(name: string, schema: Loose): string {
  const words = outsideLine(looseText(schema["title"]) || name, 60).replace(/[^\p{L}\p{N}_-]+/gu, " ");
  return words.trim().split(" ").slice(0, 6).join(" ") || "this field";
}

function draft({ server, key, schema, name }: Asked): Pick<FlowStep, "key" | "question" | "subject"> {
  const about = outsideLine(looseText(schema["description"]), 300);
  return {
    key,
    question: `What does ${server} get as ${labelOf(name, schema)}?`,
    ...(about === "" ? {} : { subject: { from: server, message: [about] } }),
  };
}

function field(asked: Asked, step: Omit<FlowStep, "key" | "question" | "subject">, read: FormField["read"]): FormField {
  return { name: asked.name, label: labelOf(asked.name, asked.schema), step: { ...draft(asked), ...step }, read };
}

/** What is typed is kept where secrets are; it has no options, so a word stands for leaving it empty. */
function secretField(asked: Asked): FormField {
  const description = asked.required ? "a text" : "a text, or none to leave it empty";
  return field(
    asked,
    { options: [], allow_free_text: true, sensitive: true, response_schema: { description } },
    (answer) => {
      const text = textOf(answer);
      return { value: !asked.required && text.trim().toLowerCase() === "none" ? null : text };
    },
  );
}

function booleanField(asked: Asked): FormField {
  const yes = { id: "yes", label: "Yes" };
  const no = { id: "no", label: "No" };
  const options = asked.schema["default"] === false ? [no, yes] : [yes, no];
  return field(asked, { options: [...options, ...extras(asked)], allow_free_text: false }, (answer) => {
    const chosen = optionOf(answer);
    return { value: chosen === "yes" ? true : chosen === "no" ? false : null };
  });
}

function choiceField(asked: Asked, choices: readonly Choice[]): FormField {
  const usual = choices.find(({ value }) => value === asked.schema["default"]);
  const sorted = usual === undefined ? choices : [usual, ...choices.filter((each) => each !== usual)];
  const options = [...choiceOptions(sorted), ...extras(asked)];
  if (!canBeChosen(options)) return typedChoice(asked, choices);
  return field(asked, { options, allow_free_text: false }, (answer) => ({
    value: chosenOf(sorted, answer)[0] ?? null,
  }));
}

/** Too many to choose from, or such that look alike: the one is typed. */
function typedChoice(asked: Asked, choices: readonly Choice[]): FormField {
  const names = choices.slice(0, 100).map(({ label }) => label);
  const find = (text: string) =>
    choices.find(({ value }) => value === text) ??
    choices.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  const subject = { from: asked.server, message: [`one of ${choices.length}: ${names.join(", ")}`] };
  const made = field(asked, { options: extras(asked), allow_free_text: true }, (answer) => {
    if ("options" in answer) return { value: null };
    const found = find(answer.text.trim());
    return found === undefined ? { wrong: "one of the names that are shown" } : { value: found.value };
  });
  return { ...made, step: { ...made.step, subject } };
}

function severalField(asked: Asked, choices: readonly Choice[]): FormField {
  const least = numberOf(asked.schema["minItems"]) ?? (asked.required ? 1 : 0);
  const most = numberOf(asked.schema["maxItems"]);
  const options = [...choiceOptions(choices), ...(least === 0 ? [leaveEmpty] : [])];
  if (choices.length === 0 || !canBeChosen(options)) return typedSeveral(asked, choices);
  const bounds = {
    multi_select: true,
    min_selected: Math.max(1, Math.min(least, choices.length)),
    ...(most === null ? {} : { max_selected: Math.max(1, most) }),
  };
  return field(asked, { options, allow_free_text: false, ...bounds }, (answer) => ({
    value: chosenOf(choices, answer),
  }));
}

function typedSeveral(asked: Asked, choices: readonly Choice[]): FormField {
  const names = choices.slice(0, 100).map(({ label }) => label);
  const made = field(asked, { options: [leaveEmpty], allow_free_text: true }, (answer) => {
    if ("options" in answer) return { value: [] };
    const given = answer.text.split(",").map((each) => each.trim());
    const found = given.map((text) => choices.find(({ value, label }) => value === text || label === text)?.value);
    const known = found.filter((value) => value !== undefined);
    return known.length < found.length ? { wrong: "names that are shown, with commas between them" } : { value: known };
  });
  return {
    ...made,
    step: { ...made.step, subject: { from: asked.server, message: [`some of: ${names.join(", ")}`] } },
  };
}

function textField(asked: Asked): FormField {
  const { schema } = asked;
  const isNumber = schema["type"] === "number" || schema["type"] === "integer";
  if (isNumber) return typedField(asked, expectedNumber(schema), Number);
  const expected = expectedText(schema);
  if (looseText(schema["format"]).startsWith("date")) return typedField(asked, expected, String);
  const usual = usualOf(schema["default"]);
  const options = [...(usual === null ? [] : [{ id: "usual", label: usual }]), ...extras(asked)];
  const rule =
    expected.pattern === "" ? {} : { response_schema: { pattern: expected.pattern, description: expected.words } };
  return field(asked, { options, allow_free_text: true, ...rule }, (answer) => {
    if ("options" in answer && answer.options[0] !== "usual") return { value: null };
    const value = "options" in answer ? looseText(schema["default"]) : answer.text;
    return expected.fits(value) ? { value } : { wrong: expected.words };
  });
}

/** It has no options, for typed digits would be taken for one of them: a word stands for leaving it empty. */
function typedField(asked: Asked, expected: Expected, value: (text: string) => FieldValue): FormField {
  const { schema, required } = asked;
  const usual = usualOf(schema["default"]);
  const pattern = required ? expected.pattern : `none|${expected.pattern}`;
  const words = required ? expected.words : `${expected.words}, or none to leave it empty`;
  const made = field(
    asked,
    { options: [], allow_free_text: true, response_schema: { pattern, description: words } },
    (answer) => {
      const text = textOf(answer).trim();
      if (!required && text === "none") return { value: null };
      return text !== "" && expected.fits(text) ? { value: value(text) } : { wrong: words };
    },
  );
  const question = `What does ${asked.server} get as ${made.label}${usual === null ? "" : `, usually ${usual}`}?`;
  const message = [...looseList(looseRecord(made.step.subject)["message"]).map(String), words];
  return { ...made, step: { ...made.step, question, subject: { from: asked.server, message } } };
}

/** A default that can be read as it is, as an option. */
function usualOf(value: unknown): string | null {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return text !== "" && text.length <= 60 && outsideLine(text, 60) === text ? text : null;
}

function extras({ required, more }: Asked): readonly InteractionOption[] {
  return required ? more : [leaveEmpty, ...more];
}

function choicesOf(schema: Loose): readonly Choice[] {
  const titled = [...looseList(schema["oneOf"]), ...looseList(schema["anyOf"])].map(looseRecord);
  const names = looseList(schema["enumNames"]);
  const plain = looseList(schema["enum"]).map((value, index) => ({ const: value, title: names[index] }));
  return [...titled, ...plain].slice(0, 500).flatMap((each) => {
    const value = each["const"];
    if (typeof value !== "string") return [];
    return [{ value, label: outsideLine(looseText(each["title"]) || value, 60) }];
  });
}

function choiceOptions(choices: readonly Choice[]): readonly InteractionOption[] {
  return choices.map(({ label }, index) => ({ id: `o${index + 1}`, label }));
}

const confusing = ["too-many-options", "option-empty", "option-numbered", "options-alike"] as const;

/** Whether a person can tell the options apart and answer by a number. */
function canBeChosen(options: readonly InteractionOption[]): boolean {
  if (options.length > mostOptions) return false;
  const faults = lintQuestion({ question: "Which one?", options, allow_free_text: false });
  return !confusing.some((fault) => faults.includes(fault));
}

function chosenOf(choices: readonly Choice[], answer: FormAnswer): string[] {
  const ids = "options" in answer ? answer.options : [];
  return choices.flatMap(({ value }, index) => (ids.includes(`o${index + 1}`) ? [value] : []));
}

function optionOf(answer: FormAnswer): string | undefined {
  return "options" in answer ? answer.options[0] : undefined;
}

function textOf(answer: FormAnswer): string {
  return "text" in answer ? answer.text : "";
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.floor(value) : null;
}
