import type { Lexer, Token } from "./lexer.ts";
import { Uses } from "./own-uses.ts";

/** Called with a place, they only look at it; what they show is seen anyway. */
const looking =
  /^(?:open|exists|existsSync|lexists|isfile|isdir|islink|is_file|is_dir|file_exists|stat|lstat|statSync|lstatSync|access|accessSync|listdir|readdir|readdirSync|readFile|readFileSync|createReadStream|copy|copy2|copyfile|copytree|copyFile|copyFileSync|cp|cpSync|file_get_contents|startswith|startsWith|endswith|endsWith|includes|indexOf|test|match|require|import|print|puts|log|echo|search|findall|compile|split|find|index|count)$/u;
/** These put one text in the place of another. */
const replacing = /^(?:sub|subn|gsub|replace|replaceAll|replace_all|str_replace|translate)$/u;

/** A whole path, or one from the home or from above, perhaps with an end that is not known. */
const place = /^(?:\/\w|~\/|\.\.\/)[^\s*?]{0,300}$/u;

/**
 * The places that a program names without saying at once what for. What it does to a place that is not known, because that was
 * handed to a function, taken from a list or put together, may be done to each of them.
 */
export function ownPlaces({ grammar, tokens, inner }: Lexer, isNested: boolean): readonly string[] {
  const found = [...tokens.keys()].filter((at) => isPlace(tokens[at]) && !isOnlyRead(tokens, at));
  // Of a part of a program it is not known how the rest uses what stands in it.
  const isWhole = !isNested && (grammar.language === "python" || grammar.language === "javascript");
  if (found.length === 0 || !isWhole) return found.map((at) => tokens[at]?.text ?? "");
  const uses = new Uses(tokens, inner);
  const isNone = (at: number) => uses.isCompared(at) || uses.isOnlyLookedFor(at) || uses.isUnread(at);
  return found.filter((at) => !isNone(at)).map((at) => tokens[at]?.text ?? "");
}

function isPlace(token: Token | undefined): boolean {
  return (token?.kind === "text" || token?.kind === "template") && place.test(token.text);
}

function isOnlyRead(tokens: readonly Token[], at: number): boolean {
  const textAt = (back: number): string => tokens[at - back]?.text ?? "";
  if (textAt(1) === "(") return looking.test(textAt(2)) || replacing.test(textAt(2));
  return textAt(1) === "," && textAt(3) === "(" && replacing.test(textAt(4));
}
