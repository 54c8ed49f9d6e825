import type { Function as ShellFunction } from "unbash";
import { type Argument, beginning, type Span, type Text } from "./text.ts";

/** What a shell knows at one point of a command. Never changed: each step makes the next one from it. */
export type ShellState = {
  readonly cwd: Text;
  readonly variables: ReadonlyMap<string, Value>;
  readonly functions: ReadonlyMap<string, Definition>;
  readonly aliases: ReadonlyMap<string, string>;
  /** `$1` and those that follow; `null`: not known. */
  readonly parameters: readonly Argument[] | null;
  /** What the command itself has put at a path, where that is known. */
  readonly files: ReadonlyMap<string, MadeFile>;
  /** Programs are looked for where they usually are not: a reason, for people. */
  readonly search: string | null;
};

export type Value =
  | { readonly type: "text"; readonly text: Text }
  | { readonly type: "list"; readonly items: readonly Argument[] }
  /** Not set, for sure. */
  | { readonly type: "unset" };

/** The command made it, and it cannot be seen here what. */
export const unseen: Value = { type: "text", text: [{ hole: "any", from: "…", made: true }] };

/** What `(…)` gives. With places of their own (`[1]=…`), they are not in the order they stand in. */
export function bracketed(items: readonly Argument[]): Value {
  const placed = items.some(({ text }) => /^\[[^\]]*\]=/.test(beginning(text)));
  return placed ? unseen : { type: "list", items };
}

/** `null`: it is defined, but what it does is not known. */
export type Definition = { readonly body: ShellFunction["body"]; readonly source: Source } | null;

/** The text that positions are counted in. Within another text, all of it stands at one place of the command. */
export type Source = { readonly text: string; readonly at: Span | null };

/** `written`: by a program, and what it wrote is not known. */
export type MadeFile =
  | { readonly type: "written"; readonly by: string }
  /** `by`: the program and the script that have printed it, where it was these alone. */
  | { readonly type: "content"; readonly text: Text; readonly by?: string }
  | { readonly type: "link" | "copy"; readonly of: Text };

/** Where `~` is: what the command has set counts before what is the person's. */
export function homeOf({ variables }: ShellState, home: string | null): Text {
  const set = variables.get("HOME");
  if (set?.type === "text") return set.text;
  return home === null ? [{ hole: "path", from: "~" }] : [home];
}

/** The folder that `cd -` goes back to. */
export function leftFolder({ variables }: ShellState): Text {
  const before = variables.get("OLDPWD");
  return before?.type === "text" ? before.text : [{ hole: "path", from: "~-" }];
}

/** What belongs to a name stands in a variable of its own that no command can name. */
export type Attribute =
  | "local names"
  | "read-only names"
  | "changed names"
  | "exported functions"
  /** Other processes get them; `*`: each that is set from here on. */
  | "exported names"
  /** They stand for another variable, and it is not known which. */
  | "free references";

const present: Value = { type: "text", text: [] };

export function hasAttribute(
  { variables }: Pick<ShellState, "variables">,
  attribute: Attribute,
  name: string,
): boolean {
  const value = variables.get(`${attribute} ${name}`);
  // After one of several ways it may have it; whether others get it is then not sure.
  return value === present || (value !== undefined && !attribute.startsWith("exported"));
}

export function namesWith({ variables }: Pick<ShellState, "variables">, attribute: Attribute): readonly string[] {
  const start = `${attribute} `;
  return [...variables.keys()].flatMap((key) => (key.startsWith(start) ? [key.slice(start.length)] : []));
}

export function withAttribute(state: ShellState, attribute: Attribute, name: string): ShellState {
  return { ...state, variables: withName(state.variables, attribute, name) };
}

export function withoutAttribute(state: ShellState, attribute: Attribute, name: string): ShellState {
  return withThoseOf({ variables: new Map() }, state, [`${attribute} ${name}`]);
}

export function withName(
  variables: ShellState["variables"],
  attribute: Attribute,
  name: string,
): ShellState["variables"] {
  if (hasAttribute({ variables }, attribute, name)) return variables;
  return new Map(variables).set(`${attribute} ${name}`, present);
}

/** These are as they were before. */
export function withThoseOf(
  before: Pick<ShellState, "variables">,
  state: ShellState,
  names: readonly string[],
): ShellState {
  const variables = new Map(state.variables);
  for (const name of names) {
    const value = before.variables.get(name);
    if (value === undefined) variables.delete(name);
    else variables.set(name, value);
  }
  return { ...state, variables };
}

/** What a variable holds that may hold anything. */
export function anyValue(name: string): Value {
  return { type: "text", text: [{ hole: "any", from: `$${name}` }] };
}

/** What was given in this command, in a form that is not followed. */
export function hidden(name: string): Value {
  return { type: "text", text: [{ hole: "any", from: `$${name}`, made: true }] };
}

/** After a value was assigned in whatever way: an attribute may make something else of it, an element is not followed. */
export function withAssigned(state: ShellState, name: string, value: Value): ShellState {
  const [, variable = name, element] = /^(\w+)(\[)?/.exec(name) ?? [];
  if (hasAttribute(state, "read-only names", variable)) return state;
  const here = hasAttribute(state, "exported names", "*") ? withAttribute(state, "exported names", variable) : state;
  if (!hasAttribute(state, "changed names", variable))
    return withVariable(here, variable, element === undefined ? value : hidden(variable));
  const before = hasAttribute(state, "free references", variable) ? withForgotten(here, "") : here;
  return withVariable(before, variable, hidden(variable));
}

const ownNames = /^(?:HOME|PATH|IFS|PWD|OLDPWD)$/;

/** One of the variables whose names begin so was set, and it is not known which. */
export function withForgotten(state: ShellState, prefix: string): ShellState {
  const variables = [...state.variables].map(([name, value]): readonly [string, Value] => {
    const isMeant = /^\w+$/.test(name) && name.startsWith(prefix) && !ownNames.test(name);
    return [name, isMeant ? hidden(name) : value];
  });
  return { ...state, variables: new Map(variables) };
}

export function withVariable(state: ShellState, name: string, value: Value): ShellState {
  return { ...state, variables: new Map(state.variables).set(name, value) };
}

/** By what a file is remembered: its path, or where a program has said that it is (`mktemp`). */
export function placeKey(path: Text): string | null {
  const told = path.every((piece) => typeof piece === "string" || piece.hole === "path");
  return told ? path.map((piece) => (typeof piece === "string" ? piece : piece.from)).join("") : null;
}

export function withFile(state: ShellState, path: string, file: MadeFile): ShellState {
  return { ...state, files: new Map(state.files).set(path, file) };
}

/** After a subshell: what it did to files stays, all else is forgotten. */
export function afterSubshell(before: ShellState, inside: ShellState): ShellState {
  return before.files === inside.files ? before : { ...before, files: inside.files };
}
