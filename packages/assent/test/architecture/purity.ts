import { globalReferencesIn, reachesMember } from "./scope.ts";
import { isWithin, type Source, type Visit } from "./source.ts";
import type { Violation } from "./violation.ts";

export type PurityRules = {
  readonly folders: readonly string[];
  /** Where, besides, an expected failure must be a value. */
  readonly neverThrow: readonly string[];
  /** Globals that read or change the world, or wait for it. */
  readonly globals: readonly string[];
  /** Global → the one member that does, of an object that is pure otherwise. */
  readonly members: Readonly<Record<string, string>>;
};

export function checkPurity(sources: readonly Source[], rules: PurityRules): Violation[] {
  return sources.flatMap((source) => {
    const folder = rules.folders.find((each) => isWithin(each, source.path));
    if (folder === undefined) return [];
    const mayThrow = !rules.neverThrow.some((each) => isWithin(each, source.path));
    return [...nodeImports(source), ...impureSyntax(source, mayThrow), ...impureGlobals(source, rules)].map(
      ({ line, came }): Violation => ({
        rule: "purity",
        file: source.path,
        line,
        message: `expected pure code in ${folder}: came ${came}`,
      }),
    );
  });
}

type Fault = { readonly line: number; readonly came: string };

function nodeImports({ imports }: Source): Fault[] {
  return imports
    .filter(({ specifier }) => specifier?.startsWith("node:"))
    .map(({ specifier, line }) => ({ line, came: `an import of "${specifier}"` }));
}

function impureSyntax(source: Source, mayThrow: boolean): Fault[] {
  return source.visits.flatMap((visit) => {
    const came = impurityOf(visit);
    if (came === undefined || (mayThrow && visit.node.type === "ThrowStatement")) return [];
    return [{ line: source.lineAt(visit.node.start), came }];
  });
}

function impurityOf({ node, inType }: Visit): string | undefined {
  if (inType) return undefined;
  switch (node.type) {
    case "AwaitExpression":
      return "await";
    case "ForOfStatement":
      return node.await ? "for await" : undefined;
    case "VariableDeclaration":
      return node.kind === "await using" ? "await using" : undefined;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return node.async ? "an async function" : undefined;
    case "ImportExpression":
      return "import()";
    case "MetaProperty":
      return node.meta.name === "import" ? "import.meta" : undefined;
    case "ThrowStatement":
      return "throw, where an expected failure is a value";
    default:
      return undefined;
  }
}

function impureGlobals(source: Source, { globals, members }: PurityRules): Fault[] {
  const impure = new Set(globals);
  return globalReferencesIn(source).flatMap((reference) => {
    const { name } = reference.node;
    const line = source.lineAt(reference.node.start);
    if (impure.has(name)) return [{ line, came: `the global ${name}` }];
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (member === undefined || !reachesMember(reference, member)) return [];
    return [{ line, came: `the global ${name}.${member}, or ${name} handed on whole` }];
  });
}
