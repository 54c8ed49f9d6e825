// One file of declarations: what is declared in it, with its text and what is said of it, and what it imports and exports.
import { dirname, join } from "node:path";
import {
  type Comment,
  type ExportNamedDeclaration,
  type ImportDeclaration,
  type ModuleExportName,
  type Node,
  parseSync,
  type Statement,
  visitorKeys,
} from "oxc-parser";

/** A name in a file. */
export type Origin = { readonly file: string; readonly name: string };

export type Kind = "function" | "class" | "const" | "type";

export type Declared = {
  readonly kind: Kind;
  readonly text: string;
  /** Its doc comment as prose; empty where there is none. */
  readonly doc: string;
  /** The types that it names, as its file knows them. */
  readonly mentions: ReadonlySet<string>;
};

export type DeclarationFile = {
  readonly declared: ReadonlyMap<string, Declared>;
  /** By the name that is used here. */
  readonly imported: ReadonlyMap<string, Origin>;
  /** By the name that importers use; in this file, or in the one that it is taken from. */
  readonly exported: ReadonlyMap<string, Origin>;
  /** The files of which all is exported. */
  readonly all: readonly string[];
};

type Reading = { readonly file: string; readonly text: string; readonly comments: readonly Comment[] };
type Found = {
  readonly declared: Map<string, Declared>;
  readonly imported: Map<string, Origin>;
  readonly exported: Map<string, Origin>;
  readonly all: string[];
};

export function readDeclarations(file: string, text: string): DeclarationFile {
  const { program, comments, errors } = parseSync(file, text, { lang: "dts" });
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const found: Found = { declared: new Map(), imported: new Map(), exported: new Map(), all: [] };
  for (const statement of program.body) take(statement, { file, text, comments }, found);
  return found;
}

function take(statement: Statement, reading: Reading, found: Found): void {
  if (statement.type === "ImportDeclaration") takeImport(statement, reading, found);
  else if (statement.type === "ExportNamedDeclaration") takeExport(statement, reading, found);
  else if (statement.type === "ExportAllDeclaration") {
    const from = fileOf(statement.source.value, reading.file);
    if (from !== null) found.all.push(from);
  } else declare(statement, statement.start, reading, found);
}

function takeImport({ source, specifiers }: ImportDeclaration, { file }: Reading, { imported }: Found): void {
  const from = fileOf(source.value, file);
  if (from === null) return;
  for (const each of specifiers) {
    const name = each.type === "ImportSpecifier" ? nameOf(each.imported) : "*";
    imported.set(each.local.name, { file: from, name });
  }
}

function takeExport(statement: ExportNamedDeclaration, reading: Reading, found: Found): void {
  const { declaration, source, specifiers, start } = statement;
  const { file } = reading;
  const names = declaration === null ? [] : declare(declaration, start, reading, found);
  for (const name of names) found.exported.set(name, { file, name });
  const from = source === null ? file : fileOf(source.value, file);
  if (from === null) return;
  for (const { local, exported } of specifiers) {
    found.exported.set(nameOf(exported), { file: from, name: nameOf(local) });
  }
}

/** The names that a statement declares. */
function declare(node: Node, start: number, reading: Reading, { declared }: Found): string[] {
  const named = namesIn(node);
  const { text, comments } = reading;
  const told = { text: text.slice(start, node.end), doc: docBefore(start, text, comments), mentions: mentionsOf(node) };
  for (const [name, kind] of named) declared.set(name, { kind, ...told });
  return named.map(([name]) => name);
}

function namesIn(node: Node): readonly (readonly [name: string, kind: Kind])[] {
  switch (node.type) {
    case "TSTypeAliasDeclaration":
    case "TSInterfaceDeclaration":
      return [[node.id.name, "type"]];
    case "TSDeclareFunction":
    case "FunctionDeclaration":
      return node.id === null ? [] : [[node.id.name, "function"]];
    case "ClassDeclaration":
      return node.id === null ? [] : [[node.id.name, "class"]];
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [[id.name, "const"] as const] : []));
    default:
      return [];
  }
}

/** The types that it names, but for its own parameters. A value by which a type is said (`typeof schema`) has no name to import. */
function mentionsOf(declaration: Node): ReadonlySet<string> {
  const mentioned = new Set<string>();
  const own = new Set<string>();
  walk(declaration, (node) => {
    if (node.type === "TSTypeParameter") own.add(node.name.name);
    else if (node.type === "TSMappedType") own.add(node.key.name);
    else if (node.type === "TSTypeReference") mentioned.add(leftmost(node.typeName));
    else if (node.type === "TSClassImplements" || node.type === "TSInterfaceHeritage")
      mentioned.add(leftmost(node.expression));
    else if (node.type === "ClassDeclaration" && node.superClass !== null) mentioned.add(leftmost(node.superClass));
  });
  return new Set([...mentioned].filter((name) => !own.has(name)));
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const key of visitorKeys[node.type] ?? []) {
    const child: unknown = Reflect.get(node, key);
    for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) walk(each, visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** Of `a.b.c` it is `a` that a file declares or imports. */
function leftmost(node: Node): string {
  if (node.type === "Identifier") return node.name;
  if (node.type === "TSQualifiedName") return leftmost(node.left);
  return node.type === "MemberExpression" ? leftmost(node.object) : "";
}

function nameOf(name: ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}

/** The file of a relative import; what comes from elsewhere is not the package's to tell of. */
function fileOf(specifier: string, from: string): string | null {
  return specifier.startsWith(".") ? join(dirname(from), specifier.replace(/\.[jt]s$/, ".d.ts")) : null;
}

/** The doc comment right before a place. */
function docBefore(start: number, text: string, comments: readonly Comment[]): string {
  const last = comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === "");
  if (last === undefined || last.type !== "Block" || !last.value.startsWith("*")) return "";
  return last.value.replace(/^\s*\* ?/gm, "").trim();
}
