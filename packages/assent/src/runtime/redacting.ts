/**
 * Puts the mark in place of values that must not be seen, in whatever form programs write them (INTG-4): those that are known
 * everywhere, and those that were typed in a session.
 */
export type Redacting = {
  /** How a text is hidden that is at hand now: the same text where no value is in it; `null` where nothing is to be hidden. */
  now(typed: readonly string[]): ((text: string) => string) | null;
  /** For an output of a program; `typed` may come to give another list at any time. */
  bytes(typed: () => readonly string[]): ByteRedactor;
  /** For a text of whole characters. */
  texts(typed: () => readonly string[]): TextRedactor;
};

/** Takes something that comes in parts, and gives what can be seen of it by now; what may be the beginning of a value is held. */
export type ByteRedactor = {
  /** What it gives may be `part` itself, or lie in it. */
  add(part: Buffer): Buffer;
  /** Gives what is held, where that is less than any value has: somebody wants to see all there is. */
  release(): Buffer;
  /** The last of it: what was held is no value. */
  end(): Buffer;
};
/** The same for a text that comes in parts. */
export type TextRedactor = {
  readonly isHolding: boolean;
  add(part: string): string;
  release(): string;
  end(): string;
};
