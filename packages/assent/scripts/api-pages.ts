// Makes docs/api: a page for each path of the package that has types, from its declarations as they are published.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withDeclarations } from "./api/emit.ts";
import { apiPage, entryPoints } from "./api/page.ts";
import { Declarations, type Surface } from "./api/surface.ts";

export const apiFolder = join(import.meta.dirname, "..", "..", "..", "docs", "api");

/** What each path exports, by the path. */
export function readSurfaces(): ReadonlyMap<string, Surface> {
  return withDeclarations((folder) => {
    const declarations = new Declarations();
    return new Map(entryPoints.map(({ path, file }) => [path, declarations.surface(join(folder, file))]));
  });
}

if (import.meta.main) {
  mkdirSync(apiFolder, { recursive: true });
  const surfaces = readSurfaces();
  for (const entry of entryPoints) {
    writeFileSync(join(apiFolder, entry.page), apiPage(entry, surfaces.get(entry.path) ?? new Map()));
  }
}
