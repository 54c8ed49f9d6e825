import { posix } from "node:path";
import { type Node, parseSync, visitorKeys } from "oxc-parser";

/** A node with the way up from it, so that a rule asks where a node stands without walking the tree itself. */
export type Visit = {
  readonly node: Node;
  /** The property of the parent that holds this node. */
  readonly key: string;
  readonly parent: Visit | undefined;
  /** True where TypeScript erases the code: nothing in there happens at run time. */
  readonly inType: boolean;
};

export type Import = {
  /** Undefined for `import(expression)`, which nobody can check. */
  readonly specifier: string | undefined;
  /** The imported file relative to `src`; undefined when it is not in `src`. */
  readonly target: string | undefined;
  readonly typeOnly: boolean;
  readonly line: number;
};

export type Source = {
  readonly path: string;
  readonly text: string;
  /** Every node, parents before children, in the order of the text. */
  readonly visits: readonly Visit[];
  readonly imports: readonly Import[];
  readonly syntaxErrors: readonly { readonly line: number; readonly message: string }[];
  lineAt(offset: number): number;
};

export function parseSource(path: string, text: string): Source {
  const parsed = parseSync(path, text, { preserveParens: false });
  const lineAt = lineCounter(text);
  const visits = visitsOf(parsed.program);
  return {
    path,
    text,
    visits,
    imports: importsOf({ path, visits, lineAt }),
    syntaxErrors: parsed.errors.map((error) => ({
      line: lineAt(error.labels[0]?.start ?? 0),
      message: error.message,
    })),
    lineAt,
  };
}

/** True when `path` is `scope` or lies in it; the scope `.` holds the files directly in `src`, `*` holds everything. */
export function isWithin(scope: string, path: string): boolean {
  if (scope === "*") return true;
  if (scope === ".") return !path.includes("/");
  return path === scope || path.startsWith(`${scope}/`);
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}

function visitsOf(root: Node): Visit[] {
  const visits: Visit[] = [];
  const enter = (node: Node, key: string, parent: Visit | undefined): void => {
    const visit = { node, key, parent, inType: parent?.inType === true || isErased(node) };
    visits.push(visit);
    for (const childKey of visitorKeys[node.type] ?? []) {
      const child: unknown = Reflect.get(node, childKey);
      for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) enter(each, childKey, visit);
    }
  };
  enter(root, "", undefined);
  return visits;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** TypeScript's node types that hold code which runs. */
const notErased = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSInstantiationExpression",
  "TSTypeAssertion",
  "TSParameterProperty",
  "TSExportAssignment",
]);

function isErased(node: Node): boolean {
  return node.type.startsWith("TS") && !notErased.has(node.type);
}

function importsOf({ path, visits, lineAt }: Pick<Source, "path" | "visits" | "lineAt">): Import[] {
  return visits.flatMap(({ node }) => {
    const request = requestIn(node);
    if (request === undefined) return [];
    return [{ ...request, target: resolve(path, request.specifier), line: lineAt(node.start) }];
  });
}

function requestIn(node: Node): Pick<Import, "specifier" | "typeOnly"> | undefined {
  switch (node.type) {
    case "ImportDeclaration": {
      const kinds = node.specifiers.map((each) => (each.type === "ImportSpecifier" ? each.importKind : "value"));
      return { specifier: node.source.value, typeOnly: isTypeOnly(node.importKind, kinds) };
    }
    case "ExportNamedDeclaration": {
      if (node.source === null) return undefined;
      const kinds = node.specifiers.map((each) => each.exportKind);
      return { specifier: node.source.value, typeOnly: isTypeOnly(node.exportKind, kinds) };
    }
    case "ExportAllDeclaration":
      return { specifier: node.source.value, typeOnly: node.exportKind === "type" };
    case "ImportExpression": {
      const { source } = node;
      const written = source.type === "Literal" && typeof source.value === "string" ? source.value : undefined;
      return { specifier: written, typeOnly: false };
    }
    case "TSImportType":
      return { specifier: node.source.value, typeOnly: true };
    case "TSImportEqualsDeclaration":
      if (node.moduleReference.type !== "TSExternalModuleReference") return undefined;
      return { specifier: node.moduleReference.expression.value, typeOnly: node.importKind === "type" };
    default:
      return undefined;
  }
}

/** `import "x"` and `import {} from "x"` name nothing and still run x. */
function isTypeOnly(whole: string | undefined, parts: readonly (string | undefined)[]): boolean {
  return whole === "type" || (parts.length > 0 && parts.every((part) => part === "type"));
}

function resolve(from: string, specifier: string | undefined): string | undefined {
  if (specifier === undefined || !/^\.{1,2}\//.test(specifier)) return undefined;
  const target = posix.join(posix.dirname(from), specifier).replace(/\.js$/, ".ts");
  return target.startsWith("../") ? undefined : target;
}
