import type { Json } from "../../core/index.ts";
import { type Loose, looseRecord } from "../../wire/index.ts";

/** In a schema: the argument is repeated in the header `Mcp-Param-<value>`, where the server is reached by HTTP. */
const keyword = "x-mcp-header";
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const primitives: readonly unknown[] = ["string", "integer", "boolean"];
/** What stands there is a value, in which the word means nothing. */
const values: readonly string[] = ["const", "default", "enum", "examples"];

/**
 * Whether a tool may be offered for what its schema says of headers: the protocol wants one that is at fault left out. A
 * header's name is a token and is there once, and only an argument of a primitive type is sent in one, found by way of
 * `properties` alone.
 */
export function sendsFitHeaders(schema: Json): boolean {
  const names = new Set<string>();

  function isFit(value: Json, reached: "root" | "property" | "elsewhere"): boolean {
    if (typeof value !== "object" || value === null) return true;
    if (Array.isArray(value)) return value.every((each: Json) => isFit(each, "elsewhere"));
    if (Object.hasOwn(value, keyword) && !(reached === "property" && isHeader(looseRecord(value)))) return false;
    return Object.entries(value).every(([name, member]) => {
      if (name === "properties") return arePropertiesFit(member, reached === "elsewhere" ? "elsewhere" : "property");
      return values.includes(name) || isFit(member, "elsewhere");
    });
  }

  function arePropertiesFit(properties: Json, reached: "property" | "elsewhere"): boolean {
    if (typeof properties !== "object" || properties === null) return true;
    return Object.values(properties).every((each) => isFit(each, reached));
  }

  function isHeader(property: Loose): boolean {
    const name = property[keyword];
    if (typeof name !== "string" || !token.test(name) || !primitives.includes(property["type"])) return false;
    if (names.has(name.toLowerCase())) return false;
    names.add(name.toLowerCase());
    return true;
  }

  return isFit(schema, "root");
}
