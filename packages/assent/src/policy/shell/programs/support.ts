import type { Deed } from "../deeds.ts";
import { asks, type Given, type Kind, type Spec } from "../spec.ts";
import { type Argument, after, beginning, known, type Text, textOf } from "../text.ts";

/** Options without a value that are also the beginning of one with a value: `--head`, which is not `--header`. */
export function flags(names: string): Readonly<Record<string, Kind>> {
  return { [names]: "text" };
}

/** Another text in the place of a word. */
export function inPlaceOf(argument: Argument, ...text: Text): Argument {
  return { text: textOf(...text), splits: false, span: argument.span };
}

/** What follows the first of these characters, as far as it is sure to be there. */
export function afterFirst(argument: Argument, character: string): Argument | null {
  const at = beginning(argument.text).indexOf(character);
  return at < 0 ? null : { ...argument, text: after(argument.text, at + character.length) };
}

export function write(path: Argument): Deed {
  return { does: "write", path };
}

/** A URL or host that is connected to; `file:` stays on this machine, and no text at all is no host. */
export function connects(place: Argument): readonly Deed[] {
  if (place.text.length === 0) return [];
  if (!/^file:/iu.test(beginning(place.text))) return [{ does: "connect", host: place }];
  const path = {
    ...place,
    text: after(place.text, /^file:(?:\/\/(?:localhost)?)?/iu.exec(beginning(place.text))?.[0].length ?? 0),
  };
  return [{ does: "show", path }];
}

/** Each of the words that is a URL of some scheme, or cannot be told not to be one. */
export function connectsUrls(words: readonly Argument[]): readonly Deed[] {
  return words.filter(isUrl).flatMap(connects);
}

export function isUrl({ text }: Argument): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//iu.test(beginning(text));
}

/** The words that are known, and the rest as a text that no word is. */
export function plain(words: readonly Argument[]): readonly string[] {
  return words.map(({ text }) => known(text) ?? "\0");
}

export function sendsAt(what: string, at?: Argument): Deed {
  return asks("network-send", `sends ${what} to another machine`, at);
}

/** Whether it only says what it would do: asked for, and not taken back (`--dry-run=false`, `--no-dry-run`), for sure. */
export function isDryRun({ has, values }: Given, options = "--dry-run"): boolean {
  return (
    has(options) &&
    !has("--no-dry-run") &&
    !values(options).some(({ text }) => /^(?:false|f|no|n|none|off|0)$/iu.test(known(text) ?? "no"))
  );
}

/**
 * Words that count as the value of an option that was cut short. It may have meant another one that has no value
 * (`--loc`), and then the word is an operand.
 */
export function doubtfulOperands({ words, operands }: Given, takes: Spec["takes"] = {}): readonly Argument[] {
  const exact = new Set(Object.keys(takes).flatMap((spellings) => spellings.split(" ")));
  return words.filter((word, index) => {
    const before = known(words[index - 1]?.text ?? []) ?? "";
    const isCut = /^--[a-z][^=]*$/u.test(before) && !exact.has(before);
    return isCut && !operands.includes(word) && !beginning(word.text).startsWith("-");
  });
}
