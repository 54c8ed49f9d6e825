/** How names of files end that people speak of; not what addresses and names of things end in, such as `.com`, `.io` and `.route`. */
const endings = new Set(
  (
    "md mdx markdown txt rst adoc org tex log csv tsv diff patch lock json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf " +
    "xml xsd svg html htm css scss sass less js mjs cjs jsx ts mts cts tsx vue svelte astro py pyi ipynb rb erb php java kt kts " +
    "scala groovy gradle c h cc cpp cxx hh hpp cs fs go rs swift m mm lua r jl ex exs erl hs ml clj dart zig nim sol sql graphql " +
    "gql proto sh bash zsh fish ps1 bat cmd tf hcl nix cmake mk pdf png jpg jpeg gif"
  ).split(" "),
);

/**
 * Whether what stands behind an @ and is no file looks as if it was meant as one: a path by its beginning, a name that ends as
 * files do, or something in a folder that is there. What people also write so and is none: `@somebody`, `@org/team`,
 * `@scope/package`, also `@types/chart.js`, `@decorator` and `@app.route`.
 */
export function looksLikePath(path: string, isFolder: (folder: string) => boolean): boolean {
  if (/^(?:~?\/|\.\.?\/)./.test(path) || /^\.\w/.test(path)) return true;
  const slash = path.replace(/\/+$/, "").lastIndexOf("/");
  if (slash > 0 && isFolder(path.slice(0, slash))) return true;
  return !isPackage(path) && endings.has(/\w\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}

/** By the rules of npm, which lets names end in `.js`. */
function isPackage(path: string): boolean {
  return /^[a-z\d~-][\w.~-]*\/[a-z\d~-][\w.~-]*\.js$/.test(path);
}
