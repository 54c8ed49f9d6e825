import type { Builtin, Called } from "./builtins.ts";
import { withOptions } from "./builtins-options.ts";
import { formatted } from "./output.ts";
import type { Ran } from "./shell.ts";
import {
  type Attribute,
  anyValue,
  bracketed,
  hidden,
  type ShellState,
  type Value,
  withAssigned,
  withAttribute,
  withForgotten,
  withVariable,
} from "./state.ts";
import { type Argument, after, beginning, known, nowhere, spanOfWords, type Text, textOf } from "./text.ts";

/** The builtins that set variables and parameters. */
export const declarations: readonly (readonly [string, Builtin])[] = [
  ["export", declare],
  ["declare", declare],
  ["typeset", declare],
  ["local", declare],
  ["readonly", declare],
  ["unset", unset],
  ["set", setParameters],
  ["shift", shift],
  ["read", readLine],
  ["mapfile", mapFile],
  ["readarray", mapFile],
  ["getopts", getOptions],
  ["printf", print],
];

/** One of many that somebody else has listed. */
function listed(name: string): Value {
  return { type: "text", text: [{ hole: "any", from: `$${name}`, listed: true }] };
}

export function quiet(state: ShellState): readonly Ran[] {
  return [{ state, output: [] }];
}

function declare(called: Called): readonly Ran[] {
  const { words, argv, running, shell } = called;
  let state = withAttributes(called);
  const options = words
    .map(({ text }) => known(text) ?? "")
    .filter((word) => /^[-+]/.test(word))
    .join("");
  for (const { text, span, items } of words) {
    if (isElement(text)) shell.runHidden(text, span);
    state = withUnseenName(text, state);
    const [, name, adds] = /^(\w+)(\+?)=/.exec(beginning(text)) ?? [];
    if (name === undefined || adds === undefined) continue;
    const value = after(text, name.length + adds.length + 1);
    const plain = !/[nAilu]/.test(options) && adds === "";
    shell.suspectSubscript(value, span);
    // A list in quotes is read once more.
    if (beginning(value).startsWith("(")) shell.runHidden(value, span);
    if (/[in]/.test(options)) evaluatedAgain(value, span, { shell, state });
    const isList = options.includes("a") || state.variables.get(name)?.type === "list";
    state = withAssigned(state, name, plain ? givenValue(name, value, { items, isList }) : hidden(name));
    state = shell.conclude([{ does: "variable", name, value, span }], argv, { ...running, state });
  }
  return quiet(fixed(called, exported(called, state)));
}

/** `declare 'a[0]=x' "$n=x"`: not followed. What is not known either may be many things, but was not chosen here. */
function withUnseenName(text: Text, state: ShellState): ShellState {
  const start = beginning(text);
  const element = /^(\w+)\[[^=]*=/.exec(start)?.[1];
  if (element !== undefined) return withAssigned(state, `${element}[`, hidden(element));
  const isUnseen = /^\w*$/.test(start) && known(text) === null;
  const isChosen = text.some((piece) => typeof piece === "string" && /=./s.test(piece));
  return isUnseen && isChosen ? withForgotten(state, start) : state;
}

/** What `local`, `readonly` and some options make of names. */
function withAttributes(called: Called): ShellState {
  const { words, running } = called;
  const attributes = attributesOf(called);
  let { state } = running;
  for (const { text } of words) {
    const name = /^\w+/.exec(beginning(text))?.[0];
    if (name === undefined) continue;
    state = attributes.reduce((next, each) => withAttribute(next, each, name), state);
    // What it refers to changes with it.
    if (!optionsOf(words).includes("n")) continue;
    const target = /=(\w+)(?:\[.*)?$/s.exec(known(text) ?? "")?.[1];
    state =
      target === undefined
        ? withAttribute(state, "free references", name)
        : withVariable(withAttribute(state, "changed names", target), target, hidden(target));
  }
  return state;
}

function optionsOf(words: readonly Argument[]): string {
  const texts = words.map(({ text }) => known(text) ?? "");
  return texts
    .filter((word) => word.startsWith("-"))
    .join("")
    .replaceAll("-", "");
}

function attributesOf({ words, argv, running }: Called): readonly Attribute[] {
  const builtin = known(argv[0]?.text ?? []) ?? "";
  const options = optionsOf(words);
  const declares = /^(?:declare|typeset)$/.test(builtin);
  const inFunction = running.streams.running.length > 0 && !/[gx]/.test(options);
  const found: Attribute[] = [];
  if (options.includes("f") && (builtin === "export" || options.includes("x"))) found.push("exported functions");
  if (builtin === "local" || (inFunction && declares)) found.push("local names");
  if (builtin !== "readonly" && /[lun]/.test(options)) found.push("changed names");
  return found;
}

/** From here on these stay as they are. */
function fixed({ words, argv }: Called, state: ShellState): ShellState {
  const options = optionsOf(words);
  if (known(argv[0]?.text ?? []) !== "readonly" && !options.includes("r")) return state;
  const names = words.flatMap(({ text }) => /^\w+/.exec(beginning(text)) ?? []);
  return names.reduce((next, name) => withAttribute(next, "read-only names", name), state);
}

/** `a[…]`: what stands between the brackets is evaluated. */
export function isElement(text: Text): boolean {
  return /^\w+\[/.test(beginning(text));
}

/** A name that stands in a sum is looked up, and so on; a subscript in it is evaluated. */
function evaluatedAgain(
  text: Text,
  span: Argument["span"],
  { shell, state }: { shell: Called["shell"]; state: ShellState },
): void {
  shell.runHidden(text, span);
  for (const name of known(text)?.match(/[A-Za-z_]\w*/g) ?? []) {
    const value = state.variables.get(name);
    if (value?.type === "text") shell.runHidden(value.text, span);
  }
}

/** `export NAME` of a variable that was set before. */
function exported({ words, argv, running, shell }: Called, state: ShellState): ShellState {
  let next = state;
  for (const { text, span } of words) {
    const name = known(text) ?? "";
    const value = next.variables.get(name);
    if (value?.type !== "text") continue;
    next = shell.conclude([{ does: "variable", name, value: value.text, span }], argv, { ...running, state: next });
  }
  return next;
}

function givenValue(
  name: string,
  text: Text,
  { items, isList }: { readonly items: Argument["items"]; readonly isList: boolean },
): Value {
  if (items !== undefined) return bracketed(items);
  // `declare -a x='(a b)'` reads it as a list.
  return isList ? hidden(name) : { type: "text", text };
}

function unset({ words, running, shell }: Called): readonly Ran[] {
  let { state } = running;
  const functions = new Map(state.functions);
  const only = /^-(\w)$/.exec(known(words[0]?.text ?? []) ?? "")?.[1] ?? "";
  for (const { text, span } of words) {
    shell.runHidden(text, span);
    const name = known(text) ?? "";
    if (only !== "v") functions.delete(name);
    const element = /^(\w+)\[/.exec(name)?.[1];
    if (element !== undefined) state = withVariable(state, element, hidden(element));
    if (/^\w+$/.test(name) && only !== "f") state = withVariable(state, name, { type: "unset" });
  }
  return quiet({ ...state, functions });
}

function setParameters({ words, running, shell }: Called): readonly Ran[] {
  for (const { text, span } of words) shell.suspectSubscript(text, span);
  const { state } = running;
  const dashes = words.findIndex(({ text }) => known(text) === "--");
  const options = dashes < 0 ? words : words.slice(0, dashes);
  const keyword = options.find(({ text }) => /^-[A-Za-z]*k[A-Za-z]*$|^keyword$/.test(known(text) ?? ""));
  if (keyword !== undefined) {
    shell.analysis.find({ rule: "exec-injected", reason: "changes how the shell reads commands" }, keyword.span);
  }
  if (dashes >= 0) return quiet({ ...state, parameters: words.slice(dashes + 1) });
  const first = words.findIndex(({ text }) => !/^[-+]/.test(beginning(text)));
  const onlyOptions = first < 0 || words.slice(0, first).some(({ text }) => /^[-+]\w*o$/.test(known(text) ?? ""));
  return quiet(onlyOptions ? state : { ...state, parameters: words.slice(first) });
}

function shift({ words, running }: Called): readonly Ran[] {
  const { state } = running;
  const count = known(words[0]?.text ?? ["1"]) ?? "";
  const parameters = /^\d{1,4}$/.test(count) ? (state.parameters?.slice(Number(count)) ?? null) : null;
  return quiet({ ...state, parameters });
}

/** Known input is taken apart as `read` does it; otherwise anything may come. */
function readLine({ words, running, shell }: Called): readonly Ran[] {
  for (const { text, span } of words) shell.runHidden(text, span);
  const { given, operands, unsure } = withOptions(words, "adinNptu");
  const { input } = running.streams;
  if (input?.type === "text") shell.suspectSubscript(input.text, words[0]?.span ?? nowhere);
  const text = input?.type === "text" && known(given.get("u") ?? ["0"]) === "0" ? known(input.text) : null;
  const until = (known(given.get("d") ?? ["\n"]) ?? "").charAt(0) || "\0";
  const list = given.get("a") ?? null;
  const targets = list === null ? operands.map((operand) => operand.text) : [list];
  const names = targets.length === 0 ? ["REPLY"] : targets.map((target) => known(target) ?? "");
  const at = separatorsIn(running.state);
  const isFollowed = !unsure && at !== null && readsLines(given);
  const reading = { names, list: list === null ? null : known(list), at: at ?? "" };
  return nextLines(text, until).flatMap((line) => {
    const escapes = !given.has("r") && /\\/.test(line ?? "");
    const state = line === null ? running.state : targets.reduce(withNamed, running.state);
    return quiet(assignLine({ ...reading, line, isFollowed: isFollowed && !escapes }, state));
  });
}

/** Up to an end that is known, not so many characters. */
function readsLines(given: ReadonlyMap<string, Text>): boolean {
  return !given.has("n") && !given.has("N") && known(given.get("d") ?? []) !== null;
}

const mostLines = 8;

/** Each that it may get: in a loop, or after another `read`, it goes on behind the first. */
function nextLines(text: string | null, until: string): readonly (string | null)[] {
  if (text === null) return [null];
  const lines = [...new Set((text.endsWith(until) ? text.slice(0, -until.length) : text).split(until))];
  return lines.length > mostLines ? [null] : lines;
}

/** `null`: they are not known, or blanks beside others, which are taken together in ways of their own. */
function separatorsIn({ variables }: ShellState): string | null {
  const set = variables.get("IFS");
  const separators = set?.type === "text" ? known(set.text) : " \t\n";
  return separators !== null && /\s/.test(separators) && /\S/.test(separators) ? null : separators;
}

/** A name that is not known may be that of each variable. */
function withNamed(state: ShellState, name: Text): ShellState {
  return known(name) === null ? withForgotten(state, beginning(name)) : state;
}

type Line = {
  readonly names: readonly string[];
  readonly list: string | null;
  readonly line: string | null;
  /** At which characters it is split. */
  readonly at: string;
  readonly isFollowed: boolean;
};

function assignLine({ names, list, line, at, isFollowed }: Line, state: ShellState): ShellState {
  const words = line === null ? null : splitAt(line, at);
  if (list !== null && words !== null) return withAssigned(state, list, isFollowed ? listOf(words) : hidden(list));
  if (list !== null) return withAssigned(state, list, anyValue(list));
  return names.reduce((next, name, index) => {
    if (line === null || words === null) return withAssigned(next, name, listed(name));
    if (!isFollowed) return withAssigned(next, name, hidden(name));
    const isLast = index === names.length - 1;
    const text = isLast ? restOf(line, words.slice(0, index), at) : (words[index] ?? "");
    return withAssigned(next, name, { type: "text", text: textOf(text) });
  }, state);
}

function splitAt(line: string, at: string): readonly string[] {
  if (at === "") return [line];
  const words: string[] = [];
  let word = "";
  for (const char of line) {
    if (!at.includes(char)) word += char;
    else {
      if (word !== "" || char.trim() !== "") words.push(word);
      word = "";
    }
  }
  return word === "" ? words : [...words, word];
}

/** The last name gets all that is left, with what stands between. */
function restOf(line: string, before: readonly string[], at: string): string {
  if (at === "") return line;
  let from = 0;
  for (const word of before) from = line.indexOf(word, from) + word.length + 1;
  return line.slice(from).trim();
}

function listOf(items: readonly string[]): Value {
  return { type: "list", items: items.map((item) => ({ text: [item], splits: false, span: nowhere })) };
}

function mapFile({ words, running, shell }: Called): readonly Ran[] {
  const { state } = running;
  const { given, operands, unsure } = withOptions(words, "cCdnOsu");
  const callback = given.get("C");
  if (callback !== undefined) shell.runText(callback, spanOfWords(words), running);
  const target = operands[0]?.text ?? ["MAPFILE"];
  const name = known(target) ?? "";
  const { input } = running.streams;
  const isSeen =
    input?.type === "text" &&
    known(given.get("u") ?? ["0"]) === "0" &&
    input.text.some((piece) => typeof piece === "string");
  if (!isSeen) return quiet(withAssigned(state, name, anyValue(name)));
  const until = given.get("d") ?? [];
  const isFollowed = !unsure && known(until) !== null && !["n", "O", "s"].some((letter) => given.has(letter));
  const items = linesOf(input.text, known(until)?.charAt(0) ?? "");
  return quiet(withAssigned(withNamed(state, target), name, isFollowed ? { type: "list", items } : hidden(name)));
}

/** The lines of a text, or what that character parts; what is not known of it may be several. */
function linesOf(text: Text, until: string): readonly Argument[] {
  const lines: Text[number][][] = [[]];
  for (const piece of text) {
    if (typeof piece === "object") lines.at(-1)?.push(piece);
    else {
      const [first = "", ...more] = piece.split(until || /[\n\0]/);
      lines.at(-1)?.push(first);
      for (const line of more) lines.push([line]);
    }
  }
  const isEmpty = lines.at(-1)?.every((piece) => piece === "") ?? false;
  return (isEmpty ? lines.slice(0, -1) : lines).map((pieces) => {
    const splits = pieces.some((piece) => typeof piece === "object" && piece.hole === "any");
    return { text: textOf(...pieces), splits, span: nowhere };
  });
}

function getOptions({ words, running, shell }: Called): readonly Ran[] {
  for (const { text, span } of words) shell.runHidden(text, span);
  const name = known(words[1]?.text ?? []) ?? "";
  const state = withVariable(running.state, name, { type: "text", text: [{ hole: "word", from: `$${name}` }] });
  return quiet(withVariable(state, "OPTARG", anyValue("OPTARG")));
}

/** `-v` sets a variable, and what stands in its name is evaluated. */
function print({ words, running, shell }: Called): readonly Ran[] {
  const [first, second, ...rest] = words;
  const option = first === undefined ? "" : beginning(first.text);
  if (!option.startsWith("-v")) {
    const shownWords = option === "--" ? words.slice(1) : words;
    return [{ state: running.state, output: formatted(shownWords) }];
  }
  const attached = option.length > 2 && first !== undefined ? { ...first, text: after(first.text, 2) } : undefined;
  const target = attached ?? second;
  const values = attached === undefined ? rest : words.slice(1);
  if (target === undefined) return quiet(running.state);
  shell.runHidden(target.text, target.span);
  const name = known(target.text);
  const text = formatted(values);
  if (name === null) return quiet(withNamed(running.state, target.text));
  if (!/^\w+(?:\[.*)?$/s.test(name)) return quiet(running.state);
  return quiet(withAssigned(running.state, name, text === null ? anyValue(name) : { type: "text", text }));
}
