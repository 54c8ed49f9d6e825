#!/usr/bin/env node
// The command's first file. Any Node a machine may have runs it, so it keeps to what Node 8 can parse and load;
// what needs a newer Node lives in start.cjs. All it does is find a Node that is new enough.
// biome-ignore-all lint/style/useNodejsImportProtocol: the node: prefix does not load on Node 12 and older
"use strict";

const NEEDED = 24;
const TOO_OLD = 2; // exit code

if (Number.parseInt(process.versions.node, 10) >= NEEDED) require("./start.cjs");
else handOver();

function handOver() {
  const { installedNode } = require("./find-node.cjs");
  const newer = installedNode(NEEDED);
  if (newer) run(newer);
  else refuse("");
}

function run(node) {
  let child;
  const pass = (signal) => child.kill(signal);
  const onSignal = {
    SIGTERM: pass,
    SIGHUP: pass,
    // Ctrl-C goes to the whole process group: the child has it already, and a second one would mean something else.
    // Without a terminal it can only have been sent to this process.
    SIGINT: (signal) => hasTerminal() || pass(signal),
  };
  for (const signal of Object.keys(onSignal)) process.on(signal, onSignal[signal]);

  // Not this file again: should that package hold an old Node after all, the two would start each other for ever.
  const start = require("path").join(__dirname, "start.cjs");
  const env = Object.assign({}, process.env, { ASSENT_LAUNCHER: String(process.pid) });
  child = require("child_process").spawn(node, [start].concat(process.argv.slice(2)), { stdio: "inherit", env });
  child.on("error", (error) => refuse(` The one at ${node} did not start: ${error.message}.`));
  child.on("exit", (code, signal) => {
    for (const handled of Object.keys(onSignal)) process.removeListener(handled, onSignal[handled]);
    if (!signal) {
      process.exitCode = code;
      return;
    }
    // Die of what the child died of, so that whoever waits sees it. The code is for the signals Node does not die of.
    process.exitCode = 128 + require("os").constants.signals[signal];
    process.kill(process.pid, signal);
  });
}

function hasTerminal() {
  if (process.platform === "win32") return true; // a console's Ctrl-C is the only SIGINT there is
  const fs = require("fs");
  try {
    fs.closeSync(fs.openSync("/dev/tty", "r"));
    return true;
  } catch (_none) {
    return false;
  }
}

/** The command that does so. */
function beside() {
  const { packageNames } = require("./find-node.cjs");
  const isInstalled = __dirname.split(require("path").sep).includes("node_modules");
  return isInstalled ? `npm install ${packageNames()[0]}@26` : "npm ci in the checkout";
}

function refuse(why) {
  process.stderr.write(
    `assent needs Node ${NEEDED} or newer; this is ${process.version} at ${process.execPath}.${why}` +
      ` Install a newer Node, or put one beside it: ${beside()}.\n`,
  );
  process.exitCode = TOO_OLD;
}
