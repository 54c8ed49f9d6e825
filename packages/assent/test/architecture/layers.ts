import { type Import, isWithin, type Source } from "./source.ts";
import type { Violation } from "./violation.ts";

/** What one folder may import; its own files always. Scopes are folders, files, `.` (files in src) or `*` (all). */
export type Layer = {
  /** Values and types. */
  readonly imports: readonly string[];
  /** Types, and no values. */
  readonly types: readonly string[];
  /** Taken out of the two above. */
  readonly except?: readonly string[];
  /** Package names, `node:*` for all of Node's modules, `*` for anything, computed imports too. */
  readonly externals: readonly string[];
};

export type LayerRules = {
  /** Folder → layer. `x/*` is every folder in x that has no line of its own; `.` is the files directly in src. */
  readonly table: Readonly<Record<string, Layer>>;
  /** Imported by its own name the package would pass every other line of the table. */
  readonly packageName: string;
};

export function checkLayers(sources: readonly Source[], rules: LayerRules): Violation[] {
  return [...unknownFolders(sources, rules), ...sources.flatMap((source) => importsOutOfLayer(source, rules))];
}

/** The folder the table speaks of, for a file in it: `adapters/shell` for `adapters/shell/line/source.ts`. */
export function layerFolder(path: string, { table }: LayerRules): string | undefined {
  if (isWithin(".", path)) return ".";
  const folders = path.split("/").slice(0, -1);
  for (let depth = folders.length; depth > 0; depth -= 1) {
    const folder = folders.slice(0, depth).join("/");
    if (layerAt(folder, table) !== undefined) return folder;
  }
  return undefined;
}

function layerAt(folder: string, table: LayerRules["table"]): Layer | undefined {
  return table[folder] ?? (folder.includes("/") ? table[folder.replace(/[^/]+$/, "*")] : undefined);
}

function unknownFolders(sources: readonly Source[], rules: LayerRules): Violation[] {
  const firstFiles = new Map<string, string>();
  for (const { path } of sources) {
    const folder = path.replace(/\/[^/]*$/, "");
    if (layerFolder(path, rules) === undefined && !firstFiles.has(folder)) firstFiles.set(folder, path);
  }
  const known = Object.keys(rules.table).join(", ");
  return [...firstFiles].map(([folder, file]) => ({
    rule: "layers",
    file,
    line: 1,
    message: `unknown folder "${folder}": expected one of ${known}; a new one needs a line in rules.ts`,
  }));
}

function importsOutOfLayer({ path, imports }: Source, rules: LayerRules): Violation[] {
  const folder = layerFolder(path, rules);
  const layer = folder === undefined ? undefined : layerAt(folder, rules.table);
  if (folder === undefined || layer === undefined) return [];
  return imports.flatMap((each) => {
    const message = each.target === undefined ? externalFault(each, layer, rules) : internalFault(each, folder, layer);
    return message === undefined
      ? []
      : [{ rule: "layers", file: path, line: each.line, message: `${folder} ${message}` }];
  });
}

function internalFault({ target = "", typeOnly }: Import, folder: string, layer: Layer): string | undefined {
  if (isWithin(folder, target)) return undefined;
  const excluded = layer.except?.some((scope) => isWithin(scope, target)) ?? false;
  const allowed = typeOnly ? [...layer.imports, ...layer.types] : layer.imports;
  if (!excluded && allowed.some((scope) => isWithin(scope, target))) return undefined;
  return `may import ${internalsOf(folder, layer)}: came a ${typeOnly ? "type" : "value"} import of ${target}`;
}

function internalsOf(folder: string, { imports, types, except = [] }: Layer): string {
  const parts = [folder, ...imports, ...types.map((scope) => `types of ${scope}`)].join(", ");
  return except.length === 0 ? parts : `${parts} but not ${except.join(", ")}`;
}

function externalFault({ specifier }: Import, { externals }: Layer, rules: LayerRules): string | undefined {
  if (specifier !== undefined && isPackage(rules.packageName, specifier)) {
    return `must import its own package by relative path: came "${specifier}"`;
  }
  if (externals.includes("*")) return undefined;
  if (specifier === undefined) return "must name what it imports in a plain string: came import() of an expression";
  if (externals.some((external) => isPackage(external, specifier))) return undefined;
  return `may import ${externals.length === 0 ? "no package" : externals.join(", ")}: came "${specifier}"`;
}

function isPackage(external: string, specifier: string): boolean {
  if (external === "node:*") return specifier.startsWith("node:");
  return specifier === external || specifier.startsWith(`${external}/`);
}
