// Runs a command line with the Node that npm ci installed first on the path: node scripts/with-node.cjs "tsc && vitest run".
// npm 11.6 and later link that Node where npm run finds it; older ones do not.
"use strict";

const { spawnSync } = require("node:child_process");
const path = require("node:path");
const { installedNode } = require("../packages/assent/bin/find-node.cjs");
const { engines } = require("../packages/assent/package.json");

// `>=` and a major version.
const needed = Number.parseInt(engines.node.slice(2), 10);
const node = installedNode(needed);
const bins = [node && path.dirname(node), path.join(__dirname, "..", "node_modules", ".bin")].filter(Boolean);
const env = Object.assign({}, process.env, { PATH: bins.concat(process.env.PATH || "").join(path.delimiter) });
const { status, signal } = spawnSync(process.argv.slice(2).join(" "), { shell: true, stdio: "inherit", env });
if (signal) process.kill(process.pid, signal);
process.exitCode = status === null ? 1 : status;
