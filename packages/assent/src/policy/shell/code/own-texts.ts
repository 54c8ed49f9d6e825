import type { Deed } from "../deeds.ts";
import type { Hole, Span, Text } from "../text.ts";
import { whenNeeded } from "../when-needed.ts";
import type { Language } from "./language.ts";

/**
 * A program that hands its own texts around, to a function or through a repetition, runs nothing but those texts: then each of
 * them is looked at as a command. `null`: what it runs may come from elsewhere, or be put together from parts.
 */
export function ownTexts(
  program: string,
  { language, span }: { language: Language; span: Span },
): readonly Deed[] | null {
  const hands = /\b(?:def|function|for|each|forEach|foreach|lambda|sub)\b/.test(program);
  // In Perl it is a comma.
  if (!hands && (language === "perl" || !program.includes("=>"))) return null;
  if (outside.test(program) || together.test(program) || changed.test(program)) return null;
  const texts = [...program.matchAll(literals())].map(
    ([, , double, single, template]) => double ?? single ?? template ?? "",
  );
  const lists = [...program.matchAll(sequences())].map(([list]) =>
    [...list.matchAll(literals())]
      .map(([, , double, single, template]) => double ?? single ?? template ?? "")
      .join(" "),
  );
  return [...new Set([...texts, ...lists])]
    .filter((text) => /\w{2}|[{%]/.test(text))
    .slice(0, 100)
    .map((text): Deed => ({ does: "shell", text: withHoles(text), span }));
}

/** Words by which something comes in from elsewhere, or a text is made of another. */
const outside =
  /\b(?:input|argv|environ|getenv|ENV|stdin|STDIN|urlopen|requests|fetch|b64\w*|base64|atob|fromCharCode|chr|unhexlify|fromhex|codecs|rot13|reverse\w*|join|translate|getattr|__import__|globals|locals|unpack|pack|split|readFileSync|readFile|file_get_contents|gets|readline|sprintf)\b|\[::-1\]|open\([^)]*\)\.read/;

/** Two values become one text: `"rm " + x`, `$a . $b`, `"rm %s" % x`. */
const together = /[\w)\]"'`]\s*\+=?\s*[\w("'`[$@]|["'`]\s*%|["'\w)]\s*\.=?\s*["'$]|\.\.\s*["'\w]|<<\s*["']|\.concat\b/;

/** One text becomes another: `a.lower()`, `lc "RM"`, `"xrm".replace("x", "")`, `"xrm"[1:]` */
const changed =
  /\.\s*(?:lower|upper|swapcase|capitalize|casefold|toLowerCase|toUpperCase|downcase|upcase|remove(?:prefix|suffix))\b|\b(?:lc|uc|lcfirst|ucfirst|str(?:tolower|toupper|rev|tr))\b\s*[("'$]|["'`]\s*(?:\.\s*(?:[lr]?strip|trim\w*|replace\w*|g?sub|tr|slice|substr\w*|delete|squeeze|chop)\b|\)?\s*\[(?:\s*-?\d|[^\]\n]*:))/;

const literal = /([fr]?)(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`)/.source;
const literals = whenNeeded(() => new RegExp(literal, "g"));
const sequences = whenNeeded(
  () =>
    new RegExp(`${literal.replaceAll(/\((?!\?)/g, "(?:")}(?:\\s*,\\s*${literal.replaceAll(/\((?!\?)/g, "(?:")})+`, "g"),
);

/** What stands for a value inside of a text. */
function withHoles(text: string): Text {
  return text
    .split(/(\$\{[^}]*\}|#\{[^}]*\}|\{[^}]*\}|%[sdr])/)
    .map((piece, index): string | Hole => (index % 2 === 1 ? { hole: "any", from: piece } : piece))
    .filter((piece) => piece !== "");
}
