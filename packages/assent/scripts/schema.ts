// Makes schema/interaction.json: the JSON Schema of requests and responses, from the schemas that check them (INT-3).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConversionConfig, toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { interactionRequest, interactionResponse } from "../src/wire/interaction.ts";

const file = join(import.meta.dirname, "..", "schema", "interaction.json");

/** How our schemas become JSON Schema. */
const conversion: ConversionConfig = {
  target: "draft-2020-12",
  ignoreActions: ["readonly", "finite"],
  // A value of any kind, as JSON knows them.
  overrideSchema: ({ valibotSchema, jsonSchema }) => (valibotSchema.type === "custom" ? {} : jsonSchema),
  overrideAction: ({ valibotAction, jsonSchema }) =>
    valibotAction.type === "safe_integer" ? { ...jsonSchema, type: "integer" } : jsonSchema,
};

export function interactionSchema(): string {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Assent interaction",
    anyOf: [{ $ref: "#/$defs/InteractionRequest" }, { $ref: "#/$defs/InteractionResponse" }],
    $defs: {
      InteractionRequest: define(interactionRequest),
      InteractionResponse: define(interactionResponse),
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** One of our schemas as a definition among others. */
export function define(schema: GenericSchema) {
  const { $schema: _schema, ...definition } = toJsonSchema(schema, conversion);
  return definition;
}

if (import.meta.main) writeFileSync(file, interactionSchema());
