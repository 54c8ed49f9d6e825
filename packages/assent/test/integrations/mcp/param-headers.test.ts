import { expect, test } from "vitest";
import { sendsFitHeaders } from "../../../src/integrations/mcp/param-headers.ts";

const header = (value: unknown, type: unknown = "string") =>
  JSON.parse(JSON.stringify({ type, "x-mcp-header": value }));
const schema = (properties: object, more: object = {}) =>
  JSON.parse(JSON.stringify({ type: "object", properties, ...more }));

test.each([
  ["none at all", schema({ a: { type: "string" } })],
  ["of each primitive type", schema({ a: header("A"), b: header("B", "integer"), c: header("C", "boolean") })],
  ["in an object within", schema({ a: schema({ b: header("B") }) })],
  ["as the name of an argument", schema({ "x-mcp-header": { type: "string" } })],
  ["in a value", schema({ a: { type: "object", default: { "x-mcp-header": "" } } })],
])("a schema is fit with headers that are in order: %s", (_, given) => {
  expect(sendsFitHeaders(given)).toBe(true);
});

test.each([
  ["empty", schema({ a: header("") })],
  ["no text", schema({ a: header(1) })],
  ["with a space", schema({ a: header("My Header") })],
  ["with a line end", schema({ a: header("A\r\nB: c") })],
  ["with another letter", schema({ a: header("Ä") })],
  ["of a number", schema({ a: header("A", "number") })],
  ["of an object", schema({ a: header("A", "object") })],
  ["of several types", schema({ a: header("A", ["string", "null"]) })],
  ["twice", schema({ a: header("Same"), b: header("sAME") })],
  ["of the whole", schema({}, { "x-mcp-header": "A" })],
  ["of items", schema({ a: { type: "array", items: header("A") } })],
  ["in a choice", schema({}, { anyOf: [schema({ a: header("A") })] })],
  ["in a definition", schema({}, { $defs: { a: header("A") } })],
])("a schema is not fit with a header that is %s", (_, given) => {
  expect(sendsFitHeaders(given)).toBe(false);
});
