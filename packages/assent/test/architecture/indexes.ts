import { posix } from "node:path";
import { type LayerRules, layerFolder } from "./layers.ts";
import { isWithin, type Source } from "./source.ts";
import type { Violation } from "./violation.ts";

export type IndexRules = {
  /** Files that are imported directly from outside their folder, and why. */
  readonly doors: Readonly<Record<string, string>>;
};

/** A folder, here, is a directory that shows itself by an `index.ts`, or that the layer table names. */
export function checkIndexes(sources: readonly Source[], rules: IndexRules, layers: LayerRules): Violation[] {
  const files = new Set(sources.map(({ path }) => path));
  const isFolder = (directory: string, target: string): boolean =>
    files.has(`${directory}/index.ts`) || layerFolder(target, layers) === directory;
  return sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ target, line }) => {
      if (target === undefined || Object.hasOwn(rules.doors, target)) return [];
      const folders = directoriesOf(target).filter((directory) => isFolder(directory, target));
      const message = fault({ path, target, folders, files });
      return message === undefined ? [] : [{ rule: "indexes", file: path, line, message }];
    }),
  );
}

type Step = {
  readonly path: string;
  readonly target: string;
  readonly folders: readonly string[];
  readonly files: ReadonlySet<string>;
};

function fault({ path, target, folders, files }: Step): string | undefined {
  const entered = folders.find((folder) => !isWithin(folder, path));
  if (entered === undefined) {
    const own = folders.find((folder) => target === `${folder}/index.ts`);
    return own && `inside ${own} files import each other directly: came its own ${target}`;
  }
  const index = `${entered}/index.ts`;
  if (target === index && files.has(index)) return undefined;
  if (files.has(index)) return `${entered} is imported from outside by ${index}: came ${target}`;
  return `${entered} is imported from outside, so expected ${index}: it has none, came ${target}`;
}

/** The directories of a file, the outermost first. */
function directoriesOf(path: string): string[] {
  const parts = posix.dirname(path).split("/");
  return parts[0] === "." ? [] : parts.map((_, depth) => parts.slice(0, depth + 1).join("/"));
}
