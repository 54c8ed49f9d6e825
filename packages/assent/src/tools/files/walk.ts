import type { Dirent } from "node:fs";
import { promises } from "node:fs";
import { dirname, join, relative } from "node:path";
import { codeOf } from "../../wire/index.ts";
import { type Patterns, readPatterns } from "./ignore.ts";

/** `path` is relative to the folder walked; `unread` says why a folder shows nothing, or not all. */
export type Entry = {
  readonly path: string;
  readonly entry: Dirent;
  readonly depth: number;
  readonly unread?: string;
};

export type Walking = {
  readonly depth: number;
  /** Also what .gitignore names, and .git. */
  readonly all: boolean;
  readonly hidden: boolean;
  readonly signal: AbortSignal;
};

/** How many entries of one folder are looked at: they must be in memory to be sorted. */
const mostInFolder = 20_000;
const mostIgnoreBytes = 1024 * 1024;

/** The patterns of one folder, and those of the folders above it. */
type Rules = { readonly folder: string; readonly patterns: readonly Patterns[]; readonly above: Rules | null };
type Level = Walking & {
  readonly root: string;
  readonly folder: string;
  readonly entries: readonly Dirent[];
  /** 1 for what is in the root itself. */
  readonly at: number;
  readonly rules: Rules | null;
};

/** Everything in a folder, by name, each folder before what is in it; links are entries, never followed. */
export async function* walk(root: string, walking: Walking): AsyncGenerator<Entry, string | null> {
  const rules = walking.all ? null : await rulesAbove(root);
  const { entries, unread } = await entriesOf(root);
  yield* walkLevel({ ...walking, root, folder: root, entries, at: 1, rules });
  return unread;
}

async function* walkLevel(level: Level): AsyncGenerator<Entry> {
  const { folder, root, at, all, signal } = level;
  const rules = all ? null : await rulesIn(folder, level.rules);
  for (const entry of level.entries) {
    if (signal.aborted) return;
    const full = join(folder, entry.name);
    if (leftOut(entry, full, { ...level, rules })) continue;
    const found = { path: relative(root, full), entry, depth: at };
    if (!entry.isDirectory() || at >= level.depth) yield found;
    else {
      const { entries, unread } = await entriesOf(full);
      yield { ...found, ...(unread === null ? {} : { unread }) };
      yield* walkLevel({ ...level, folder: full, entries, at: at + 1, rules });
    }
  }
}

function leftOut(entry: Dirent, full: string, { all, hidden, rules }: Level): boolean {
  if (all) return false;
  if (entry.name === ".git" || (!hidden && entry.name.startsWith("."))) return true;
  return isIgnored(full, entry.isDirectory(), rules);
}

/** The nearest folder whose patterns speak of it decides. */
function isIgnored(full: string, isFolder: boolean, rules: Rules | null): boolean {
  for (let each = rules; each !== null; each = each.above) {
    for (const patterns of each.patterns) {
      const ignored = patterns.ignores(relative(each.folder, full), isFolder);
      if (ignored !== null) return ignored;
    }
  }
  return false;
}

type Entries = { readonly entries: readonly Dirent[]; readonly unread: string | null };

async function entriesOf(folder: string): Promise<Entries> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await promises.opendir(folder)) {
      if (entries.length >= mostInFolder) return { entries: sorted(entries), unread: `only ${mostInFolder} looked at` };
      entries.push(entry);
    }
    return { entries: sorted(entries), unread: null };
  } catch (error) {
    return { entries: sorted(entries), unread: codeOf(error) ?? "cannot be read" };
  }
}

function sorted(entries: Dirent[]): Dirent[] {
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * From the root of the repository down to the folder above; without a repository from as far up as there is. A folder that
 * they ignore was asked for all the same: then they say nothing about what is in it.
 */
async function rulesAbove(root: string): Promise<Rules | null> {
  const folders: string[] = [];
  for (let folder = root; !(await isRepository(folder)) && folder !== dirname(folder); ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  let rules: Rules | null = null;
  for (const [index, folder] of folders.entries()) {
    rules = await rulesIn(folder, rules);
    if (isIgnored(folders[index + 1] ?? root, true, rules)) return null;
  }
  return rules;
}

export async function isInRepository(folder: string): Promise<boolean> {
  if (await isRepository(folder)) return true;
  return folder !== dirname(folder) && isInRepository(dirname(folder));
}

async function isRepository(folder: string): Promise<boolean> {
  return promises.lstat(join(folder, ".git")).then(
    () => true,
    () => false,
  );
}

/** A repository inside another knows nothing of that one. */
async function rulesIn(folder: string, above: Rules | null): Promise<Rules | null> {
  const own = await patternsOf(join(folder, ".gitignore"));
  const isTop = await isRepository(folder);
  const excluded = isTop ? await patternsOf(join(folder, ".git", "info", "exclude")) : null;
  const patterns = [own, excluded].filter((each) => each !== null);
  const higher = isTop ? null : above;
  return patterns.length === 0 ? higher : { folder, patterns, above: higher };
}

async function patternsOf(path: string): Promise<Patterns | null> {
  try {
    const stats = await promises.lstat(path);
    if (!stats.isFile() || stats.size > mostIgnoreBytes) return null;
    return readPatterns(await promises.readFile(path, "utf8"));
  } catch {
    return null;
  }
}
