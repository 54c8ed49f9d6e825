import { anyValue, hidden, type ShellState, type Value, withVariable } from "./state.ts";
import type { Argument, Text } from "./text.ts";

/** One of these, and it is not known which: the command hides it where one of them is more than a plain word. */
export function oneOf(name: string, values: readonly (Value | undefined)[]): Value {
  // Where it goes back to is known as well as where it is.
  return name === "OLDPWD" || values.every(isPlainValue) ? anyValue(name) : hidden(name);
}

export function isPlainValue(value: Value | undefined): boolean {
  if (value?.type === "list") return arePlain(value.items);
  return value?.type !== "text" || isPlain(value.text);
}

export function arePlain(words: readonly Argument[]): boolean {
  return words.every(({ text }) => isPlain(text));
}

/** A place that is not below the folder, a hidden file, an option, a pattern, a key: it matters which it is. */
const notable =
  /(?:^|[\s=:,"'])(?:-(?!\d+(?:\.\d+)?$)|[~\\]|\.(?!\/\w|\s|$)|\/(?!(?:tmp|home|Users|workspaces?|app|src|srv|mnt|data|code|repos?|builds?|work)(?:[/\s]|$)))|\/[./~]|\/Library\b|[*?`$[\]{}]|secret|credential|\bid_|\.(?:pem|key|p12|env)\b/iu;

/** Wherever it is used, it does nothing else than what is not known does. */
export function isPlain(text: Text): boolean {
  const flat = text.map((piece, index) => {
    if (typeof piece === "string") return piece;
    if (piece.made === true) return "~";
    // It may be nothing: then what stands behind it begins the word.
    return index === 0 && piece.hole === "any" && /^\//.test(String(text[1])) ? "" : "_";
  });
  return !notable.test(flat.join(""));
}

/** The name of a folder of the system, behind a slash that a part could begin with. */
const systemPart =
  /\/(?:etc|usr|s?bin|lib(?:\d\d|x32|exec)?|boot|dev|proc|sys|var|root|run|opt|System|Library|Applications|private)(?![\w.-])/iu;
/** A group that could begin with a slash: not behind one, nor at the start, nor a choice of names. */
const freeGroup = /(?<![/^])\((?![\w|]+\))/u;

/** The same for each part of it that a pattern finds, also where several are put together again. */
export function arePartsPlain(text: Text, pattern: string): boolean {
  const flat = text.filter((piece) => typeof piece === "string").join("_");
  if (!flat.includes("/")) return true;
  const isPutTogether = /[`]|\$[\w{(]/u.test(pattern) || (pattern.split("(").length > 2 && freeGroup.test(pattern));
  return isPlain(text) && !systemPart.test(flat) && !isPutTogether;
}

/** Whichever variable or parameter is meant, it is a plain one. */
export function areAllPlain({ variables, parameters }: ShellState): boolean {
  const own = /\s|^(?:HOME|PWD|OLDPWD|PATH|IFS|0)$/;
  const values = [...variables].filter(([name]) => !own.test(name)).map(([, value]) => value);
  return values.every(isPlainValue) && arePlain(parameters ?? []);
}

const hiddenParameters = "hidden parameters";

/** It is not known any more which parameters there are, but these were among them. */
export function withLostParameters(state: ShellState, ...lost: readonly ShellState["parameters"][]): ShellState {
  const next = { ...state, parameters: null };
  return lost.every((words) => words === null || arePlain(words))
    ? next
    : withVariable(next, hiddenParameters, hidden("@"));
}

export function areParametersHidden({ variables }: ShellState): boolean {
  return variables.has(hiddenParameters);
}
