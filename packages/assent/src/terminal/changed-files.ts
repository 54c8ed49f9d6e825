import { lstatSync, opendirSync, readdirSync, type Stats, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";

/** So many entries of folders are looked at, and so many names given. */
const mostEntries = 4_000;
const mostNames = 200;
/** After so many entries others get their turn. */
const entriesPerSlice = 200;
/** A folder of this size has some thousand entries at most. */
const mostReadAtOnce = 64 * 1024;
/**
 * Systems take a file's time from a clock that moves on only at each tick, up to 10 ms apart: a file that was written
 * after `since` may bear a time before it.
 */
const tickMs = 20;

/** Nobody asks what changed in the repository's own files. */
const unseen: ReadonlySet<string> = new Set([".git", ".hg", ".svn", ".jj"]);
/** What tools fetch or make by the thousand: named when something came or went, but not looked into. */
const closed: ReadonlySet<string> = new Set([
  ...[
    "node_modules",
    "bower_components",
    ".pnpm-store",
    ".yarn",
    ".npm",
    ".venv",
    "venv",
    "__pycache__",
    ".tox",
    ".nox",
  ],
  ...[
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".cache",
    ".parcel-cache",
    ".turbo",
    ".next",
    ".nuxt",
    ".svelte-kit",
  ],
  ...["target", ".gradle", ".m2", ".cargo", ".terraform", ".direnv", ".nyc_output"],
]);

export type ChangedFiles = {
  /** Relative to the first root that contains them, sorted; a folder that is not looked into ends with a slash. */
  readonly files: readonly string[];
  /** There may be others: a bound was met, or somebody stopped it. */
  readonly more: boolean;
};

export type Changes = {
  /** Folders; one that is a link is entered, links below it are not. */
  readonly roots: readonly string[];
  /** In milliseconds, by the clock. */
  readonly since: number;
  readonly signal?: AbortSignal;
};

/** Which files were made, written, renamed or otherwise changed since then. Those that are gone leave no trace. */
export async function changedFiles({ roots, since, signal }: Changes): Promise<ChangedFiles> {
  const search = new Search(roots, since - tickMs);
  while (search.look(entriesPerSlice)) {
    await new Promise((resume) => setImmediate(resume));
    if (signal?.aborted === true) return search.stop();
  }
  return search.result();
}

/** Nearest folders first, so that a bound leaves out what is deepest. */
class Search {
  readonly #roots: readonly string[];
  readonly #since: number;
  readonly #folders: string[];
  readonly #met: Set<string>;
  readonly #names = new Set<string>();
  #next = 0;
  #open: Entries | null = null;
  #looked = 0;
  #more = false;

  constructor(roots: readonly string[], since: number) {
    this.#roots = roots.map((root) => resolve(root));
    this.#since = since;
    this.#met = new Set(this.#roots);
    this.#folders = [...this.#met];
  }

  /** Looks at so many entries. Whether there are others. */
  look(most: number): boolean {
    // To open a folder costs as much as some entries of it.
    for (let left = most; left > 0; left -= 1) {
      this.#open ??= this.#openNext();
      if (this.#open === null) return false;
      const name = this.#open.next();
      if (name === null) this.#close();
      else if (!this.#take(this.#open.folder, name)) {
        this.stop();
        return false;
      }
    }
    return true;
  }

  stop(): ChangedFiles {
    this.#more = true;
    this.#close();
    return this.result();
  }

  result(): ChangedFiles {
    return { files: [...this.#names].sort(), more: this.#more };
  }

  /** `false` at a bound. */
  #take(folder: string, name: string): boolean {
    if (this.#looked >= mostEntries) return false;
    this.#looked += 1;
    if (unseen.has(name)) return true;
    const path = join(folder, name);
    const found = statusOf(path);
    if (found?.isDirectory() && !closed.has(name)) return this.#enter(path);
    if (found === null || !this.#isChanged(found)) return true;
    if (this.#names.size >= mostNames) return false;
    this.#names.add(found.isDirectory() ? `${this.#shortened(path)}/` : this.#shortened(path));
    return true;
  }

  #enter(path: string): true {
    if (!this.#met.has(path)) this.#folders.push(path);
    this.#met.add(path);
    return true;
  }

  /** A file's status changes, too, when it is renamed or gets an older time than it should. */
  #isChanged(found: Stats): boolean {
    if (found.isDirectory()) return found.mtimeMs >= this.#since;
    return found.isFile() && Math.max(found.mtimeMs, found.ctimeMs) >= this.#since;
  }

  #shortened(path: string): string {
    for (const root of this.#roots) {
      const short = relative(root, path);
      if (short !== ".." && !short.startsWith(`..${sep}`) && !isAbsolute(short)) return short;
    }
    return path;
  }

  #openNext(): Entries | null {
    while (this.#next < this.#folders.length) {
      const folder = this.#folders[this.#next] ?? "";
      this.#next += 1;
      try {
        return openEntries(folder);
      } catch {
        // It cannot be read, or has gone.
      }
    }
    return null;
  }

  #close(): void {
    this.#open?.close();
    this.#open = null;
  }
}

type Entries = {
  readonly folder: string;
  next(): string | null;
  close(): void;
};

/** To read a folder at once is several times faster, but one of a million entries would keep everybody waiting. */
function openEntries(folder: string): Entries {
  if (statSync(folder).size > mostReadAtOnce) return openLarge(folder);
  const names = readdirSync(folder).values();
  return { folder, next: () => names.next().value ?? null, close() {} };
}

function openLarge(folder: string): Entries {
  const entries = opendirSync(folder, { bufferSize: entriesPerSlice });
  const next = () => {
    try {
      return entries.readSync()?.name ?? null;
    } catch {
      return null;
    }
  };
  return { folder, next, close: () => entries.closeSync() };
}

function statusOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
