import { join } from "node:path";
import { cutText } from "./content.ts";
import { shownName } from "./paths.ts";

/** Larger files are not searched. */
export const mostFileBytes = 5 * 1024 * 1024;
const mostMatches = 200;
const mostBytes = 50 * 1024;
const mostOfLine = 300;

/** What is searched for, and where: the same for whoever searches. */
export type Wanted = {
  /** The path as the model wrote it; what is found is named from there. */
  readonly given: string;
  readonly real: string;
  readonly isFolder: boolean;
  readonly pattern: string;
  readonly glob: string | null;
  readonly ignoreCase: boolean;
  readonly literal: boolean;
  readonly context: number;
  readonly all: boolean;
};

export type FoundLine = { readonly line: number; readonly text: string; readonly isMatch: boolean };

/** How a search came to its end; `invalid` is that the pattern is none. */
export type SearchEnd =
  | { readonly type: "done" | "enough" | "aborted" }
  | { readonly type: "too-long"; readonly at: string | null }
  | { readonly type: "invalid"; readonly reason: string }
  | { readonly type: "failed"; readonly reason: string };

/** The lines found so far, as they will be shown, and no more than may be. */
export class Matches {
  readonly lines: string[] = [];
  readonly skipped = { binary: 0, large: 0, unread: 0 };
  readonly #wanted: Wanted;
  #count = 0;
  #bytes = 0;
  #last: { path: string; line: number } | null = null;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  get room(): number {
    return mostMatches - this.#count;
  }

  /** `path` is relative to the folder searched. */
  add(path: string, found: FoundLine): "more" | "enough" {
    const { line, isMatch } = found;
    if (isMatch && this.room === 0) return "enough";
    const mark = isMatch ? ":" : "-";
    const shown = `${this.nameOf(path)}${mark}${line}${mark} ${shorten(found.text)}`;
    const gap = this.#isGap(path, line) ? ["--"] : [];
    const bytes = Buffer.byteLength(shown) + 1 + gap.length * 3;
    if (this.#bytes + bytes > mostBytes) return "enough";
    this.#bytes += bytes;
    this.#count += isMatch ? 1 : 0;
    this.#last = { path, line };
    this.lines.push(...gap, shown);
    return "more";
  }

  nameOf(path: string): string {
    const { given, isFolder } = this.#wanted;
    return shownName(isFolder ? join(given, path) : given);
  }

  #isGap(path: string, line: number): boolean {
    if (this.#wanted.context === 0 || this.#last === null) return false;
    return this.#last.path !== path || this.#last.line + 1 !== line;
  }
}

function shorten(text: string): string {
  const cut = cutText(text, mostOfLine);
  return cut === text ? text : `${cut} [cut]`;
}
