import type { Called } from "./builtins.ts";
import { quiet, withNamed, withOptions } from "./builtins-options.ts";
import { isListedBelow } from "./listed-places.ts";
import { isPlain } from "./one-of.ts";
import { withExported, withSearched } from "./set-path.ts";
import type { Ran } from "./shell.ts";
import { anyValue, hidden, type ShellState, type Value, withAssigned } from "./state.ts";
import { type Argument, known, nowhere, spanOfWords, type Text, textOf } from "./text.ts";

type Listed = Pick<Line, "lines" | "isHidden">;

/** One of many that somebody else has listed, or the command itself. */
function oneLine(name: string, { lines, isHidden }: Listed): Value {
  if (isListedBelow(lines)) return { type: "text", text: lines };
  const made = isHidden ? ({ made: true } as const) : {};
  return { type: "text", text: [{ hole: "any", from: `$${name}`, listed: true, ...made }] };
}

const anyInput: Text = [{ hole: "any", from: "its input" }];

/** Known input is taken apart as `read` does it; otherwise anything may come. */
export function readLine({ words, running, shell }: Called): readonly Ran[] {
  for (const { text, span } of words) shell.runHidden(text, span);
  const { given, operands, unsure } = withOptions(words, "adinNptu");
  const { input } = running.streams;
  if (input?.type === "text") shell.suspectSubscript(input.text, words[0]?.span ?? nowhere);
  const lines: Text = input?.type === "text" && known(given.get("u") ?? ["0"]) === "0" ? input.text : anyInput;
  const until = (known(given.get("d") ?? ["\n"]) ?? "").charAt(0) || "\0";
  const list = given.get("a") ?? null;
  const targets = list === null ? operands.map((operand) => operand.text) : [list];
  const names = targets.length === 0 ? ["REPLY"] : targets.map((target) => known(target) ?? "");
  const at = separatorsIn(running.state);
  const isFollowed = !unsure && at !== null && readsLines(given);
  const isHidden = !isPlain(lines);
  const reading = { names, list: list === null ? null : known(list), at: at ?? "", isHidden, lines };
  return nextLines(known(lines), until).flatMap((line) => {
    const escapes = !given.has("r") && /\\/.test(line ?? "");
    const state = line === null && !isHidden ? running.state : targets.reduce(withNamed, running.state);
    const next = assignLine({ ...reading, line, isFollowed: isFollowed && !escapes }, state);
    return quiet(withExported(names, { ...running, state: next }, { shell, span: spanOfWords(words) }));
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

type Line = {
  readonly names: readonly string[];
  readonly list: string | null;
  readonly line: string | null;
  /** At which characters it is split. */
  readonly at: string;
  readonly isFollowed: boolean;
  /** Which line it gets is not known, and it matters. */
  readonly isHidden: boolean;
  readonly lines: Text;
};

function assignLine({ names, list, line, lines, at, isFollowed, isHidden }: Line, state: ShellState): ShellState {
  const words = line === null ? null : splitAt(line, at);
  if (list !== null && words !== null) return withAssigned(state, list, isFollowed ? listOf(words) : hidden(list));
  if (list !== null) return withAssigned(state, list, isHidden ? hidden(list) : anyValue(list));
  return names.reduce((next, name, index) => {
    if (line === null || words === null) return withAssigned(next, name, oneLine(name, { lines, isHidden }));
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

export function mapFile({ words, running, shell }: Called): readonly Ran[] {
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
  const at = { shell, span: spanOfWords(words) };
  const assigned = (next: ShellState): readonly Ran[] => quiet(withSearched([name], { ...running, state: next }, at));
  if (!isSeen) return assigned(withAssigned(state, name, anyValue(name)));
  const until = given.get("d") ?? [];
  const isFollowed = !unsure && known(until) !== null && !["n", "O", "s"].some((letter) => given.has(letter));
  const items = linesOf(input.text, known(until)?.charAt(0) ?? "");
  return assigned(withAssigned(withNamed(state, target), name, isFollowed ? { type: "list", items } : hidden(name)));
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
