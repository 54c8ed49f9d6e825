import { withArrows } from "./arrows.ts";
import { longestCut } from "./cutting.ts";
import type { Findings } from "./findings.ts";
import { readImport } from "./imports.ts";
import { type Grammar, Lexer, type Token } from "./lexer.ts";
import { Names } from "./names.ts";
import { ownPlaces } from "./own-places.ts";
import type { Rules } from "./rule.ts";
import {
  type Call,
  combined,
  type Group,
  keyOf,
  listValue,
  type Named,
  type Operation,
  textValue,
  unknown,
  unknownPart,
  type Value,
  wordsValue,
} from "./values.ts";

/** What is known of an expression while it is read. */
type Reading = {
  value: Value | undefined;
  /** The name, when there is nothing else yet: what is assigned to, or a key. */
  name: string | undefined;
  single: boolean;
  /** What is done with the next operand. */
  operation: Operation | undefined;
};

const deepest = 300;
const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const finish = new Set([")", "]", "}", ","]);
const defines = new Set(["def", "function", "sub", "class", "fn"]);
const repeating = new Set(["while", "until", "loop", "for"]);

/** Reads the tokens of a program once, from left to right, and tells the rules of every call. */
class Reader {
  readonly grammar: Grammar;
  readonly names: Names;
  readonly #tokens: readonly Token[];
  readonly #to: Findings;
  readonly #rules: Rules;
  #at = 0;
  #depth = 0;

  constructor(lexer: Lexer, rules: Rules, to: Findings) {
    this.grammar = lexer.grammar;
    this.#tokens = withArrows(lexer.read(), lexer.grammar.language, rules);
    to.named.push(...ownPlaces(lexer, to.isNested));
    this.#rules = rules;
    this.#to = to;
    this.names = new Names(lexer.grammar.language);
  }

  read(): undefined {
    while (this.#at < this.#tokens.length) {
      this.#group("");
      // A bracket closes that was not open.
      this.#at += 1;
    }
  }

  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  next(): Token | undefined {
    this.#at += 1;
    return this.#tokens[this.#at - 1];
  }

  isMark(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.kind === "mark" && token.text === text;
  }

  /** The items up to a closing bracket. */
  #group(open: string): Group {
    const items: Value[] = [];
    const named = new Map<string, Value>();
    let commas = false;
    this.#depth += 1;
    if (this.#depth > deepest) this.#to.unseen("is nested too deep to be looked into");
    for (let token = this.peek(); token !== undefined; token = this.peek()) {
      if (token.kind === "mark" && ")]}".includes(token.text)) break;
      commas ||= this.isMark(",");
      if (this.#isEnd(token)) this.#at += 1;
      else this.#item(items, named, open);
    }
    if (open !== "") this.#at += 1;
    else if (commas && this.grammar.language === "python") this.#rules.mentioned(items, this.#to);
    this.#depth -= 1;
    return { items, named, commas };
  }

  #isEnd(token: Token): boolean {
    return token.kind === "end" || (token.kind === "mark" && token.text === ",") || this.#isEnder(token);
  }

  #isEnder({ kind, text }: Token): boolean {
    if (kind !== "name" || !this.grammar.enders.has(text)) return false;
    if (repeating.has(text)) this.#to.repeats = true;
    return true;
  }

  #item(items: Value[], named: Map<string, Value>, open: string): undefined {
    const before = this.#at;
    const [key, value] = this.#expression(open !== "");
    if (key !== undefined) named.set(key, value);
    else items.push(value);
    if (this.#at === before) this.#at += 1;
  }

  #expression(inGroup: boolean): readonly [string | undefined, Value] {
    if (this.#depth > deepest) {
      this.#to.unseen("is nested too deep to be looked into");
      this.#at += 1;
      return [undefined, unknown];
    }
    this.#depth += 1;
    const read = this.#keyed(inGroup);
    this.#depth -= 1;
    return read;
  }

  /** One expression, with its key when it has one. */
  #keyed(inGroup: boolean): readonly [string | undefined, Value] {
    if (readImport(this)) return [undefined, unknown];
    const reading: Reading = { value: undefined, name: undefined, single: true, operation: undefined };
    for (let token = this.peek(); token !== undefined; token = this.peek()) {
      if (this.#finishes(token)) break;
      if (this.#assigns(token)) return this.#assignment(reading, token.text, inGroup);
      if (this.#isSeparator(token)) {
        this.#at += 1;
        const key = this.#keyBefore(token.text, reading, inGroup);
        return key === undefined ? [key, reading.value ?? unknown] : [key, this.#expression(inGroup)[1]];
      }
      this.#part(token, reading);
    }
    return [undefined, reading.value ?? unknown];
  }

  #finishes(token: Token): boolean {
    return token.kind === "end" || (token.kind === "mark" && finish.has(token.text)) || this.#isEnder(token);
  }

  #keyBefore(mark: string, reading: Reading, inGroup: boolean): string | undefined {
    if (mark === ":" && !inGroup) return undefined;
    return this.grammar.keys.includes(mark) && reading.single ? keyOf(reading) : undefined;
  }

  #assigns({ kind, text }: Token): boolean {
    if (kind !== "mark") return false;
    return this.grammar.assigns.includes(text) || text === "+=";
  }

  #isSeparator({ kind, text }: Token): boolean {
    if (kind !== "mark") return false;
    return text === "=>" || (text === ":" && !this.grammar.members.includes(":"));
  }

  #assignment(target: Reading, mark: string, inGroup: boolean): readonly [string | undefined, Value] {
    const isSeveral = !inGroup && this.names.forgetBefore(this.#tokens, this.#at);
    this.#at += 1;
    const value = this.#expression(inGroup)[1];
    // A named argument is not a variable.
    if (inGroup && this.grammar.language === "python" && mark === "=") return [keyOf(target), value];
    const known = !isSeveral && (mark === "=" || mark === ":=" || mark.includes("<-")) ? value : unknown;
    if (target.name === undefined) this.names.assign(target.value, known, this.#to);
    else this.names.assignName(target.name, known);
    return [inGroup ? keyOf(target) : undefined, value];
  }

  /** An operand or an operator. */
  #part(token: Token, reading: Reading): undefined {
    if (token.kind === "mark" && !Object.hasOwn(closers, token.text)) return this.#operator(token.text, reading);
    if (token.kind === "name" && this.#word(token.text, reading)) return;
    const before = this.#at;
    const operand = this.#operand();
    const { value, operation } = reading;
    reading.name = value === undefined && token.kind === "name" && this.#at === before + 1 ? token.text : undefined;
    reading.value = value === undefined ? operand : combined(value, operand, operation, this.grammar.language);
    if (value !== undefined) reading.single = false;
    reading.operation = undefined;
  }

  #operator(mark: string, reading: Reading): undefined {
    this.#at += 1;
    const { value } = reading;
    if (value === undefined) return this.#prefix(mark, reading);
    reading.single = false;
    if (mark === this.grammar.join) reading.operation = "joins";
    else if (mark === "/" && value.is === "name") reading.operation = "divides";
    else if (mark === "%" && value.is === "text") reading.operation = "formats";
    else if (mark !== "!") reading.value = unknown;
  }

  #prefix(mark: string, reading: Reading): undefined {
    const token = this.peek();
    if (mark === "-" && token?.kind === "number") {
      this.#at += 1;
      reading.value = { is: "number", number: -Number(token.text), raw: `-${token.text}` };
    } else if (mark === "*" || mark === "..." || mark === "**") {
      this.#operandIfAny();
      reading.value = { is: "rest" };
    } else if (mark === ":" && this.grammar.language === "ruby") this.#operandIfAny();
  }

  #operandIfAny(): undefined {
    const token = this.peek();
    if (token === undefined || token.kind === "end" || (token.kind === "mark" && finish.has(token.text))) return;
    this.#operand();
  }

  /** Words of the language; what they do to the expression's value. */
  #word(text: string, reading: Reading): boolean {
    if (repeating.has(text)) this.#to.repeats = true;
    if (defines.has(text) && this.peek(1)?.kind === "name") {
      // What has a rule keeps it: the definition may be that of a method, or never be reached.
      if (!this.#rules.has(this.names.of(this.peek(1)?.text ?? ""))) this.names.forget(this.peek(1)?.text ?? "");
      this.#at += 2;
      return true;
    }
    if (!this.grammar.operators.has(text)) return false;
    this.#at += 1;
    if (text === "typeof") {
      this.#operandIfAny();
      reading.value = unknown;
    }
    if (text === "for" || text === "as") this.names.forget(this.peek()?.text ?? "");
    if (reading.value !== undefined) {
      reading.value = unknown;
      reading.single = false;
    }
    return true;
  }

  #operand(): Value {
    if (this.#depth > deepest) {
      this.#at += 1;
      return unknown;
    }
    this.#depth += 1;
    const value = this.#members(this.#primary());
    this.#depth -= 1;
    return value;
  }

  #primary(): Value {
    const token = this.next();
    if (token === undefined) return unknown;
    switch (token.kind) {
      case "text":
      case "template":
        return textValue(token.text);
      case "number":
        return { is: "number", number: Number(token.text.replaceAll("_", "")), raw: token.text };
      case "shell":
        this.#to.shell(token.text);
        return unknown;
      case "words":
        return wordsValue(token.text);
      case "code":
        this.#to.code(this.grammar.language, token.text);
        return unknown;
      case "glob":
        this.#to.walks = true;
        return textValue(token.text.replace(/\$\w+(?:\{\w+\})?/gu, unknownPart));
      case "name":
        return this.names.of(token.text);
      default:
        return Object.hasOwn(closers, token.text) ? this.#bracketed(token.text) : unknown;
    }
  }

  #bracketed(open: string): Value {
    const { items, named, commas } = this.#group(open);
    const [only] = items;
    if (open === "(" && !commas && items.length === 1 && named.size === 0 && only !== undefined) return only;
    this.#rules.mentioned([...items, ...named.values()], this.#to);
    return listValue(items, named);
  }

  /** What follows a value and belongs to it: members, calls and indexes. */
  #members(start: Value): Value {
    let value = start;
    let receiver: Value = unknown;
    for (let token = this.peek(); token !== undefined; token = this.peek()) {
      if (this.#isMember(token)) {
        this.#at += 1;
        if (this.peek()?.kind !== "name") continue;
        receiver = value;
        value = this.names.member(value, this.next()?.text ?? "");
        continue;
      }
      const next = this.#applied(value, receiver, token);
      if (next === undefined) break;
      value = next;
    }
    return this.#mayBeCall(value, receiver);
  }

  /** The value after the call or the index that stands here. */
  #applied(value: Value, receiver: Value, token: Token): Value | undefined {
    if (this.isMark("(") && !this.#isBareCall(value, token)) return this.#called(value, receiver, this.#arguments());
    if (this.#isIndex(value, token)) return this.#indexed(value);
    if (token.kind === "template" && value.is === "name") {
      this.#at += 1;
      return this.#called(value, receiver, { items: [textValue(token.text)], named: new Map(), commas: false });
    }
    return this.#isBareCall(value, token) ? this.#called(value, receiver, this.#bareArguments()) : undefined;
  }

  #indexed(value: Value): Value {
    const start = this.#at + 1;
    const { items } = this.#arguments();
    return this.names.index(
      value,
      { items, written: this.#tokens.slice(start, Math.min(start + longestCut, this.#at - 1)) },
      this.#to,
    );
  }

  #isIndex(value: Value, token: Token): boolean {
    if (this.isMark("[")) return !(token.spaced && this.grammar.bare);
    return this.isMark("{") && this.grammar.language === "perl" && value.is === "name" && value.path.startsWith("$");
  }

  /** A label or a key ends with the same mark as a member begins with. */
  #isMember(token: Token): boolean {
    if (token.kind !== "mark" || !this.grammar.members.includes(token.text)) return false;
    if (token.text === ":" || token.text === "$") return this.peek(1)?.kind === "name";
    const after = this.peek(1);
    return after?.kind === "name" || (after?.kind === "mark" && Object.hasOwn(closers, after.text));
  }

  #arguments(): Group {
    return this.#group(this.next()?.text ?? "");
  }

  #isBareCall(value: Value, token: Token): boolean {
    if (!this.grammar.bare || value.is !== "name" || value.call !== undefined || /^[$@%]/u.test(value.path))
      return false;
    if (token.kind === "name") return token.spaced && !this.#isEnder(token);
    if (token.kind === "mark") return this.#opensArguments(value.path, token);
    return token.kind !== "end" && (token.kind !== "number" || token.spaced);
  }

  #opensArguments(path: string, { text, spaced }: Token): boolean {
    if (text === "[") return spaced;
    // `puts (a).b` shows what `b` gives.
    if (text === "(") return spaced && this.grammar.language === "ruby";
    if (text === "{") return this.grammar.language === "lua" || /^(?:exec|system)$/u.test(path);
    return text === "*" && spaced && this.grammar.language === "ruby" && !(this.peek(1)?.spaced ?? true);
  }

  /** The arguments of a call without parentheses. */
  #bareArguments(): Group {
    const items: Value[] = [];
    const named = new Map<string, Value>();
    for (;;) {
      this.#item(items, named, "(");
      if (this.isMark(",")) this.#at += 1;
      else if (this.grammar.language === "perl" && this.peek(-1)?.text === "=>") continue;
      else break;
    }
    return { items, named, commas: true };
  }

  #called(value: Value, receiver: Value, { items, named }: Group): Value {
    const path =
      value.is === "name" ? value.path : value.is === "text" && this.grammar.language === "php" ? value.text : "?";
    return this.#tell({ path, args: items, named, receiver });
  }

  #tell(call: Call): Value {
    return this.#rules.called(call, this.#to) ?? { is: "name", path: `${call.path}()`.slice(-160), call };
  }

  /** In some languages a name alone is a call. */
  #mayBeCall(value: Value, receiver: Value): Value {
    if (value.is !== "name" || !this.grammar.bare || value.call !== undefined) return value;
    if (this.grammar.language === "lua" || /^[$@%]\w*$/u.test(value.path)) return value;
    const named: Named = new Map();
    const result = this.#rules.called({ path: value.path, args: [], named, receiver }, this.#to);
    return result ?? value;
  }
}

export function readWith(grammar: Grammar, rules: Rules, text: string, to: Findings): undefined {
  const lexer = new Lexer(text, grammar);
  new Reader(lexer, rules, to).read();
  for (const inner of lexer.inner) if (/[\w)`]\s{0,9}[(`]|[`"']/u.test(inner)) to.code(grammar.language, inner);
}
