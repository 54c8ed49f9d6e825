import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Place, Plan } from "../../runtime/ports.ts";
import { errorCode, failure, type Trouble } from "./trouble.ts";

type PlannedPath = NonNullable<Plan["paths"]>[number];

/** `name` as the model wrote it, `real` where links lead from there. */
export type Located = {
  readonly type: "located";
  readonly name: string;
  readonly real: string;
  readonly planned: PlannedPath;
};

export function locate(given: string, use: PlannedPath["use"], place: Place): Located | Trouble {
  const absolute = resolve(baseOf(place), given);
  const name = shownName(given);
  try {
    const real = realOf(absolute);
    const root = realOf(resolve(place.cwd));
    const planned = {
      path: within(resolve(place.cwd), absolute) ?? within(root, absolute) ?? absolute,
      real: within(root, real) ?? real,
      use,
      outside: within(root, real) === null,
    };
    return { type: "located", name, real, planned };
  } catch (error) {
    return failure(`cannot ${use} ${name}`, error);
  }
}

/** Where paths start from: the persistent shell's folder while there is one. */
export function baseOf({ cwd, terminal }: Place): string {
  return terminal.state === "open" ? terminal.cwd : cwd;
}

/** What a person must be asked about before its content may be spoken of, even in the reason for a failure. */
export function isGuarded({ path, real, outside }: PlannedPath): boolean {
  return outside || [path, real].some((each) => each.split("/").some((part) => /^\.(?!\.?$)/.test(part)));
}

/** Whether the path still leads to what was judged: a link on the way may lead elsewhere by now. */
export function leadsTo(absolute: string, real: string): boolean {
  try {
    return realOf(absolute) === real;
  } catch {
    return false;
  }
}

/** Where links lead, also for what does not exist yet. */
function realOf(path: string, hops = 0): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = errorCode(error);
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

function within(root: string, path: string): string | null {
  const way = relative(root, path);
  if (way === "") return ".";
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way;
}

/** A name that would not stay on its line, or hides something, is quoted. */
export function shownName(name: string): string {
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]|^\s|\s$/u.test(name)) return name;
  const escaped = (char: string): string => `\\u{${char.codePointAt(0)?.toString(16)}}`;
  return JSON.stringify(name).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}
