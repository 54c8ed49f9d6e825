import { readdirSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readCommandLine } from "../../core/interaction/index.ts";
import { completeSlash, type SlashPlace } from "../../slash/index.ts";
import { attachable } from "./attached.ts";
import type { Completion } from "./editor.ts";

const nothing = (cursor: number): Completion => ({ start: cursor, words: [] });

/** What could stand where the cursor is: a command or its argument, or a file behind an @ (SEL-11). */
export class Completer {
  readonly #place: () => SlashPlace;
  readonly #onKnown: (text: string) => void;
  #known: { readonly at: Asked; readonly completion: Completion } | null = null;

  /** Some take a moment to find out; `onKnown` tells when it can be asked for again. */
  constructor(place: () => SlashPlace, onKnown: (text: string) => void) {
    this.#place = place;
    this.#onKnown = onKnown;
  }

  complete(text: string, cursor: number): Completion {
    const typed = text.slice(0, cursor);
    if (/^\/\S*$/.test(typed) || readCommandLine(typed) !== null) return this.#slash(text, cursor);
    const { host, session } = this.#place();
    const { cwd } = host.view(session);
    if (typed.startsWith("!")) return commandWords(typed, cwd);
    const start = typed.search(/(?<=^|\s)@(?:"[^"\n]*|\S*)$/);
    if (start < 0) return nothing(cursor);
    return { start, words: attachedWords(attachable(typed.slice(start + 1).replace(/^"/, ""), cwd)) };
  }

  #slash(text: string, cursor: number): Completion {
    const { host, session } = this.#place();
    // What can stand there changes with the session.
    const at = { text, cursor, session, seq: host.view(session).seq };
    if (this.#known !== null && isDeepStrictEqual(this.#known.at, at)) return this.#known.completion;
    void this.#find(at);
    return nothing(cursor);
  }

  async #find(at: Asked): Promise<void> {
    const { text, cursor } = at;
    try {
      const { from: start, choices: words } = await completeSlash(text, cursor, this.#place());
      this.#known = { at, completion: { start, words } };
      if (words.length > 0) this.#onKnown(text);
    } catch {
      // What cannot be found out is not offered.
    }
  }
}

type Asked = { readonly text: string; readonly cursor: number; readonly session: string; readonly seq: number };

/** As they are read in a prompt: in quotes where one has a blank; a folder's are open, for it goes on. */
function attachedWords(paths: readonly string[]): readonly string[] {
  const readable = paths.filter((path) => !/["\p{Cc}]/u.test(path));
  if (!readable.some((path) => /\s/.test(path))) return readable.map((path) => `@${path}`);
  return readable.map((path) => `@"${path}${path.endsWith("/") ? "" : '"'}`);
}

/** As a shell reads them: as one word each, and as no option. */
function shellWords(paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) => !path.startsWith("-") && !/\p{Cc}/u.test(path))
    .map((path) => path.replace(/[^\p{L}\p{N}_.,:=@%/+~-]/gu, "\\$&"));
}

/** In a command of the system: a program where one begins, and files everywhere else. */
function commandWords(typed: string, cwd: string): Completion {
  const start = Math.max(typed.search(/(?:\\.|[^\s|&;(\\])*$/), typed.startsWith("!!") ? 2 : 1);
  const begun = typed.slice(start).replace(/\\(.)/g, "$1");
  const isFirst = /^!{1,2}\s*$|[|&;(]\s*$/.test(typed.slice(0, start));
  if (!isFirst || begun.includes("/")) return { start, words: shellWords(attachable(begun, cwd)) };
  return { start, words: begun === "" ? [] : shellWords(programs(begun)) };
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
