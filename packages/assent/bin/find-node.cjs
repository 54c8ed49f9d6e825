// Finds a Node that is new enough. Like assent.cjs it keeps to what Node 8 can parse and load.
// biome-ignore-all lint/style/useNodejsImportProtocol: the node: prefix does not load on Node 12 and older
"use strict";

const fs = require("fs");
const path = require("path");

/**
 * The Node that `npm ci` puts among the packages: the nearest one in the node_modules folders above this file whose major version is
 * this or higher.
 */
function installedNode(needed) {
  const binary = path.join("bin", process.platform === "win32" ? "node.exe" : "node");
  // Node has resolved symbolic links already: this is where the launcher really is, not node_modules/.bin.
  for (let folder = __dirname, below = ""; folder !== below; below = folder, folder = path.dirname(folder)) {
    for (const name of packageNames()) {
      const found = path.join(folder, "node_modules", name);
      const version = Number.parseInt(versionOf(path.join(found, "package.json")), 10);
      if (version >= needed && fs.existsSync(path.join(found, binary))) {
        return path.join(found, binary);
      }
    }
  }
  return undefined;
}

/** Packages that hold a Node for this machine. The one for Apple silicon has another name than its siblings. */
function packageNames() {
  const target = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  return target === "darwin-arm64"
    ? [`node-bin-${target}`, `node-${target}`]
    : [`node-${target}`, `node-bin-${target}`];
}

function versionOf(manifest) {
  try {
    return JSON.parse(fs.readFileSync(manifest, "utf8")).version;
  } catch (_absent) {
    return "";
  }
}

module.exports = { installedNode, packageNames };
