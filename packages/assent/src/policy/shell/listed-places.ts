import { isSecretPlace } from "./secrets.ts";
import { type Argument, beginning, type Hole, known, type Text, textOf } from "./text.ts";

const below: Hole = { hole: "any", from: "…", listed: true };

/** What programs print that list or resolve places, when those are not below the folder: it begins where they were told to look. */
export function listedPlaces(name: string, given: readonly Argument[], input: Text | null): Text | null {
  const words = given.filter(({ text }) => known(text) !== "--");
  switch (name) {
    case "find":
    case "gfind":
      return found(words);
    case "fd":
    case "fdfind":
      return fileNames(words, /^(?:-[xX]|--exec)/);
    case "grep":
    case "egrep":
    case "fgrep":
    case "rg":
      return matching(words) ?? (passes(words, 1, /^-\w*[coq]|^--(?:count|only|quiet)/) ? listed(input) : null);
    case "ls":
      return namedWhole(words);
    case "readlink":
    case "realpath":
      return resolved(words);
    case "sort":
    case "uniq":
    case "tac":
    case "head":
    case "tail":
      return passes(words, 0, /^-\w*c/) ? listed(input) : null;
    default:
      return null;
  }
}

const listed = (input: Text | null): Text | null => (input !== null && isListedBelow(input) ? input : null);

/** It gives on some of the lines that come in, as they are. */
function passes(words: readonly Argument[], operands: number, changing: RegExp): boolean {
  const given = words.filter(({ text }) => !/^-/.test(beginning(text)) && !/^\d+$/.test(known(text) ?? ""));
  return given.length <= operands && !words.some(({ text }) => changing.test(beginning(text)));
}

/** `grep -l`, `rg --files`: the names of files below a place. */
function matching(words: readonly Argument[]): Text | null {
  const names = /^-[A-Za-z]*[lL]|^--files/;
  return words.some(({ text }) => names.test(beginning(text))) ? fileNames(words, /^--pre\b|^-0/) : null;
}

/** The first word is what is looked for. */
function fileNames(words: readonly Argument[], more: RegExp): Text | null {
  if (words.some(({ text }) => more.test(beginning(text)))) return null;
  const operands = words.filter(({ text }) => !/^-/.test(beginning(text)));
  const isAll = words.some(({ text }) => known(text) === "--files");
  const place = operands.slice(isAll ? 0 : 1).find(isWhole);
  const path = place === undefined ? null : known(place.text);
  return path === null ? null : textOf(path.replace(/\/*$/, "/"), below);
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
  const name = nameIn(words);
  const secret = name !== "" && isSecretPlace([`/x/${name}`], { platform: "linux" }) ? `/${name}` : null;
  const end = words.findIndex(({ text }) => /^-(?![HLPOD])|^[(!]/.test(beginning(text)));
  const place = words.slice(0, end < 0 ? words.length : end).find(isWhole);
  const path = place === undefined ? null : known(place.text);
  if (path === null) return secret === null ? null : textOf(below, secret);
  return textOf(path.replace(/\/*$/, "/"), below, secret ?? "");
}

/** What is looked for by its name, or by the end of its path. */
function nameIn(words: readonly Argument[]): string {
  const optionAt = (at: number): string => beginning(words[at]?.text ?? []);
  const named = words.find(
    (_, at) => /^-i?(?:name|path|wholename)$/.test(optionAt(at - 1)) && !/^(?:!|-not)$/.test(optionAt(at - 2)),
  );
  return known(named?.text ?? [])?.replace(/^.*\/|\*+$/g, "") ?? "";
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
