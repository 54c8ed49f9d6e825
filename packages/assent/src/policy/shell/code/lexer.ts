import type { Language } from "./language.ts";
import { unknownPart } from "./values.ts";

/**
 * `shell`: a text between backquotes. `words`: `%w[…]`. `regex`: any operand that is of no interest. `code`: text that
 * is run where it stands. `glob`: a pattern for files. `end`: a statement ends.
 */
export type Token = {
  readonly kind:
    | "name"
    | "text"
    | "template"
    | "number"
    | "mark"
    | "end"
    | "shell"
    | "words"
    | "regex"
    | "code"
    | "glob";
  readonly text: string;
  /** Blanks stand before it. */
  readonly spaced: boolean;
};

export type Quoting = {
  readonly close: string;
  /** `few`: only the quote and the backslash can be escaped. */
  readonly escapes: "all" | "few" | "none";
  /** What begins an expression inside the text, each ending with its brace. */
  readonly inside?: readonly string[];
  /** What stands for a value inside the text without braces. */
  readonly variable?: RegExp;
  /** The bracket that nests. */
  readonly open?: string;
  readonly oneLine?: boolean;
};

export type Grammar = {
  readonly language: Language;
  readonly comments: readonly string[];
  readonly blocks: readonly (readonly [string, string])[];
  readonly name: RegExp;
  readonly quotes: Readonly<Record<string, Quoting>>;
  readonly special?: (lexer: Lexer) => boolean;
  /** The operator that joins texts. */
  readonly join: string;
  readonly members: readonly string[];
  /** Words that make an expression more than its value. */
  readonly operators: ReadonlySet<string>;
  /** Words that end an expression. */
  readonly enders: ReadonlySet<string>;
  /** A call can do without parentheses. */
  readonly bare: boolean;
  readonly assigns: readonly string[];
  /** What stands between a key and its value. */
  readonly keys: readonly string[];
};

const blanks = /[ \t\r\f\v\u00A0\u2028\u2029\uFEFF]+|\\\r?\n/uy;
const number = /0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
const marks =
  /\.\.\.|===|!==|\*\*=|<<-|<<=|>>=|->|=>|==|!=|<=|>=|\+=|-=|\*=|\.=|\|=|&=|:=|\+\+|--|&&|\|\||\?->|\?\.|&\.|::|\.\.|<-|<<|>>|=~|!~|\*\*|\?\?/uy;
const canName = /[^\s()[\]{}"'`;,=+*/|<>!?~^-]/u;
const longer = /[.=!*<>+|&:?-]/u;
const opening = "([{";
const closing = ")]}";

/** Cuts the text of a program into tokens: comments go, strings are decoded. */
export class Lexer {
  readonly text: string;
  readonly grammar: Grammar;
  readonly tokens: Token[] = [];
  /** Expressions inside texts. */
  readonly inner: string[] = [];
  at = 0;
  spaced = false;
  readonly #open: string[] = [];

  constructor(text: string, grammar: Grammar) {
    this.text = text;
    this.grammar = grammar;
  }

  read(): readonly Token[] {
    while (this.at < this.text.length) this.#step();
    return this.tokens;
  }

  add(kind: Token["kind"], text: string): true {
    this.tokens.push({ kind, text, spaced: this.spaced });
    this.spaced = false;
    return true;
  }

  /** What the expression matches here; it must be sticky. */
  match(expression: RegExp): string | undefined {
    expression.lastIndex = this.at;
    return expression.exec(this.text)?.[0];
  }

  /** Whether what stands before is a value, so that an operator must follow. */
  afterOperand(): boolean {
    const last = this.tokens.at(-1);
    if (last === undefined || last.kind === "end") return false;
    if (last.kind === "mark") return closing.includes(last.text);
    return last.kind !== "name" || !(this.grammar.operators.has(last.text) || this.grammar.enders.has(last.text));
  }

  #step(): undefined {
    const code = this.text.charCodeAt(this.at);
    const blank = code <= 0x20 || code === 0x5c || code > 0x7f ? this.match(blanks) : undefined;
    if (blank !== undefined) {
      this.at += blank.length;
      this.spaced = true;
      return;
    }
    if (this.text[this.at] === "\n") return this.#endLine();
    if (this.#comment() || this.grammar.special?.(this) === true) return;
    this.#token();
  }

  #token(): undefined {
    const char = this.text[this.at] ?? "";
    const quoting = Object.hasOwn(this.grammar.quotes, char) ? this.grammar.quotes[char] : undefined;
    if (quoting !== undefined) {
      this.at += 1;
      this.add(
        char === "`" ? (this.grammar.language === "javascript" ? "template" : "shell") : "text",
        this.quoted(quoting),
      );
      return;
    }
    const name = canName.test(char) ? this.match(this.grammar.name) : undefined;
    const text = name ?? (char >= "0" && char <= "9" ? this.match(number) : undefined);
    if (text !== undefined) {
      this.at += text.length;
      this.add(name === undefined ? "number" : "name", text);
      return;
    }
    this.#mark(char);
  }

  #mark(char: string): undefined {
    const mark = (longer.test(char) ? this.match(marks) : undefined) ?? char;
    this.at += mark.length;
    if (opening.includes(mark)) this.#open.push(mark);
    if (closing.includes(mark)) this.#open.pop();
    this.add(mark === ";" ? "end" : "mark", mark);
  }

  #endLine(): undefined {
    this.at += 1;
    this.spaced = true;
    const inside = this.#open.at(-1);
    const continues = inside === "(" || inside === "[" || (inside === "{" && this.grammar.language === "python");
    if (!continues && this.match(/\s{0,80}(?:\.(?!\.)|\?\.|->|&\.)/uy) === undefined) this.add("end", "\n");
  }

  #comment(): boolean {
    for (const [open, close] of this.grammar.blocks) {
      if (!this.text.startsWith(open, this.at)) continue;
      const end = this.text.indexOf(close, this.at + open.length);
      this.at = end < 0 ? this.text.length : end + close.length;
      this.spaced = true;
      return true;
    }
    if (!this.grammar.comments.some((start) => this.text.startsWith(start, this.at))) return false;
    this.skipLine();
    return true;
  }

  skipLine(): undefined {
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  /** The text from here to the closing quote, decoded; values inside are unknown. */
  quoted(quoting: Quoting): string {
    const pieces: string[] = [];
    let from = this.at;
    let depth = 0;
    const start = this.at;
    while (this.at < this.text.length) {
      const skipped = this.#insideText(quoting);
      if (skipped === "end" && depth === 0) {
        pieces.push(withoutPairs(decoded(this.text.slice(from, this.at), quoting), quoting));
        this.at += quoting.close.length;
        return pieces.join("");
      }
      if (skipped === "end") depth -= 1;
      if (skipped === "open") depth += 1;
      if (skipped === "value") {
        pieces.push(withoutPairs(decoded(this.text.slice(from, this.#valueAt), quoting), quoting), unknownPart);
        from = this.at;
      } else this.at += skipped === "escaped" ? 2 : 1;
    }
    // It never ends: perhaps it was no text at all.
    this.inner.push(this.text.slice(start));
    this.at = this.text.length;
    return unknownPart;
  }

  #valueAt = 0;

  #insideText(quoting: Quoting): "end" | "open" | "escaped" | "value" | "char" {
    const char = this.text[this.at];
    if (char === "\\" && quoting.escapes !== "none") return "escaped";
    if (char === quoting.close[0] && this.text.startsWith(quoting.close, this.at)) return "end";
    if (char === "\n" && quoting.oneLine === true) return "end";
    if (char === quoting.open) return "open";
    return this.#value(quoting) ? "value" : "char";
  }

  #value({ inside = [], variable, close }: Quoting): boolean {
    const opener = inside.find((each) => this.text.startsWith(each, this.at));
    if (opener === "{" && this.text[this.at + 1] === "{") {
      this.at += 1;
      return false;
    }
    this.#valueAt = this.at;
    if (opener !== undefined) {
      const end = closingBrace(this.text, this.at + opener.length, close === "'''" || close === '"""');
      this.inner.push(this.text.slice(this.at + opener.length, end));
      this.at = Math.min(end + 1, this.text.length);
      return true;
    }
    const found = variable === undefined ? undefined : this.match(variable);
    if (found === undefined || found === "") return false;
    this.at += found.length;
    return true;
  }
}

/** Where the brace that is open closes. */
function closingBrace(text: string, from: number, lines: boolean): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "{") depth += 1;
    else if (char === "}" && depth === 0) return at;
    else if (char === "}") depth -= 1;
    else if (char === "\n" && !lines && at - from > 4000) return at;
  }
  return text.length;
}

const escapes = /\\(?:x\{?([\da-fA-F]{1,6})\}?|u\{?([\da-fA-F]{1,6})\}?|([0-7]{1,3})|\r?\n|([\s\S]))/gu;
const controls: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\x07", e: "\x1B", 0: "\0" };

function decoded(text: string, quoting: Quoting): string {
  if (quoting.escapes === "none") return text;
  if (quoting.escapes === "few") {
    const { open, close } = quoting;
    return text.replace(/\\(\S)/gu, (all, char: string) => (["\\", open, close].includes(char) ? char : all));
  }
  return text.replace(escapes, (_, hex?: string, unicode?: string, octal?: string, char?: string) => {
    const code = hex ?? unicode;
    if (code !== undefined) return fromCode(Number.parseInt(code, 16));
    if (octal !== undefined) return fromCode(Number.parseInt(octal, 8));
    return char === undefined ? "" : (controls[char] ?? char);
  });
}

/** `{{` is one brace where a brace begins a value. */
function withoutPairs(text: string, { inside }: Quoting): string {
  return inside?.includes("{") === true ? text.replace(/\{\{|\}\}/gu, ([brace]) => brace ?? "") : text;
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : unknownPart;
}
