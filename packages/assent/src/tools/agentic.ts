import * as v from "valibot";
import type { Json } from "../core/index.ts";
import type { Tool } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";

export const agenticSchema = v.strictObject({
  user_prompt: v.string(),
  objective: v.pipe(v.string(), v.nonEmpty()),
});

const parameters: Json = {
  type: "object",
  properties: {
    user_prompt: { type: "string", description: "The request, in the person's words." },
    objective: {
      type: "string",
      description: "What will be true at the end, as it can be checked.",
    },
  },
  required: ["user_prompt", "objective"],
  additionalProperties: false,
};

/** Opens a run (LOOP-1); the core does the rest. */
export const agentic: Tool = {
  name: "agentic",
  description:
    "Open a run: work on an objective until you call complete. Use it for several dependent steps, such as mending a bug " +
    "and testing it. Not for one command, a look at files or an answer from knowledge, nor inside a run. " +
    "Later calls of the same reply are skipped.",
  parameters,
  tier: "safe",
  read(given) {
    const read = readArguments(agenticSchema, given);
    return read.type === "read" ? { type: "agentic", objective: read.value.objective } : read;
  },
};
