import { readdirSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { completeSlash, type SlashPlace } from "../../slash/index.ts";
import { attachable } from "./attached.ts";
import type { Completion } from "./editor.ts";

const nothing = (cursor: number): Completion => ({ start: cursor, words: [] });

/** What could stand where the cursor is: a command or its argument, or a file behind an @ (SEL-11). */
export class Completer {
  readonly #place: () => SlashPlace;
  readonly #onKnown: (text: string) => void;
  #known: { readonly text: string; readonly cursor: number; readonly completion: Completion } | null = null;

  /** Some take a moment to find out; `onKnown` tells when it can be asked for again. */
  constructor(place: () => SlashPlace, onKnown: (text: string) => void) {
    this.#place = place;
    this.#onKnown = onKnown;
  }

  complete(text: string, cursor: number): Completion {
    const typed = text.slice(0, cursor);
    if (/^\/\S*$/.test(typed) || /^\/[a-z][a-z0-9-]*\s/.test(typed)) return this.#slash(text, cursor);
    const { host, session } = this.#place();
    const { cwd } = host.view(session);
    if (typed.startsWith("!")) return commandWords(typed, cwd);
    const start = typed.search(/(?<=^|\s)@\S*$/);
    if (start < 0) return nothing(cursor);
    const words = attachable(typed.slice(start + 1), cwd).map((path) => `@${path}`);
    return { start, words };
  }

  #slash(text: string, cursor: number): Completion {
    const known = this.#known;
    if (known !== null && known.text === text && known.cursor === cursor) return known.completion;
    void this.#find(text, cursor);
    return nothing(cursor);
  }

  async #find(text: string, cursor: number): Promise<void> {
    try {
      const { from: start, choices: words } = await completeSlash(text, cursor, this.#place());
      this.#known = { text, cursor, completion: { start, words } };
      if (words.length > 0) this.#onKnown(text);
    } catch {
      // What cannot be found out is not offered.
    }
  }
}

/** In a command of the system: a program where one begins, and files everywhere else. */
function commandWords(typed: string, cwd: string): Completion {
  const start = Math.max(typed.search(/[^\s|&;(]*$/), typed.startsWith("!!") ? 2 : 1);
  const begun = typed.slice(start);
  const isFirst = /^!{1,2}\s*$|[|&;(]\s*$/.test(typed.slice(0, start));
  if (!isFirst || begun.includes("/")) return { start, words: attachable(begun, cwd) };
  return { start, words: begun === "" ? [] : programs(begun) };
}

/** Those that can be found where the system looks for them. */
function programs(begun: string): readonly string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const names = folders.flatMap((folder) => {
    try {
      return readdirSync(folder).filter((name) => name.startsWith(begun));
    } catch {
      return [];
    }
  });
  return [...new Set(names)].sort();
}
