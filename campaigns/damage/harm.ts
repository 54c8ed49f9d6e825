/** The ways in which a store goes bad. Each is the same for the same numbers. */
import type { Random } from "../../packages/assent/test/simulation/random.ts";
import type { Files, Part, WholeStore } from "./stores.ts";

const headerBytes = 100;
const logHeaderBytes = 32;

/** Of a store, as its header tells: new ones have larger pages than older ones. */
function pageBytes(bytes: Buffer): number {
  return bytes.readUInt16BE(16);
}

/** A page of the log, with what stands before it there. */
function frameBytes(log: Buffer): number {
  return log.readUInt32BE(8) + 24;
}

type Harm = {
  /** What it is done to. */
  readonly part: Part;
  /** Other bytes in their place; `null` where the file is gone. */
  readonly to: (bytes: Buffer, random: Random, other: Buffer) => Buffer | null;
};

/** By name: the names are what is counted. */
const harms = {
  "one bit": { part: "journal.db", to: (bytes, random) => flipped(bytes, [somewhere(bytes, random)], random) },
  "several bits": {
    part: "journal.db",
    to: (bytes, random) =>
      flipped(
        bytes,
        several(random, () => somewhere(bytes, random)),
        random,
      ),
  },
  "a bit of an event": { part: "journal.db", to: (bytes, random) => flipped(bytes, [inText(bytes, random)], random) },
  "bits of one page": {
    part: "journal.db",
    to: (bytes, random) => {
      const from = usedPage(bytes, random) * pageBytes(bytes);
      return flipped(
        bytes,
        several(random, () => from + random.below(pageBytes(bytes))),
        random,
      );
    },
  },
  "the head of a page": {
    part: "journal.db",
    to: (bytes, random) => flipped(bytes, [usedPage(bytes, random) * pageBytes(bytes) + random.below(40)], random),
  },
  zeroed: {
    part: "journal.db",
    to: (bytes, random) => zeroed(bytes, somewhere(bytes, random), 1 + random.below(5_000)),
  },
  "a page zeroed": {
    part: "journal.db",
    to: (bytes, random) => zeroed(bytes, usedPage(bytes, random) * pageBytes(bytes), pageBytes(bytes)),
  },
  "cut short": { part: "journal.db", to: (bytes, random) => bytes.subarray(0, random.below(bytes.length)) },
  "cut at a page": {
    part: "journal.db",
    to: (bytes, random) => bytes.subarray(0, pageBytes(bytes) * random.below(bytes.length / pageBytes(bytes))),
  },
  emptied: { part: "journal.db", to: () => Buffer.alloc(0) },
  "pages swapped": {
    part: "journal.db",
    to: (bytes, random) => swapped(bytes, usedPage(bytes, random), usedPage(bytes, random)),
  },
  "a page of another store": {
    part: "journal.db",
    to: (bytes, random, other) => {
      const from = usedPage(other, random) * pageBytes(other);
      return replaced(bytes, usedPage(bytes, random) * pageBytes(bytes), other.subarray(from, from + pageBytes(bytes)));
    },
  },
  "a page of its own twice": {
    part: "journal.db",
    to: (bytes, random) => {
      const from = usedPage(bytes, random) * pageBytes(bytes);
      return replaced(bytes, usedPage(bytes, random) * pageBytes(bytes), bytes.subarray(from, from + pageBytes(bytes)));
    },
  },
  "the header": { part: "journal.db", to: (bytes, random) => flipped(bytes, [random.below(headerBytes)], random) },
  "the header zeroed": { part: "journal.db", to: (bytes) => zeroed(bytes, 0, headerBytes) },
  "the log's bits": {
    part: "journal.db-wal",
    to: (bytes, random) =>
      flipped(
        bytes,
        several(random, () => inLog(bytes, random)),
        random,
      ),
  },
  "the log cut short": { part: "journal.db-wal", to: (bytes, random) => bytes.subarray(0, inLog(bytes, random)) },
  "the log cut at a page": {
    part: "journal.db-wal",
    to: (bytes, random) =>
      bytes.subarray(0, logHeaderBytes + frameBytes(bytes) * random.below(writtenFrames(bytes) + 1)),
  },
  "the log zeroed": { part: "journal.db-wal", to: (bytes, random) => zeroed(bytes, inLog(bytes, random), 5_000) },
  "the log's header": {
    part: "journal.db-wal",
    to: (bytes, random) => flipped(bytes, [random.below(logHeaderBytes)], random),
  },
  "the log emptied": { part: "journal.db-wal", to: () => Buffer.alloc(0) },
  "the log removed": { part: "journal.db-wal", to: () => null },
  "the log of another store": { part: "journal.db-wal", to: (_bytes, _random, other) => other },
  "the last note's bits": {
    part: "journal.db-last",
    to: (bytes, random) =>
      flipped(
        bytes,
        several(random, () => random.below(bytes.length)),
        random,
      ),
  },
  "the last note removed": { part: "journal.db-last", to: () => null },
  "the shared part's bits": {
    part: "journal.db-shm",
    to: (bytes, random) =>
      flipped(
        bytes,
        several(random, () => random.below(bytes.length)),
        random,
      ),
  },
  "the shared part zeroed": { part: "journal.db-shm", to: (bytes) => Buffer.alloc(bytes.length) },
  "the shared part cut": {
    part: "journal.db-shm",
    to: (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  },
  "the shared part removed": { part: "journal.db-shm", to: () => null },
} as const satisfies Readonly<Record<string, Harm>>;

export type HarmName = keyof typeof harms;

export const harmNames = Object.keys(harms) as readonly HarmName[];

/**
 * Whether this can be done to it: most stores have no log. One that is empty and has nothing beside it, as the version before left
 * them, is what a process leaves that is killed while it makes one: nobody can tell.
 */
export function canSuffer({ files }: WholeStore, harm: HarmName): boolean {
  return files.has(harms[harm].part) && (harm !== "emptied" || files.has("journal.db-last"));
}

/** The files as the harm leaves them. */
export function harmed(
  store: WholeStore,
  harm: HarmName,
  { random, other }: { readonly random: Random; readonly other: WholeStore },
): Files {
  const { part, to } = harms[harm];
  const bytes = store.files.get(part) ?? Buffer.alloc(0);
  const changed = to(bytes, random, other.files.get(part) ?? bytes);
  const files = new Map(store.files);
  if (changed === null) files.delete(part);
  else files.set(part, changed);
  return files;
}

/** A leaf of the table of events: the only pages that hold nothing else. */
const leaf = 0x0a;

/**
 * How many sessions must have lost nothing: all but those of which something stands, or stood, on a page that was harmed, and the one
 * before each, whose end cannot be told from there. None, where more was harmed than pages of events.
 */
export function untouched({ files: whole, sessions }: WholeStore, files: Files): number {
  const [before, after] = [whole.get("journal.db"), files.get("journal.db")];
  const others = [...whole.keys()].some((part) => part !== "journal.db" && !same(whole.get(part), files.get(part)));
  if (before === undefined || after === undefined || before.length !== after.length || others) return 0;
  const touched = new Set<string>();
  const size = pageBytes(before);
  let pages = 0;
  for (let at = 0; at < before.length; at += size) {
    const [was, is] = [before.subarray(at, at + size), after.subarray(at, at + size)];
    if (was.equals(is)) continue;
    if (was[0] !== leaf || !was.includes('{"seq":')) return 0;
    pages += 1;
    for (const session of sessions.keys()) {
      const mark = `"session":"${session}"`;
      if (was.includes(mark) || is.includes(mark)) touched.add(session);
    }
  }
  return Math.max(0, sessions.size - touched.size - pages);
}

function same(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}

function flipped(bytes: Buffer, places: readonly number[], random: Random): Buffer {
  const changed = Buffer.from(bytes);
  for (const at of places) if (at < changed.length) changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
  return changed;
}

function several(random: Random, place: () => number): readonly number[] {
  return Array.from({ length: 2 + random.below(39) }, place);
}

function zeroed(bytes: Buffer, from: number, count: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.fill(0, from, Math.min(from + count, changed.length));
  return changed;
}

function replaced(bytes: Buffer, at: number, page: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  page.copy(changed, at);
  return changed;
}

function swapped(bytes: Buffer, one: number, other: number): Buffer {
  const size = pageBytes(bytes);
  const page = (number: number) => bytes.subarray(number * size, (number + 1) * size);
  return replaced(replaced(bytes, one * size, page(other)), other * size, page(one));
}

/** Most of a new file is room for the log: what is hit should be something. */
function usedPage(bytes: Buffer, random: Random): number {
  const size = pageBytes(bytes);
  const pages = Math.max(1, Math.floor(bytes.length / size));
  for (let tries = 0; tries < 1_000; tries++) {
    const page = random.below(pages);
    if (bytes.subarray(page * size, (page + 1) * size).some((byte) => byte !== 0)) return page;
  }
  return 0;
}

function somewhere(bytes: Buffer, random: Random): number {
  return usedPage(bytes, random) * pageBytes(bytes) + random.below(pageBytes(bytes));
}

function inText(bytes: Buffer, random: Random): number {
  const found = bytes.indexOf('{"seq":', random.below(bytes.length));
  return (found === -1 ? bytes.indexOf('{"seq":') : found) + random.below(300);
}

/** What is behind the pages that were written last is of no meaning. */
function writtenFrames(bytes: Buffer): number {
  const salt = bytes.subarray(16, 24);
  const size = frameBytes(bytes);
  let frames = 0;
  for (let at = logHeaderBytes; at + size <= bytes.length; at += size) {
    if (!bytes.subarray(at + 8, at + 16).equals(salt)) break;
    frames += 1;
  }
  return frames;
}

function inLog(bytes: Buffer, random: Random): number {
  return random.below(logHeaderBytes + frameBytes(bytes) * writtenFrames(bytes));
}
