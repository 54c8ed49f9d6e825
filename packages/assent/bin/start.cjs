// Finds the program: the bundle when there is one, otherwise the source, whose types Node strips.
// Apart from assent.cjs because an old Node cannot parse import().
"use strict";

const { existsSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { dirname, join } = require("node:path");
const { compiledFolder } = require("./compiled.cjs");
const { run } = require("./program.cjs");

/** How soon the end of the launcher is noticed. */
const launcherLookMs = 1_000;

/** The number of the launcher's process, when this one is run by it: for nobody else, and so for no command that is run from here. */
const { ASSENT_LAUNCHER: launcher } = process.env;
delete process.env.ASSENT_LAUNCHER;

const root = dirname(__dirname);
const entry = [join(root, "dist", "cli.cjs"), join(root, "src", "cli", "main.ts")].find((file) => existsSync(file));

if (entry) {
  if (require.main === module && launcher && process.platform !== "win32") endWith(Number(launcher));
  start(entry);
} else {
  process.stderr.write(`assent is not complete: ${root} has neither dist/cli.cjs nor src/cli/main.ts.\n`);
  process.exitCode = 1;
}

/**
 * Run by the launcher of an older Node, it is the process that a person means, and ends with it, as when a terminal closes:
 * whoever killed the one expects nothing to go on. Where the launcher can pass a signal on, it does so itself.
 */
function endWith(launcher) {
  // Also one that was gone before this process could look who its parent is.
  const look = () => {
    if (process.ppid === launcher) return;
    clearInterval(looking);
    process.kill(process.pid, "SIGHUP");
  };
  const looking = setInterval(look, launcherLookMs).unref();
  look();
}

function start(file) {
  const cache = compiledFolder();
  // For what the program loads from elsewhere, and for its source.
  if (cache) enableCompileCache(cache);
  run(file, { root, cache });
}
