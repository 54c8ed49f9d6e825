import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { openPolicy, type Policy } from "../policy/index.ts";
import { type OwnPlaces, outputFolder, ownFolders } from "./own-folders.ts";

/** Whom it is for, and what is theirs beside Assent's own folders. A home that is not given is that of now, where it leads now. */
export type MachinePlaces = OwnPlaces & {
  readonly home?: string | null | undefined;
  readonly realHome?: string | undefined;
};

/** The policy on this machine. What a command names is judged by where it really leads, so places are told by that, too (APPR-10). */
export function machinePolicy({ own = [], open = [], home = homedir(), realHome }: MachinePlaces = {}): Policy {
  const leads = realHome ?? (home === null ? undefined : realPlace(home));
  return openPolicy({
    platform: process.platform === "darwin" ? "darwin" : "linux",
    home,
    ...(leads === undefined ? {} : { realHome: leads }),
    own: withReal([...ownFolders(), ...own]),
    open: withReal([outputFolder(), ...open]),
  });
}

function withReal(places: readonly string[]): readonly string[] {
  return [...new Set(places.flatMap((place) => [place, realPlace(place)]))];
}

/** Where a folder really is; of one that is not there yet, where it would be made. */
function realPlace(place: string): string {
  const above = dirname(place);
  try {
    return realpathSync.native(place);
  } catch {
    return above === place ? place : join(realPlace(above), basename(place));
  }
}
