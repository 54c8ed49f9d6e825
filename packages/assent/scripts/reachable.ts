// Which declarations are needed by whoever imports some of them.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** These files, and all that they import from each other. */
export function reachable(entries: readonly string[]): ReadonlySet<string> {
  const found = new Set(entries);
  // A set gives what is added while it is gone through, too.
  for (const file of found) {
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
      found.add(join(dirname(file), specifier.replace(/\.ts$/, ".d.ts")));
    }
  }
  return found;
}
