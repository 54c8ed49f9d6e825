import { languages } from "./code/index.ts";
import type { Deed } from "./deeds.ts";
import { asks, type Given, type Kind, runs, type Spec } from "./spec.ts";
import { type Argument, beginning, known, shown, textOf } from "./text.ts";
import { givenOf, type Sorted, type SortedOption, sortWords } from "./words.ts";

/** What a call of a described program would do. `null`: this form of it is not described, and it is like any unknown one. */
export function deedsOf(name: string, spec: Spec, words: readonly Argument[]): readonly Deed[] | null {
  if (onlyTells(words)) return [];
  const sorted = sortWords(spec, words);
  const given = givenOf(name, words, sorted);
  const own = [...always(spec, given), ...optionDeeds(spec, sorted, given), ...(spec.also?.(given) ?? [])];
  if (spec.commands === undefined) return [...own, ...operandDeeds(spec, sorted.operands)];
  const sub = subcommandDeeds(name, spec, sorted.operands);
  return sub === null ? null : [...own, ...sub];
}

/** Asking a program what it is does nothing else. */
function onlyTells(words: readonly Argument[]): boolean {
  const [first] = words;
  const word = first === undefined ? "" : (known(first.text) ?? "");
  // `cargo install --version 1`: only alone does it ask for the program's own.
  return word === "--help" || (word === "--version" && words.length === 1);
}

function always(spec: Spec, given: Given): readonly Deed[] {
  if (spec.always === undefined) return [];
  return onlyReads(spec.unless ?? "", given) ? [] : [{ does: "danger", danger: spec.always }];
}

/** `--dry-run=false` takes back what `--dry-run` says, and what is not known may; after `--` there are no subcommands. */
function onlyReads(unless: string, given: Given): boolean {
  if (unless === "") return false;
  const taken = given.values(unless).some(({ text }) => /^(?:false|f|no|n|0|off|none)$/i.test(known(text) ?? "no"));
  if (given.has(unless)) return !taken;
  const [first] = given.operands;
  const ended = given.words.some(({ text }) => known(text) === "--");
  return first !== undefined && !ended && unless.split(" ").includes(known(first.text) ?? "-");
}

function optionDeeds(spec: Spec, { options, rest }: Sorted, given: Given): readonly Deed[] {
  const dangers = Object.entries(spec.danger ?? {}).flatMap(([spellings, danger]): Deed[] =>
    given.has(spellings) ? [{ does: "danger", danger }] : [],
  );
  const values = options.flatMap(({ kind, value }: SortedOption) =>
    kind === undefined || value === undefined ? [] : kindDeeds(kind, value),
  );
  return [...dangers, ...values, ...(rest === null ? [] : runs(rest))];
}

function operandDeeds({ operands: kinds = [], last }: Spec, operands: readonly Argument[]): readonly Deed[] {
  const deeds: Deed[] = [];
  for (const [index, operand] of operands.entries()) {
    const isLast = last !== undefined && operands.length > 1 && index === operands.length - 1;
    const kind = isLast ? last : (kinds[index] ?? kinds.at(-1));
    if (kind === "argv") return [...deeds, ...runs(operands.slice(index))];
    if (kind !== undefined) deeds.push(...kindDeeds(kind, operand));
  }
  return deeds;
}

function subcommandDeeds(name: string, spec: Spec, operands: readonly Argument[]): readonly Deed[] | null {
  const [first, ...words] = operands;
  if (first === undefined) return [];
  const subcommand = known(first.text);
  if (subcommand === null) {
    return [
      asks("exec-unknown-program", `runs ${name} ${shown(first.text)}, which is not known before it runs`, first),
    ];
  }
  const found = Object.hasOwn(spec.commands ?? {}, subcommand) ? spec.commands?.[subcommand] : undefined;
  if (found !== undefined) return deedsOf(name, withGlobals(found, spec), words);
  if (spec.unlisted === "unknown") return null;
  return spec.unlisted === undefined ? [] : [{ does: "danger", danger: spec.unlisted, at: first }];
}

/** Long options of the program itself are also taken after a subcommand. */
function withGlobals(sub: Spec, { takes = {}, may = {}, danger = {} }: Spec): Spec {
  const globals = { takes: longOnly(takes), may: longOnly(may), danger: longOnly(danger) };
  return {
    ...sub,
    takes: { ...globals.takes, ...sub.takes },
    may: { ...globals.may, ...sub.may },
    danger: { ...globals.danger, ...sub.danger },
  };
}

function longOnly<Value>(table: Readonly<Record<string, Value>>): Record<string, Value> {
  const entries = Object.entries(table).flatMap(([spellings, value]) => {
    const long = spellings.split(" ").filter((each) => each.startsWith("--"));
    return long.length === 0 ? [] : [[long.join(" "), value] as const];
  });
  return Object.fromEntries(entries);
}

function kindDeeds(kind: Kind, value: Argument): readonly Deed[] {
  const { text, span } = value;
  switch (kind) {
    case "text":
      return [];
    case "read":
    case "show":
    case "write":
      return [{ does: kind, path: value }];
    case "host":
      return [{ does: "connect", host: value }];
    case "remote-read":
    case "remote-write":
      return [{ does: "remote", place: value, use: kind === "remote-read" ? "read" : "write" }];
    case "shell":
    case "program":
      return [{ does: kind, text, span }];
    case "argv":
      return runs([value]);
    case "script":
      return [{ does: "script", path: value, language: "shell" }];
    case "mode":
      return [{ does: "mode", mode: value }];
    case "variable":
      return assignmentDeeds(value);
    default:
      return languageDeeds(kind, value);
  }
}

/** `NAME=value` for what is run. */
export function assignmentDeeds(value: Argument): readonly Deed[] {
  const start = beginning(value.text);
  const equals = start.indexOf("=");
  if (equals < 0) return [];
  const rest = textOf(start.slice(equals + 1), ...value.text.slice(1));
  return [{ does: "variable", name: start.slice(0, equals), value: rest, span: value.span }];
}

type LanguageKind = Extract<Kind, `code:${string}` | `script:${string}`>;

function languageDeeds(kind: LanguageKind, value: Argument): readonly Deed[] {
  const [does, name] = kind.split(":");
  const language = languages.find((each) => each === name);
  if (language === undefined) return [];
  if (does === "script") return [{ does, path: value, language }];
  return [{ does: "code", language, text: value.text, span: value.span }];
}
