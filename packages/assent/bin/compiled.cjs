// What V8 compiled of a program in earlier processes, kept for the next ones (docs/decisions/0019-start.md).
// V8 believes what it is given, and runs it: nothing is taken that another user could have put there.
"use strict";

const fs = require("node:fs");
const { getCompileCacheDir } = require("node:module");
const { homedir } = require("node:os");
const { basename, dirname, isAbsolute, join } = require("node:path");
const { crc32 } = require("node:zlib");

/** What a file begins with: what it is held to, as JSON, and spaces. */
const headerBytes = 128;
/** What a process has compiled beyond what was kept is worth keeping when it is so much more. */
const muchMore = 1.03;
const dayMs = 24 * 60 * 60 * 1_000;
/** What was not used for so long is removed, and of what was, all but so many: some more than the command line has commands. */
const unusedMs = 30 * dayMs;
const mostFiles = 32;
/** A file that is being written; no process writes for so long. */
const draftName = ".draft-";
const draftMs = 60 * 60 * 1_000;

/**
 * The folder for it; without one, nothing is kept. It lies in the home, and no variable for caches or data moves it: a session that
 * is told of another place than the next start would not know that folder as Assent's own (src/runtime/own-folders.ts). Node's
 * own choice is the shared folder for temporary files, where anybody could plant what the next start runs.
 */
exports.compiledFolder = function compiledFolder() {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  try {
    const home = homedir();
    const caches = join(home, ".cache");
    const own = join(caches, "assent");
    const folder = join(own, "compiled");
    // From the home on, each before anything is made in it: by `sudo` it may be another's. Those are often links; ours are none.
    const isSafe =
      isAbsolute(home) &&
      isOurs(fs.statSync(home)) &&
      isOurs(found(caches, fs.statSync)) &&
      isOursAlone(found(own, fs.lstatSync), 0o022) &&
      // What Node itself keeps in it has the modes that the user's files have: nobody else may so much as enter.
      isOursAlone(found(folder, fs.lstatSync), 0o077);
    return isSafe ? folder : undefined;
  } catch {
    return undefined;
  }
};

/** One level at a time: where a file system answers oddly, Node's way to make all of them at once never ends. */
function found(folder, look) {
  const there = look(folder, { throwIfNoEntry: false });
  if (there) return there;
  fs.mkdirSync(folder, 0o700);
  return look(folder);
}

function isOurs({ uid }) {
  // On Windows files have other owners, and a home is its user's alone.
  return process.platform === "win32" || uid === process.geteuid();
}

function isOursAlone(entry, closed) {
  return entry.isDirectory() && isOurs(entry) && isClosed(entry, closed);
}

function isClosed({ mode }, closed) {
  return process.platform === "win32" || (mode & closed) === 0;
}

/**
 * What is kept of a command's processes with this bundle: `code` to begin with, and `keep` for when the process ends. What it has
 * compiled beyond that is only known when it `looks`, for which V8 goes through the heap.
 */
exports.openCompiled = function openCompiled(folder, { command, bytes }) {
  const file = join(folder, `${command}-${process.version}-${process.arch}-${madeFrom(bytes)}`);
  const { code, compiled: before, usedMs } = read(file);
  const keep = (script, { looks }) => {
    try {
      const isTaken = script.cachedDataRejected === false;
      if (isTaken && !(looks && compiledBytes() > before * muchMore)) return stillUsed(file, usedMs);
      write(file, () => ({ code: script.createCachedData(), compiled: compiledBytes() }));
      sweep(folder);
    } catch {
      // It is only a help: who cannot keep it does without.
    }
  };
  return { code, keep };
};

/** How much of all code this process has compiled, or been given. */
function compiledBytes() {
  return process.getBuiltinModule("node:v8").getHeapCodeStatistics().bytecode_and_metadata_size;
}

/**
 * The bundle, and how V8 was told to work: it takes only what was made with the same flags. Two installations, or a shell whose
 * NODE_OPTIONS are others, have files of their own: with one for all, each would take the other's away.
 */
function madeFrom(bytes) {
  const flags = JSON.stringify([process.execArgv, process.env.NODE_OPTIONS ?? ""]);
  return crc32(flags, crc32(bytes)).toString(16).padStart(8, "0");
}

/** Checked as a whole, since V8 does not: what a failing disk has changed would end the process. */
function read(file) {
  try {
    const { bytes, usedMs } = readOurs(file);
    const { check, compiled } = JSON.parse(bytes.latin1Slice(0, headerBytes));
    const code = bytes.subarray(headerBytes);
    if (check === crc32(code)) return { code, compiled, usedMs };
  } catch {
    // There is none, or none that can be used: it is made anew.
  }
  return { code: undefined, compiled: 0, usedMs: 0 };
}

/** What was opened is what is looked at: a name may lead elsewhere a moment later. */
function readOurs(file) {
  const opened = fs.openSync(file);
  try {
    const entry = fs.fstatSync(opened);
    if (!entry.isFile() || !isOurs(entry) || !isClosed(entry, 0o022)) throw new Error(`${file} may be another's`);
    return { bytes: fs.readFileSync(opened), usedMs: entry.mtimeMs };
  } finally {
    fs.closeSync(opened);
  }
}

/**
 * Whole or not at all, since others may be reading it, and writing it. What a power cut leaves of it is found out by its check. To ask
 * for the code takes some milliseconds: not before a disk that can only be read, or is full, had the chance to say so.
 */
function write(file, make) {
  // By chance: the same home may be that of several containers, whose processes have the same numbers.
  const draft = join(dirname(file), `${draftName}${Math.random().toString(36).slice(2)}`);
  const opened = fs.openSync(draft, "wx", 0o600);
  try {
    try {
      fs.writeSync(opened, " ".repeat(headerBytes));
      const { code, compiled } = make();
      fs.writeFileSync(opened, code);
      fs.writeSync(opened, JSON.stringify({ check: crc32(code), compiled }), 0);
    } finally {
      fs.closeSync(opened);
    }
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

/** The time of a file is that of its last use, to the day: to note each would be a write for each start. */
function stillUsed(file, usedMs) {
  const now = Date.now();
  if (now - usedMs > dayMs) fs.utimesSync(file, now / 1_000, now / 1_000);
}

/** What is no longer used goes: of other bundles, of other versions of Node, and of those who were killed while they wrote. */
function sweep(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  sweepFiles(entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name)));
  // Node makes one for each of its versions and users. Of its use it notes nothing, so the time is that of what was last put in.
  const inUse = basename(getCompileCacheDir() ?? "");
  const ofNode = entries.filter((entry) => entry.isDirectory() && /^v\d/.test(entry.name) && entry.name !== inUse);
  for (const path of ofNode.map(({ name }) => join(folder, name)))
    if (Date.now() - lastMs(path) > unusedMs) fs.rmSync(path, { recursive: true, force: true });
}

function sweepFiles(paths) {
  const files = paths
    .map((path) => ({ path, isDraft: basename(path).startsWith(draftName), usedMs: lastMs(path) }))
    .sort((one, other) => other.usedMs - one.usedMs);
  for (const [index, { path, isDraft, usedMs }] of files.entries()) {
    const isOld = Date.now() - usedMs > (isDraft ? draftMs : unusedMs);
    if (isOld || index >= mostFiles) fs.rmSync(path, { force: true });
  }
}

/** A folder's is that of the newest file that was put into it. */
function lastMs(path) {
  return fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
