import {
  type ArithmeticExpansionPart,
  forEachChild,
  type ParameterExpansionPart,
  type ParameterOperation,
  type SimpleExpansionPart,
  type SyntaxNode,
} from "unbash";
import { spanOf } from "./analysis.ts";
import { sumOf } from "./arithmetic.ts";
import { areAllPlain, areParametersHidden, arePlain, isPlain } from "./one-of.ts";
import { unescaped } from "./output.ts";
import { patternOf } from "./patterns.ts";
import { type Evaluating, noStreams } from "./shell.ts";
import type { ShellState, Value } from "./state.ts";
import { type Argument, type Hole, isMade, known, type Span, type Text, textOf } from "./text.ts";

/** What an expansion gives: usually one text. `list`: `"$@"` and the like are a field each, and how many may be unsure. */
export type Expansion = {
  readonly fields: readonly Text[];
  readonly list?: "sure" | "unsure";
  /** At which characters an unquoted one is split. */
  readonly separators?: string;
};

export type Expanding = Evaluating & { readonly quoted: boolean };
type Part = SimpleExpansionPart | ParameterExpansionPart;

export function expandParameter(part: Part, expanding: Expanding): Expansion {
  const { state } = expanding;
  const separators = separatorsOf(state);
  const expanded = part.type === "SimpleExpansion" ? simple(part, expanding) : braced(part, expanding);
  const found = expanding.quoted && isOneWord(part) ? one(joinedItems(expanded.fields, state)) : expanded;
  return separators === null ? found : { separators, ...found };
}

/** `"$*"` and `"${list[*]}"`. */
function isOneWord({ text }: Part): boolean {
  return /^\$\{?(?:\*|\w+\[\*\])/.test(text);
}

/** With the first of the separators between them. */
function joinedItems(fields: readonly Text[], { variables }: ShellState): Text {
  const set = variables.get("IFS");
  const separators = set?.type === "text" ? known(set.text) : " ";
  const between = separators === null ? made("$IFS") : separators.slice(0, 1);
  return textOf(...fields.flatMap((field, index) => (index === 0 ? field : [between, ...field])));
}

/** `null`: the usual ones. When they are not known, everything is one word: splitting could only take apart. */
export function separatorsOf({ variables }: ShellState): string | null {
  const value = variables.get("IFS");
  return value?.type === "text" ? known(value.text) : null;
}

function simple(part: SimpleExpansionPart, expanding: Expanding): Expansion {
  return valueFor(part.text.slice(1), { from: part.text, expanding, span: spanOf(part, expanding.source) });
}

type Asked = { readonly from: string; readonly expanding: Expanding; readonly span: Span };

function valueFor(name: string, { from, expanding }: Asked): Expansion {
  const { state } = expanding;
  if (name === "@" || name === "*") return parameters(state, from);
  if (/^[1-9]\d*$/.test(name)) {
    const given = state.parameters;
    const text = given === null ? [lost(state, from)] : (given[Number(name) - 1]?.text ?? []);
    return one(text);
  }
  const value = name === "_" ? undefined : state.variables.get(name);
  return value === undefined ? one(usual(name, from, expanding)) : one(firstOf(value));
}

function parameters(state: ShellState, from: string): Expansion {
  if (state.parameters === null) return { fields: [[lost(state, from)]], list: "unsure" };
  return listOf(state.parameters);
}

function lost(state: ShellState, from: string): Hole {
  return areParametersHidden(state) ? made(from) : hole(from);
}

function listOf(items: readonly Argument[]): Expansion {
  return { fields: items.map(({ text }) => text), list: items.some(({ splits }) => splits) ? "unsure" : "sure" };
}

function firstOf(value: Value): Text {
  if (value.type === "text") return value.text;
  return value.type === "list" ? (value.items[0]?.text ?? []) : [];
}

function one(text: Text): Expansion {
  return { fields: [text] };
}

function hole(from: string): Hole {
  return { hole: "any", from };
}

function made(from: string): Hole {
  return { hole: "any", from, made: true };
}

/** Variables that a shell always has, or that everybody has set to one plain word. */
const plain: ReadonlySet<string> = new Set(
  "USER LOGNAME HOSTNAME UID EUID PPID RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS EPOCHREALTIME COLUMNS LINES SHLVL HOSTTYPE OSTYPE MACHTYPE BASH_VERSION ? $ ! # -".split(
    " ",
  ),
);
const places = new Set(
  "HOME OLDPWD TMPDIR XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME".split(" "),
);
/** What is below the home folder of most people. */
const belowHome: ReadonlyMap<string, string> = new Map([
  ["HOME", ""],
  ["XDG_CONFIG_HOME", "/.config"],
  ["XDG_CACHE_HOME", "/.cache"],
  ["XDG_DATA_HOME", "/.local/share"],
  ["XDG_STATE_HOME", "/.local/state"],
]);
const ownName = "/assent";

function usual(name: string, from: string, { state, shell }: Expanding): Text {
  const { fresh, own } = shell.analysis.world;
  if (name === "IFS") return [" \t\n"];
  // The last word of the command before.
  if (name === "_") return [{ hole: "any", from, made: true }];
  // Whatever they are set to, it is where Assent keeps what is its own.
  if (name === "ASSENT_HOME") return [own[0] ?? hole(from)];
  if (name === "XDG_DATA_HOME" && own[0]?.endsWith(ownName)) return [own[0].slice(0, -ownName.length)];
  if (/^\W$/.test(name)) return [{ hole: "word", from }];
  if (fresh) return usualInNew(name, from, { state, shell });
  // In a shell that stays, a command before may have set it.
  return [name === "PWD" ? { hole: "path", from } : hole(from)];
}

function usualInNew(name: string, from: string, { state, shell }: Pick<Expanding, "state" | "shell">): Text {
  const { home } = shell.analysis.world;
  if (name === "PWD") return state.cwd;
  const below = belowHome.get(name);
  if (below !== undefined && home !== null) return [`${home}${below}`];
  if (name === "0" || name === "BASH" || name === "SHELL") return ["/bin/bash"];
  if (plain.has(name)) return [{ hole: "word", from }];
  return [places.has(name) ? { hole: "path", from } : hole(from)];
}

function braced(part: ParameterExpansionPart, expanding: Expanding): Expansion {
  const { parameter, prefix, index, operation, text: from } = part;
  if (operation !== undefined) visitOperands(operation, expanding);
  // A slash inside of a substitution is where the parser takes the pattern to end.
  if (operation?.type === "Replace" && /\$\(|`/.test(from)) runInside(from, expanding, spanOf(part, expanding.source));
  if (operation?.type === "Names") return { fields: [[hole(from)]], list: "unsure" };
  if (prefix === "#") return one([{ hole: "word", from }]);
  const span = spanOf(part, expanding.source);
  const value = index === undefined ? valueFor(parameter, { from, expanding, span }) : elementOf(part, expanding);
  if (prefix === "!") return indirect(value, { from, expanding, span });
  if (operation === undefined) return value;
  const isSet = isVariableSet(part, expanding);
  return operate(operation, value, { from, expanding, isSet, span, parameter });
}

/** `null`: it cannot be told. The person's own environment is taken to have only what everybody has. */
function isVariableSet(part: ParameterExpansionPart, expanding: Expanding): boolean | null {
  const { variables, parameters: given } = expanding.state;
  const { parameter: name } = part;
  const value = variables.get(name);
  if (value?.type === "list") {
    const items = itemsAt(value.items, part, expanding);
    return items === null ? null : items.length > 0;
  }
  if (value !== undefined) return value.type !== "unset";
  if (/^\d/.test(name) && given !== null) return given.length >= Number(name);
  if (name === "@" || name === "*") return given === null ? null : given.length > 0;
  if (["HOME", "PWD", "USER", "PATH", "SHELL", "BASH", "IFS", "?", "$", "#", "LOGNAME", "UID", "EUID"].includes(name))
    return true;
  return expanding.shell.analysis.world.fresh ? false : null;
}

function elementOf({ parameter, index, text: from }: ParameterExpansionPart, expanding: Expanding): Expansion {
  const value = expanding.state.variables.get(parameter);
  const at = index === undefined ? "" : known(expanding.shell.textOf(index, expanding));
  const all = isAll(at);
  if (index !== undefined && !all) visitArithmeticNode(index, expanding);
  if (value === undefined) return { fields: [[hole(from)]], ...(all ? { list: "unsure" as const } : {}) };
  if (all) return value.type === "list" ? listOf(value.items) : one(firstOf(value));
  if (value.type !== "list") return elementOfText(firstOf(value), at, from);
  const items = itemsAt(value.items, { index }, expanding);
  if (items === null) return one([arePlain(value.items) ? hole(from) : made(from)]);
  return one(items[0]?.text ?? []);
}

function isAll(at: string | null): boolean {
  return at === "@" || at === "*";
}

/** What an index stands for: all, one or none. `null`: it is not known which. */
function itemsAt(
  items: readonly Argument[],
  { index }: Pick<ParameterExpansionPart, "index">,
  expanding: Expanding,
): readonly Argument[] | null {
  const at = index === undefined ? "0" : known(expanding.shell.textOf(index, expanding));
  if (isAll(at)) return items;
  const number = at === null ? null : wholeNumber([at], expanding);
  const item = number === null ? undefined : items.at(number);
  return number === null ? null : item === undefined ? [] : [item];
}

/** Of what is no list, or one by names, which is not followed. */
function elementOfText(text: Text, at: string | null, from: string): Expansion {
  if (at === "0") return one(text);
  return one([isMade(text) ? made(from) : hole(from)]);
}

function indirect({ fields: [text = []] }: Expansion, asked: Asked): Expansion {
  const name = known(text);
  asked.expanding.shell.runHidden(text, asked.span);
  const { state, quoted } = asked.expanding;
  if (name === null) return one([areAllPlain(state) ? hole(asked.from) : made(asked.from)]);
  const element = /^(\w+)\[(?:@|\*)\]$/.exec(name);
  const value = element === null ? undefined : state.variables.get(element[1] ?? "");
  const list = value?.type === "list" ? listOf(value.items) : one([hole(asked.from)]);
  const found = element === null ? valueFor(name, asked) : list;
  return quoted && /^\*$|\*\]$/.test(name) ? one(joinedItems(found.fields, state)) : found;
}

/** Patterns may take long on long texts; nobody needs them to be known. */
const longestMatched = 256;

type Operating = Asked & { readonly isSet: boolean | null; readonly parameter: string };

function operate(operation: ParameterOperation, value: Expansion, operating: Operating): Expansion {
  if (operation.type === "Default") return defaulted(operation, value, operating);
  if (operation.type === "Transform") return transformed(operation, value, operating);
  const [text = []] = value.fields;
  const whole = value.list === undefined ? known(text) : null;
  if (operation.type === "Slice" && value.list !== undefined) return slicedList(operation, value, operating);
  const changed = whole === null ? null : change(operation, whole, operating.expanding);
  if (changed !== null) return one([changed]);
  return one([whole === null && !isMade(text) ? hole(operating.from) : made(operating.from)]);
}

type Operation<Type extends ParameterOperation["type"]> = Extract<ParameterOperation, { readonly type: Type }>;

function defaulted({ operator, operand }: Operation<"Default">, value: Expansion, operating: Operating): Expansion {
  const { from, expanding } = operating;
  // With a colon, what is empty counts as not set.
  const empty = operator.startsWith(":") && value.fields.every((field) => known(field) === "");
  const isSet = operating.isSet && !empty;
  const other = one(expanding.shell.textOf(operand, expanding));
  const kind = operator.replace(":", "");
  if (kind === "?") return value;
  // What would stand there is the more telling of the two: it was written for this command.
  if (kind === "+") return isSet === false && expanding.state.variables.has(operating.parameter) ? one([]) : other;
  if (isSet === null) return one([hole(from)]);
  return isSet ? value : other;
}

/** `@P` runs what stands in the value as a prompt does. */
function transformed({ operand, pos, end }: Operation<"Transform">, value: Expansion, operating: Operating): Expansion {
  const { expanding, from } = operating;
  const [text = []] = value.fields;
  const how = known(expanding.shell.textOf(operand, expanding));
  const whole = known(text);
  if (how === "P") expanding.shell.runPrompt(text, spanOf({ pos, end }, expanding.source));
  if (whole === null || how === null) return one([isMade(text) ? made(from) : hole(from)]);
  if (how === "U") return one([whole.toUpperCase()]);
  if (how === "L") return one([whole.toLowerCase()]);
  if (how === "E") return one([unescaped(whole)]);
  if (how === "P" && !/[\\$`]/.test(whole)) return one([whole]);
  if (how === "u") return one([whole.slice(0, 1).toUpperCase() + whole.slice(1)]);
  return one([hole(from)]);
}

function slicedList(
  { offset, length }: Operation<"Slice">,
  value: Expansion,
  { from, expanding }: Operating,
): Expansion {
  const start = wholeNumber(expanding.shell.textOf(offset, expanding), expanding);
  const count =
    length === undefined ? Number.POSITIVE_INFINITY : wholeNumber(expanding.shell.textOf(length, expanding), expanding);
  const { fields } = value;
  if (start === null || count === null || start < 0 || count < 0)
    return { fields: [[fields.every(isPlain) ? hole(from) : made(from)]], list: "unsure" };
  // For parameters counting begins at 1, and 0 is the shell itself.
  const first = from.startsWith("${@") || from.startsWith("${*") ? Math.max(0, start - 1) : start;
  return { ...value, fields: fields.slice(first, first + count) };
}

function wholeNumber(text: Text, { state: { variables } }: Evaluating): number | null {
  const value = known(text)?.trim();
  if (value === undefined) return null;
  return value === "" ? 0 : sumOf(value, (name) => variableText(variables.get(name)));
}

function variableText(value: Value | undefined): string | null {
  return value === undefined ? null : known(firstOf(value));
}

function change(operation: ParameterOperation, whole: string, expanding: Expanding): string | null {
  switch (operation.type) {
    case "Slice": {
      const start = wholeNumber(expanding.shell.textOf(operation.offset, expanding), expanding);
      const length =
        operation.length === undefined
          ? whole.length
          : wholeNumber(expanding.shell.textOf(operation.length, expanding), expanding);
      if (start === null || length === null) return null;
      const from = start < 0 ? whole.length + start : start;
      return length < 0 ? whole.slice(from, whole.length + length) : whole.slice(from, from + length);
    }
    case "Remove":
      return removed(operation, whole, expanding);
    case "Replace":
      return replaced(operation, whole, expanding);
    case "CaseModification":
      return recased(operation, whole);
    default:
      return null;
  }
}

function removed({ operator, operand }: Operation<"Remove">, whole: string, expanding: Expanding): string | null {
  const pattern = patternOf(operand, expanding);
  if (pattern === null || whole.length > longestMatched) return null;
  const fits = new RegExp(`^(?:${pattern})$`, "s");
  const lengths = Array.from({ length: whole.length + 1 }, (_, index) => index);
  const wanted = operator.length === 2 ? lengths.toReversed() : lengths;
  const fromStart = operator.startsWith("#");
  const length = wanted.find((each) => fits.test(fromStart ? whole.slice(0, each) : whole.slice(whole.length - each)));
  if (length === undefined) return whole;
  return fromStart ? whole.slice(length) : whole.slice(0, whole.length - length);
}

function replaced(operation: Operation<"Replace">, whole: string, expanding: Expanding): string | null {
  const pattern = patternOf(operation.pattern, expanding);
  const by = known(expanding.shell.textOf(operation.replacement, expanding));
  // In newer shells & stands for what was found.
  if (whole.length > longestMatched || by?.includes("&")) return null;
  if (pattern === null || by === null || pattern === "") return pattern === "" ? whole : null;
  const { operator } = operation;
  const anchored = operator === "/#" ? `^(?:${pattern})` : operator === "/%" ? `(?:${pattern})$` : pattern;
  return whole.replace(new RegExp(anchored, operator === "//" ? "gs" : "s"), () => by);
}

function recased({ operator, operand }: Operation<"CaseModification">, whole: string): string | null {
  if (operand !== undefined) return null;
  const recase = operator.startsWith("^") ? whole.toUpperCase() : whole.toLowerCase();
  return operator.length === 2 ? recase : recase.slice(0, 1) + whole.slice(1);
}

function runInside(text: string, { shell, state }: Expanding, span: Span): void {
  const from = text.search(/\$\(|`/);
  const to = Math.max(text.lastIndexOf(")"), text.lastIndexOf("`"));
  shell.runText([`: ${text.slice(from, to + 1)}`], span, { state, streams: noStreams });
}

/** Operands that are not evaluated for their value may still hold commands. */
function visitOperands(operation: ParameterOperation, expanding: Expanding): void {
  if (operation.type === "Slice") {
    visitArithmeticNode(operation.offset, expanding);
    if (operation.length !== undefined) visitArithmeticNode(operation.length, expanding);
  }
}

/** Runs the substitutions inside, and those that hide in the values of the variables that it names. */
export function arithmeticText(part: ArithmeticExpansionPart, evaluating: Evaluating): Text {
  if (part.expression !== undefined) visitArithmeticNode(part.expression, evaluating);
  const { variables } = evaluating.state;
  const inner = part.text.replace(/^\$\(\(|\)\)$|^\$\[|\]$/g, "").replace(/\$(\w)/g, "$1");
  const value = sumOf(inner, (name) => variableText(variables.get(name)));
  return [value === null ? { hole: "word", from: part.text } : String(value)];
}

export function visitArithmeticNode(node: SyntaxNode, evaluating: Evaluating): void {
  const { shell, state, source } = evaluating;
  if (node.type === "CommandExpansion" || node.type === "ArithmeticCommandExpansion") {
    const { script } = node;
    if (script === undefined) return;
    const inner = script.source === undefined ? source : { text: script.source, at: spanOf(node, source) };
    shell.substitution(script, state, inner);
    return;
  }
  if (node.type === "ArithmeticWord" || node.type === "Word") visitSumWord(node, evaluating);
  forEachChild(node, (child) => visitArithmeticNode(child, evaluating));
}

type SumWord = Extract<SyntaxNode, { readonly type: "ArithmeticWord" | "Word" }>;

function visitSumWord(word: SumWord, { shell, state, source }: Evaluating): void {
  const span = spanOf(word, source);
  if (word.parts === undefined) shell.runHidden([word.value], span);
  for (const name of word.value.match(/[A-Za-z_]\w*/g) ?? []) {
    const value = state.variables.get(name);
    if (value !== undefined) shell.runHidden(firstOf(value), span);
  }
}
