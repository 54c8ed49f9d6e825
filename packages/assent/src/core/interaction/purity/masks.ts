/** Stands for a character that somebody else wrote: code or a quotation. One for one, so that places stay places. */
export const masked = "¤";

/** A quotation longer than this is more likely a stray mark than a quotation. */
const longestQuotation = 1_500;
/** An apostrophe is a quotation mark only at the edges of words, and even there seldom: believe it for short ones only. */
const longestApostrophe = 240;

const pairs: ReadonlyMap<string, RegExp> = new Map([
  ['"', /"/g],
  ["“", /[”“]/g],
  ["«", /»/g],
  ["„", /[“”]/g],
  ["「", /」/g],
  ["『", /』/g],
]);

/** The block with its inline code, comments and quotations masked. */
export function maskReported(block: string): string {
  const masks = maskQuotations(withoutComments(maskCode(block)));
  if (!masks.includes("?")) return masks;
  // What stands in brackets after code and looks like a title or a label tells what the code says.
  const labels = masks.includes("?)") ? masks.replace(label, cover) : masks;
  return labels.includes("?*") || labels.includes("?_") ? labels.replace(title, coverTitle) : labels;
}

const label = /(?<=¤ )\([A-ZА-ЯЁ][^()\n]{0,120}\?\)|(?<=\S )\([A-ZА-ЯЁ][^()\n]{0,120}\?\)(?=,? [a-zа-яё¤])/g;
const title = /(?<=([\wА-яё,:¤№#]) |^)([*_]{1,2})[A-ZА-ЯЁ][^*_\n]{0,120}\?\2(?=(,? [a-zа-яё¤]|[.,;](?:\s|$))?)/g;

/** A question in italics or bold inside a sentence is the title of something. */
function coverTitle(part: string, before: string | undefined, _mark: string, after: string | undefined): string {
  return after !== undefined && (before !== undefined || !/^[.;]/.test(after)) ? cover(part) : part;
}

function withoutComments(block: string): string {
  return block.includes("<!--") ? block.replace(/<!--[^<>]*-->/g, cover) : block;
}

function cover(part: string): string {
  return masked.repeat(part.length);
}

type Span = { readonly from: number; readonly to: number };

function maskSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of spans) {
    parts.push(text.slice(at, from), cover(text.slice(from, to)));
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** A run of backticks closes at the next run of its length; where each length last stands keeps the search linear. */
function maskCode(block: string): string {
  if (!block.includes("`")) return block;
  const runs = [...block.matchAll(/`+/g)].map((run) => ({ at: run.index, size: run[0].length }));
  const following = new Map<number, number>();
  const closers = runs.map(() => -1);
  for (let index = runs.length - 1; index >= 0; index--) {
    const size = runs[index]?.size ?? 0;
    closers[index] = following.get(size) ?? -1;
    following.set(size, index);
  }
  const spans: Span[] = [];
  for (let index = 0; index < runs.length; index++) {
    const closer = closers[index] ?? -1;
    const open = runs[index];
    const close = runs[closer];
    if (open === undefined || close === undefined) continue;
    spans.push({ from: open.at, to: close.at + close.size });
    index = closer;
  }
  return maskSpans(block, spans);
}

function maskQuotations(block: string): string {
  const spans: Span[] = [];
  const closers = new Closers(block);
  const marks = /["“«„「『]|(?<![\wÀ-ɏЀ-ӿ])['‘](?=[\wÀ-ɏЀ-ӿ¤])/g;
  for (let mark = marks.exec(block); mark !== null; mark = marks.exec(block)) {
    const to = closers.after(mark.index, mark[0]);
    if (to < 0) continue;
    spans.push({ from: mark.index, to });
    marks.lastIndex = to;
  }
  return maskSpans(block, spans);
}

/** Where quotations end. Each answer is kept until it is passed, so that many marks that open nothing stay cheap. */
class Closers {
  readonly #known = new Map<string, number>();
  readonly #block: string;

  constructor(block: string) {
    this.#block = block;
  }

  /** The place behind the quotation that begins there, or -1. */
  after(from: number, mark: string): number {
    const longest = pairs.has(mark) ? longestQuotation : longestApostrophe;
    const at = this.#next(from + 1, pairs.get(mark) ?? /(?<=\S)['’](?![\wÀ-ɏЀ-ӿ])/g);
    return at - from > longest || at >= this.#block.length ? -1 : at + 1;
  }

  #next(from: number, closing: RegExp): number {
    const known = this.#known.get(closing.source);
    if (known !== undefined && known >= from) return known;
    closing.lastIndex = from;
    const at = closing.exec(this.#block)?.index ?? this.#block.length;
    this.#known.set(closing.source, at);
    return at;
  }
}
