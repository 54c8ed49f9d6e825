import type { Deed } from "./deeds.ts";
import { isListedBelow } from "./listed-places.ts";
import { isPlain } from "./one-of.ts";
import type { Ran, Running, Shell } from "./shell.ts";
import { type Argument, type Hole, known, nowhere, type Text, textOf } from "./text.ts";

type WithInput = Extract<Deed, { readonly does: "run-with-input" }>;

/** What stands in for words that are not known is run once; of those that are, so many. */
const mostLines = 16;

/** A command whose words come on standard input, as `xargs` runs it. */
export function runWithInput(
  { argv, place, lines }: WithInput,
  { state, streams }: Running,
  shell: Shell,
): readonly Ran[] {
  const [first] = argv;
  const text = streams.input?.type === "text" ? known(streams.input.text) : null;
  const running: Running = { state, streams: { ...streams, input: null, bulk: true } };
  const span = first?.span ?? nowhere;
  const items = text === null ? null : itemsOf(text, lines || place !== null);
  if (items === null || items.length > mostLines) {
    const line = oneOfLines(streams.input?.type === "text" ? streams.input.text : []);
    return shell.runArgv(filled(argv, place, { text: line, splits: place === null, span }), running);
  }
  const words = items.map((item): Argument => ({ text: textOf(item), splits: false, span }));
  if (place === null) return shell.runArgv([...argv, ...words], running);
  return words.flatMap((word) => shell.runArgv(filled(argv, place, word), running));
}

function oneOfLines(lines: Text): Text {
  if (isListedBelow(lines)) return lines;
  return [{ hole: "any", from: "each line", ...(isPlain(lines) ? {} : { made: true }) }];
}

/** `null`: quotes may make one word of several. */
function itemsOf(text: string, lines: boolean): readonly string[] | null {
  if (!lines && /['"\\]/.test(text)) return null;
  const items = lines ? text.split(/[\n\0]/).map((line) => line.trim()) : text.split(/[\s\0]+/);
  return items.filter((item) => item !== "");
}

function filled(argv: readonly Argument[], place: string | null, word: Argument): readonly Argument[] {
  if (place === null) return [...argv, word];
  return argv.map((each) => ({
    ...each,
    text: textOf(...each.text.flatMap((piece) => replaced(piece, place, word.text))),
  }));
}

function replaced(piece: string | Hole, place: string, by: Text): Text {
  if (typeof piece !== "string" || place === "") return [piece];
  return piece.split(place).flatMap((part, index) => (index === 0 ? [part] : [...by, part]));
}
