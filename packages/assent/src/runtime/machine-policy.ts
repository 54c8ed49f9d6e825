import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type ConfiguredRule, contradiction, openPolicy, type Policy, type PolicyOptions } from "../policy/index.ts";
import { homeOf, type OwnPlaces, outputFolder, ownFolders } from "./own-folders.ts";

/** Whom it is for, and what is theirs beside Assent's own folders. A home that is not given is that of now, where it leads now. */
export type MachinePlaces = OwnPlaces & {
  readonly home?: string | null | undefined;
  readonly realHome?: string | undefined;
};

/** The policy on this machine. What a command names is judged by where it really leads, so places are told by that, too (APPR-10). */
export function machinePolicy(places: MachinePlaces = {}): Policy {
  return openPolicy(machineOptions(places));
}

/** What is wrong with rules that do not do what their examples say on this machine; `null` where all do. */
export function machineContradiction(rules: readonly ConfiguredRule[], cwd: string): string | null {
  return contradiction(rules, cwd, machineOptions());
}

function machineOptions({ own = [], open = [], home = homeOf(), realHome }: MachinePlaces = {}): PolicyOptions {
  const leads = realHome ?? (home === null ? undefined : realPlace(home));
  return {
    platform: process.platform === "darwin" ? "darwin" : "linux",
    home,
    ...(leads === undefined ? {} : { realHome: leads }),
    own: withReal([...ownFolders(), ...own]),
    open: withReal([outputFolder(), ...open]),
  };
}

function withReal(places: readonly string[]): readonly string[] {
  return [...new Set(places.flatMap((place) => [place, realPlace(place)]))];
}

/**
 * Where a place really is; of one that is not there yet, where it would be made. The tools tell the same of a command's paths, but
 * for one thing: a place of which it cannot be told is as it was given, since it is Assent's own all the same.
 */
function realPlace(place: string, hops = 40): string {
  try {
    return realpathSync.native(place);
  } catch {
    const above = dirname(place);
    return above === place || hops === 0 ? place : followed(join(realPlace(above, hops), basename(place)), hops);
  }
}

/** A link may lead to what is not there yet. */
function followed(place: string, hops: number): string {
  try {
    return realPlace(resolve(dirname(place), readlinkSync(place)), hops - 1);
  } catch {
    return place;
  }
}
