import {
  closeSync,
  constants,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join, parse } from "node:path";
import { codeOf, messageOf } from "../wire/index.ts";

/** A file of output is no longer than this. */
const mostBytes = 64 * 1024 * 1024;
/** So many files of one name are told apart. */
const mostOfOneName = 1_000;
/** So long the files of a session outlive its closing (TERM-3). */
export const spillsKeptMs = 7 * 24 * 60 * 60 * 1_000;

/** A file in which a whole output is kept. A disk that fails harms nothing else: `state` and `reason` tell. */
export type Spill = {
  readonly path: string;
  /** How much of the output is in the file. */
  readonly bytes: number;
  readonly state: "whole" | "capped" | "failed";
  /** Why it failed. */
  readonly reason: string | null;
  write(part: Buffer): void;
  end(): void;
};

export type SpillPlace = {
  /** Holds a folder for each session; nobody else's, and no link. */
  readonly folder: string;
  readonly session: string;
  /** Such as `<call>.stdout.txt`. */
  readonly name: string;
  readonly most?: number;
};

/** Where the outputs of a session are. */
export function spillFolder(folder: string, session: string): string {
  return join(folder, plainName(session));
}

export function openSpill({ folder, session, name, most = mostBytes }: SpillPlace): Spill {
  const inside = spillFolder(folder, session);
  const path = join(inside, plainName(name));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const unsafe = whyUnsafe(folder) ?? madeFolder(inside);
    if (unsafe !== null) return new SpillFile({ file: null, path, most, reason: unsafe });
    return new SpillFile({ ...create(path), most });
  } catch (error) {
    return new SpillFile({ file: null, path, most, reason: messageOf(error) });
  }
}

/** Removes what the session's calls have left. */
export function removeSpills(folder: string, session: string): void {
  ignoringFailure(() => {
    if (whyUnsafe(folder) === null) rmSync(spillFolder(folder, session), { recursive: true, force: true });
  });
}

/** Marks the time from which the days count after which the session's files are removed. */
export function touchSpills(folder: string, session: string): void {
  ignoringFailure(() => {
    const now = new Date();
    const inside = spillFolder(folder, session);
    if (whyUnsafe(folder) === null && whyUnsafe(inside) === null) lutimesSync(inside, now, now);
  });
}

/** Removes what sessions have left that closed longer ago than this. */
export function sweepSpills(folder: string, olderThanMs: number = spillsKeptMs): void {
  ignoringFailure(() => {
    if (whyUnsafe(folder) !== null) return;
    const limit = Date.now() - olderThanMs;
    for (const name of readdirSync(folder)) ignoringFailure(() => removeIfOlder(join(folder, name), limit));
  });
}

type Opened = {
  /** The descriptor of an empty file; `null` when there is none. */
  readonly file: number | null;
  readonly path: string;
  readonly most: number;
  readonly reason?: string;
};

export class SpillFile implements Spill {
  readonly path: string;
  readonly #most: number;
  #file: number | null;
  #bytes = 0;
  #capped = false;
  #reason: string | null;

  constructor({ file, path, most, reason }: Opened) {
    this.path = path;
    this.#file = file;
    this.#most = most;
    this.#reason = reason ?? null;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get state(): Spill["state"] {
    if (this.#reason !== null) return "failed";
    return this.#capped ? "capped" : "whole";
  }

  get reason(): string | null {
    return this.#reason;
  }

  write(part: Buffer): void {
    if (this.#file === null) return;
    const most = Math.min(part.length, this.#most - this.#bytes);
    if (most < part.length) this.#capped = true;
    try {
      for (let at = 0; at < most; ) at += this.#writeSome(this.#file, part, at, most - at);
    } catch (error) {
      this.#reason = messageOf(error);
    }
    if (this.state !== "whole") this.end();
  }

  end(): void {
    const file = this.#file;
    this.#file = null;
    if (file !== null) ignoringFailure(() => closeSync(file));
  }

  /** A disk that is nearly full may take a part of it; the next write says why. */
  #writeSome(file: number, part: Buffer, at: number, length: number): number {
    const written = writeSync(file, part, at, length);
    if (written === 0) throw new Error("the disk takes no more");
    this.#bytes += written;
    return written;
  }
}

/** Never an existing file, never through a link. */
function create(path: string): { readonly file: number; readonly path: string } {
  const { dir, name, ext } = parse(path);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  for (let ordinal = 1; ; ordinal += 1) {
    const tried = ordinal === 1 ? path : join(dir, `${name}-${ordinal}${ext}`);
    try {
      return { file: openSync(tried, flags, 0o600), path: tried };
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || ordinal >= mostOfOneName) throw error;
    }
  }
}

/** `null` when the folder is there now and safe. */
function madeFolder(path: string): string | null {
  try {
    mkdirSync(path, { mode: 0o700 });
    return null;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return whyUnsafe(path);
  }
}

/** In a folder that others can write to, a name may come to lead elsewhere between a look at it and its use. */
function whyUnsafe(folder: string): string | null {
  const found = lstatSync(folder);
  if (!found.isDirectory()) return `${folder} is ${found.isSymbolicLink() ? "a link" : "no folder"}`;
  const own = process.getuid?.();
  if (own === undefined) return null;
  if (found.uid !== own) return `${folder} belongs to user ${found.uid}, not to ${own}`;
  return (found.mode & 0o022) === 0 ? null : `${folder} can be written to by others`;
}

function removeIfOlder(path: string, limit: number): void {
  if (whyUnsafe(path) === null && lstatSync(path).mtimeMs < limit) rmSync(path, { recursive: true, force: true });
}

/** A name that is one and leads nowhere: the ids of calls are the model's. */
function plainName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\.+/, "_");
  // The end tells the streams of one call apart.
  return plain.length <= 120 ? plain || "_" : `${plain.slice(0, 80)}_${plain.slice(-39)}`;
}

/** What is left behind is swept another day. */
function ignoringFailure(work: () => void): void {
  try {
    work();
  } catch {
    // As said.
  }
}
