import schema from "../../schema/interaction.json" with { type: "json" };
import { oneOf, readFlags } from "./flags.ts";
import { stdout } from "./output.ts";

/** `assent schema interaction`: the JSON Schema of requests and responses, as it is published (INT-3). */
export async function printSchema(argv: readonly string[]): Promise<number> {
  const { arguments: given } = readFlags(argv, { options: {}, arguments: ["<interaction>"] });
  oneOf("schema", given[0] ?? "", ["interaction"]);
  stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
  return 0;
}
