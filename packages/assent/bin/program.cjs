// Loads the program, runs it, and ends the process as soon as it can.
// A bundle comes with what V8 compiled of it in an earlier process. Node's own cache keeps what is compiled when a file is loaded;
// most of a bundle is compiled when it is first called, and would be again by every process (docs/decisions/0019-start.md).
"use strict";

const { isAscii } = require("node:buffer");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const { dirname } = require("node:path");
const { pathToFileURL } = require("node:url");
const { openCompiled } = require("./compiled.cjs");

/** Around a CommonJS file, as Node has it. */
const wrapping = ["(function (exports, require, module, __filename, __dirname) { ", "\n})"];

/** Other names of commands, as the command line has them (src/cli/main.ts). */
const otherNames = { "--help": "help", "-h": "help", "--version": "version", "-v": "version", __complete: "complete" };

/** Who stops a process, by SIGINT or SIGTERM, waits for its end. */
const stopped = [130, 143];

/** Most processes are over soon and compile what those before them did: to look each time would take them two milliseconds of forty. */
const shareThatLooks = 1 / 8;

/** `cache`: the folder for what is compiled (compiled.cjs); without one, nothing is kept. */
exports.run = function run(file, { root, cache }) {
  // Stays when main's promise never settles, and is what Node itself says of an unsettled top-level await.
  process.exitCode = 13;
  // Nothing is caught: Node's own report of a file that does not load, with its place, is the best there is.
  const isBundle = file.endsWith(".cjs");
  const { loading, keep } = isBundle ? loadBundle(file, cache) : { loading: import(pathToFileURL(file).href) };
  loading
    .then(async (program) => ({ program, code: await program.main(process.argv.slice(2), { root }) }))
    .then(({ program, code }) => {
      process.exitCode = code;
      leave(() => {
        // Who only heard what was wrong with the command line has compiled next to nothing.
        if (code === 2 || !keep) return;
        const hadMuch = program.settle?.() === true;
        keep({ looks: !stopped.includes(code) && (hadMuch || Math.random() < shareThatLooks) });
      });
    });
};

/** Its parts, and what is to be called once it has run. */
function loadBundle(file, cache) {
  // Whoever measures what is run wants it compiled here.
  if (!cache || process.env.NODE_V8_COVERAGE) return { loading: Promise.resolve(require(file)) };
  const { Script } = require("node:vm");
  const command = commandOf(process.argv[2]);
  const bytes = wrapped(file);
  const kept = command && openCompiled(cache, { command, bytes });
  // As UTF-8 it would be looked through first, which takes longer.
  const script = new Script(bytes.toString(isAscii(bytes) ? "latin1" : "utf8"), {
    filename: file,
    columnOffset: -wrapping[0].length,
    cachedData: kept?.code,
  });
  const bundle = { exports: {} };
  script.runInThisContext()(bundle.exports, createRequire(file), bundle, file, dirname(file));
  return { loading: Promise.resolve(bundle.exports), keep: (how) => kept?.keep(script, how) };
}

/** Whose code is kept together: commands need different parts of it, and none pays for those of another. Of what is none, nothing is. */
function commandOf(word) {
  if (Object.hasOwn(otherNames, word)) return otherNames[word];
  // Without a command, and with options alone, it is the shell.
  if (word === undefined || word.startsWith("--")) return "shell";
  return /^[a-z]{1,20}$/.test(word) ? word : undefined;
}

/** The file as a function of what a module knows. In one piece from the beginning: text that is joined from parts is kept twice. */
function wrapped(file) {
  const [head, end] = wrapping;
  const { size } = fs.statSync(file);
  const bytes = Buffer.allocUnsafeSlow(head.length + size + end.length);
  bytes.write(head);
  const opened = fs.openSync(file);
  fs.readSync(opened, bytes, head.length, size);
  fs.closeSync(opened);
  bytes.write(end, head.length + size);
  return bytes;
}

/**
 * Ends the process as soon as all is written. Left to itself Node would first close the journal, and whoever closes it last
 * removes its log, which the next process would have to let grow again, commit by commit.
 */
function leave(last) {
  let left = 2;
  const done = () => {
    left -= 1;
    if (left > 0) return;
    last();
    process.exit();
  };
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.writableLength === 0) done();
    else stream.write("", done);
  }
}
