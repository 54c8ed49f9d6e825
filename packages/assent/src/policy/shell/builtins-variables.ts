import type { Builtin, Called } from "./builtins.ts";
import { mapFile, readLine } from "./builtins-input.ts";
import { quiet, withNamed } from "./builtins-options.ts";
import { withLostParameters } from "./one-of.ts";
import { formatted } from "./output.ts";
import { withExported, withSearched } from "./set-path.ts";
import type { Ran } from "./shell.ts";
import {
  type Attribute,
  anyValue,
  bracketed,
  hasAttribute,
  hidden,
  type ShellState,
  type Value,
  withAssigned,
  withAttribute,
  withForgotten,
  withoutAttribute,
  withVariable,
} from "./state.ts";
import { type Argument, after, beginning, known, spanOfWords, type Text } from "./text.ts";

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
  const at = { shell, span: spanOfWords(words) };
  return quiet(withSearched(targetsOf(words), { ...running, state: fixed(called, exported(called, state)) }, at));
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
  // `declare +x`, `export -n`: other processes do not get it any more.
  const isKept = words.some(({ text }) => /^\+\w*x|^-\w*n/.test(known(text) ?? ""));
  let { state } = running;
  for (const { text } of words) {
    const name = /^\w+/.exec(beginning(text))?.[0];
    if (name === undefined) continue;
    if (isKept) state = withoutAttribute(state, "exported names", name);
    state = attributes.reduce((next, each) => withAttribute(next, each, name), state);
    // What it refers to changes with it.
    if (!optionsOf(words).includes("n")) continue;
    const target = targetOf(text);
    state =
      target === undefined
        ? withAttribute(state, "free references", name)
        : withVariable(withAttribute(state, "changed names", target), target, hidden(target));
  }
  return state;
}

function targetsOf(words: readonly Argument[]): readonly string[] {
  return optionsOf(words).includes("n") ? words.flatMap(({ text }) => targetOf(text) ?? []) : [];
}

/** What `declare -n name=…` stands for from then on. */
function targetOf(text: Text): string | undefined {
  return /=(\w+)(?:\[.*)?$/s.exec(known(text) ?? "")?.[1];
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
  const exports = (builtin === "export" && !options.includes("n")) || options.includes("x");
  if (exports) found.push(options.includes("f") ? "exported functions" : "exported names");
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
    const stays = hasAttribute(state, "read-only names", name);
    if (/^\w+$/.test(name) && only !== "f" && !stays)
      state = withVariable(withoutAttribute(state, "exported names", name), name, { type: "unset" });
  }
  return quiet({ ...state, functions });
}

function setParameters({ words, running, shell }: Called): readonly Ran[] {
  for (const { text, span } of words) shell.suspectSubscript(text, span);
  const dashes = words.findIndex(({ text }) => known(text) === "--");
  const options = dashes < 0 ? words : words.slice(0, dashes);
  const keyword = options.find(({ text }) => /^-[A-Za-z]*k[A-Za-z]*$|^keyword$/.test(known(text) ?? ""));
  if (keyword !== undefined) {
    shell.analysis.find({ rule: "exec-injected", reason: "changes how the shell reads commands" }, keyword.span);
  }
  const state = allExported(options, running.state);
  if (dashes >= 0) return quiet({ ...state, parameters: words.slice(dashes + 1) });
  const first = words.findIndex(({ text }) => !/^[-+]/.test(beginning(text)));
  const onlyOptions = first < 0 || words.slice(0, first).some(({ text }) => /^[-+]\w*o$/.test(known(text) ?? ""));
  return quiet(onlyOptions ? state : { ...state, parameters: words.slice(first) });
}

/** `set -a`, and `set +a`, which ends it. */
function allExported(options: readonly Argument[], state: ShellState): ShellState {
  const texts = options.map(({ text }) => known(text) ?? "");
  if (texts.some((text) => /^\+\w*[ao]/.test(text))) return withoutAttribute(state, "exported names", "*");
  const isOn = texts.some((text) => /^-[A-Za-z]*a|^allexport$/.test(text));
  return isOn ? withAttribute(state, "exported names", "*") : state;
}

function shift({ words, running }: Called): readonly Ran[] {
  const { state } = running;
  const count = known(words[0]?.text ?? ["1"]) ?? "";
  if (!/^\d{1,4}$/.test(count)) return quiet(withLostParameters(state, state.parameters));
  return quiet({ ...state, parameters: state.parameters?.slice(Number(count)) ?? null });
}

function getOptions({ words, running, shell }: Called): readonly Ran[] {
  for (const { text, span } of words) shell.runHidden(text, span);
  const name = known(words[1]?.text ?? []) ?? "";
  const state = withAssigned(running.state, name, { type: "text", text: [{ hole: "word", from: `$${name}` }] });
  const next = withVariable(state, "OPTARG", anyValue("OPTARG"));
  return quiet(withExported([name], { ...running, state: next }, { shell, span: spanOfWords(words) }));
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
  const state = withAssigned(running.state, name, text === null ? anyValue(name) : { type: "text", text });
  return quiet(withExported([name], { ...running, state }, { shell, span: spanOfWords(words) }));
}
