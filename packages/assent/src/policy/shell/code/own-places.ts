import type { Lexer, Token } from "./lexer.ts";
import { looking, Uses } from "./own-uses.ts";

/** These put one text in the place of another. */
const replacing = /^(?:sub|subn|gsub|replace|replaceAll|replace_all|str_replace|translate)$/u;

/** A whole path, or one from the home or from above, perhaps with an end that is not known. */
const place = /^(?:\/\w|~\/|\.\.\/)[^\s*?:]{0,300}$/u;

/**
 * The places that a program names without saying at once what for. What it does to a place that is not known, because that was
 * handed to a function, taken from a list or put together, may be done to each of them.
 */
export function ownPlaces(lexer: Lexer, isNested: boolean): readonly string[] {
  const { grammar, tokens } = lexer;
  const found = [...tokens.keys()].filter((at) => isPlace(tokens[at]) && !isUsed(tokens, at));
  // Of a part of a program it is not known how the rest uses what stands in it.
  const isWhole = !isNested && (grammar.language === "python" || grammar.language === "javascript");
  if (found.length === 0 || !isWhole) return found.map((at) => tokens[at]?.text ?? "");
  const uses = new Uses(lexer);
  const isNone = (at: number) =>
    uses.isCompared(at) ||
    uses.isOnlyLookedFor(at) ||
    uses.isUnread(at) ||
    uses.isOnlyTold(at) ||
    uses.isRun(at) ||
    uses.isHandedOut(at);
  return found.filter((at) => !isNone(at)).map((at) => tokens[at]?.text ?? "");
}

function isPlace(token: Token | undefined): boolean {
  return (token?.kind === "text" || token?.kind === "template") && place.test(token.text);
}

/** Something is done with it at once: it is read, put in the place of a text, or set as a variable for programs. */
function isUsed(tokens: readonly Token[], at: number): boolean {
  const textAt = (back: number): string => tokens[at - back]?.text ?? "";
  if (textAt(1) === "=") return isVariable(tokens, at - 2);
  if (textAt(1) === "(") return looking.test(textAt(2)) || replacing.test(textAt(2));
  return textAt(1) === "," && textAt(3) === "(" && replacing.test(textAt(4));
}

/** `os.environ["A"]`, `process.env.A`, `ENV["A"]`, `env["A"]` */
function isVariable(tokens: readonly Token[], end: number): boolean {
  const textAt = (back: number): string => tokens[end - back]?.text ?? "";
  const environment = textAt(0) === "]" && textAt(2) === "[" ? textAt(3) : textAt(1) === "." ? textAt(2) : "";
  return /^(?:environ|env|ENV)$/u.test(environment);
}
