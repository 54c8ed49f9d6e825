import { parse, type Word, type WordPart } from "unbash";
import { type Remembered, spanOf } from "./analysis.ts";
import { expandBraces } from "./braces.ts";
import { arithmeticText, type Expanding, type Expansion, expandParameter, separatorsOf } from "./parameters.ts";
import type { Evaluating } from "./shell.ts";
import { homeOf, leftFolder, type ShellState } from "./state.ts";
import { type Argument, type Hole, type Span, type Text, textOf } from "./text.ts";

/** All fields of some words. */
export function fieldsOf(words: readonly Word[], evaluating: Evaluating): readonly Argument[] {
  return words.flatMap((word) => fieldsOfWord(word, evaluating));
}

/** The fields that a shell makes of one word: braces, expansions, splitting; patterns stay holes. */
export function fieldsOfWord(word: Word, evaluating: Evaluating): readonly Argument[] {
  return once(evaluating.shell.analysis.fields, word, evaluating, evaluatedFields);
}

/** A word is evaluated once in each state, however often it is asked for: substitutions in it would multiply. */
function once<Result>(
  before: Remembered<Result>,
  word: Word,
  evaluating: Evaluating,
  evaluate: (word: Word, evaluating: Evaluating) => Result,
): Result {
  const found = before.get(word);
  if (found?.state === evaluating.state) return found.result;
  const result = evaluate(word, evaluating);
  before.set(word, { state: evaluating.state, result });
  return result;
}

/** In a text that is read once more, holes have names; where these are quoted or escaped nobody looks them up. */
export function withHoles(text: Text, { variables }: ShellState): Text {
  if (!text.some((piece) => typeof piece === "string" && piece.includes("__hole_"))) return text;
  const named = (piece: string, index: number): Text => {
    const value = index % 2 === 0 ? undefined : variables.get(piece.slice(2, -1));
    return value?.type === "text" ? value.text : [piece];
  };
  return textOf(
    ...text.flatMap((piece) =>
      typeof piece === "string" ? piece.split(/(\$\{__hole_\w+\})/).flatMap(named) : [piece],
    ),
  );
}

function evaluatedFields(word: Word, evaluating: Evaluating): readonly Argument[] {
  return splitFields(word, evaluating).map((field) => ({ ...field, text: withHoles(field.text, evaluating.state) }));
}

function splitFields(word: Word, evaluating: Evaluating): readonly Argument[] {
  const span = spanOf(word, evaluating.source);
  const analysis = evaluating.shell.analysis;
  if (!analysis.spend(span)) return [{ text: [unknown(word.text)], splits: true, span }];
  if (!word.parts?.some(({ type }) => type === "BraceExpansion")) return new Fields(evaluating, span).of(word);
  const words = expandBraces(word.text);
  if (words === null) return [{ text: [unknown(word.text)], splits: true, span }];
  return words.flatMap((text) => {
    const inner = wordOf(text);
    return inner === null ? [] : new Fields({ ...evaluating, source: { text, at: span } }, span).of(inner);
  });
}

/** One text, without splitting: the value of an assignment, a here-document. */
export function textOfWord(word: Word, evaluating: Evaluating): Text {
  return once(evaluating.shell.analysis.texts, word, evaluating, () => textOfParts(partsOf(word), evaluating));
}

export function textOfParts(parts: readonly WordPart[], evaluating: Evaluating): Text {
  return withHoles(textOf(...parts.flatMap((part) => quotedText(part, evaluating))), evaluating.state);
}

/** The target of a redirection: one field, or the command fails. */
export function targetOfWord(word: Word, evaluating: Evaluating): Argument {
  const [first] = fieldsOfWord(word, evaluating);
  return first ?? { text: [], splits: false, span: spanOf(word, evaluating.source) };
}

function wordOf(text: string): Word | null {
  const [statement] = parse(`_ ${text}`).commands;
  const argument = statement?.command.type === "Command" ? statement.command.suffix[0] : undefined;
  // A word may come out as an assignment: then it has a name, but stands for the same text.
  if (argument?.type === "Word") return argument;
  return argument?.type === "Assignment" ? { ...argument, type: "Word", value: argument.text } : null;
}

/** A word without parts is plain text, but for a tilde at its beginning. */
function partsOf(word: Word): readonly WordPart[] {
  if (word.parts !== undefined) return word.parts;
  const { pos, end, text, value } = word;
  return [{ type: "Literal", pos, end, text, value }];
}

function unknown(from: string): Hole {
  return { hole: "any", from };
}

/** The text of a part where nothing is split and nothing is a pattern. */
function quotedText(part: WordPart, evaluating: Evaluating): Text {
  switch (part.type) {
    case "Literal":
      return tilde(part.text, part.value, evaluating);
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      return [part.text];
    case "SingleQuoted":
      return [part.value];
    case "AnsiCQuoted":
      // Only the newest shells read it so.
      return /\\x\{/.test(part.text) ? [{ hole: "any", from: part.text, made: true }] : [part.value];
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.flatMap((child) => (child.type === "Literal" ? [child.value] : quotedText(child, evaluating)));
    default:
      return joined(expand(part, { ...evaluating, quoted: true }));
  }
}

function joined({ fields }: Expansion): Text {
  return textOf(...fields.flatMap((text, index) => (index === 0 ? text : [" ", ...text])));
}

type ExpandingPart = Exclude<
  WordPart,
  {
    type:
      | "Literal"
      | "Glob"
      | "ExtendedGlob"
      | "BraceExpansion"
      | "SingleQuoted"
      | "AnsiCQuoted"
      | "DoubleQuoted"
      | "LocaleString";
  }
>;

function expand(part: ExpandingPart, expanding: Expanding): Expansion {
  const { shell, state, source } = expanding;
  const span = spanOf(part, source);
  switch (part.type) {
    case "SimpleExpansion":
    case "ParameterExpansion":
      return expandParameter(part, expanding);
    case "CommandExpansion": {
      if (part.script === undefined) return { fields: [[unknown(part.text)]] };
      const inner = part.script.source === undefined ? source : { text: part.script.source, at: span };
      const separators = separatorsOf(state);
      return {
        fields: [shell.substitution(part.script, state, inner)],
        ...(separators === null ? {} : { separators }),
      };
    }
    case "ArithmeticExpansion":
      return { fields: [arithmeticText(part, expanding)] };
    case "ProcessSubstitution":
      return { fields: [shell.processSubstitution(part, state, source)] };
    default:
      return part satisfies never;
  }
}

function tilde(text: string, value: string, { state, shell }: Evaluating): Text {
  const named = /^~([\w.+-]*)(?=$|\/)/.exec(text);
  if (named === null) return [value];
  const rest = value.slice(named[0].length);
  const [, name = ""] = named;
  if (name === "") return textOf(...homeOf(state, shell.analysis.world.home), rest);
  if (name === "+") return textOf(...state.cwd, rest);
  if (name === "-") return textOf(...leftFolder(state), rest);
  // One of those that pushd keeps.
  if (/^[-+]?\d/.test(name)) return textOf({ hole: "any", from: named[0], made: true }, rest);
  if (name === "root") return [`/root${rest}`];
  return textOf({ hole: "path", from: named[0] }, rest);
}

/** Builds the fields of one word. */
class Fields {
  readonly #evaluating: Evaluating;
  readonly #span: Span;
  readonly #done: Argument[] = [];
  #text: (string | Hole)[] = [];
  #splits = false;
  /** Something stood there, if only quotes. */
  #begun = false;
  /** A list was expanded and was empty. */
  #nothing = false;

  constructor(evaluating: Evaluating, span: Span) {
    this.#evaluating = evaluating;
    this.#span = span;
  }

  of(word: Word): readonly Argument[] {
    const parts = partsOf(word);
    for (const [index, part] of parts.entries()) this.#add(part, index === 0);
    this.#end();
    return this.#done;
  }

  #add(part: WordPart, first: boolean): void {
    switch (part.type) {
      case "Literal":
        this.#append(first ? tilde(part.text, part.value, this.#evaluating) : [part.value]);
        return;
      case "Glob":
      case "ExtendedGlob":
        this.#append([{ hole: "glob", from: part.text }]);
        return;
      case "BraceExpansion":
      case "SingleQuoted":
      case "AnsiCQuoted":
        this.#append(quotedText(part, this.#evaluating));
        return;
      case "DoubleQuoted":
      case "LocaleString":
        for (const child of part.parts) this.#addQuoted(child);
        // Of `"$@"` without parameters nothing is left, not even an empty word.
        this.#begun ||= !(part.parts.length === 1 && this.#nothing);
        this.#nothing = false;
        return;
      default:
        this.#addUnquoted(expand(part, { ...this.#evaluating, quoted: false }));
    }
  }

  #addQuoted(part: WordPart): void {
    if (part.type === "Literal") this.#append([part.value]);
    else if (part.type === "SimpleExpansion" || part.type === "ParameterExpansion") {
      const { fields, list } = expandParameter(part, { ...this.#evaluating, quoted: true });
      if (list === undefined) this.#append(joined({ fields }));
      else this.#addList(fields, list);
    } else this.#append(quotedText(part, this.#evaluating));
  }

  /** `"$@"` and the like: one field each, the first and the last joined to what stands around them. */
  #addList(fields: readonly Text[], sure: "sure" | "unsure"): void {
    this.#nothing = fields.length === 0;
    for (const [index, text] of fields.entries()) {
      if (index > 0) this.#end();
      this.#append(text);
      this.#begun = true;
    }
    if (sure === "unsure") this.#splits = true;
  }

  /** Known texts are split at blanks; holes may be several words, but for those that are one word for sure. */
  #addUnquoted({ fields, separators = " \t\n" }: Expansion): void {
    for (const [index, text] of fields.entries()) {
      if (index > 0) this.#end();
      for (const piece of text) {
        if (typeof piece === "string") this.#split(piece, separators);
        else {
          if (piece.hole === "any") this.#splits = true;
          this.#append([piece]);
        }
      }
    }
  }

  #split(text: string, separators: string): void {
    let from = 0;
    for (let at = 0; at <= text.length; at += 1) {
      if (at < text.length && !separators.includes(text.charAt(at))) continue;
      if (at > from) this.#append(patterns(text.slice(from, at)));
      if (at < text.length) this.#end();
      from = at + 1;
    }
  }

  #append(text: Text): void {
    this.#text.push(...text);
    this.#begun ||= text.length > 0;
  }

  #end(): void {
    if (!this.#begun) return;
    this.#done.push({ text: textOf(...this.#text), splits: this.#splits, span: this.#span });
    this.#text = [];
    this.#splits = false;
    this.#begun = false;
  }
}

/** What comes out of an unquoted expansion is a pattern where it looks like one. */
function patterns(text: string): Text {
  if (!/[*?[]/.test(text)) return [text];
  return textOf(
    ...text
      .split(/(\*|\?|\[[^\]]+\])/)
      .map((piece, index): string | Hole => (index % 2 === 1 ? { hole: "glob", from: piece } : piece)),
  );
}
