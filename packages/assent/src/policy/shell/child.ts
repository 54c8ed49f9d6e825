import { isPlainValue } from "./one-of.ts";
import type { Running } from "./shell.ts";
import { hasAttribute, hidden, type ShellState, type Value } from "./state.ts";

/** Other processes know neither aliases nor functions, and of variables only those that were exported. */
export function elsewhere(running: Running): Running {
  const { state } = running;
  const functions = new Map([...state.functions].filter(([name]) => hasAttribute(state, "exported functions", name)));
  return { ...running, state: { ...state, functions, aliases: new Map(), variables: inherited(state) } };
}

/** What every process has in its environment, and so stays there when it is set. */
const usual =
  /^(?:HOME|PATH|PWD|OLDPWD|USER|LOGNAME|SHELL|LANG|LC_\w+|TERM|TMPDIR|EDITOR|VISUAL|PAGER|DISPLAY|XDG_\w+|__hole_\w+)$/;

/** What belongs to names goes with the shell, but for what it hands on. */
const handedOn = /^exported (?:names|functions) /;

function inherited(state: ShellState): ReadonlyMap<string, Value> {
  const variables = new Map<string, Value>();
  for (const [name, value] of state.variables) {
    const isSure = usual.test(name) || value.type === "unset" || hasAttribute(state, "exported names", name);
    if (handedOn.test(name) || (isSure && name !== "IFS")) variables.set(name, value);
    // It may have been in the environment before: then it has this value there, too.
    else if (/^[A-Za-z_]\w*$/.test(name) && !isPlainValue(value)) variables.set(name, hidden(name));
  }
  return variables;
}
