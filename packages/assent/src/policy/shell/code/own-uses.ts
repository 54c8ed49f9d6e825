import type { Lexer, Token } from "./lexer.ts";
import { isKnown } from "./values.ts";

/** Called with a place, they only look at it; what they show is seen anyway. */
export const looking =
  /^(?:open|exists|existsSync|lexists|isfile|isdir|islink|is_file|is_dir|file_exists|stat|lstat|statSync|lstatSync|access|accessSync|listdir|readdir|readdirSync|readFile|readFileSync|createReadStream|copy|copy2|copyfile|copytree|copyFile|copyFileSync|cp|cpSync|file_get_contents|startswith|startsWith|endswith|endsWith|includes|indexOf|test|match|require|import|print|puts|log|echo|search|findall|compile|split|find|index|count)$/u;
/** With these, entries are reached without their keys being named. */
const reaching =
  /^(?:values|items|itervalues|iteritems|entries|popitem|lambda|globals|locals|vars|eval|exec|Reflect|Function|__\w+)$/u;
/** Called with a key. */
const picking = /^(?:get|pop|setdefault)$/u;
const words = /^(?:in|of|return|and|or|not|if|else|yield|await|case|is|print|typeof)$/u;
const comparing = /^[=!]==?$/u;
const asking = /^(?:startswith|startsWith|endswith|endsWith)$/u;
const holding = /^(?:\(|new|set|Set|frozenset|tuple)$/u;
const printing = /^(?:print|puts|log|info|debug|warn|warning|error|echo)$/u;
const readingPath = /^(?:read_text|read_bytes|exists|is_file|is_dir|is_symlink|stat|iterdir|name|stem|suffix)$/u;
/** With these a name can be reached that does not stand there. */
const naming = /^(?:globals|locals|vars|eval|exec|Function|setattr|__\w+)$/u;
const running =
  /^(?:run|call|check_call|check_output|Popen|spawn|spawnSync|execFile|execFileSync|execa|create_subprocess_exec)$/u;
/** A place at the beginning of a text that is made of others. */
const inFront = /["'`]\$?\{\s*$/u;
const begins = /^(?:[:;{}\n]|const|let|var|)$/u;
/** They give back what they are given. */
const keeping =
  /(?:Namespace|Bunch|Munch|Box|Dict|Map|Set|List|Array|Object|String|Path|File|Queue|Template|Url|URL|Buffer|Proxy|Counter|Chain|Promise|Dir|IO|Function|Template|Tuple)$/u;
/** How far back the word is looked for that an `in` belongs to. */
const farthest = 20;

/** How a program uses the texts that stand in it, as far as the tokens around them tell. */
export class Uses {
  readonly #tokens: readonly Token[];
  /** Texts in which names and keys may stand that no token is. */
  readonly #texts: string;
  readonly #program: string;
  readonly #places = new Map<string, number[]>();
  /** The bracket that each token stands in. */
  readonly #opens: number[] = [];
  readonly #isReached: boolean;
  readonly #looked = new Map<string, boolean>();
  readonly #read = new Map<string, boolean>();
  readonly #told = new Map<string, boolean>();

  constructor({ tokens, inner, text: program }: Pick<Lexer, "tokens" | "inner" | "text">) {
    this.#tokens = tokens;
    this.#program = program;
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

  /** `name = "/a"`, where the name is only looked at, shown or made a part of other texts: what is not known is not this. */
  isOnlyTold(at: number): boolean {
    const isSet = this.#isMark(at - 1, /^=$/u) && this.#isName(at - 2, /./u) && begins.test(this.#text(at - 3));
    const after = this.#tokens[at + 1];
    if (!isSet || (after !== undefined && after.kind !== "end" && after.text !== ";")) return false;
    const name = this.#text(at - 2);
    const before = this.#told.get(name);
    if (before !== undefined) return before;
    const others = this.#places.get(name)?.filter((each) => each !== at - 2) ?? [];
    // What stands before it, in a function, may be reached later.
    const isTold = others.every((each) => each > at && this.#isTold(each)) && !this.#isInFront(name);
    this.#told.set(name, isTold && !this.#tokens.some((_, each) => this.#isName(each, naming)));
    return this.#told.get(name) ?? false;
  }

  /** It is a word of a command, which is looked at as one, or where that runs: `run(["ls", "/a"], cwd="/b")` */
  isRun(at: number): boolean {
    const open = this.#opens[at] ?? -1;
    const isWord = this.#text(open) === "[";
    const call = isWord ? (this.#opens[open] ?? -1) : open;
    const isNamed = this.#text(at - 1) === "=" && /^(?:cwd|executable)$/u.test(this.#text(at - 2));
    return (isWord || isNamed) && this.#isForeign(call, running);
  }

  /** What is made of it is an object that the program does not define: `Service("/a")` */
  isHandedOut(at: number): boolean {
    const open = this.#opens[at] ?? -1;
    return this.#isForeign(open, /^[A-Z]\w{2,}$/u) && !keeping.test(this.#text(open - 1));
  }

  #isForeign(open: number, names: RegExp): boolean {
    if (this.#text(open) !== "(" || !this.#isName(open - 1, names)) return false;
    const places = this.#places.get(this.#text(open - 1)) ?? [];
    return places.every((at) => !this.#isName(at - 1, /^(?:class|function|def)$/u));
  }

  #isTold(at: number): boolean {
    if (this.#tokens[at]?.kind !== "name" || this.#text(at - 1) === ".") return false;
    const open = this.#opens[at] ?? -1;
    const isShown = this.#text(open) === "(" && printing.test(this.#text(open - 1));
    if (isShown || this.isCompared(at)) return true;
    if (this.#text(at - 1) === "(") return /^[,)]$/u.test(this.#text(at + 1)) && this.#isLookedAt(at);
    // Behind another text it is not the beginning of a place.
    return this.#isMark(at - 1, /^[+%]$/u) && this.#isFilled(at - 2);
  }

  /** `open(name)`, `file.write(name)`, `Path(name).exists()`, `"x {}".format(name)` */
  #isLookedAt(at: number): boolean {
    const call = this.#text(at - 2);
    if (call === "Path") return this.#text(at + 2) === "." && readingPath.test(this.#text(at + 3));
    if (call === "write") return this.#text(at - 3) === ".";
    return looking.test(call) || (call === "format" && this.#isFilled(at - 4));
  }

  /** A text that begins with what stands in it. */
  #isFilled(at: number): boolean {
    return this.#tokens[at]?.kind === "text" && !/^(?:[%{]|$)/u.test(this.#text(at));
  }

  #isInFront(name: string): boolean {
    if (!this.#texts.includes(name)) return false;
    for (let at = this.#program.indexOf(name); at >= 0; at = this.#program.indexOf(name, at + 1)) {
      if (inFront.test(this.#program.slice(Math.max(0, at - 9), at))) return true;
    }
    return false;
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
