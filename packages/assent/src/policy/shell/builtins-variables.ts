import type { Builtin, Called } from "./builtins.ts";
import { formatted } from "./output.ts";
import type { Ran } from "./shell.ts";
import { type Attribute, anyValue, type ShellState, type Value, withAttribute, withVariable } from "./state.ts";
import { type Argument, after, beginning, known, nowhere, type Text, textOf } from "./text.ts";

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

/** What was given in this command, in a form that is not followed. */
function hidden(name: string): Value {
  return { type: "text", text: [{ hole: "any", from: `$${name}`, made: true }] };
}

function declare(called: Called): readonly Ran[] {
  const { words, argv, running, shell } = called;
  let state = withAttributes(called);
  const options = words
    .map(({ text }) => known(text) ?? "")
    .filter((word) => /^[-+]/.test(word))
    .join("");
  for (const { text, span } of words) {
    if (isElement(text)) shell.runHidden(text, span);
    const [, name, adds] = /^(\w+)(\+?)=/.exec(beginning(text)) ?? [];
    if (name === undefined || adds === undefined) continue;
    const value = after(text, name.length + adds.length + 1);
    const plain = !/[nAilu]/.test(options) && adds === "";
    shell.suspectSubscript(value, span);
    // A list in quotes is read once more.
    if (beginning(value).startsWith("(")) shell.runHidden(value, span);
    if (options.includes("i") || options.includes("n")) evaluatedAgain(value, span, { shell, state });
    state = withVariable(state, name, plain ? valueFrom(value, span) : hidden(name));
    state = shell.conclude([{ does: "variable", name, value, span }], argv, { ...running, state });
  }
  return quiet(fixed(called, exported(called, state)));
}

/** What `local`, `readonly` and some options make of names. */
function withAttributes(called: Called): ShellState {
  const { words, running } = called;
  const attributes = attributesOf(called);
  let { state } = running;
  for (const { text } of words) {
    const name = /^\w+/.exec(beginning(text))?.[0];
    if (name !== undefined) state = attributes.reduce((next, each) => withAttribute(next, each, name), state);
    // What it refers to changes with it.
    const target = optionsOf(words).includes("n") ? /=(\w+)$/.exec(known(text) ?? "")?.[1] : undefined;
    if (target !== undefined)
      state = withVariable(withAttribute(state, "changed names", target), target, hidden(target));
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

function valueFrom(text: Text, span: Argument["span"]): Value {
  const whole = known(text);
  if (whole === null || !/^\(.*\)$/s.test(whole)) return { type: "text", text };
  if (/(?:^|[(\s])\[/.test(whole)) return hidden("list");
  const items = whole
    .slice(1, -1)
    .split(/\s+/)
    .filter((item) => item !== "");
  return { type: "list", items: items.map((item) => ({ text: [item], splits: false, span })) };
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
  const keyword = words.find(({ text }) => /^-[a-z]*k[a-z]*$|^keyword$/.test(known(text) ?? ""));
  if (keyword !== undefined) {
    shell.analysis.find({ rule: "exec-injected", reason: "changes how the shell reads commands" }, keyword.span);
  }
  const dashes = words.findIndex(({ text }) => known(text) === "--");
  if (dashes >= 0) return quiet({ ...state, parameters: words.slice(dashes + 1) });
  const first = words.findIndex(({ text }) => !/^[-+]/.test(beginning(text)));
  const onlyOptions = first < 0 || words.slice(0, first).some(({ text }) => /^[-+]o$/.test(known(text) ?? ""));
  return quiet(onlyOptions ? state : { ...state, parameters: words.slice(first) });
}

function shift({ words, running }: Called): readonly Ran[] {
  const { state } = running;
  const count = known(words[0]?.text ?? ["1"]) ?? "";
  const parameters = /^\d{1,4}$/.test(count) ? (state.parameters?.slice(Number(count)) ?? null) : null;
  return quiet({ ...state, parameters });
}

const readTakesValue = /^-\w*[adinNptu]$/;

type Reading = { readonly names: readonly string[]; readonly list: string | null; readonly until: string };

/** Known input is taken apart as `read` does it; otherwise anything may come. */
function readLine({ words, running, shell }: Called): readonly Ran[] {
  for (const { text, span } of words) shell.runHidden(text, span);
  const { names, list, until } = readingOf(words);
  const { input } = running.streams;
  if (input?.type === "text") shell.suspectSubscript(input.text, words[0]?.span ?? nowhere);
  const text = input?.type === "text" ? known(input.text) : null;
  const line = text === null ? null : (text.split(until)[0] ?? "");
  const separators = running.state.variables.get("IFS");
  const at = separators?.type === "text" ? known(separators.text) : " \t\n";
  const wanted = names.length === 0 ? ["REPLY"] : names;
  return quiet(assignLine({ names: wanted, list, line, at: at ?? "" }, running.state));
}

function readingOf(words: readonly Argument[]): Reading {
  // A value may also be attached: `-d:`.
  const texts = words.flatMap(
    ({ text }) => /^(-[^-adinNptu]*[adinNptu])(.+)$/s.exec(known(text) ?? "")?.slice(1) ?? [known(text) ?? ""],
  );
  const isValue = (index: number): boolean => index > 0 && readTakesValue.test(texts[index - 1] ?? "");
  const names = texts.filter((text, index) => !text.startsWith("-") && !isValue(index));
  const valueAfter = (letter: string): string | undefined =>
    texts.find((_, index) => isValue(index) && (texts[index - 1] ?? "").endsWith(letter));
  const until = valueAfter("d");
  return { names, list: valueAfter("a") ?? null, until: until === undefined ? "\n" : until.charAt(0) || "\0" };
}

type Line = {
  readonly names: readonly string[];
  readonly list: string | null;
  readonly line: string | null;
  /** At which characters it is split. */
  readonly at: string;
};

function assignLine({ names, list, line, at }: Line, state: ShellState): ShellState {
  const words = line === null ? null : splitAt(line, at);
  if (list !== null) return withVariable(state, list, words === null ? anyValue(list) : listOf(words));
  return names.reduce((next, name, index) => {
    if (line === null || words === null) return withVariable(next, name, listed(name));
    const isLast = index === names.length - 1;
    const text = isLast ? restOf(line, words.slice(0, index), at) : (words[index] ?? "");
    return withVariable(next, name, { type: "text", text: textOf(text) });
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
  const callback = words.findIndex(({ text }) => known(text) === "-C");
  const text = callback < 0 ? undefined : words[callback + 1];
  if (text !== undefined) shell.runText(text.text, text.span, running);
  const last = known(words.at(-1)?.text ?? []) ?? "-";
  const name = last.startsWith("-") ? "MAPFILE" : last;
  const { input } = running.streams;
  const isSeen = input?.type === "text" && input.text.some((piece) => typeof piece === "string");
  return quiet(withVariable(state, name, isSeen ? { type: "list", items: linesOf(input.text) } : anyValue(name)));
}

/** The lines of a text; what is not known of it may be several. */
function linesOf(text: Text): readonly Argument[] {
  const lines: Text[number][][] = [[]];
  for (const piece of text) {
    if (typeof piece === "object") lines.at(-1)?.push(piece);
    else {
      const [first = "", ...more] = piece.split(/[\n\0]/);
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
  if (name === null || !/^\w+$/.test(name)) return quiet(running.state);
  return quiet(withVariable(running.state, name, text === null ? anyValue(name) : { type: "text", text }));
}
