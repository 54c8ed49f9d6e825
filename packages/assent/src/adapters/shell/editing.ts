import { segmentsOf } from "./graphemes.ts";

/** A part of the text that is shown by its label, and is one character to every key. */
export type Fold = { readonly start: number; readonly end: number; readonly label: string };

/** What undoing one change needs, and the change before it. */
type Change = {
  readonly start: number;
  readonly removed: string;
  readonly inserted: number;
  readonly cursor: number;
  readonly folds: readonly Fold[];
  readonly before: Change | null;
};

/** A line of the past in the place of what was typed. */
type Recalled = { readonly index: number; readonly draft: Pick<Editing, "text" | "cursor" | "folds"> };

/** A search through the past, and what it began with. */
type Search = { readonly typed: string; readonly index: number; readonly found: boolean; readonly from: Editing };

/** What is being typed. Text is whole, whatever is folded in it; the cursor stands between a person's characters. */
export type Editing = {
  readonly text: string;
  readonly cursor: number;
  readonly folds: readonly Fold[];
  readonly changes: Change | null;
  readonly killed: string;
  /** What the last key was, where the next one may go on with it. */
  readonly last: "kill" | "text" | "tab" | null;
  /** The column that a walk through rows wants to keep. */
  readonly goal: number | null;
  readonly recalled: Recalled | null;
  readonly search: Search | null;
};

/** A line to begin with; what was killed in the one before can be yanked in it. */
export function newEditing(text: string, before?: Editing): Editing {
  const clean = lineEnds(text);
  return {
    text: clean,
    cursor: clean.length,
    folds: [],
    changes: null,
    killed: before?.killed ?? "",
    last: null,
    goal: null,
    recalled: null,
    search: null,
  };
}

export type Replacing = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** By which the new text is shown. */
  readonly label?: string | null;
  /** Is undone together with the change before. */
  readonly joins?: boolean;
};

/** Every change of the text is made here. The cursor is behind what is new. */
export function replace(editing: Editing, { start, end, text: given, label, joins }: Replacing): Editing {
  const text = lineEnds(given);
  const { changes } = editing;
  const moved = text.length - (end - start);
  const kept = editing.folds.filter((fold) => fold.end <= start || fold.start >= end);
  const folds = kept.map((fold) =>
    fold.start >= end ? { ...fold, start: fold.start + moved, end: fold.end + moved } : fold,
  );
  if (label && text !== "") folds.push({ start, end: start + text.length, label });
  const change: Change =
    joins && changes !== null && changes.start + changes.inserted === start && start === end
      ? { ...changes, inserted: changes.inserted + text.length }
      : {
          start,
          removed: editing.text.slice(start, end),
          inserted: text.length,
          cursor: editing.cursor,
          folds: editing.folds,
          before: changes,
        };
  const after: Editing = {
    ...editing,
    text: editing.text.slice(0, start) + text + editing.text.slice(end),
    folds: folds.sort((one, other) => one.start - other.start),
    changes: change,
  };
  return moveTo(after, start + text.length);
}

export function undo(editing: Editing): Editing {
  const { changes, text } = editing;
  if (changes === null) return editing;
  const { start, removed, inserted, cursor, folds, before } = changes;
  return {
    ...editing,
    text: text.slice(0, start) + removed + text.slice(start + inserted),
    cursor,
    folds,
    changes: before,
  };
}

/** The cursor there, or behind the character that this would part. */
export function moveTo(editing: Editing, at: number): Editing {
  return { ...editing, cursor: borderFrom(editing, Math.max(0, Math.min(at, editing.text.length)), "after") };
}

/** The border at this place; in the middle of a character the one before or after it. */
export function borderFrom(editing: Editing, at: number, side: "before" | "after"): number {
  const { text } = editing;
  const fold = editing.folds.find(({ start, end }) => start < at && at < end);
  if (fold !== undefined) return side === "before" ? fold.start : fold.end;
  if (isEdge(editing, at) || (isAscii(text, at - 1) && isAscii(text, at))) return at;
  const { start, end } = characterAt(editing, at);
  if (start === at) return at;
  return side === "before" ? start : end;
}

export function borderBefore(editing: Editing, at: number): number {
  if (at <= 0) return 0;
  const fold = editing.folds.find(({ end }) => end === at);
  if (fold !== undefined) return fold.start;
  const alone = isAscii(editing.text, at - 1) && (isEdge(editing, at - 1) || isAscii(editing.text, at - 2));
  return alone ? at - 1 : characterAt(editing, at - 1).start;
}

export function borderAfter(editing: Editing, at: number): number {
  const { text, folds } = editing;
  if (at >= text.length) return text.length;
  const fold = folds.find(({ start }) => start === at);
  if (fold !== undefined) return fold.end;
  const alone = isAscii(text, at) && (isEdge(editing, at + 1) || isAscii(text, at + 1));
  return alone ? at + 1 : characterAt(editing, at).end;
}

/** Where the line of this place begins; line ends inside a fold end none. */
export function lineStart({ text, folds }: Editing, at: number): number {
  for (let from = at; from > 0; ) {
    const found = text.lastIndexOf("\n", from - 1);
    const fold = folds.find(({ start, end }) => start <= found && found < end);
    if (fold === undefined) return found + 1;
    from = fold.start;
  }
  return 0;
}

export function lineEnd({ text, folds }: Editing, at: number): number {
  for (let from = at; from < text.length; ) {
    const found = text.indexOf("\n", from);
    if (found < 0) break;
    const fold = folds.find(({ start, end }) => start <= found && found < end);
    if (fold === undefined) return found;
    from = fold.end;
  }
  return text.length;
}

/** Ends of the text, folds and line ends are borders, whatever stands beside them. */
function isEdge({ text, folds }: Editing, at: number): boolean {
  if (at <= 0 || at >= text.length || text[at] === "\n" || text[at - 1] === "\n") return true;
  return folds.some(({ start, end }) => start === at || end === at);
}

function isAscii(text: string, at: number): boolean {
  return text.charCodeAt(at) < 0x80;
}

/** The character that holds this place, found in its line alone. */
function characterAt(editing: Editing, at: number): { readonly start: number; readonly end: number } {
  const { text, folds } = editing;
  if (text[at] === "\n") return { start: at, end: at + 1 };
  const begin = folds.reduce(
    (latest, { end }) => (end <= at ? Math.max(latest, end) : latest),
    at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1,
  );
  const lineBreak = text.indexOf("\n", at);
  const stop = folds.reduce(
    (earliest, { start }) => (start > at ? Math.min(earliest, start) : earliest),
    lineBreak < 0 ? text.length : lineBreak,
  );
  const found = segmentsOf(text.slice(begin, stop)).containing(at - begin);
  const start = begin + (found?.index ?? at - begin);
  return { start, end: start + (found?.segment.length ?? 1) };
}

function lineEnds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}
