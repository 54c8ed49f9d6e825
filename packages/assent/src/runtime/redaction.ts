import { leastHidden, secretMark } from "./ports.ts";
import type { ByteRedactor, Redacting, TextRedactor } from "./redacting.ts";
import { type Forms, formsOf } from "./redaction-forms.ts";
import { Words } from "./redaction-words.ts";

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const nothing: Buffer = Buffer.alloc(0);
const mark: Buffer = Buffer.from(secretMark);
const noValues: readonly string[] = [];
/** Parts of an output come by the thousand: for them, what is hidden is looked up this seldom, for that may mean reading a folder. */
const mostLateMs = 50;
/** A form of this length or more is recognised by its first half. */
const leastHalved = 16;
/** A text without this much of a form's beginning in it does not have the form, which is quickly seen. */
const mostBeginning = 6;

/** Hides what is known to be secret, and what else was typed in a session (INTG-4). */
export function openRedacting(hidden: () => readonly string[]): Redacting {
  const known = new WeakMap<
    readonly string[],
    { readonly values: readonly string[]; readonly finder: Finder | null }
  >();
  const lasting = kept(hidden);
  let last: readonly string[] = noValues;
  let looked = Number.NEGATIVE_INFINITY;
  const look = () => {
    last = lasting();
    looked = performance.now();
  };
  const finderOf = (typed: readonly string[]): Finder | null => {
    if (typed.length === 0) return finderFor(last);
    const before = known.get(typed);
    if (before !== undefined && before.values === last) return before.finder;
    const finder = finderFor([...last, ...typed]);
    known.set(typed, { values: last, finder });
    return finder;
  };
  const begin = (typed: () => readonly string[]) => {
    look();
    return new Redactor(() => {
      if (performance.now() - looked > mostLateMs) look();
      return finderOf(typed());
    });
  };
  return {
    now(typed) {
      look();
      const finder = finderOf(typed);
      return finder === null ? null : (text) => finder.hide(text);
    },
    bytes: begin,
    texts: (typed) => new TextParts(begin(typed)),
  };
}

/**
 * All that there were until now, the same list while none came to it: a token that was replaced or removed here may well be valid
 * where it is from.
 */
function kept(hidden: () => readonly string[]): () => readonly string[] {
  let newest: readonly string[] = noValues;
  let all: readonly string[] = noValues;
  return () => {
    const values = hidden();
    if (values === newest) return all;
    newest = values;
    // Whoever makes the list anew each time pays for the comparison, not for all that follows from a change.
    if (!values.every((value) => all.includes(value))) all = [...new Set([...all, ...values])];
    return all;
  };
}

/** A text with each of the values hidden that are long enough. */
export function redact(text: string, values: readonly string[]): string {
  return finderFor(values)?.hide(text) ?? text;
}

const finders = new WeakMap<readonly string[], { readonly finder: Finder | null }>();

function finderFor(values: readonly string[]): Finder | null {
  if (values.length === 0) return null;
  const known = finders.get(values);
  if (known !== undefined) return known.finder;
  const forms = values.map(formsOf);
  const plain = forms.flatMap((each) => each.plain);
  const finder = plain.length === 0 ? null : new Finder({ plain, encoded: forms.flatMap((each) => each.encoded) });
  finders.set(values, { finder });
  return finder;
}

/** The forms of some values, looked for in one pass over a text. */
class Finder {
  readonly #forms: Forms;
  readonly #beginnings: { readonly plain: readonly string[]; readonly encoded: readonly string[] };
  #search: Search | null = null;

  constructor(forms: Forms) {
    this.#forms = forms;
    const { plain, encoded } = forms;
    this.#beginnings = { plain: beginningsOf(plain), encoded: beginningsOf(encoded) };
  }

  /** Made when it is first needed: most that is said has nothing like a form in it. */
  get search(): Search {
    this.#search ??= searchFor(this.#forms);
    return this.#search;
  }

  hide(text: string): string {
    if (!this.#mayHave(text)) return text;
    const bytes = Buffer.from(text);
    const redactor = new Redactor(() => this);
    const shown = Buffer.concat([redactor.add(bytes), redactor.end()]);
    return shown.equals(bytes) ? text : shown.toString();
  }

  #mayHave(text: string): boolean {
    const { plain, encoded } = this.#beginnings;
    if (plain.some((each) => text.includes(each))) return true;
    const joined = text.includes("\n") ? text.replace(/[\r\n]+/g, "") : text;
    return encoded.some((each) => joined.includes(each));
  }
}

function beginningsOf(forms: readonly string[]): readonly string[] {
  return [...new Set(forms.map((form) => form.slice(0, mostBeginning)))];
}

/** Half of a long form is not seen either: what was cut off there may have been a few characters. */
function enoughOf(length: number): number {
  return length < leastHalved ? length : Math.ceil(length / 2);
}

type Search = {
  readonly plain: Words;
  readonly encoded: Words;
  /** The bytes with which no form begins. */
  readonly quiet: Uint8Array;
};

function searchFor(forms: Forms): Search {
  const bytes = (all: readonly string[]) => all.map((form) => Buffer.from(form));
  // A mark is what it is: what is hidden already is not hidden again, whatever the value.
  const plain = new Words(bytes([...forms.plain, secretMark]), enoughOf);
  const encoded = new Words(bytes(forms.encoded), enoughOf);
  const isQuiet = (_: number, byte: number) => (plain.next(0, byte) === 0 && encoded.next(0, byte) === 0 ? 1 : 0);
  return { plain, encoded, quiet: new Uint8Array(256).map(isQuiet) };
}

/** A part of what was added and is not given out yet, in which a value was found. `marked`: what stands for it is given out. */
type Found = { readonly start: number; readonly end: number; readonly marked: boolean };

/**
 * Hides values in what comes in parts: the same comes out however it is cut. What may be the beginning of a value is held
 * until it is known; one pass, and no more is held than the longest form has.
 */
class Redactor implements ByteRedactor {
  readonly #current: () => Finder | null;
  #finder: Finder | null = null;
  #held: Buffer = nothing;
  #found: Found[] = [];
  /** What has been read of plain and of encoded forms. */
  #plain = 0;
  #encoded = 0;
  /** The line break that has just been passed over within an encoded form, `""` for none. */
  #broken: "" | "\r" | "\n" = "";

  constructor(current: () => Finder | null) {
    this.#current = current;
  }

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  get isIdle(): boolean {
    return !this.isHolding && this.#current() === null;
  }

  add(part: Buffer): Buffer {
    const finder = this.#current();
    if (finder === null) return this.#held.length === 0 ? part : Buffer.concat([this.end(), part]);
    let from = this.#held.length;
    if (finder !== this.#finder) {
      this.#begin(finder);
      from = 0;
    }
    const data = this.#held.length === 0 ? part : Buffer.concat([this.#held, part]);
    const { search } = finder;
    this.#read(search, data, from);
    const until = Math.min(data.length - search.plain.depth(this.#plain), this.#encodedStart(search, data));
    return this.#give(data, Math.max(0, until));
  }

  release(): Buffer {
    // Fewer than make a value, with what was released of it before; should the rest of one come, that is hidden.
    return this.#begun < leastHidden ? this.#give(this.#held, this.#held.length) : nothing;
  }

  end(): Buffer {
    const last = this.#give(this.#held, this.#held.length);
    this.#finder = null;
    this.#found = [];
    return last;
  }

  /** How much has been read of what may be a value, whether it is held or released. */
  get #begun(): number {
    if (this.#finder === null) return 0;
    const { plain, encoded } = this.#finder.search;
    return Math.max(plain.depth(this.#plain), encoded.depth(this.#encoded));
  }

  /** What is held is read again, for it may be the beginning of what is new. */
  #begin(finder: Finder): void {
    this.#finder = finder;
    this.#found = this.#found.filter(({ marked }) => marked);
    this.#plain = 0;
    this.#encoded = 0;
    this.#broken = "";
  }

  #read({ plain, encoded, quiet }: Search, data: Buffer, from: number): void {
    for (let at = from; at < data.length; at += 1) {
      const byte = data[at] ?? 0;
      if (this.#plain === 0 && this.#encoded === 0 && quiet[byte] === 1) continue;
      this.#plain = plain.next(this.#plain, byte);
      const length = plain.found(this.#plain);
      if (length !== 0) this.#note(at + 1 - length, at + 1);
      if (byte === lineFeed || byte === carriageReturn) this.#passBreak(byte);
      else this.#readEncoded(encoded, data, at);
    }
  }

  #readEncoded(encoded: Words, data: Buffer, at: number): void {
    this.#broken = "";
    this.#encoded = encoded.next(this.#encoded, data[at] ?? 0);
    const length = encoded.found(this.#encoded);
    if (length !== 0) this.#note(startOf(data, at + 1, length), at + 1);
  }

  /** One at a time: an empty line ends an encoded form, or there would be no end to what is held. */
  #passBreak(byte: number): void {
    if (this.#encoded === 0) return;
    const isNext = byte === lineFeed ? this.#broken !== "\n" : this.#broken === "";
    this.#broken = isNext ? (byte === lineFeed ? "\n" : "\r") : "";
    if (!isNext) this.#encoded = 0;
  }

  #encodedStart({ encoded }: Search, data: Buffer): number {
    const length = encoded.depth(this.#encoded);
    return length === 0 ? data.length : startOf(data, data.length, length);
  }

  /** They come in the order of their ends. What overlaps is one. */
  #note(from: number, end: number): void {
    let start = Math.max(0, from);
    let marked = false;
    let until = end;
    for (let last = this.#found.at(-1); last !== undefined && last.end > start; last = this.#found.at(-1)) {
      start = Math.min(start, last.start);
      until = Math.max(until, last.end);
      marked ||= last.marked;
      this.#found.pop();
    }
    this.#found.push({ start, end: until, marked });
  }

  #give(data: Buffer, until: number): Buffer {
    const pieces: Buffer[] = [];
    const left: Found[] = [];
    let at = 0;
    for (const { start, end, marked } of this.#found) {
      if (start >= until) {
        left.push({ start: start - until, end: end - until, marked });
        continue;
      }
      if (!marked) pieces.push(data.subarray(at, start), mark);
      at = end;
      if (end > until) left.push({ start: 0, end: end - until, marked: true });
    }
    this.#found = left;
    // Copied, for the caller may use its part again.
    this.#held = until === data.length ? nothing : Buffer.from(data.subarray(until));
    if (at === 0 && until === data.length) return data;
    if (at < until) pieces.push(data.subarray(at, until));
    return pieces.length === 1 ? (pieces[0] ?? nothing) : Buffer.concat(pieces);
  }
}

/** Where so many bytes before `end` begin, line breaks not counted; no earlier than what there is. */
function startOf(data: Buffer, end: number, length: number): number {
  const usual = data.subarray(Math.max(0, end - length), end);
  // Mostly there is none, and the system sees that faster.
  if (!usual.includes(lineFeed) && !usual.includes(carriageReturn)) return end - usual.length;
  let at = end;
  for (let left = length; left > 0 && at > 0; ) {
    at -= 1;
    const byte = data[at];
    if (byte !== lineFeed && byte !== carriageReturn) left -= 1;
  }
  return at;
}

/** No form begins or ends within a character: what is given out of whole characters is whole characters. */
class TextParts implements TextRedactor {
  readonly #bytes: Redactor;

  constructor(bytes: Redactor) {
    this.#bytes = bytes;
  }

  get isHolding(): boolean {
    return this.#bytes.isHolding;
  }

  add(part: string): string {
    return this.#bytes.isIdle ? part : this.#bytes.add(Buffer.from(part)).toString();
  }

  release(): string {
    return this.#bytes.release().toString();
  }

  end(): string {
    return this.#bytes.end().toString();
  }
}
