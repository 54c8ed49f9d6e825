import { whenNeeded } from "../when-needed.ts";
import type { Findings } from "./findings.ts";
import { type Grammar, Lexer, type Token } from "./lexer.ts";
import { isKnown, unknownPart } from "./values.ts";

const grammar = whenNeeded(
  (): Grammar => ({
    language: "awk",
    comments: ["#"],
    blocks: [],
    name: /[\p{L}_\uE000-\uF8FF][\p{L}\p{N}_\uE000-\uF8FF]*/uy,
    quotes: { '"': { close: '"', escapes: "all", oneLine: true } },
    special: pattern,
    join: "",
    members: [],
    operators: new Set(["print", "printf", "getline", "in", "return", "else", "do", "case"]),
    enders: new Set(),
    bare: false,
    assigns: [],
    keys: [],
  }),
);

const regex = /\/(?:[^/\\[\n]|\\.|\[\^?\]?(?:[^\]\\\n]|\\.){0,400}\]){0,2000}\//uy;

function pattern(lexer: Lexer): boolean {
  if (lexer.text[lexer.at] !== "/" || lexer.afterOperand()) return false;
  const found = lexer.match(regex);
  if (found === undefined) return false;
  lexer.at += found.length;
  return lexer.add("regex", found);
}

export function readAwk(text: string, to: Findings): undefined {
  new Awk(new Lexer(text, grammar()).read(), to).read();
}

/** Where an expression ends at the latest. */
const boundaries = new Set(["{", "}", ",", "&&", "||", "!", "=", "?", ":", "+=", "=="]);

class Awk {
  readonly #tokens: readonly Token[];
  readonly #to: Findings;
  readonly #texts = new Map<string, string>();
  /** Where the expression that is read began, for each open parenthesis. */
  #starts: number[] = [0];
  /** How many parentheses were open at `print`: only there `>` and `|` are redirections. */
  #printing = -1;

  constructor(tokens: readonly Token[], to: Findings) {
    this.#tokens = tokens;
    this.#to = to;
  }

  read(): undefined {
    for (const [at, token] of this.#tokens.entries()) {
      if (token.kind === "text" && /^\/inet[46]?\//u.test(token.text)) this.#to.connect(hostOf(token.text));
      else if (token.kind === "end") this.#begin(at, true);
      else if (token.kind === "name") this.#name(token.text, at);
      else if (token.kind === "mark") this.#mark(token.text, at);
    }
  }

  #begin(at: number, statement: boolean): undefined {
    this.#starts[this.#starts.length - 1] = at + 1;
    if (statement) this.#printing = -1;
  }

  #name(name: string, at: number): undefined {
    if (name === "print" || name === "printf") {
      this.#begin(at, true);
      this.#printing = this.#starts.length;
    } else if (name === "system" && this.#tokens[at + 1]?.text === "(") this.#to.shell(this.#folded(at + 2));
    else if (name === "getline") this.#gets(at);
    else if (this.#tokens[at + 1]?.text === "=" && this.#tokens[at + 1]?.kind === "mark") {
      this.#texts.set(name, this.#texts.has(name) ? unknownPart : this.#folded(at + 2));
    }
  }

  /** `getline < file`, `getline line < file`, where a file of several pieces stands in parentheses. */
  #gets(at: number): undefined {
    const from = [at + 1, at + 2].find((each) => this.#tokens[each]?.text === "<");
    if (from === undefined) return;
    const isGroup = this.#tokens[from + 1]?.text === "(";
    this.#to.show(this.#folded(from + (isGroup ? 2 : 1), isGroup ? this.#tokens.length : from + 2));
  }

  #mark(mark: string, at: number): undefined {
    if (mark === "(") this.#starts.push(at + 1);
    else if (mark === ")") this.#close();
    else if (mark === "|") this.#pipe(at);
    else if (mark === ">" || mark === ">>") this.#redirect(at);
    else if (mark === "@" && this.#tokens[at + 2]?.text === "(")
      this.#to.unseen("picks what it runs by a name that is not known");
    else if (boundaries.has(mark)) this.#begin(at, mark === "{" || mark === "}");
  }

  #close(): undefined {
    if (this.#starts.length > 1) this.#starts.pop();
  }

  #redirect(at: number): undefined {
    if (this.#printing === this.#starts.length) this.#to.write(this.#folded(at + 1));
  }

  #pipe(at: number): undefined {
    const from = this.#tokens[at + 1]?.text === "&" ? at + 2 : at + 1;
    const start = this.#starts.at(-1) ?? 0;
    if (this.#tokens[from]?.text === "getline") this.#command(this.#folded(start, at));
    else if (this.#printing === this.#starts.length) this.#command(this.#folded(from));
    this.#begin(at, false);
  }

  #command(text: string): undefined {
    if (!/^\/inet[46]?\//u.test(text)) this.#to.shell(text);
  }

  /** The text that the expression from here gives; other values in it are unknown parts. */
  #folded(from: number, to = this.#tokens.length): string {
    let text = "";
    let depth = 0;
    for (let at = from; at < to; at += 1) {
      const token = this.#tokens[at];
      if (token === undefined || this.#endsExpression(token, depth)) break;
      if (token.text === "(") depth += 1;
      else if (token.text === ")") depth -= 1;
      else text += this.#piece(token);
      if (text.length > 20_000 || at - from > 200) return unknownPart;
    }
    return text;
  }

  #endsExpression({ kind, text }: Token, depth: number): boolean {
    if (kind === "end") return true;
    return kind === "mark" && (text === "}" || (depth === 0 && [")", ",", "|"].includes(text)));
  }

  #piece({ kind, text }: Token): string {
    if (kind === "text" || kind === "number") return text;
    return (kind === "name" ? this.#texts.get(text) : undefined) ?? unknownPart;
  }
}

/** `/inet/tcp/0/host/port` */
function hostOf(text: string): string {
  const host = text.split("/")[4] ?? unknownPart;
  return isKnown(host) ? host : unknownPart;
}
