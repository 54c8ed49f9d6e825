import type { Spec } from "../spec.ts";
import { whenNeeded } from "../when-needed.ts";
import { families } from "./families.ts";

type Describe = () => Spec;

/** A command names few programs; to search for those costs less than an index of all names, which is made for the others. */
const mostSearched = 64;

const found = new Map<string, Describe | undefined>();

/** What describes the program of this name; where two families have it, that of the later one. */
export function describerOf(name: string): Describe | undefined {
  // No name is empty or has blanks in it, and they are what parts the names.
  if (name === "" || /\s/.test(name)) return undefined;
  if (found.size >= mostSearched) return allNames().get(name);
  if (!found.has(name)) found.set(name, searchedFor(name));
  return found.get(name);
}

/** The keys of each family as one text, a line for each. */
const keysOfAll = whenNeeded(() => families.map((family) => `\n${Object.keys(family).join("\n")}\n`));

function searchedFor(name: string): Describe | undefined {
  for (const [index, keys] of [...keysOfAll().entries()].reverse()) {
    const key = keyWith(name, keys);
    if (key !== undefined) return families[index]?.[key];
  }
  return undefined;
}

function keyWith(name: string, keys: string): string | undefined {
  for (let at = keys.indexOf(name); at >= 0; at = keys.indexOf(name, at + 1)) {
    const isWhole = parts(keys[at - 1]) && parts(keys[at + name.length]);
    if (isWhole) return keys.slice(keys.lastIndexOf("\n", at) + 1, keys.indexOf("\n", at));
  }
  return undefined;
}

function parts(character: string | undefined): boolean {
  return character === " " || character === "\n";
}

const allNames = whenNeeded((): ReadonlyMap<string, Describe> => {
  const byName = new Map<string, Describe>();
  for (const family of families) {
    for (const [names, describe] of Object.entries(family)) {
      for (const name of names.split(" ")) byName.set(name, describe);
    }
  }
  return byName;
});
