// What V8 compiled of a program in earlier processes, kept for the next ones (docs/decisions/0019-start.md).
// V8 believes what it is given, and runs it: nothing is taken that another user could have put there.
"use strict";

const fs = require("node:fs");
const { homedir } = require("node:os");
const { isAbsolute, join } = require("node:path");
const { crc32 } = require("node:zlib");

/** What a file begins with: what it is held to, as JSON, and spaces. */
const headerBytes = 128;
/** What a process has compiled beyond what was kept is worth keeping when it is so much more. */
const muchMore = 1.03;

/**
 * The folder for it; without one, nothing is kept. It lies in the home, and no variable for caches or data moves it: a session that
 * is told of another place than the next start would not know that folder as Assent's own (src/runtime/own-folders.ts). Node's
 * own choice is the shared folder for temporary files, where anybody could plant what the next start runs.
 */
exports.keptFolder = function keptFolder() {
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

/** What is kept of a command's processes with this bundle: `code` to begin with, and `keep` for when the process ends. */
exports.openKept = function openKept(folder, { command, bytes }) {
  const name = `${command}-${process.version}-${process.arch}`;
  const file = join(folder, name);
  const of = crc32(bytes);
  const { code, compiled: before } = read(file, of);
  const keep = (script, { settle }) => {
    try {
      const compiled = settle ? settle() : 0;
      if (script.cachedDataRejected === false && compiled <= before * muchMore) return;
      write(file, { of, compiled, make: () => script.createCachedData() });
      sweep(folder, { command, name });
    } catch {
      // It is only a help: who cannot keep it does without.
    }
  };
  return { code, keep };
};

/** Checked as a whole, since V8 does not: what a failing disk has changed would end the process. */
function read(file, of) {
  try {
    const bytes = readOurs(file);
    const head = JSON.parse(bytes.latin1Slice(0, headerBytes));
    const code = bytes.subarray(headerBytes);
    if (head.of === of && head.check === crc32(code)) return { code, compiled: head.compiled };
  } catch {
    // There is none, or none that can be used: it is made anew.
  }
  return { code: undefined, compiled: 0 };
}

/** What was opened is what is looked at: a name may lead elsewhere a moment later. */
function readOurs(file) {
  const opened = fs.openSync(file);
  try {
    const entry = fs.fstatSync(opened);
    if (!entry.isFile() || !isOurs(entry) || !isClosed(entry, 0o022)) throw new Error(`${file} may be another's`);
    return fs.readFileSync(opened);
  } finally {
    fs.closeSync(opened);
  }
}

/**
 * Whole or not at all, since others may be reading it, and writing it. What a power cut leaves of it is found out by its check. To ask
 * for the code takes some milliseconds: not before a disk that can only be read, or is full, had the chance to say so.
 */
function write(file, { of, compiled, make }) {
  // By chance: the same home may be that of several containers, whose processes have the same numbers.
  const draft = `${file}.${Math.random().toString(36).slice(2)}`;
  const opened = fs.openSync(draft, "wx", 0o600);
  try {
    try {
      fs.writeSync(opened, " ".repeat(headerBytes));
      const code = make();
      fs.writeFileSync(opened, code);
      fs.writeSync(opened, JSON.stringify({ of, check: crc32(code), compiled }), 0);
    } finally {
      fs.closeSync(opened);
    }
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

/** What other versions of Node have left of the same command, and those who were killed while they wrote. */
function sweep(folder, { command, name }) {
  for (const entry of fs.readdirSync(folder)) {
    if (entry.startsWith(`${command}-`) && entry !== name) fs.rmSync(join(folder, entry), { force: true });
  }
}
