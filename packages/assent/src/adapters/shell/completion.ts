import { borderFrom, type Editing, moveTo, replace } from "./editing.ts";

/** What could stand from `start` to the cursor. */
export type Completion = { readonly start: number; readonly words: readonly string[] };

type Completed = Editing & { readonly choices?: readonly string[] };

/** One word is put in whole, several as far as they agree; when that is all, a second time shows them. */
export function complete(
  editing: Editing,
  port: (text: string, cursor: number) => Completion,
  isAgain: boolean,
): Completed {
  const { text, cursor } = editing;
  const { start: wanted, words } = port(text, cursor);
  const start = borderFrom(editing, Math.max(0, Math.min(wanted, cursor)), "before");
  const [first] = words;
  if (first === undefined) return editing;
  if (words.length === 1) return putIn(editing, start, first);
  const agreed = words.reduce(commonBeginning);
  const before = text.slice(start, cursor);
  const isMore = agreed.length > before.length || (agreed.length === before.length && agreed !== before);
  const after = isMore ? replace(editing, { start, end: cursor, text: agreed }) : editing;
  return { ...after, last: "tab", ...(isAgain && !isMore ? { choices: words } : {}) };
}

/** A word is done and the next can begin; a folder can go on. */
function putIn(editing: Editing, start: number, word: string): Editing {
  const { text, cursor } = editing;
  if (word.endsWith("/")) return replace(editing, { start, end: cursor, text: word });
  if (text[cursor] !== " ") return replace(editing, { start, end: cursor, text: `${word} ` });
  const after = replace(editing, { start, end: cursor, text: word });
  return moveTo(after, after.cursor + 1);
}

function commonBeginning(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  // Never half a character of two units.
  const last = one.charCodeAt(length - 1);
  return one.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
