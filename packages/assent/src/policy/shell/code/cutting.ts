import type { Language } from "./language.ts";
import type { Token } from "./lexer.ts";
import { hiddenText, isKnown, textValue, unknown, type Value } from "./values.ts";

/** From one character to before another; with neither, one character. */
type Cut = { readonly from: number; readonly to: number | undefined };

/** With more between the brackets it is no plain number. */
export const longestCut = 40;
const python = /^(-?\d{1,9})?(?:(:)(-?\d{1,9})?(?::1?)?)?$/u;
const ruby = /^(-?\d{1,9})(?:(\.\.\.?|,)(-?\d{1,9})?)?$/u;
/** A slash that could be that of a folder of the system, where what stands before it is cut off. */
const couldBegin = /\/(?:$|\/|etc|usr|s?bin|lib|boot|dev|proc|sys|var|root|run|opt|home|System|Library|Applications)/iu;

/** `text[a:b]`: a part of a text that stands in the program. Where it cannot be said which, it matters what it could be. */
export function cutText(text: string, tokens: readonly Token[], language: Language): Value {
  const cut = cutOf(tokens.map((token) => token.text).join(""), text, language);
  const part = cut === undefined ? undefined : partOf([...text], cut);
  if (part !== undefined) return textValue(part, true);
  return couldHide(text, tokens, language) ? hiddenText : unknown;
}

function cutOf(written: string, text: string, language: Language): Cut | undefined {
  const [whole, from, between, to] = (language === "ruby" ? ruby : python).exec(written) ?? [];
  if (whole === undefined || whole === "") return undefined;
  const start = Number(from ?? 0);
  if (between === undefined) return { from: start, to: start === -1 ? undefined : start + 1 };
  if (to === undefined) return { from: start, to: undefined };
  const end = Number(to);
  if (between === ",") return { from: start, to: (start < 0 ? [...text].length : 0) + start + end };
  if (between !== "..") return { from: start, to: end };
  return { from: start, to: end === -1 ? undefined : end + 1 };
}

/** What is not known in it may be of any length: then only ends of it that are known can be cut off. */
function partOf(characters: readonly string[], { from, to }: Cut): string | undefined {
  if (from < 0 && to !== undefined && to >= 0 && !characters.every(isKnown)) return undefined;
  const left = from >= 0 ? characters.slice(0, from) : characters.slice(from);
  const right = to === undefined ? [] : to < 0 ? characters.slice(to) : characters.slice(0, to);
  if (![...left, ...right].every(isKnown)) return undefined;
  return characters.slice(from, to).join("");
}

function couldHide(text: string, tokens: readonly Token[], language: Language): boolean {
  if (/~|\.\./u.test(text)) return true;
  const colons = language === "python" ? colonsIn(tokens) : "";
  // With a step it is read backwards, or with gaps.
  if (/:.*:/u.test(colons)) return true;
  // What it begins with is known, or what it ends with.
  if (/^:-*$/u.test(colons)) return text.startsWith("/");
  return /^-+:$/u.test(colons) && tokens.length < longestCut ? couldBegin.test(text) : text.includes("/");
}

/** The colons that do not stand in brackets of their own, among dashes for all else. */
function colonsIn(tokens: readonly Token[]): string {
  let depth = 0;
  const marks = tokens.map(({ kind, text }) => {
    if (kind !== "mark") return "-";
    if ("([{".includes(text)) depth += 1;
    if (")]}".includes(text)) depth -= 1;
    return depth === 0 && /^::?$/u.test(text) ? text : "-";
  });
  return marks.join("");
}
