import type { Node } from "oxc-parser";
import type { Visit } from "./source.ts";

export function isFunction({ node }: Visit): boolean {
  return (
    node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression"
  );
}

/** A function's own name, else the name of what holds it: variable, property, method, or the function around it. */
export function functionName(visit: Visit): string {
  for (let at: Visit | undefined = visit; at !== undefined; at = at.parent) {
    const name = nameGivenBy(at.node);
    if (name !== undefined) return name;
  }
  return "anonymous";
}

/** The names of all functions around a node, the innermost first. */
export function enclosingFunctionNames(visit: Visit): string[] {
  const names: string[] = [];
  for (let at = visit.parent; at !== undefined; at = at.parent) if (isFunction(at)) names.push(functionName(at));
  return names;
}

/** The name a property key spells, undefined when it is computed. */
export function keyName(key: Node): string | undefined {
  if (key.type === "Identifier" || key.type === "PrivateIdentifier") return key.name;
  return key.type === "Literal" ? String(key.value) : undefined;
}

function nameGivenBy(node: Node): string | undefined {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
      return node.id?.name;
    case "VariableDeclarator":
      return keyName(node.id);
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return node.computed ? undefined : keyName(node.key);
    case "ExportDefaultDeclaration":
      return "default";
    default:
      return undefined;
  }
}
