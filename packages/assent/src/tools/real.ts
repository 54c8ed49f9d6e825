import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { codeOf } from "../wire/index.ts";

/** Where each of them really is, seen from a folder; without those of which it cannot be told. */
export function realPlaces(paths: readonly string[], cwd: string): Record<string, string> {
  return Object.fromEntries(
    paths.flatMap((path): [string, string][] => {
      try {
        return [[path, realOf(resolve(cwd, path))]];
      } catch {
        return [];
      }
    }),
  );
}

/** Where links lead, also for what does not exist yet. */
export function realOf(path: string, hops = 0): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = codeOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const here = join(realOf(parent, hops), basename(path));
  const target = linkTarget(here);
  if (target === null) return here;
  if (hops >= 40) throw Object.assign(new Error("ELOOP: too many links"), { code: "ELOOP" });
  return realOf(resolve(dirname(here), target), hops + 1);
}

function linkTarget(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() ? readlinkSync(path) : null;
}

/** The way from the one to the other; `null` when that is not in it. */
export function within(root: string, path: string): string | null {
  const way = relative(root, path);
  if (way === "") return ".";
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way;
}
