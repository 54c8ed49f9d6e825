import type { Writable } from "node:stream";
import { TextPieces, visibleText } from "../../core/interaction/index.ts";

/** Where text goes that others have written. */
export type Sink = {
  /** A piece of a text. `false` when the stream wants no more for now. */
  write(text: string): boolean;
  /** The text is at its end; the stream stays open. */
  end(): boolean;
};

/**
 * The one way by which text of others gets to a person's terminal: it obeys nothing in it, and nothing hides (APPR-6).
 * What goes to a file or another program goes as it is.
 */
export function openSink(stream: Writable & { readonly isTTY?: boolean }): Sink {
  // Even unchanged, a character that came in two halves must not be written as two.
  const pieces = new TextPieces(stream.isTTY === true ? visibleText : (text) => text);
  const put = (shown: string) => {
    // A stream that is gone would ask to wait, for ever.
    if (shown === "" || stream.destroyed) return !stream.writableNeedDrain;
    return stream.write(shown);
  };
  return { write: (text) => put(pieces.next(text)), end: () => put(pieces.end()) };
}
