/** More would be a flood: `{1..999999999}`. */
const mostWords = 256;

/**
 * The words that braces make of one, as written: quotes and expansions stay for later. `null`: too many. Braces without a
 * comma or a range stay as they are.
 */
export function expandBraces(word: string): readonly string[] | null {
  const open = firstBrace(word);
  if (open === null) return [word];
  // A range without end.
  if (open.choices.length === 0) return null;
  const before = word.slice(0, open.start);
  const rest = expandBraces(word.slice(open.end));
  if (rest === null) return null;
  const inner = open.choices.flatMap((choice): readonly (string | null)[] => expandBraces(choice) ?? [null]);
  const words: string[] = [];
  for (const choice of inner) {
    for (const tail of rest) {
      if (choice === null || words.length >= mostWords) return null;
      words.push(before + choice + tail);
    }
  }
  return words;
}

type Brace = { readonly start: number; readonly end: number; readonly choices: readonly string[] };

/** The first `{…}` that has alternatives. */
function firstBrace(word: string): Brace | null {
  for (let at = 0; at < word.length; at = next(word, at)) {
    if (word[at] !== "{" || word[at - 1] === "$") continue;
    const parts = choicesAt(word, at);
    if (parts !== null) return parts;
  }
  return null;
}

/** The position after the character, quoted text or expansion that begins here. */
function next(word: string, at: number): number {
  const char = word[at];
  if (char === "\\") return at + 2;
  if (char === "'") return closing(word, at + 1, "'");
  if (char === '"') return closing(word, at + 1, '"');
  if (char === "`") return closing(word, at + 1, "`");
  if (char === "$" && (word[at + 1] === "{" || word[at + 1] === "(")) return expansionEnd(word, at + 1);
  return at + 1;
}

function closing(word: string, from: number, quote: string): number {
  for (let at = from; at < word.length; at += 1) {
    if (word[at] === "\\" && quote !== "'") at += 1;
    else if (word[at] === quote) return at + 1;
  }
  return word.length;
}

function expansionEnd(word: string, from: number): number {
  const [open, close] = word[from] === "{" ? ["{", "}"] : ["(", ")"];
  let depth = 0;
  for (let at = from; at < word.length; at = next(word, at)) {
    if (word[at] === open) depth += 1;
    if (word[at] === close) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return word.length;
}

function choicesAt(word: string, start: number): Brace | null {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < word.length; ) {
    const char = word[at];
    if (char === "{") depth += 1;
    if (char === "," && depth === 1) {
      choices.push(word.slice(from, at));
      from = at + 1;
    }
    if (char === "}") depth -= 1;
    if (depth === 0) return braceOf({ start, end: at + 1 }, [...choices, word.slice(from, at)]);
    at = next(word, at);
  }
  return null;
}

function braceOf(place: { readonly start: number; readonly end: number }, choices: readonly string[]): Brace | null {
  if (choices.length > 1) return { ...place, choices };
  const range = rangeOf(choices[0] ?? "");
  return range === null ? null : { ...place, choices: range };
}

function rangeOf(text: string): readonly string[] | null {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(text);
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d{1,9}))?$/.exec(text);
  const [, first = "", last = "", by = "1"] = numbers ?? letters ?? [];
  if (first === "") return null;
  const [from, to] = numbers ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const step = Math.max(1, Math.abs(Number(by)));
  if (Math.abs(to - from) / step > mostWords) return [];
  const width = numbers && /^-?0\d/.test(`${first}`) ? first.replace("-", "").length : 0;
  const values: string[] = [];
  for (let at = from; from <= to ? at <= to : at >= to; at += from <= to ? step : -step) {
    values.push(numbers ? String(at).padStart(width, "0") : String.fromCharCode(at));
  }
  return values;
}
