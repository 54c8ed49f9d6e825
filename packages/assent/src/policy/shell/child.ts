import type { Deed } from "./deeds.ts";
import { isPlainValue } from "./one-of.ts";
import { ownHomeNames } from "./own-home.ts";
import type { Running } from "./shell.ts";
import { hasAttribute, hidden, type ShellState, type Value, withName } from "./state.ts";

/** Other processes know neither aliases nor functions, and of variables only those that were exported. */
export function elsewhere(running: Running): Running {
  const { state } = running;
  const functions = new Map([...state.functions].filter(([name]) => hasAttribute(state, "exported functions", name)));
  return { ...running, state: { ...state, functions, aliases: new Map(), variables: inherited(state) } };
}

/** What every process has in its environment, and so stays there when it is set; others may be there or not. */
const usual = /^(?:HOME|PATH|PWD|OLDPWD|USER|LOGNAME|SHELL|LANG|TERM|__hole_\w+)$/;

/** What belongs to names goes with the shell, but for what it hands on. */
const handedOn = /^exported (?:names|functions) /;

function inherited(state: ShellState): ReadonlyMap<string, Value> {
  const variables = new Map<string, Value>();
  for (const [name, value] of state.variables) {
    // A list stays in its shell.
    const isExported = value.type !== "list" && hasAttribute(state, "exported names", name);
    const isSure = usual.test(name) || value.type === "unset" || isExported;
    if (handedOn.test(name) || (isSure && name !== "IFS")) variables.set(name, value);
    // It may have been in the environment before: then it has this value there, too.
    else if (ownHomeNames.includes(name) || (/^[A-Za-z_]\w*$/.test(name) && !isPlainValue(value)))
      variables.set(name, hidden(name));
  }
  return variables;
}

type Surrounding = Extract<Deed, { does: "variable" | "forget" }>;

/** What a program gets that another one runs, which has set or taken away a variable for it. */
export function givenTo(variables: ShellState["variables"], deed: Surrounding): ShellState["variables"] {
  if (deed.does === "variable") {
    const value: Value = { type: "text", text: deed.value };
    return withName(new Map(variables).set(deed.name, value), "exported names", deed.name);
  }
  if (deed.name !== null) return new Map([...variables, [deed.name, { type: "unset" }]]);
  const set = [...variables.keys()].filter((name) => /^[A-Za-z_]\w*$/.test(name));
  // These matter also where the command has not set them; without the home's, the system tells where that is.
  const names = [...set, ...ownHomeNames.filter((name) => name !== "HOME")];
  return new Map([...variables, ...names.map((name): [string, Value] => [name, { type: "unset" }])]);
}
