import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const ending = ".json";

export type NamedFile = { readonly name: string; readonly file: string };

/** The files of a folder that end so, by name; where there is no folder, none. */
function jsonFiles(folder: string): readonly NamedFile[] {
  // Asked before each input of a session: an exception would be most of its cost.
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending) && !name.startsWith("."))
      .sort()
      .map((name) => ({ name: name.slice(0, -ending.length), file: join(folder, name) }));
  } catch {
    return [];
  }
}

/** Reads again only when a file was added, taken away, replaced or changed since, by whichever process. */
export function whileUnchanged<T>(folder: string, read: (files: readonly NamedFile[]) => T): () => T {
  let kept: { readonly sign: string; readonly value: T } | null = null;
  return () => {
    const files = jsonFiles(folder);
    const sign = files.map(({ file }) => signOf(file)).join("\n");
    if (kept?.sign !== sign) kept = { sign, value: read(files) };
    return kept.value;
  };
}

function signOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? file : `${file} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}
