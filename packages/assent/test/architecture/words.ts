import { keyName } from "./functions.ts";
import { declarationsIn, type NameVisit } from "./scope.ts";
import { isWithin, type Source, type Visit } from "./source.ts";
import type { Violation } from "./violation.ts";

export type WordRules = {
  /** Avoided word, in small letters and with spaces between parts → the word to use instead. */
  readonly avoid: ReadonlyMap<string, string>;
  /** Words that no file or folder name ends in: they say nothing about what is inside. */
  readonly emptyNames: readonly string[];
  /** Folder or file → avoided words it may say, because a protocol it speaks says them. */
  readonly exempt: Readonly<Record<string, readonly string[]>>;
};

export function checkWords(sources: readonly Source[], rules: WordRules): Violation[] {
  const avoided = avoidedWords(rules.avoid);
  return [
    ...sources.flatMap((source) =>
      namesDeclaredIn(source).flatMap(({ name, offset }) =>
        fault({ name, path: source.path, line: source.lineAt(offset) }, avoided(name), rules),
      ),
    ),
    ...sources
      .flatMap(pathNames(sources))
      .flatMap(({ name, path }) => [
        ...fault({ name, path, line: 1 }, avoided(name), rules),
        ...emptyName(name, path, rules.emptyNames),
      ]),
  ];
}

/** The words of a name: `parseURLPath`, `parse_url_path` and `parse-url-path` say the same three. */
export function wordsOf(name: string): string[] {
  return (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+/gu) ?? []).map((word) => word.toLowerCase());
}

type Place = { readonly name: string; readonly path: string; readonly line: number };
type Avoided = { readonly word: string; readonly instead: string };

function avoidedWords(avoid: ReadonlyMap<string, string>): (name: string) => Avoided[] {
  const known = new Map<string, Avoided[]>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const said = ` ${wordsOf(name).join(" ")} `;
    const found = [...avoid]
      .filter(([word]) => said.includes(` ${word} `) || said.includes(` ${word}s `))
      .map(([word, instead]) => ({ word, instead }));
    known.set(name, found);
    return found;
  };
}

function fault({ name, path, line }: Place, avoided: readonly Avoided[], { exempt }: WordRules): Violation[] {
  const allowed = Object.keys(exempt).flatMap((scope) => (isWithin(scope, path) ? (exempt[scope] ?? []) : []));
  return avoided
    .filter(({ word }) => !allowed.includes(word))
    .map(({ word, instead }) => ({
      rule: "words",
      file: path,
      line,
      message: `name "${name}": expected the glossary's word "${instead}", came "${word}"`,
    }));
}

function namesDeclaredIn(source: Source): { name: string; offset: number }[] {
  const declared = declarationsIn(source).filter((visit) => !isImportedName(visit));
  const keys = source.visits.filter(isMemberKey);
  return [...declared, ...keys].flatMap(({ node }) => {
    const name = keyName(node);
    return name === undefined ? [] : [{ name, offset: node.start }];
  });
}

/** `import { chat }` repeats the name another file chose; `import { x as chat }` chooses. */
function isImportedName({ node, parent }: NameVisit): boolean {
  return parent?.node.type === "ImportSpecifier" && keyName(parent.node.imported) === node.name;
}

function isMemberKey({ key, parent }: Visit): boolean {
  if (key !== "key") return false;
  switch (parent?.node.type) {
    case "TSPropertySignature":
    case "TSMethodSignature":
    case "PropertyDefinition":
    case "MethodDefinition":
    case "AccessorProperty":
    case "TSAbstractPropertyDefinition":
    case "TSAbstractMethodDefinition":
    case "TSAbstractAccessorProperty":
      return !parent.node.computed;
    default:
      return false;
  }
}

/** The names in a file's path that no file before it had: a folder is spoken of once. */
function pathNames(sources: readonly Source[]): (source: Source) => { name: string; path: string }[] {
  const first = new Map<string, string>();
  for (const { path } of sources) for (const step of stepsOf(path)) if (!first.has(step)) first.set(step, path);
  return ({ path }) =>
    stepsOf(path)
      .filter((step) => first.get(step) === path)
      .map((step) => ({ name: step.replace(/^.*\//, "").replace(/\.[^.]+$/, ""), path }));
}

/** `a/b/c.ts` → `a`, `a/b`, `a/b/c.ts`. */
function stepsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, depth) => parts.slice(0, depth + 1).join("/"));
}

function emptyName(name: string, path: string, emptyNames: readonly string[]): Violation[] {
  if (!emptyNames.includes(wordsOf(name).at(-1) ?? "")) return [];
  return [
    {
      rule: "words",
      file: path,
      line: 1,
      message: `file or folder: expected a name for what is in it, came "${name}"`,
    },
  ];
}
