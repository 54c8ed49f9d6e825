import { type Assignment, type Command, forEachChild, type SyntaxNode } from "unbash";
import { spanOf } from "./analysis.ts";
import { afterHiddenSum } from "./arithmetic.ts";
import type { Deed } from "./deeds.ts";
import { scriptOf } from "./made-scripts.ts";
import { redirected } from "./redirections.ts";
import type { Evaluating, Here, Ran, Running, Shell } from "./shell.ts";
import {
  bracketed,
  hasAttribute,
  type ShellState,
  unseen,
  type Value,
  withAssigned,
  withAttribute,
  withFile,
  withThoseOf,
  withVariable,
} from "./state.ts";
import { type Argument, isMade, known, nowhere, shown, type Text, textOf } from "./text.ts";
import { fieldsOf, fieldsOfWord, textOfWord } from "./words-of.ts";

/** A plain command: assignments, words, redirections. */
export function runSimple(command: Command, before: Here, shell: Shell): readonly Ran[] {
  const here = { ...before, state: withDefaults(command, before, shell) };
  const evaluating: Evaluating = { shell, state: here.state, source: here.source };
  const aliased = aliasText(command, here);
  if (aliased !== null && !here.streams.running.includes(aliased.name)) {
    const streams = { ...here.streams, running: [...here.streams.running, aliased.name] };
    const ways = shell.runText([aliased.text], spanOf(command, here.source), { state: here.state, streams });
    // A shell that nobody types into knows no aliases unless it was told to: then the name is what it was.
    return [
      ...ways,
      ...runSimple(command, { ...before, streams, state: { ...before.state, aliases: new Map() } }, shell),
    ];
  }
  const argv = argvOf(command, evaluating);
  const conditional = conditionalName(command, here.state);
  if (conditional !== null) {
    const reason = `runs another program when ${conditional} is not set, and that is not known before it runs`;
    shell.analysis.find({ rule: "exec-unknown-program", reason }, argv[0]?.span ?? spanOf(command, here.source));
  }
  const assignments = command.prefix.filter((each): each is Assignment => each.type === "Assignment");
  if (argv.length === 0) return bare(command, assignments, here, shell);
  const { streams, state, finish } = redirected(command.redirects, here, shell, writerOf(argv, here));
  const { inside, deeds } = withAssignments(assignments, state, here, shell);
  noteAssignments(deeds, shell);
  const exporting = assignments.reduce((next, { name }) => withAttribute(next, "exported names", name), inside);
  const concluded = shell.conclude(deeds, argv, { state: exporting, streams });
  const ways = shell.runArgv(argv, { state: concluded, streams });
  const only = argv.length === 1 && known(argv[0]?.text ?? []) === "exec";
  if (only) return ways.map((way) => afterExec(finish(way), { streams, before: here.streams }));
  return ways.map((way) => {
    const counted = withCounted(command, way.state);
    const isSame = counted === way.state && way.state === exporting;
    const around = { before: state, inside: concluded };
    return finish({ ...way, state: isSame ? state : withoutAssignments(counted, assignments, around) });
  });
}

function writerOf([first, ...words]: readonly Argument[], { state }: Here): string | null {
  return scriptOf(known(first?.text ?? []) ?? "", words, state);
}

/** No command at all: the assignments stay. */
function bare(command: Command, assignments: readonly Assignment[], here: Here, shell: Shell): readonly Ran[] {
  const { state, streams, finish } = redirected(command.redirects, here, shell);
  const { inside, deeds } = withAssignments(assignments, state, here, shell);
  const next = withCounted(command, inside);
  noteAssignments(deeds, shell);
  // `$(< file)` gives what is in the file.
  if (streams.captured && streams.input?.type === "file" && assignments.length === 0) {
    const path = { text: streams.input.path, splits: false, span: spanOf(command, here.source) };
    shell.conclude([{ does: "show", path }], [], here);
  }
  const input = streams.input?.type === "text" ? streams.input.text : null;
  const output = command.redirects.length > 0 ? input : [];
  // An assignment succeeds, unless a substitution in it does not.
  const sure = command.redirects.length === 0 && assignments.every(({ text }) => !/[`(]/.test(text));
  return [finish({ state: shell.conclude(deeds, [], { ...here, state: next }), output, ok: sure ? true : undefined })];
}

/** From here on the shell reads and writes elsewhere: what it reads is remembered, what it prints is not known. */
function afterExec(
  { state }: Ran,
  { streams, before }: { streams: Running["streams"]; before: Running["streams"] },
): Ran {
  const { input } = streams;
  if (input === null || input === before.input) return { state, output: null };
  const text: Text = input.type === "text" ? input.text : [{ hole: "any", from: "its input" }];
  return { state: withFile(state, "/dev/stdin", { type: "content", text }), output: null };
}

/** `$((n++))` and `${list[n+=1]}` also set a variable; what to is not followed there. */
function withCounted({ name, args, prefix }: Command, state: ShellState): ShellState {
  const texts = [...prefix, ...(name === undefined ? [] : [name]), ...args]
    .flatMap((each) => ("text" in each ? [each.text] : []))
    .filter((text) => !text.startsWith("'"));
  const sums = texts.flatMap((text) => [...text.matchAll(inSum)].map((found) => found.slice(1).join("")));
  return sums.reduce((next, sum) => afterHiddenSum(sum, next), state);
}

/** What stands in `$((…))`, `$[…]`, the brackets of a list, or says which part of a text is meant. */
const inSum = /\$\(\((.*?)\)\)|\$\[([^\]]*)\]|\$\{\w+\[([^\]]*)\]|\$\{\w+:(?![-=+?])([^}]*)\}/gs;

/** `${DEBUG:+echo} rm …`: without the variable, or when it is empty, the next word is the program. */
function conditionalName({ name }: Command, { variables }: ShellState): string | null {
  const [part] = name?.parts ?? [];
  if (part?.type !== "ParameterExpansion" || part.operation?.type !== "Default") return null;
  const { parameter, operation } = part;
  if (!operation.operator.endsWith("+")) return null;
  const value = variables.get(parameter);
  if (value !== undefined) return operation.operator === ":+" && mayBeEmpty(value) ? `$${parameter}` : null;
  return /^(?:HOME|PWD|USER|PATH|SHELL|BASH|IFS|LOGNAME|UID|EUID)$/.test(parameter) ? null : `$${parameter}`;
}

/** What is known to be empty is followed. */
function mayBeEmpty(value: Value): boolean {
  return value.type === "text" && value.text.length > 0 && value.text.every((piece) => typeof piece === "object");
}

/** Each sees what those before it have set. */
function withAssignments(
  assignments: readonly Assignment[],
  before: ShellState,
  here: Here,
  shell: Shell,
): { readonly inside: ShellState; readonly deeds: readonly Deed[] } {
  let inside = before;
  const deeds: Deed[] = [];
  for (const each of assignments) {
    deeds.push(...variableDeed(each, { shell, state: inside, source: here.source }));
    inside = assigned(each, inside, here, shell);
  }
  return { inside, deeds };
}

function noteAssignments(deeds: readonly Deed[], { analysis }: Shell): void {
  for (const deed of deeds) if (deed.does === "variable") analysis.beside(`${deed.name}=${shown(deed.value)}`);
}

function argvOf({ name, args }: Command, evaluating: Evaluating): readonly Argument[] {
  if (name === undefined) return [];
  const words = args.flatMap((each): readonly Argument[] =>
    each.type === "Word" ? fieldsOfWord(each, evaluating) : [assignmentWord(each, evaluating)],
  );
  return [...fieldsOfWord(name, evaluating), ...words];
}

/** `NAME=value` as a word, for those that take it so: `export`, `alias`, `declare`. */
function assignmentWord(assignment: Assignment, evaluating: Evaluating): Argument {
  const { name, append, value } = assignment;
  const before = append === true ? `${name}+=` : `${name}=`;
  const span = spanOf(assignment, evaluating.source);
  if (value.type === "Word") return { text: textOf(before, ...textOfWord(value, evaluating)), splits: false, span };
  const items = fieldsOf(value.elements, evaluating);
  return { text: textOf(before, ...listText(items)), splits: false, span, items };
}

function listText(items: readonly Argument[]): Text {
  return textOf("(", ...items.flatMap(({ text }, index) => (index === 0 ? text : [" ", ...text])), ")");
}

function variableDeed({ name, value, pos, end }: Assignment, evaluating: Evaluating): readonly Deed[] {
  if (value.type !== "Word") return [];
  return [
    { does: "variable", name, value: textOfWord(value, evaluating), span: spanOf({ pos, end }, evaluating.source) },
  ];
}

function assigned(assignment: Assignment, state: ShellState, { source }: Here, shell: Shell): ShellState {
  // Each state is a copy of the one before: many variables cost more.
  if (!shell.analysis.spend(spanOf(assignment, source), 1 + state.variables.size / 10)) return state;
  const evaluating = { shell, state, source };
  const { name, append, index } = assignment;
  if (hasAttribute(state, "read-only names", name)) return state;
  if (index !== undefined) {
    const at = textOfWord(index, evaluating);
    if (name === "BASH_ALIASES" || name === "BASH_CMDS") {
      const reason = "makes a name stand for another command";
      shell.analysis.find({ rule: "exec-injected", reason }, spanOf(assignment, source));
    }
    shell.runHidden(at, spanOf(index, source));
    const value = valueFor(assignment, evaluating);
    return withAssigned(state, name, withElement(state.variables.get(name), { at, value, append: append === true }));
  }
  const value = valueFor(assignment, evaluating);
  for (const { text } of itemsOf(value)) shell.suspectSubscript(text, spanOf(assignment, source));
  return withAssigned(state, name, append === true ? appended(state.variables.get(name), value) : value);
}

function valueFor({ value }: Assignment, evaluating: Evaluating): Value {
  if (value.type === "Word") return { type: "text", text: textOfWord(value, evaluating) };
  return bracketed(fieldsOf(value.elements, evaluating));
}

function withElement(
  before: Value | undefined,
  { at, value, append }: { readonly at: Text; readonly value: Value; readonly append: boolean },
): Value {
  const index = known(at);
  if (value.type === "text" && known(value.text) === null) return { type: "text", text: [{ hole: "any", from: "…" }] };
  if (value.type !== "text" || index === null || !/^\d{1,3}$/.test(index)) return unseen;
  const items = itemsOf(before);
  while (items.length < Number(index)) items.push({ text: [], splits: false, span: nowhere });
  const old = append ? (items[Number(index)]?.text ?? []) : [];
  items[Number(index)] = { text: textOf(...old, ...value.text), splits: false, span: nowhere };
  return { type: "list", items };
}

function itemsOf(value: Value | undefined): Argument[] {
  if (value?.type === "list") return [...value.items];
  return value?.type === "text" ? [{ text: value.text, splits: false, span: nowhere }] : [];
}

function appended(before: Value | undefined, added: Value): Value {
  if (before === undefined || before.type === "unset") {
    return added.type === "text" && before === undefined
      ? { type: "text", text: textOf({ hole: "any", from: "…" }, ...added.text) }
      : added;
  }
  if (before.type === "text" && added.type === "text")
    return { type: "text", text: textOf(...before.text, ...added.text) };
  // A text that is added to a list becomes its last in some shells, in others the end of its first.
  if (added.type !== "list" || (before.type === "text" && isMade(before.text))) return unseen;
  return { type: "list", items: [...itemsOf(before), ...added.items] };
}

/** What the assignments before a command have set; where that looks for programs stays, if the command itself has set it. */
function withoutAssignments(
  state: ShellState,
  assignments: readonly Assignment[],
  { before, inside }: { readonly before: ShellState; readonly inside: ShellState },
): ShellState {
  if (assignments.length === 0) return state;
  const names = assignments.flatMap(({ name }) => [name, `exported names ${name}`]);
  const search = state.search === inside.search ? before.search : state.search;
  return { ...withThoseOf(before, state, names), search };
}

/** `${name:=value}` also sets the variable. */
function withDefaults({ name, args, prefix }: Command, { state, source }: Here, shell: Shell): ShellState {
  let next = state;
  const visit = (node: SyntaxNode): void => {
    if (
      node.type === "ParameterExpansion" &&
      node.operation?.type === "Default" &&
      node.operation.operator.endsWith("=")
    ) {
      const text = textOfWord(node.operation.operand, { shell, state: next, source });
      const before = next.variables.get(node.parameter);
      const empty = before?.type === "text" && known(before.text) === "";
      const sets = before === undefined || before.type === "unset" || (empty && node.operation.operator === ":=");
      if (sets) next = withVariable(next, node.parameter, { type: "text", text });
    } else if (node.type === "Word" || node.type === "DoubleQuoted") forEachChild(node, visit);
  };
  const assigned = prefix.flatMap((each) =>
    each.type === "Assignment" && each.value.type === "Word" ? [each.value] : [],
  );
  for (const word of [...assigned, ...(name === undefined ? [] : [name, ...args])]) {
    if (word.type === "Word" && word.text.includes("=")) visit(word);
  }
  return next;
}

/** An alias counts only where its name is written plainly; what follows the name follows its text. */
function aliasText(
  { name, end }: Command,
  { state, source }: Here,
): { readonly name: string; readonly text: string } | null {
  if (name === undefined || name.parts !== undefined || name.text !== name.value) return null;
  const text = state.aliases.get(name.value);
  if (text === undefined) return null;
  return { name: name.value, text: `${text} ${source.text.slice(name.end, end)}` };
}
