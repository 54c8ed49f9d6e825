import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, messageOf } from "../../wire/index.ts";
import { JournalError } from "../ports.ts";

const damaged = [11, 26]; // CORRUPT, NOTADB
/** Nothing that is recorded is there already: only a damaged index says so. */
const constraint = 19;
const ioError = 10;

const codes: readonly (readonly [codes: readonly (number | string)[], code: JournalError["code"], say: string])[] = [
  [[...damaged, constraint], "damaged", "the store is damaged"],
  [[13, "ENOSPC", "EDQUOT"], "full", "the disk is full"],
  [[5, 6], "busy", "another process has been writing for too long"],
  [
    [3, 8, 14, "EACCES", "EPERM", "EROFS", "ENOTDIR", "EISDIR", "ENOENT", "EEXIST"],
    "unwritable",
    "it cannot be opened for writing",
  ],
];

/** What went wrong in the file, as an error that names it and what to expect. */
export function journalError(file: string, error: unknown): unknown {
  if (error instanceof JournalError || !(error instanceof Error)) return error;
  if (/^no such (?:table|column)/.test(error.message))
    return new JournalError("damaged", `${file}: ${otherLayout(error)}`);
  const given = hasNoRoom(file, error) ? "ENOSPC" : resultCode(error);
  if (given === null) return error;
  const [, code, say] = codes.find(([known]) => known.includes(given)) ?? [
    [],
    "io" as const,
    "it cannot be read or written",
  ];
  return new JournalError(code, `${file}: ${say} (${messageOf(error)})`);
}

function otherLayout(error: Error): string {
  const remedy = "move it away to begin anew, or set ASSENT_HOME to another folder";
  return `the store is not laid out as this Assent lays it out (${error.message}): another version made it, or it was changed; ${remedy}`;
}

/** SQLite says no more than "I/O error" of some writes that found the disk full. */
function hasNoRoom(file: string, error: unknown): boolean {
  if (resultCode(error) !== ioError) return false;
  try {
    return statfsSync(dirname(file)).bavail === 0;
  } catch {
    return false;
  }
}

/** Part of the store cannot be read; the rest may well be. */
export function isDamage(error: unknown): boolean {
  // A number that is larger than any we store.
  if (codeOf(error) === "ERR_OUT_OF_RANGE") return true;
  const code = resultCode(error);
  return typeof code === "number" && [...damaged, ioError].includes(code);
}

/** What `read` gives; where a part of the store cannot be read, what is made of that. What else fails is no damage. */
export function despiteDamage<T>(read: () => T, damaged: (reason: string) => T): T {
  try {
    return read();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return damaged(messageOf(error));
  }
}

export function isBusy(error: unknown): boolean {
  return resultCode(error) === 5;
}

/** SQLite's primary result code, or the system's name of the error; `null` for an error of neither. */
function resultCode(error: unknown): number | string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  return typeof error.code === "string" && "syscall" in error ? error.code : null;
}
