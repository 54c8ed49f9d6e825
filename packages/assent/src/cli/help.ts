import { readFlags, suggestion, UsageError } from "./flags.ts";
import { helpSpec } from "./specs/others.ts";
import { commandSpecs, specOf } from "./specs/registry.ts";
import { type CommandSpec, helpOption, needsPart, shownArguments } from "./specs/spec.ts";
import { exitMeanings } from "./specs/surroundings.ts";

const columns = 120;
/** Where it is told what a name does. */
const told = 25;

/** `assent help`: of everything, or of the command that is named. */
export function printHelp(argv: readonly string[]): number {
  process.stdout.write(helpFor(readFlags(argv, helpSpec).arguments));
  return 0;
}

/** What `assent help` prints, and `assent <command> --help`: of a part, where one is named. */
function helpFor(words: readonly string[]): string {
  const [command] = words;
  if (command === undefined || ["help", "version"].includes(command)) return overview();
  const found = specOf(words);
  if ("unknown" in found) throw unknownCommand(found.unknown, found.known);
  const { spec } = found;
  const parts = Object.entries(spec.parts ?? {}).flatMap(([name, part]) => describePart(name, part));
  return paragraphs([
    [`usage: assent ${[words.join(" "), shownArguments(spec)].filter(Boolean).join(" ")}`],
    wrapped(spec.does),
    [...describeOptions(spec, "  "), ...parts],
    ...(spec.more ?? []).map(wrapped),
  ]);
}

/** The words that `--help` was given with, as far as they name a command. */
export function helpForLine(command: string, rest: readonly string[]): string {
  const words = [command];
  for (const word of rest) {
    if ("unknown" in specOf([...words, word])) break;
    words.push(word);
  }
  return helpFor(words);
}

export function unknownCommand(typed: string, known: readonly string[] = Object.keys(commandSpecs)): UsageError {
  // As JSON: what was typed may hold characters that a terminal obeys.
  const named = JSON.stringify(typed);
  if (!typed.startsWith("-")) {
    const meant = /\s/.test(typed) ? `; a prompt is given as assent run ${named}` : suggestion(typed, known);
    return new UsageError(`unknown command ${named}${meant}`);
  }
  const letter = ["-h", "-v"].find((each) => each === typed.toLowerCase());
  const near = letter === undefined ? suggestion(typed, ["--help", "--version"]) : `; did you mean ${letter}?`;
  return new UsageError(`unknown option ${named}${near}`);
}

function overview(): string {
  const listed = Object.entries(commandSpecs).flatMap(([name, spec]) => described(usage(name, spec), spec.does, "  "));
  const codes = exitMeanings.map(({ codes: [first], short }) => `${first} ${short}`);
  return paragraphs([
    ["usage: assent [command]"],
    listed,
    [
      "A session is named by its id, the beginning of its id, or its name.",
      ...wrapped(`Exit codes, the first that fits: ${codes.join("; ")}.`),
      "Sessions are kept in ASSENT_HOME, or in the folder for your data (~/.local/share/assent).",
      "Commands of the model run in bash; ASSENT_SHELL names another shell for one-off commands.",
    ],
  ]);
}

function usage(name: string, spec: CommandSpec): string {
  return [name, shownArguments(spec)].filter(Boolean).join(" ");
}

function describePart(name: string, spec: CommandSpec): readonly string[] {
  const parts = Object.entries(spec.parts ?? {}).flatMap(([inner, part]) => describePart(`${name} ${inner}`, part));
  if (needsPart(spec)) return parts;
  return [...described(usage(name, spec), spec.does, "  "), ...describeOptions(spec, "    "), ...parts];
}

function describeOptions(spec: CommandSpec, indent: string): readonly string[] {
  const isPart = indent.length > 2 || needsPart(spec);
  const shown = isPart ? spec.options : { ...spec.options, ...spec.alsoKnown, ...helpOption };
  return Object.entries(shown).flatMap(([name, { value, does }]) =>
    described([`--${name}`, ...(value === undefined ? [] : [value])].join(" "), does, indent),
  );
}

/** A name, and beside it what it does, in as many lines as that takes. */
function described(name: string, does: string, indent: string): readonly string[] {
  const [first = "", ...rest] = wrap(does, columns - told);
  const beginning = `${indent}${name}`;
  const aside = beginning.length < told ? `${beginning.padEnd(told)}${first}` : `${beginning}  ${first}`;
  const fits = aside.length <= columns;
  const lines = fits ? [aside] : [beginning, `${" ".repeat(told)}${first}`];
  return [...lines, ...rest.map((line) => `${" ".repeat(told)}${line}`)];
}

function wrapped(text: string): readonly string[] {
  return text.startsWith(" ") ? text.split("\n") : wrap(text, columns);
}

function wrap(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function paragraphs(all: readonly (readonly string[])[]): string {
  const shown = all.filter((lines) => lines.length > 0).map((lines) => `${lines.join("\n")}\n`);
  return shown.join("\n");
}
