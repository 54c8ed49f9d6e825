import type { Language, Patterns } from "./grammar.ts";

/** One word: is it of the class? */
type WordTest = (word: string) => boolean;

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
  elements?: readonly Element[];
};

const marks = new Set([",", ";", ":", ".", "—", "(", ")", "!", "?", "…"]);
const ending = new Set([".", "!", "?", "…", ")", ":"]);

export function isMark(word: string | undefined): boolean {
  return word !== undefined && marks.has(word);
}

/** The words of a sentence, and where its clauses begin. */
export type Clauses = { readonly words: readonly string[]; readonly starts: readonly boolean[] };

/** Words remembered with the patterns that may begin there; beyond this many they are looked up anew. */
const mostKnown = 20_000;

/**
 * The patterns of a language, found by the word they begin with: what a text does not name is not even prepared.
 * The beginnings are one long string that is searched for the word: a table of them would take longer to fill than
 * most texts take to read.
 */
export class PatternIndex {
  private readonly filed: Filed[] = [];
  private readonly groups = new Map<string, Filed[]>();
  private readonly tests = new Map<string, WordTest>();
  private readonly known = new Map<string, readonly Filed[]>();
  private readonly sources: Language["classes"];
  private readonly heads: string[] = [];
  private searched = "";

  constructor(sources: Language["classes"]) {
    this.sources = sources;
  }

  add(name: string, patterns: Patterns): void {
    for (const line of patterns.split("\n")) {
      const source = line.trim();
      if (source !== "") this.addOne({ name, source, place: placeOf(source) });
    }
  }

  private addOne(filed: Filed): void {
    const { source } = filed;
    for (let from = 0; from < source.length; ) {
      const space = source.indexOf(" ", from);
      const to = space < 0 ? source.length : space;
      const element = source.slice(from, to);
      from = to + 1;
      if (!consumes(element)) continue;
      const head = bare(element);
      this.heads.push(`/${head}/#${this.filed.length}\n`);
      if (!isPlain(head)) this.group(head, filed);
      if (!isOptional(element)) break;
    }
    this.filed.push(filed);
  }

  /** The names of the patterns that are found, each once. */
  namesIn(clauses: Clauses): ReadonlySet<string> {
    const found = new Set<string>();
    for (let at = 0; at < clauses.words.length; at++) {
      for (const filed of this.candidates(clauses.words[at] ?? "")) {
        if (isOutOfPlace(filed, clauses, at) || found.has(filed.name)) continue;
        filed.elements ??= this.compile(filed.source.split(" "));
        if (isAt(filed.elements, 0, clauses, at)) found.add(filed.name);
      }
    }
    return found;
  }

  private candidates(word: string): readonly Filed[] {
    const known = this.known.get(word);
    if (known !== undefined) return known;
    const found: Filed[] = [];
    if (this.searched === "") this.searched = this.heads.join("");
    const heads = this.searched;
    for (let at = heads.indexOf(`/${word}/`); at >= 0; at = heads.indexOf(`/${word}/`, at + 1)) {
      const mark = heads.indexOf("#", at);
      const filed = this.filed[Number(heads.slice(mark + 1, heads.indexOf("\n", mark)))];
      if (filed !== undefined) found.push(filed);
    }
    for (const [choice, patterns] of this.groups) if (this.choiceTest(choice)(word)) found.push(...patterns);
    if (this.known.size < mostKnown) this.known.set(word, found);
    return found;
  }

  private group(head: string, filed: Filed): void {
    for (const choice of head.split("/")) {
      if (isPlain(choice)) continue;
      const list = this.groups.get(choice);
      if (list === undefined) this.groups.set(choice, [filed]);
      else list.push(filed);
    }
  }

  private compile(sources: readonly string[]): readonly Element[] {
    const elements: Element[] = [];
    for (const source of sources) {
      const element = this.element(source);
      const last = elements.at(-1);
      // A pattern is tried where its first word stands, so a gap before that word is looked through backwards.
      if (element.kind === "gap" && (last?.kind === "clause" || last?.kind === "sentence")) {
        elements[elements.length - 1] = { kind: last.kind, within: element.most };
      } else elements.push(element);
    }
    return elements;
  }

  private element(source: string): Element {
    if (source === "^") return { kind: "clause", within: 0 };
    if (source === "^^") return { kind: "sentence", within: 0 };
    if (source === "$") return { kind: "clause-end" };
    if (source === "$$") return { kind: "sentence-end" };
    if (source.startsWith("~")) return { kind: "gap", most: Number(source.slice(1)) };
    const test = this.testOf(bare(source));
    if (source.startsWith("<!")) return { kind: "not-before", test };
    if (source.startsWith("!") && source !== "!") return { kind: "not", test };
    return { kind: "word", test, optional: isOptional(source) };
  }

  private testOf(source: string): WordTest {
    const plain = `/${source}/`;
    if (isPlain(source)) return (word) => plain.includes(`/${word}/`);
    const tests = source.split("/").filter((choice) => !isPlain(choice));
    return (word) => plain.includes(`/${word}/`) || tests.some((choice) => this.choiceTest(choice)(word));
  }

  private choiceTest(choice: string): WordTest {
    const known = this.tests.get(choice);
    if (known !== undefined) return known;
    const test = choice.startsWith("@") ? classTest(this.sources[choice.slice(1)] ?? "") : starTest(choice);
    this.tests.set(choice, test);
    return test;
  }
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

function consumes(source: string): boolean {
  const first = source.charAt(0);
  return first !== "^" && first !== "$" && first !== "~" && first !== "<" && (first !== "!" || source === "!");
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
  const words = ` ${source} `;
  if (!source.includes("*")) return (word) => words.includes(` ${word} `);
  const stems = new Set(source.split(" ").filter((entry) => entry.includes("*")));
  return (word) => {
    if (words.includes(` ${word} `)) return true;
    if (word.length > 40 || words.includes(` -${word} `)) return false;
    for (let size = 0; size <= word.length; size++) {
      if (stems.has(`*${word.slice(size)}`) || stems.has(`${word.slice(0, size)}*`)) return true;
    }
    return false;
  };
}

function starTest(choice: string): WordTest {
  if (choice === "_") return (word) => !marks.has(word);
  const end = choice.slice(1);
  if (choice.startsWith("*")) return (word) => word.endsWith(end) && word.length > end.length;
  const begin = choice.slice(0, -1);
  return (word) => word.startsWith(begin);
}

/** Do the elements from there on stand at that place? Gaps are short, so trying is cheap. */
function isAt(elements: readonly Element[], index: number, clauses: Clauses, at: number): boolean {
  const element = elements[index];
  if (element === undefined) return true;
  const { words } = clauses;
  const word = words[at];
  if (element.kind === "word") {
    if (word !== undefined && element.test(word) && isAt(elements, index + 1, clauses, at + 1)) return true;
    return element.optional && isAt(elements, index + 1, clauses, at);
  }
  if (element.kind === "gap") return isAfterGap(elements, index, clauses, at, element.most);
  return isPlace(element, clauses, at) && isAt(elements, index + 1, clauses, at);
}

function isAfterGap(elements: readonly Element[], index: number, clauses: Clauses, at: number, most: number): boolean {
  for (let size = 0; size <= most; size++) {
    if (isAt(elements, index + 1, clauses, at + size)) return true;
    const word = clauses.words[at + size];
    if (word === undefined || marks.has(word)) return false;
  }
  return false;
}

function isPlace(element: Exclude<Element, { kind: "word" | "gap" }>, { words, starts }: Clauses, at: number): boolean {
  const word = words[at];
  const before = words[at - 1];
  switch (element.kind) {
    case "not":
      return word === undefined || !element.test(word);
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
  }
}

function beginsWithin(most: number, at: number, words: readonly string[], begins: (place: number) => boolean): boolean {
  for (let back = 0; back <= most; back++) {
    if (begins(at - back)) return true;
    if (isMark(words[at - back - 1])) return false;
  }
  return false;
}
