import { type Exceptions, excusedBy } from "./exceptions.ts";
import { enclosingFunctionNames } from "./functions.ts";
import { globalReferencesIn, reachesMember } from "./scope.ts";
import { isWithin, type Source, type Visit } from "./source.ts";
import type { Violation } from "./violation.ts";

export type CastRules = {
  /** Where unknown data becomes typed data. */
  readonly folders: readonly string[];
  readonly exceptions: Exceptions;
};

export function checkCasts(sources: readonly Source[], { folders, exceptions }: CastRules): Violation[] {
  const excused = excusedBy("casts", exceptions);
  const outside = sources.filter(({ path }) => !folders.some((folder) => isWithin(folder, path)));
  const found = outside.flatMap((source) =>
    uncheckedIn(source).flatMap(({ visit, what }): Violation[] => {
      const names = enclosingFunctionNames(visit);
      if (excused.has(source.path, ...names.map((name) => `${source.path}#${name}`))) return [];
      const place = names[0] ?? "the module itself";
      const message = `expected ${what} only in ${folders.join(", ")}: came one in ${place}`;
      return [{ rule: "casts", file: source.path, line: source.lineAt(visit.node.start), message }];
    }),
  );
  return [...found, ...excused.unneeded()];
}

type Unchecked = { readonly visit: Visit; readonly what: string };

function uncheckedIn(source: Source): Unchecked[] {
  const casts = source.visits.filter(isCast).map((visit) => ({ visit, what: "a cast (`as`)" }));
  const parses = globalReferencesIn(source)
    .filter((reference) => reference.node.name === "JSON" && reachesMember(reference, "parse"))
    .map((visit) => ({ visit, what: "JSON.parse" }));
  return [...casts, ...parses];
}

/** `x as unknown as T` is one cast, not two. */
function isCast({ node, parent }: Visit): boolean {
  if (node.type === "TSTypeAssertion") return true;
  return node.type === "TSAsExpression" && parent?.node.type !== "TSAsExpression" && !isConst(node.typeAnnotation);
}

function isConst(type: Visit["node"]): boolean {
  return type.type === "TSTypeReference" && type.typeName.type === "Identifier" && type.typeName.name === "const";
}
