import schema from "../../schema/interaction.json" with { type: "json" };
import { partOf, readFlags } from "./flags.ts";
import { stdout } from "./output.ts";
import { schemaSpec } from "./specs/others.ts";

/** `assent schema interaction`: the JSON Schema of requests and responses, as it is published (INT-3). */
export async function printSchema(argv: readonly string[]): Promise<number> {
  const [typed, ...rest] = argv;
  readFlags(rest, schemaSpec.parts[partOf("schema", typed, schemaSpec.parts)]);
  stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
  return 0;
}
