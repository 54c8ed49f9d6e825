import type { OfferedDefinition } from "../integrations/index.ts";
import { isLooseRecord, type Loose } from "../wire/index.ts";

/**
 * A tool as people see it before they accept it: a line of its own, and one for each argument below it. Nothing that a model
 * is told of the tool is missing: what a server could hide here would be read by the model alone (INTG-5).
 */
export function definitionLines(definition: OfferedDefinition): readonly string[] {
  const { name, offered, description, claims, parameters } = definition;
  const says = claims.length === 0 ? "" : ` (says: ${claims.join(", ")})`;
  return [
    `${name}${says}: ${oneLine(description)}`,
    ...(offered.endsWith(`__${name}`) ? [] : [`  the model calls it ${offered}`]),
    ...argumentLines(parameters),
  ];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

function argumentLines(parameters: unknown): readonly string[] {
  if (!isLooseRecord(parameters)) return [`  arguments: ${JSON.stringify(parameters)}`];
  // Which JSON Schema it is, no model is told.
  const { properties = {}, required = [], $schema: _, ...rest } = parameters;
  if (!isLooseRecord(properties) || !isNamesOf(properties, required)) {
    return [`  arguments: ${JSON.stringify(parameters)}`];
  }
  const more = Object.fromEntries(Object.entries(rest).filter(([key, value]) => !isUsual(key, value)));
  return [
    ...Object.entries(properties).map(([key, schema]) => argumentLine(key, schema, required.includes(key))),
    ...(Object.keys(more).length === 0 ? [] : [`  arguments: ${JSON.stringify(more)}`]),
  ];
}

function isNamesOf(properties: Loose, required: unknown): required is readonly unknown[] {
  return Array.isArray(required) && required.every((key) => typeof key === "string" && Object.hasOwn(properties, key));
}

/** What every schema of arguments says, and no model learns anything from. */
function isUsual(key: string, value: unknown): boolean {
  return (key === "type" && value === "object") || (key === "additionalProperties" && typeof value === "boolean");
}

/** Whatever its schema says beyond a type and a description follows as it is. */
function argumentLine(key: string, schema: unknown, needed: boolean): string {
  if (!isLooseRecord(schema)) return `  ${key}: ${JSON.stringify(schema)}`;
  const { type, description, ...more } = schema;
  const kinds = [...(typeof type === "string" ? [type] : []), ...(needed ? [] : ["optional"])];
  const other = {
    ...(typeof type === "string" || type === undefined ? {} : { type }),
    ...(typeof description === "string" || description === undefined ? {} : { description }),
    ...more,
  };
  const told = [
    ...(typeof description === "string" ? [oneLine(description)] : []),
    ...(Object.keys(other).length === 0 ? [] : [JSON.stringify(other)]),
  ].join(" ");
  return `  ${key}${kinds.length === 0 ? "" : ` (${kinds.join(", ")})`}${told === "" ? "" : `: ${told}`}`;
}
