import type { Danger } from "./deeds.ts";
import { danger } from "./spec.ts";
import { beginning, type Hole, isMade, known, shown, type Text, textOf } from "./text.ts";

/** Where programs and their libraries are looked for. */
const ofPrograms = new Set([
  "PATH",
  "LD_LIBRARY_PATH",
  "DYLD_LIBRARY_PATH",
  "DYLD_FALLBACK_LIBRARY_PATH",
  "DYLD_FRAMEWORK_PATH",
]);

/** Where languages look for their own; a project's folders are ordinary there. */
const ofLanguages = new Set([
  "PYTHONPATH",
  "PERL5LIB",
  "PERLLIB",
  "NODE_PATH",
  "RUBYLIB",
  "CLASSPATH",
  "LUA_PATH",
  "LUA_CPATH",
  "GEM_PATH",
]);

export function isSearchPath(name: string): boolean {
  return ofPrograms.has(name) || ofLanguages.has(name);
}

/** Why it is dangerous to have programs or libraries looked for there. */
export function searchPathDanger(name: string, value: Text, homes: readonly string[]): Danger | null {
  if (!isSearchPath(name) || (value.length === 0 && name !== "PATH")) return null;
  const found = entries(value).find((entry) => isDangerous(name, entry, homes));
  if (found === undefined) return null;
  const where = found.length === 0 ? "the current folder" : shown(found);
  return danger("exec-injected", `has programs looked for in ${where}, where anything could be, by ${name}`);
}

function entries(value: Text): readonly Text[] {
  const found: (string | Hole)[][] = [[]];
  for (const piece of value) {
    if (typeof piece !== "string") {
      found.at(-1)?.push(piece);
      continue;
    }
    const [first = "", ...others] = piece.split(":");
    found.at(-1)?.push(first);
    for (const each of others) found.push([each]);
  }
  return found.map((each) => textOf(...each));
}

const shared = /^\/(?:private\/)?(?:tmp|var\/tmp|dev\/shm|proc)(?:\/|$)/;

/** Folders that hold programs by custom. */
const usual =
  /(?:^|\/)(?:s?bin|\.bin|shims|scripts|Scripts|tools|cmd|libexec|wrappers|current)\/?$|(?:^|\/)(?:target|build|dist|out|node_modules|\.venv|venv|\.nvm|\.pyenv|\.rbenv|\.asdf|\.volta|\.sdkman|\.cargo|\.local|\.bun|\.deno|\.pnpm|pnpm|go|flutter|Android|google-cloud-sdk|linuxbrew)(?:\/|$)/;
const usualLibraries = /(?:^|\/)(?:lib|lib64|libs|lib\/[\w-]+)\/?$/;

const systemFolders =
  /^\/(?:usr|bin|sbin|lib\w*|opt|snap|nix|Library|System|Applications|Program Files|mnt\/[a-z]|etc|gnu|run\/current-system|srv|var\/lib)(?:\/|$)/;

function isDangerous(name: string, entry: Text, homes: readonly string[]): boolean {
  const start = beginning(entry);
  if (shared.test(start)) return true;
  if (ofLanguages.has(name)) return false;
  if (entry.length === 0 || isMade(entry.slice(0, 1))) return true;
  if (start === "") return isUnusualHere(name, entry);
  const path = known(entry) ?? `${start}…`;
  if (systemFolders.test(path)) return false;
  // Some shells expand a quoted tilde when they look for a program.
  const home = homes.find((each) => path.startsWith(`${each}/`)) ?? /^~[\w-]*(?=\/)/.exec(path)?.[0];
  return !isUsual(name, home === undefined ? path : path.slice(home.length + 1));
}

function isUsual(name: string, path: string): boolean {
  return usual.test(path) || (name !== "PATH" && usualLibraries.test(path));
}

/** `$PWD/evil`: whatever the folder is, its own programs are meant. */
function isUnusualHere(name: string, [first, ...rest]: Text): boolean {
  if (typeof first !== "object" || !/^["']?(\$\{?PWD\b|\$\(pwd\)|`pwd`)/.test(first.from)) return false;
  return !isUsual(name, shown(rest));
}
