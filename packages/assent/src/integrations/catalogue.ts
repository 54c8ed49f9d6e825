import { readFileSync } from "node:fs";
import { readCatalogueEntry } from "../wire/index.ts";
import { builtIn } from "./catalogue-data.ts";
import { entryFault } from "./entry-check.ts";
import { type NamedFile, whileUnchanged } from "./files.ts";
import type { CatalogueEntry } from "./types.ts";

/** The services that can be connected: those that come with Assent, and those that a person has added by files (INTG-1). */
export type Catalogue = {
  /** By name; the same list while nothing has changed. */
  entries(): readonly CatalogueEntry[];
  /** What is wrong with a person's files, a line each; the others still count. */
  problems(): readonly string[];
  /** By name or alias, in any case. */
  find(typed: string): CatalogueEntry | null;
  /** Every name and alias, for suggestions and completion. */
  names(): readonly string[];
};

export function openCatalogue({ folder }: { readonly folder: string }): Catalogue {
  const read = whileUnchanged(folder, readEntries);
  const entries = () => read().entries;
  return {
    entries,
    problems: () => read().problems,
    find(typed) {
      const wanted = typed.trim().toLowerCase();
      return entries().find((entry) => namesOf(entry).includes(wanted)) ?? null;
    },
    names: () => entries().flatMap(namesOf),
  };
}

type ReadEntries = { readonly entries: readonly CatalogueEntry[]; readonly problems: readonly string[] };

function readEntries(files: readonly NamedFile[]): ReadEntries {
  const entries: CatalogueEntry[] = [...builtIn];
  const problems: string[] = [];
  for (const named of files) {
    const read = readEntry(named, entries);
    if ("reason" in read) problems.push(`${named.file}: ${read.reason}`);
    else entries.push(read);
  }
  return { entries: entries.sort((one, other) => (one.name < other.name ? -1 : 1)), problems };
}

function readEntry(
  { name, file }: NamedFile,
  before: readonly CatalogueEntry[],
): CatalogueEntry | { readonly reason: string } {
  const content = contentOf(file);
  if (content === null) return { reason: "it cannot be read" };
  const read = readCatalogueEntry(content);
  if (read.type === "broken") return read;
  const { entry } = read;
  if (entry.name !== name) {
    return {
      reason: `name: expected ${JSON.stringify(name)} as the file is called, found ${JSON.stringify(entry.name)}`,
    };
  }
  const taken = namesOf(entry).find((each) => before.some((other) => namesOf(other).includes(each)));
  if (taken !== undefined) return { reason: `name: ${taken} is taken by another service` };
  const fault = entryFault(entry);
  return fault === null ? entry : { reason: fault };
}

function namesOf({ name, aliases }: CatalogueEntry): readonly string[] {
  return [name, ...aliases];
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
