import * as v from "valibot";
import type { Json } from "../core/index.ts";
import type { Tool } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";

export const completeSchema = v.strictObject({
  result: v.string(),
  status: v.picklist(["success", "failure", "partial"]),
});

const parameters: Json = {
  type: "object",
  properties: {
    result: {
      type: "string",
      description: "What the person reads: what was done, seen and left. No questions or offers.",
    },
    status: {
      type: "string",
      enum: ["success", "failure", "partial"],
      description: "partial: some of it is done; failure: it cannot be reached.",
    },
  },
  required: ["result", "status"],
  additionalProperties: false,
};

/** Ends a run (LOOP-2); the core does the rest. */
export const complete: Tool = {
  name: "complete",
  description:
    "End the run. Use it when you have seen that the objective is reached, or that it cannot be. Not outside a run: " +
    "there a reply without calls is the answer.",
  parameters,
  tier: "safe",
  read(given) {
    const read = readArguments(completeSchema, given);
    return read.type === "read" ? { type: "complete", ...read.value } : read;
  },
};
