import { type Editing, moveTo, replace } from "./editing.ts";
import { labelOf } from "./folding.ts";
import { segmentsOf } from "./graphemes.ts";
import type { Key } from "./key-names.ts";

/** Longer lines of the past are not spread out again. */
const longestRecalled = 8_000;

/** Goes through the past; behind its newest line is what was being typed. */
export function recall(editing: Editing, history: readonly string[], direction: -1 | 1): Editing {
  const { recalled } = editing;
  const index = (recalled?.index ?? history.length) + direction;
  const { text, cursor, folds } = editing;
  const draft = recalled?.draft ?? { text, cursor, folds };
  const line = history[index];
  if (line !== undefined) return { ...putWhole(editing, line), recalled: { index, draft } };
  if (recalled === null || direction < 0) return editing;
  const back = replace(editing, { start: 0, end: text.length, text: draft.text });
  return { ...back, cursor: draft.cursor, folds: draft.folds, recalled: null };
}

export function startSearch(editing: Editing): Editing {
  return { ...editing, search: { typed: "", index: Number.POSITIVE_INFINITY, found: true, from: editing } };
}

/** What was found stands in the line as if it had been recalled. */
export function accept(editing: Editing): Editing {
  return { ...editing, search: null };
}

type Search = NonNullable<Editing["search"]>;
type Searching = { readonly key: Key; readonly history: readonly string[] };

/** What a key makes of a search; null for one that is not meant for it. */
export function searchKey(editing: Editing, search: Search, { key, history }: Searching): Editing | null {
  const { typed, index, from } = search;
  if (key.type !== "key") {
    return find(editing, { ...search, typed: typed + key.text }, { history, before: index + 1 });
  }
  switch (key.name) {
    case "search":
      return find(editing, search, { history, before: index });
    case "backspace":
      return find(editing, { ...search, typed: withoutLast(typed) }, { history, before: history.length });
    case "escape":
    case "interrupt":
      return from;
    default:
      return null;
  }
}

type Where = { readonly history: readonly string[]; readonly before: number };

/** The newest line before the given one that has what was typed; while there is none, the last that was found stays. */
function find(editing: Editing, search: Search, { history, before }: Where): Editing {
  const { typed, from } = search;
  if (typed === "") return { ...editing, search: { ...search, found: true } };
  for (let index = Math.min(before, history.length) - 1; index >= 0; index--) {
    const line = history[index];
    const at = line?.indexOf(typed) ?? -1;
    if (line === undefined || at < 0) continue;
    const { text, cursor, folds } = from;
    const draft = from.recalled?.draft ?? { text, cursor, folds };
    const shown = moveTo(putWhole(from, line), at + typed.length);
    return { ...shown, recalled: { index, draft }, search: { typed, index, found: true, from } };
  }
  return { ...editing, search: { ...search, found: false } };
}

function putWhole(editing: Editing, line: string): Editing {
  const label = line.length > longestRecalled ? labelOf(line) : null;
  return replace(editing, { start: 0, end: editing.text.length, text: line, label });
}

function withoutLast(text: string): string {
  return [...segmentsOf(text)]
    .slice(0, -1)
    .map(({ segment }) => segment)
    .join("");
}
