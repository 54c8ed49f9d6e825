import { type Completion, complete } from "./completion.ts";
import { borderAfter, borderBefore, type Editing, lineEnd, lineStart, moveTo, replace, undo } from "./editing.ts";
import { labelOf, longestShown } from "./folding.ts";
import type { Key, KeyName } from "./key-names.ts";
import { accept, recall, searchKey, startSearch } from "./recall.ts";
import { columnOf, placeAt } from "./rows.ts";
import { wordLeft, wordRight } from "./words.ts";

export type { Completion } from "./completion.ts";
export { type Editing, newEditing } from "./editing.ts";

export type Around = {
  /** Lines of the past, the oldest first. */
  readonly history: readonly string[];
  readonly complete: (text: string, cursor: number) => Completion;
};

export type Edited = Editing & {
  readonly done?: "submit" | "interrupt" | "eof" | "suspend" | "clear" | "unfold";
  readonly choices?: readonly string[];
};

/** What the key before left for this one. */
type Moment = { readonly around: Around; readonly before: Pick<Editing, "last" | "goal"> };

/** What a key makes of what is being typed. Knows no terminal; never fails. */
export function edit(editing: Editing, key: Key, around: Around): Edited {
  const { text, cursor, folds, changes, killed, last, goal, recalled, search } = editing;
  // What an earlier result said beside is not part of it, and what the last key was is forgotten unless a key says so.
  const now: Editing = { text, cursor, folds, changes, killed, last: null, goal: null, recalled, search };
  if (search === null) return apply(now, key, { around, before: { last, goal } });
  const searched = searchKey(now, search, { key, history: around.history });
  // Every other key takes what was found, and does what it does.
  return searched ?? apply(accept(now), key, { around, before: { last: null, goal: null } });
}

function apply(editing: Editing, key: Key, moment: Moment): Edited {
  switch (key.type) {
    case "text":
      return typed(editing, key.text, moment.before.last === "text");
    case "paste":
      return inserted(editing, key.text);
    case "key":
      return keys[key.name](editing, moment);
    default:
      return key satisfies never;
  }
}

/** A run of typed characters is undone word by word. */
function typed(editing: Editing, text: string, goesOn: boolean): Editing {
  if (text === "") return editing;
  // Nobody types that: a paste of a terminal that does not mark them.
  if (text.length > longestShown) return inserted(editing, text);
  const joins = goesOn && text.trim() !== "";
  return { ...replace(editing, { start: editing.cursor, end: editing.cursor, text, joins }), last: "text" };
}

function inserted(editing: Editing, text: string): Editing {
  return text === ""
    ? editing
    : replace(editing, { start: editing.cursor, end: editing.cursor, text, label: labelOf(text) });
}

const keys: { readonly [name in KeyName]: (editing: Editing, moment: Moment) => Edited } = {
  enter: entered,
  newline: (editing) => replace(editing, { start: editing.cursor, end: editing.cursor, text: "\n" }),
  tab: (editing, { around, before }) => complete(editing, around.complete, before.last === "tab"),
  backtab: (editing) => editing,
  backspace: (editing) => cut(editing, borderBefore(editing, editing.cursor), editing.cursor),
  delete: deleted,
  left: (editing) => moveTo(editing, borderBefore(editing, editing.cursor)),
  right: (editing) => moveTo(editing, borderAfter(editing, editing.cursor)),
  up: (editing, moment) => vertical(editing, moment, -1),
  down: (editing, moment) => vertical(editing, moment, 1),
  home: (editing) => moveTo(editing, lineStart(editing, editing.cursor)),
  end: (editing) => moveTo(editing, lineEnd(editing, editing.cursor)),
  "word-left": (editing) => moveTo(editing, wordLeft(editing, "letters")),
  "word-right": (editing) => moveTo(editing, wordRight(editing, "letters")),
  escape: (editing) => editing,
  interrupt: (editing) => ({ ...editing, done: "interrupt" }),
  eof: (editing) => (editing.text === "" ? { ...editing, done: "eof" } : deleted(editing)),
  suspend: (editing) => ({ ...editing, done: "suspend" }),
  clear: (editing) => ({ ...editing, done: "clear" }),
  "kill-line": (editing, moment) => kill(editing, moment, killStart(editing)),
  "kill-to-end": (editing, moment) => kill(editing, moment, killEnd(editing)),
  "kill-word": (editing, moment) => kill(editing, moment, wordLeft(editing, "no-blanks")),
  "kill-word-left": (editing, moment) => kill(editing, moment, wordLeft(editing, "letters")),
  "kill-word-right": (editing, moment) => kill(editing, moment, wordRight(editing, "letters")),
  yank: (editing) => inserted(editing, editing.killed),
  transpose: transposed,
  unfold: (editing) => ({ ...editing, done: "unfold" }),
  // Where nothing was typed before, as at a question, there is nothing to search.
  search: (editing, { around }) => (around.history.length === 0 ? editing : startSearch(editing)),
  "page-up": (editing) => editing,
  "page-down": (editing) => editing,
  undo,
};

/** A backslash at the end asks for one more line. */
function entered(editing: Editing): Edited {
  const { text, cursor } = editing;
  const slashes = cursor === text.length ? (/\\+$/.exec(text.slice(-slashesLookedAt))?.[0].length ?? 0) : 0;
  // One that is escaped itself asks for nothing.
  if (slashes % 2 === 0) return { ...editing, done: "submit" };
  return replace(editing, { start: cursor - 1, end: cursor, text: "\n" });
}

const slashesLookedAt = 64;

function deleted(editing: Editing): Editing {
  return cut(editing, editing.cursor, borderAfter(editing, editing.cursor));
}

function cut(editing: Editing, start: number, end: number): Editing {
  return start === end ? editing : replace(editing, { start, end, text: "" });
}

/** What is killed by one key after the other is yanked as one. */
function kill(editing: Editing, { before }: Moment, to: number): Editing {
  const { text, cursor, killed } = editing;
  if (to === cursor) return { ...editing, last: before.last === "kill" ? "kill" : null };
  const piece = text.slice(Math.min(to, cursor), Math.max(to, cursor));
  const earlier = before.last === "kill" ? killed : "";
  const whole = to < cursor ? piece + earlier : earlier + piece;
  return { ...cut(editing, Math.min(to, cursor), Math.max(to, cursor)), killed: whole, last: "kill" };
}

/** At the border of a line what is killed is the border. */
function killStart(editing: Editing): number {
  const start = lineStart(editing, editing.cursor);
  return start === editing.cursor ? borderBefore(editing, start) : start;
}

function killEnd(editing: Editing): number {
  const end = lineEnd(editing, editing.cursor);
  return end === editing.cursor ? borderAfter(editing, end) : end;
}

/** The characters around the cursor change places; at the end of a line the last two. */
function transposed(editing: Editing): Editing {
  const { text, cursor } = editing;
  const isEnd = lineEnd(editing, cursor) === cursor;
  const middle = isEnd ? borderBefore(editing, cursor) : cursor;
  const start = borderBefore(editing, middle);
  const end = borderAfter(editing, middle);
  if (start < lineStart(editing, cursor) || start === middle || middle === end) return editing;
  // A fold would lose what it folds; line ends are no characters of a line.
  if (editing.folds.some((fold) => fold.start < end && start < fold.end)) return editing;
  return replace(editing, { start, end, text: text.slice(middle, end) + text.slice(start, middle) });
}

/** From row to row, and beyond the first and last of them through the past. */
function vertical(editing: Editing, { around, before }: Moment, direction: -1 | 1): Editing {
  const { cursor, text } = editing;
  const start = lineStart(editing, cursor);
  const end = lineEnd(editing, cursor);
  if (direction < 0 ? start === 0 : end === text.length) return recall(editing, around.history, direction);
  const goal = before.goal ?? columnOf(editing, start, cursor);
  const target = direction < 0 ? lineStart(editing, start - 1) : end + 1;
  return { ...moveTo(editing, placeAt(editing, target, goal)), goal };
}
