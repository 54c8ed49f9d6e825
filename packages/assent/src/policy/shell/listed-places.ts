import { isSecretPlace } from "./secrets.ts";
import { type Argument, beginning, type Hole, known, type Text, textOf } from "./text.ts";

const below: Hole = { hole: "any", from: "…", listed: true };

/** What programs print that list or resolve places, when those are not below the folder: it begins where they were told to look. */
export function listedPlaces(name: string, words: readonly Argument[]): Text | null {
  switch (name) {
    case "find":
    case "gfind":
      return found(words);
    case "ls":
      return namedWhole(words);
    case "readlink":
    case "realpath":
      return resolved(words);
    default:
      return null;
  }
}

/** One of them, as it is read from a list. */
export function isListedBelow(text: Text): boolean {
  return (
    text.includes(below) && text.every((piece) => piece === below || (typeof piece === "string" && !/\n/.test(piece)))
  );
}

const isWhole = ({ text }: Argument): boolean => /^[/~]./.test(beginning(text));

/** Up to the first word that says what is looked for; with a format of its own anything may be printed. */
function found(words: readonly Argument[]): Text | null {
  if (words.some(({ text }) => /^-(?:printf|exec|execdir|ok)/.test(beginning(text)))) return null;
  const named = words.find((_, index) => /^-i?name$/.test(beginning(words[index - 1]?.text ?? [])));
  const name = known(named?.text ?? [])?.replace(/\*+$/, "") ?? "";
  const secret = name !== "" && isSecretPlace([`/x/${name}`], { platform: "linux" }) ? `/${name}` : null;
  const end = words.findIndex(({ text }) => /^-(?![HLPOD])|^[(!]/.test(beginning(text)));
  const place = words.slice(0, end < 0 ? words.length : end).find(isWhole);
  const path = place === undefined ? null : known(place.text);
  if (path === null) return secret === null ? null : textOf(below, secret);
  return textOf(path.replace(/\/*$/, "/"), below, secret ?? "");
}

/** With `-d`, or for a pattern, names are printed as they are given. */
function namedWhole(words: readonly Argument[]): Text | null {
  const isGiven = words.some(({ text }) => /^-\w*d/.test(beginning(text)));
  const place = words.find((word) => isWhole(word) && (isGiven || hasPattern(word)));
  return place === undefined ? null : textOf(...place.text.map((piece) => (typeof piece === "string" ? piece : below)));
}

function hasPattern({ text }: Argument): boolean {
  return text.some((piece) => typeof piece === "object" && piece.hole === "glob");
}

function resolved(words: readonly Argument[]): Text | null {
  const place = words.find(isWhole);
  return words.length > 2 || place === undefined || known(place.text) === null ? null : textOf(...place.text, "\n");
}
