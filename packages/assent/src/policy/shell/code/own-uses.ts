import type { Token } from "./lexer.ts";
import { isKnown } from "./values.ts";

/** With these, entries are reached without their keys being named. */
const reaching =
  /^(?:values|items|itervalues|iteritems|entries|popitem|lambda|globals|locals|vars|eval|exec|Reflect|Function|__\w+)$/u;
/** Called with a key. */
const picking = /^(?:get|pop|setdefault)$/u;
const words = /^(?:in|of|return|and|or|not|if|else|yield|await|case|is|print|typeof)$/u;
const comparing = /^[=!]==?$/u;
const asking = /^(?:startswith|startsWith|endswith|endsWith)$/u;
const holding = /^(?:\(|new|set|Set|frozenset|tuple)$/u;
const begins = /^(?:[:;{}\n]|const|let|var|)$/u;
/** How far back the word is looked for that an `in` belongs to. */
const farthest = 20;

/** How a program uses the texts that stand in it, as far as the tokens around them tell. */
export class Uses {
  readonly #tokens: readonly Token[];
  /** Texts in which names and keys may stand that no token is. */
  readonly #texts: string;
  readonly #places = new Map<string, number[]>();
  /** The bracket that each token stands in. */
  readonly #opens: number[] = [];
  readonly #isReached: boolean;
  readonly #looked = new Map<string, boolean>();
  readonly #read = new Map<string, boolean>();

  constructor(tokens: readonly Token[], inner: readonly string[]) {
    this.#tokens = tokens;
    const open: number[] = [];
    for (const [at, { kind, text }] of tokens.entries()) {
      const isMark = kind === "mark";
      if (isMark && ")]}".includes(text)) open.pop();
      this.#opens.push(open.at(-1) ?? -1);
      if (isMark && "([{".includes(text)) open.push(at);
      if (kind === "name" || kind === "text") this.#remember(text, at);
    }
    this.#isReached = tokens.some((_, at) => this.#reaches(at));
    this.#texts = [...inner, ...tokens.filter(({ kind }) => kind !== "name").map(({ text }) => text)].join("\n");
  }

  /** `"/a" in x`, `x == "/a"`, `x in ("/a", "/b")`, `x.startswith(("/a", "/b"))` */
  isCompared(at: number): boolean {
    if (this.#isMark(at - 1, comparing) || this.#isMark(at + 1, comparing) || this.#isIn(at + 1)) return true;
    const open = this.#opens[at] ?? -1;
    if (open < 0) return false;
    return this.#isAskedFor(open) || (this.#text(open - 1) === "(" && asking.test(this.#text(open - 2)));
  }

  /** It stands in something with a name that is only asked what is in it. */
  isOnlyLookedFor(at: number): boolean {
    const open = this.#opens[at] ?? -1;
    const name = open < 0 ? undefined : this.#nameOf(open);
    const isKey = this.#text(at + 1) === ":" && this.#text(open) === "{" && /^[{,]$/u.test(this.#text(at - 1));
    return name !== undefined && this.#isOnlyAsked(name, isKey);
  }

  /** What a key stands for that the program does not read. */
  isUnread(at: number): boolean {
    if (this.#isReached) return false;
    const key = this.#isEntry(at) ? at - 2 : this.#isSet(at) ? at - 3 : undefined;
    return key !== undefined && !this.#isRead(key);
  }

  #remember(text: string, at: number): undefined {
    const places = this.#places.get(text);
    if (places === undefined) this.#places.set(text, [at]);
    else places.push(at);
  }

  #text(at: number): string {
    return this.#tokens[at]?.text ?? "";
  }

  #isMark(at: number, marks: RegExp): boolean {
    return this.#tokens[at]?.kind === "mark" && marks.test(this.#text(at));
  }

  #isName(at: number, names: RegExp): boolean {
    return this.#tokens[at]?.kind === "name" && names.test(this.#text(at));
  }

  #isIn(at: number): boolean {
    return this.#isName(at, /^in$/u) || (this.#isName(at, /^not$/u) && this.#isName(at + 1, /^in$/u));
  }

  /** Behind an `in` that is not that of a repetition. */
  #isAskedFor(at: number): boolean {
    if (!this.#isName(at - 1, /^in$/u)) return false;
    for (let back = at - 2; back > at - farthest; back -= 1) {
      if (this.#isName(back, /^(?:for|of|const|let|var)$/u)) return false;
      if (this.#text(back - 1) === ".") continue;
      if (this.#isName(back, /^(?:if|elif|while|and|or|not|assert|return)$/u)) return true;
    }
    return false;
  }

  /** `name = {…}`, `name = new Set([…])` */
  #nameOf(open: number): string | undefined {
    let at = open - 1;
    while (at > open - 4 && holding.test(this.#text(at))) at -= 1;
    const isWhole = this.#text(at) === "=" && this.#tokens[at - 1]?.kind === "name" && begins.test(this.#text(at - 2));
    return isWhole ? this.#text(at - 1) : undefined;
  }

  #isOnlyAsked(name: string, byKey: boolean): boolean {
    const id = `${byKey} ${name}`;
    const before = this.#looked.get(id);
    if (before !== undefined) return before;
    const places = this.#places.get(name) ?? [];
    const isOnly = !this.#texts.includes(name) && places.every((at) => this.#isQuestion(at, byKey));
    this.#looked.set(id, isOnly);
    return isOnly;
  }

  #isQuestion(at: number, byKey: boolean): boolean {
    const isMember = this.#text(at + 1) === ".";
    if (this.#text(at - 1) === ".") return false;
    if (this.#isAskedFor(at)) return !isMember && this.#text(at + 1) !== "[";
    if (isMember)
      return /^(?:has|includes|indexOf)$/u.test(this.#text(at + 2)) || (byKey && this.#text(at + 2) === "get");
    return byKey && this.#text(at + 1) === "[" ? true : this.#text(at + 1) === "=" && begins.test(this.#text(at - 1));
  }

  /** `{"key": "/a"}` */
  #isEntry(at: number): boolean {
    const isIn = this.#text(this.#opens[at] ?? -1) === "{" && this.#isMark(at - 1, /^:$/u);
    return isIn && this.#isMark(at - 3, /^[{,]$/u) && this.#isKey(at - 2);
  }

  /** `a["b"]["key"] = "/a"` */
  #isSet(at: number): boolean {
    if (!this.#isMark(at - 1, /^=$/u) || !this.#isIndex(at - 4)) return false;
    let start = at - 5;
    while (this.#isMark(start, /^\]$/u) && this.#isIndex(start - 2)) start -= 3;
    return this.#tokens[start]?.kind === "name" && begins.test(this.#text(start - 1));
  }

  #isIndex(open: number): boolean {
    return this.#isMark(open, /^\[$/u) && this.#tokens[open + 1]?.kind === "text" && this.#isMark(open + 2, /^\]$/u);
  }

  #isKey(at: number): boolean {
    return this.#tokens[at]?.kind === "text" || this.#tokens[at]?.kind === "name";
  }

  #isRead(key: number): boolean {
    const name = this.#text(key);
    const before = this.#read.get(name);
    if (before !== undefined) return before;
    const isRead = this.#isReadAs(name, key);
    this.#read.set(name, isRead);
    return isRead;
  }

  #isReadAs(name: string, key: number): boolean {
    const others = this.#places.get(name)?.filter((at) => at !== key) ?? [];
    if (others.some((at) => !this.#isWritten(at))) return true;
    // Each of its own tokens that is a text is found there once.
    const texts = [key, ...others].filter((at) => this.#tokens[at]?.kind === "text").length;
    return name === "" || this.#texts.split(name).length - 1 > texts;
  }

  /** The key of something that is set or compared, or that is asked for. */
  #isWritten(at: number): boolean {
    if (this.#isIn(at + 1)) return true;
    return this.#isIndex(at - 1) && this.#isMark(at + 2, /^[=!]?={1,3}$/u) && begins.test(this.#startBefore(at - 1));
  }

  #startBefore(open: number): string {
    return this.#isMark(open + 2, /^=$/u) ? this.#text(open - 2) : "";
  }

  /** A way to entries whose keys are not named: a word for all of them, or a key that is not known. */
  #reaches(at: number): boolean {
    if (this.#isName(at, reaching)) return true;
    const isCall = this.#isMark(at, /^\($/u) && this.#isName(at - 1, picking);
    const before = this.#tokens[at - 1];
    const isValue =
      before?.kind === "mark" ? /^[)\]]$/u.test(before.text) : before?.kind === "name" && !words.test(before.text);
    if (!isCall && !(this.#isMark(at, /^\[$/u) && isValue)) return false;
    const key = this.#tokens[at + 1];
    if (key?.kind === "mark") return !/^(?:::?|-)$/u.test(key.text);
    return !(
      (key?.kind === "text" || key?.kind === "number") &&
      isKnown(key.text) &&
      /^[\]),:]$/u.test(this.#text(at + 2))
    );
  }
}
