import type { Language, Patterns } from "./grammar.ts";

/** Is a word of the class? The word stands between slashes, so that a look into a list of choices makes no new string. */
type WordTest = (key: string) => boolean;

type Element =
  | { readonly kind: "word"; readonly test: WordTest; readonly optional: boolean }
  | { readonly kind: "gap"; readonly most: number }
  | { readonly kind: "not" | "not-before"; readonly test: WordTest }
  /** The beginning of a clause or sentence, at most so many words back. */
  | { readonly kind: "clause" | "sentence"; readonly within: number }
  | { readonly kind: "clause-end" | "sentence-end" };

type Filed = {
  readonly name: string;
  readonly source: string;
  /** Where alone it can begin: most are ruled out by that before they are prepared. */
  readonly place: "sentence" | "clause" | "any";
  sources?: readonly string[];
  /** Prepared one by one: most patterns fail at their second word. */
  readonly elements: Element[];
};

const marks = new Set([",", ";", ":", ".", "-", "(", ")", "!", "?", "…"]);
const markKeys = new Set([...marks].map(keyOf));
const ending = new Set([".", "!", "?", "…", ")", ":"]);

export function isMark(word: string | undefined): boolean {
  return word !== undefined && marks.has(word);
}

/** The words of a sentence, and where its clauses begin. */
export type Clauses = {
  readonly words: readonly string[];
  readonly keys: readonly string[];
  readonly starts: readonly boolean[];
};

export function keyOf(word: string): string {
  return `/${word}/`;
}

/** Stands before the name of what the patterns below it are for. */
const nameMark = "=";

/** Words remembered with the patterns that may begin there; beyond this many they are looked up anew. */
const mostKnown = 20_000;

/**
 * The patterns of a language, found by the word they begin with: what a text does not name is not even prepared.
 * The beginnings are one long string that is searched for the word: a table of them would take longer to fill than
 * most texts take to read.
 */
export class PatternIndex {
  /** The patterns, each section of them behind its name. */
  readonly #lines: readonly string[];
  readonly #names: string[] = [];
  readonly #heads: string;
  /** Where the beginning of each line ends in `heads`. */
  readonly #ends: number[] = [];
  readonly #filed: (Filed | undefined)[] = [];
  readonly #groups = new Map<string, Filed[]>();
  readonly #tests = new Map<string, WordTest>();
  readonly #known = new Map<string, readonly Filed[]>();
  readonly #classes: Language["classes"];

  constructor(classes: Language["classes"], named: readonly (readonly [string, Patterns])[]) {
    this.#classes = classes;
    this.#lines = named
      .map(([name, patterns]) => `${nameMark}${name}\n${patterns}`)
      .join("\n")
      .split("\n");
    const heads: string[] = [];
    let end = -1;
    let name = "";
    for (const line of this.#lines) {
      if (line.startsWith(nameMark)) name = line.slice(1);
      this.#names.push(name);
      const head = headOf(line.trim());
      end += head.length + 3;
      heads.push(head);
      this.#ends.push(end);
    }
    this.#heads = `/${heads.join("/\n/")}/`;
    for (const mark of "@*_") {
      for (let at = this.#heads.indexOf(mark); at >= 0; at = this.#heads.indexOf(mark, at + 1)) this.#group(at);
    }
  }

  /** The names of the patterns that are found, each once. */
  namesIn(clauses: Clauses): ReadonlySet<string> {
    const found = new Set<string>();
    for (let at = 0; at < clauses.words.length; at++) {
      for (const filed of this.#candidates(clauses.keys[at] ?? "")) {
        if (isOutOfPlace(filed, clauses, at) || found.has(filed.name)) continue;
        if (this.#isAt(filed, 0, clauses, at)) found.add(filed.name);
      }
    }
    return found;
  }

  #candidates(key: string): readonly Filed[] {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found: Filed[] = [];
    const heads = this.#heads;
    for (let at = heads.indexOf(key); at >= 0; at = heads.indexOf(key, at + 1)) found.push(this.#filedAt(at));
    if (!markKeys.has(key)) this.#addGroups(key, found);
    if (this.#known.size < mostKnown) this.#known.set(key, found);
    return found;
  }

  #addGroups(key: string, found: Filed[]): void {
    for (const [choice, patterns] of this.#groups) {
      if (this.#choiceTest(choice)(key)) for (const filed of patterns) found.push(filed);
    }
  }

  /** The pattern whose beginning stands at that place. */
  #filedAt(place: number): Filed {
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    const filed = this.#filed[low] ?? this.#fileLine(low);
    this.#filed[low] = filed;
    return filed;
  }

  #fileLine(index: number): Filed {
    const source = (this.#lines[index] ?? "").trim();
    return { name: this.#names[index] ?? "", source, place: placeOf(source), elements: [] };
  }

  /** The class or the open word that stands there in the beginnings. */
  #group(at: number): void {
    const heads = this.#heads;
    const choice = heads.slice(heads.lastIndexOf("/", at) + 1, heads.indexOf("/", at));
    const filed = this.#filedAt(at);
    const list = this.#groups.get(choice);
    if (list === undefined) this.#groups.set(choice, [filed]);
    else if (list.at(-1) !== filed) list.push(filed);
  }

  /** Do the elements from there on stand at that place? Gaps are short, so trying is cheap. */
  #isAt(filed: Filed, index: number, clauses: Clauses, at: number): boolean {
    filed.sources ??= filed.source.split(" ");
    if (index >= filed.sources.length) return true;
    const element = filed.elements[index] ?? this.#elementAt(filed, index);
    if (element.kind === "word") {
      const key = clauses.keys[at];
      if (key !== undefined && element.test(key) && this.#isAt(filed, index + 1, clauses, at + 1)) return true;
      return element.optional && this.#isAt(filed, index + 1, clauses, at);
    }
    if (element.kind === "gap") return this.#isAfterGap(filed, index + 1, clauses, at, element.most);
    return isPlace(element, clauses, at) && this.#isAt(filed, index + 1, clauses, at);
  }

  #isAfterGap(filed: Filed, index: number, clauses: Clauses, at: number, most: number): boolean {
    for (let size = 0; size <= most; size++) {
      if (this.#isAt(filed, index, clauses, at + size)) return true;
      const word = clauses.words[at + size];
      if (word === undefined || marks.has(word)) return false;
    }
    return false;
  }

  /** A pattern is tried where its first word stands, so a gap before that word is looked through backwards. */
  #elementAt({ sources = [], elements }: Filed, index: number): Element {
    const element = this.#element(sources[index] ?? "", sources[index + 1] ?? "");
    const before = sources[index - 1] ?? "";
    const isSpent = element.kind === "gap" && before.startsWith("^");
    const prepared: Element = isSpent ? { kind: "gap", most: 0 } : element;
    elements[index] = prepared;
    return prepared;
  }

  #element(source: string, next: string): Element {
    const within = next.startsWith("~") ? Number(next.slice(1)) : 0;
    if (source === "^") return { kind: "clause", within };
    if (source === "^^") return { kind: "sentence", within };
    if (source === "$") return { kind: "clause-end" };
    if (source === "$$") return { kind: "sentence-end" };
    if (source.startsWith("~")) return { kind: "gap", most: Number(source.slice(1)) };
    const test = this.#testOf(bare(source));
    if (source.startsWith("<!")) return { kind: "not-before", test };
    if (source.startsWith("!") && source !== "!") return { kind: "not", test };
    return { kind: "word", test, optional: isOptional(source) };
  }

  #testOf(source: string): WordTest {
    const plain = keyOf(source);
    if (isPlain(source)) return (key) => plain.includes(key);
    const tests = source
      .split("/")
      .filter((choice) => !isPlain(choice))
      .map((choice) => this.#choiceTest(choice));
    return (key) => plain.includes(key) || tests.some((test) => test(key));
  }

  #choiceTest(choice: string): WordTest {
    const known = this.#tests.get(choice);
    if (known !== undefined) return known;
    const test = choice.startsWith("@") ? classTest(this.#classes[choice.slice(1)] ?? "") : starTest(choice);
    this.#tests.set(choice, test);
    return test;
  }
}

/** `!`, `$`, `<`, `^` and `~` begin what takes no word. */
function isZeroWidth(code: number): boolean {
  return code === 0x21 || code === 0x24 || code === 0x3c || code === 0x5e || code === 0x7e;
}

/** What a pattern begins with, behind the places and conditions that take no word; an optional word does not end it. */
function headOf(line: string): string {
  if (line === "" || line.startsWith(nameMark)) return "";
  let from = 0;
  while (isZeroWidth(line.charCodeAt(from))) {
    const space = line.indexOf(" ", from);
    if (space < 0) return "";
    from = space + 1;
  }
  let to = line.indexOf(" ", from);
  while (to >= 0 && line.charAt(to - 1) === "?") to = line.indexOf(" ", to + 1);
  const head = to < 0 ? line.slice(from) : line.slice(from, to);
  return head.includes("? ") ? head.replaceAll("? ", "/") : head;
}

function placeOf(source: string): Filed["place"] {
  if (!source.startsWith("^") || source.startsWith("^ ~") || source.startsWith("^^ ~")) return "any";
  return source.startsWith("^^") ? "sentence" : "clause";
}

function isOutOfPlace({ place }: Filed, { starts }: Clauses, at: number): boolean {
  return place !== "any" && (place === "sentence" ? at > 0 : starts[at] !== true);
}

function isPlain(source: string): boolean {
  return !source.includes("@") && !source.includes("*") && !source.includes("_");
}

function isOptional(source: string): boolean {
  return source.endsWith("?") && source !== "?";
}

function bare(source: string): string {
  const from = source.startsWith("<!") ? 2 : source.startsWith("!") && source !== "!" ? 1 : 0;
  return source.slice(from, isOptional(source) ? -1 : undefined);
}

/** Beginnings and endings are looked up by length, so that a class of a hundred endings costs a handful of look-ups. */
function classTest(source: string): WordTest {
  const words = keyOf(source.replaceAll(" ", "/"));
  if (!source.includes("*")) return (key) => words.includes(key);
  const stems = new Set(source.split(" ").filter((entry) => entry.includes("*")));
  const known = new Map<string, boolean>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = words.includes(key) || (!words.includes(`/-${key.slice(1)}`) && hasStem(key.slice(1, -1), stems));
    if (known.size < mostKnown) known.set(key, found);
    return found;
  };
}

function hasStem(word: string, stems: ReadonlySet<string>): boolean {
  if (word.length > 40) return false;
  for (let size = 0; size <= word.length; size++) {
    if (stems.has(`*${word.slice(size)}`) || stems.has(`${word.slice(0, size)}*`)) return true;
  }
  return false;
}

function starTest(choice: string): WordTest {
  if (choice === "_") return (key) => !markKeys.has(key);
  const end = `${choice.slice(1)}/`;
  if (choice.startsWith("*")) return (key) => key.endsWith(end);
  const begin = `/${choice.slice(0, -1)}`;
  return (key) => key.startsWith(begin);
}

function isPlace(
  element: Exclude<Element, { kind: "word" | "gap" }>,
  { words, keys, starts }: Clauses,
  at: number,
): boolean {
  const word = words[at];
  const key = keys[at];
  const before = keys[at - 1];
  switch (element.kind) {
    case "not":
      return key === undefined || !element.test(key);
    case "not-before":
      return before === undefined || !element.test(before);
    case "clause":
      return beginsWithin(element.within, at, words, (place) => starts[place] ?? false);
    case "sentence":
      return beginsWithin(element.within, at, words, (place) => place === 0);
    case "clause-end":
      return word === undefined || marks.has(word);
    case "sentence-end":
      return word === undefined || (ending.has(word) && words.slice(at, at + 8).every((mark) => ending.has(mark)));
    default:
      return element satisfies never;
  }
}

function beginsWithin(most: number, at: number, words: readonly string[], begins: (place: number) => boolean): boolean {
  for (let back = 0; back <= most; back++) {
    if (begins(at - back)) return true;
    if (isMark(words[at - back - 1])) return false;
  }
  return false;
}
