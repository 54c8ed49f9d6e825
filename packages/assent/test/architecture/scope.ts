import type { Node } from "oxc-parser";
import type { Source, Visit } from "./source.ts";

type Span = { readonly start: number; readonly end: number };
type Identifier = Extract<Node, { type: "Identifier" }>;
export type NameVisit = Visit & { readonly node: Identifier };

/**
 * Where a name is declared, as parent and key, and where it holds: in the node that declares it ("own"),
 * or in the scope around that node. Function parameters are the key `params`, of any parent.
 */
const declaringSlots: ReadonlyMap<string, "own" | "around"> = new Map([
  ["VariableDeclarator.id", "around"],
  ["FunctionDeclaration.id", "around"],
  ["FunctionExpression.id", "own"],
  ["ClassDeclaration.id", "around"],
  ["ClassExpression.id", "own"],
  ["CatchClause.param", "own"],
  ["ImportSpecifier.local", "around"],
  ["ImportDefaultSpecifier.local", "around"],
  ["ImportNamespaceSpecifier.local", "around"],
  ["TSInterfaceDeclaration.id", "around"],
  ["TSTypeAliasDeclaration.id", "around"],
  ["TSEnumDeclaration.id", "around"],
  ["TSModuleDeclaration.id", "around"],
  ["TSDeclareFunction.id", "around"],
  ["TSTypeParameter.name", "own"],
  ["TSMappedType.key", "own"],
]);

const scopeTypes = new Set([
  "Program",
  "BlockStatement",
  "StaticBlock",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "SwitchStatement",
  "CatchClause",
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);

/** Every identifier that declares a name: variables, parameters, functions, classes, types and imports. */
export function declarationsIn(source: Source): NameVisit[] {
  return source.visits.filter(isName).filter((visit) => declaringSlot(visit) !== undefined);
}

/** Every identifier that refers to a value no scope of the file declares, so one that the environment gives. */
export function globalReferencesIn(source: Source): NameVisit[] {
  const declared = new Map<string, Span[]>();
  for (const visit of declarationsIn(source)) {
    const scope = runtimeScope(visit);
    if (scope !== undefined) declared.set(visit.node.name, [...(declared.get(visit.node.name) ?? []), scope]);
  }
  return source.visits
    .filter(isName)
    .filter(isReference)
    .filter(({ node }) => !declared.get(node.name)?.some((scope) => contains(scope, node)));
}

/**
 * Whether a reference to the global `Math` can reach its `random`: it says so, or it hands the whole object on,
 * after which nobody can tell.
 */
export function reachesMember({ parent, key }: NameVisit, member: string): boolean {
  if (parent?.node.type !== "MemberExpression" || key !== "object") return true;
  const { property, computed } = parent.node;
  if (!computed) return property.type !== "Identifier" || property.name === member;
  return property.type !== "Literal" || property.value === member;
}

function isName(visit: Visit): visit is NameVisit {
  return visit.node.type === "Identifier";
}

/** The place that declares the name, found by going up through patterns: in `({ a: [b = 1] }) => b` b is a parameter. */
function declaringSlot(name: Visit): { owner: Visit; holds: "own" | "around" } | undefined {
  let at = name;
  while (at.parent !== undefined && isInPattern(at)) at = at.parent;
  if (at.parent === undefined) return undefined;
  const holds = at.key === "params" ? "own" : declaringSlots.get(`${at.parent.node.type}.${at.key}`);
  return holds && { owner: at.parent, holds };
}

function isInPattern({ key, parent }: Visit): boolean {
  switch (parent?.node.type) {
    case "ArrayPattern":
    case "ObjectPattern":
    case "RestElement":
    case "TSParameterProperty":
      return true;
    case "AssignmentPattern":
      return key === "left";
    case "Property":
      return key === "value" && parent.parent?.node.type === "ObjectPattern";
    default:
      return false;
  }
}

/** `declare const process: …` gives the environment's value a type; it declares nothing of its own. */
function runtimeScope(name: Visit): Span | undefined {
  const slot = declaringSlot(name);
  if (slot === undefined || name.inType || isAmbient(slot.owner)) return undefined;
  if (slot.holds === "own") return slot.owner.node;
  // A `var` is held to its block too: code that needs more is not written here.
  let at = slot.owner.parent;
  while (at !== undefined && !scopeTypes.has(at.node.type)) at = at.parent;
  return at?.node;
}

function isAmbient({ node, parent }: Visit): boolean {
  if (node.type === "ClassDeclaration") return node.declare === true;
  return parent?.node.type === "VariableDeclaration" && parent.node.declare === true;
}

function isReference({ key, parent, inType }: Visit): boolean {
  if (inType || parent === undefined) return false;
  switch (parent.node.type) {
    case "MemberExpression":
      return key === "object" || parent.node.computed;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
    case "AccessorProperty":
      return key !== "key" || parent.node.computed;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
    case "MetaProperty":
    case "ImportSpecifier":
    case "ImportAttribute":
    case "ExportSpecifier":
    case "ExportAllDeclaration":
      return false;
    default:
      return true;
  }
}

function contains(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
