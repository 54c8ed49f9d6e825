import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { messageOf, nearest } from "../../wire/index.ts";
import { looksLikePath } from "./path-looks.ts";

/** More than a model takes at once in any case. */
const mostBytes = 1024 * 1024;
/** What is longer than that is no name that somebody has typed. */
const longestName = 500;

/** `missed`: what is told of names that look like paths and are of no file; the text goes without them. */
export type Attached = { readonly text: string; readonly missed: readonly string[] } | { readonly problem: string };

export type Attaching = {
  readonly cwd: string;
  /** Why a file must not go to the model; `null` where it may. */
  readonly whyNotAttached: (path: string, cwd: string) => Promise<string | null>;
};

/** `@path` in a prompt: that file's text is sent with it (SEL-11). What names no file stays as it was typed. */
export async function attachFiles(prompt: string, { cwd, whyNotAttached }: Attaching): Promise<Attached> {
  const parts: string[] = [];
  const missed: string[] = [];
  for (const named of new Set(namedPaths(prompt))) {
    // What ends a sentence is rarely a part of the name.
    const bare = named.replace(/[.,;:!?)]+$/, "");
    const path = [named, bare].find((each) => existsSync(resolvePath(each, cwd)));
    if (path === undefined) missed.push(...saidMissed(bare, cwd));
    if (path === undefined || path === "") continue;
    const whole = resolvePath(path, cwd);
    const read = readAttached(whole);
    if ("problem" in read) return { problem: `@${path}: ${read.problem}` };
    const reason = await whyNotAttached(whole, cwd);
    if (reason !== null) return { problem: `@${path}: ${reason}; it is not sent along, copy what is needed` };
    parts.push(`File ${path}:\n${fence(read.text)}`);
  }
  return { text: [prompt, ...parts].join("\n\n"), missed };
}

function saidMissed(path: string, cwd: string): readonly string[] {
  if (path.length > longestName || !looksLikePath(path, (folder) => isFolder(resolvePath(folder, cwd)))) return [];
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
  return [...prompt.matchAll(/(?<=^|\s)@(?:"([^"\n]+)"|(\S+))/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

function resolvePath(path: string, cwd: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : resolve(cwd, path);
}

function readAttached(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return { problem: "only a file can be attached, and it is none" };
    if (stats.size > mostBytes) return { problem: `${stats.size} bytes, at most ${mostBytes} can be attached` };
    const bytes = readFileSync(path);
    if (bytes.includes(0)) return { problem: "it is no text" };
    return { text: bytes.toString("utf8") };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Longer than any run of marks in the text, so that nothing in it ends it. */
function fence(text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [marks]) => Math.max(most, marks.length), 2);
  const marks = "`".repeat(longest + 1);
  return `${marks}\n${text}${text.endsWith("\n") ? "" : "\n"}${marks}`;
}
