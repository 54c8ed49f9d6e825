import { saidPrompt, saidSystem } from "../../show/index.ts";
import type { Entered } from "./entering.ts";

/** What takes no longer than this needs no word. */
const soonMs = 150;

/** A line that takes its time, such as a command that asks a server: it is seen to be under way, and can be given up. */
export class Doing {
  readonly #onSlow: () => void;
  #now: { readonly line: string; readonly controller: AbortController } | null = null;
  #slow = false;

  constructor(onSlow: () => void) {
    this.#onSlow = onSlow;
  }

  /** The line, once it is slow; nothing otherwise. */
  get what(): string {
    return this.#slow ? (this.#now?.line ?? "") : "";
  }

  /** What is no command is done at once, and must be shown before what follows from it: it is not wrapped. */
  during(line: string, enter: (signal: AbortSignal) => Promise<Entered>): Promise<Entered> {
    return line.startsWith("/") ? this.#watched(line, enter) : enter(new AbortController().signal);
  }

  async #watched(line: string, enter: (signal: AbortSignal) => Promise<Entered>): Promise<Entered> {
    const controller = new AbortController();
    this.#now = { line, controller };
    const timer = setTimeout(() => {
      this.#slow = true;
      this.#onSlow();
    }, soonMs);
    try {
      return await Promise.race([enter(controller.signal), givenUp(line, controller.signal)]);
    } finally {
      clearTimeout(timer);
      this.#now = null;
      this.#slow = false;
    }
  }

  /** Whether there was something to give up. */
  giveUp(): boolean {
    if (!this.#slow || this.#now === null) return false;
    this.#now.controller.abort();
    return true;
  }
}

/** Whatever the command does about it, nobody waits for it any longer. */
function givenUp(line: string, signal: AbortSignal): Promise<Entered> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () =>
      resolve({ said: [...saidPrompt(line), ...saidSystem("not waited for any longer")] }),
    );
  });
}
