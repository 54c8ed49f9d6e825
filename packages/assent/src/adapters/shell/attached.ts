import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { messageOf, nearest } from "../../wire/index.ts";
import { looksLikePath } from "./path-looks.ts";

/** Of all files of a prompt; more than a model takes at once in any case. */
const mostBytes = 1024 * 1024;
/** What is longer than that is no name that somebody has typed. */
const longestName = 500;

/** `missed`: what is told of names that look like paths and are of no file; the text goes without them. */
export type Attached = { readonly text: string; readonly missed: readonly string[] } | { readonly problem: string };

export type Attaching = {
  readonly cwd: string;
  /** Why a file must not go to the model; `null` where it may. */
  readonly whyNotAttached: (path: string, cwd: string) => Promise<string | null>;
  /** What becomes of a prompt that names what is no text or too long: who has just typed it can put it right. */
  readonly unfit: "refused" | "told";
};

/**
 * `@path` in a prompt: that file's text is sent with it (SEL-11). What names no file stays as it was typed, and is told where it
 * looks as if it was meant as one.
 */
export async function attachFiles(prompt: string, { cwd, whyNotAttached, unfit }: Attaching): Promise<Attached> {
  const parts: string[] = [];
  const missed: string[] = [];
  let left = mostBytes;
  for (const named of new Set(namedPaths(prompt))) {
    // What ends a sentence is rarely a part of the name.
    const bare = named.replace(/[.,;:!?)]+$/, "");
    const path = [named, bare].find((each) => existsSync(resolvePath(each, cwd)));
    if (path === undefined) missed.push(...saidMissed(bare, cwd));
    if (path === undefined || path === "") continue;
    const whole = resolvePath(path, cwd);
    const reason = await whyNotAttached(whole, cwd);
    if (reason !== null) return { problem: `@${path}: ${reason}; it is not sent along, copy what is needed` };
    const read = readAttached(whole, left);
    if ("text" in read) {
      left -= read.bytes;
      parts.push(`File ${path}:\n${fence(read.text)}`);
    } else if (unfit === "refused") return { problem: `@${path}: ${read.problem}` };
    else missed.push(`@${path}: ${read.problem}; the text goes as it is`);
  }
  return { text: [prompt, ...parts].join("\n\n"), missed };
}

function saidMissed(path: string, cwd: string): readonly string[] {
  if (!looksLikePath(path, (folder) => isFolder(resolvePath(folder, cwd)))) return [];
  const name = path.slice(path.lastIndexOf("/") + 1);
  const folder = path.slice(0, path.length - name.length);
  const there = attachable(`${folder}${name.startsWith(".") ? "." : ""}`, cwd).map((each) => each.slice(folder.length));
  const near = nearest(name, there);
  const meant = near === undefined ? "" : `; did you mean @${folder}${near}?`;
  return [`@${path}: no such file; the text goes as it is${meant}`];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** What could stand behind an @ that was begun: names in its folder; a folder ends in a slash. */
export function attachable(begun: string, cwd: string): readonly string[] {
  const folder = begun.endsWith("/") || begun === "" ? begun : begun.slice(0, begun.lastIndexOf("/") + 1);
  const begins = begun.slice(folder.length);
  try {
    return readdirSync(resolvePath(folder === "" ? "." : folder, cwd), { withFileTypes: true })
      .filter(({ name }) => name.startsWith(begins) && (begins.startsWith(".") || !name.startsWith(".")))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`)
      .sort();
  } catch {
    return [];
  }
}

/** At the beginning of a word only: an address of a person has its @ inside. */
function namedPaths(prompt: string): readonly string[] {
  const named = [...prompt.matchAll(/(?<=^|\s)@(?:"([^"\n]+)"|(\S+))/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
  return named.filter((each) => each.length <= longestName);
}

function resolvePath(path: string, cwd: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : resolve(cwd, path);
}

type Read = { readonly text: string; readonly bytes: number } | { readonly problem: string };

function readAttached(path: string, most: number): Read {
  try {
    // Without waiting for who may write there: the system's own files and pipes could let it wait for ever.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return readOpened(file, most);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function readOpened(file: number, most: number): Read {
  const stats = fstatSync(file);
  if (!stats.isFile()) return { problem: "only a file can be attached, and it is none" };
  // The system's own files say that they are empty: what comes is what counts.
  const bytes = Buffer.alloc(Math.min(stats.size === 0 ? most : stats.size, most) + 1);
  let length = 0;
  for (let got = -1; got !== 0 && length < bytes.length; length += got)
    got = readSync(file, bytes, length, bytes.length - length, null);
  if (length > most)
    return { problem: `${Math.max(stats.size, length)} bytes, at most ${mostBytes} can be attached in all` };
  const text = bytes.subarray(0, length);
  return text.includes(0) ? { problem: "it is no text" } : { text: text.toString("utf8"), bytes: length };
}

/** Longer than any run of marks in the text, so that nothing in it ends it. */
function fence(text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [marks]) => Math.max(most, marks.length), 2);
  const marks = "`".repeat(longest + 1);
  return `${marks}\n${text}${text.endsWith("\n") ? "" : "\n"}${marks}`;
}
