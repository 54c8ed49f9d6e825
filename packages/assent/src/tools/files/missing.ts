import { opendirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isGuarded, type Located, shownName } from "./paths.ts";
import { similarNames } from "./similar.ts";
import { type Trouble, trouble } from "./trouble.ts";

/** A large folder is not listed to its end for the sake of a hint. */
const mostNames = 2_000;

/** Nothing is there: what is near it, unless that is nobody's business yet. */
export function missing({ name, real, planned }: Located): Trouble {
  const said = `cannot find ${name}: no such file or folder`;
  if (isGuarded(planned)) return trouble(said);
  const folder = nearestFolder(real);
  const next =
    real
      .slice(folder.length)
      .split("/")
      .find((part) => part !== "") ?? basename(real);
  const near = similarNames(next, namesIn(folder)).map((each) => shownName(join(folder, each)));
  const hint = near.length === 0 ? "" : `; similar there: ${near.join(", ")}`;
  return trouble(`${said}; the nearest folder that exists is ${shownName(folder)}${hint}`);
}

function nearestFolder(path: string): string {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  }
  return "/";
}

function namesIn(folder: string): string[] {
  const names: string[] = [];
  try {
    const directory = opendirSync(folder);
    try {
      for (let entry = directory.readSync(); entry !== null && names.length < mostNames; entry = directory.readSync()) {
        names.push(entry.name);
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    // A folder that cannot be listed has no hint to give.
  }
  return names;
}
