import type { Clock } from "./ports.ts";
import type { TextRedactor } from "./redacting.ts";

/** What is too short to be a value is held no longer than this: a line should not stand there without its end. */
const mostHeldMs = 100;

export type LiveText = {
  add(part: string): void;
  /** No more comes. */
  end(): void;
};

/** A text while it comes, for people: without what must not be seen (INTG-4). */
export function liveText(redactor: TextRedactor, clock: Clock, show: (text: string) => void): LiveText {
  let forget: (() => void) | null = null;
  const give = (text: string) => {
    if (text !== "") show(text);
  };
  const release = () => {
    forget = null;
    give(redactor.release());
  };
  const wait = () => {
    forget?.();
    forget = redactor.isHolding ? clock.after(mostHeldMs, release) : null;
  };
  return {
    add(part) {
      give(redactor.add(part));
      if (forget !== null || redactor.isHolding) wait();
    },
    end() {
      forget?.();
      forget = null;
      give(redactor.end());
    },
  };
}
