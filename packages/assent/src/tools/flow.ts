import * as v from "valibot";
import type { Json } from "../core/index.ts";
import { questionRules } from "../core/interaction/index.ts";
import type { Tool } from "../runtime/ports.ts";
import { readArguments, readFlow } from "../wire/index.ts";

export const flowSchema = v.strictObject({
  steps: v.array(
    v.strictObject({
      key: v.string(),
      instruction: v.string(),
      options: v.exactOptional(v.array(v.string())),
      allow_free_text: v.exactOptional(v.boolean()),
      multi_select: v.exactOptional(v.boolean()),
    }),
  ),
});

const parameters: Json = {
  type: "object",
  properties: {
    steps: {
      type: "array",
      description: "1 to 7, in order.",
      items: {
        type: "object",
        properties: {
          key: { type: "string", description: "Unique; at most 40 characters, no space or =." },
          instruction: { type: "string", description: "The question." },
          options: { type: "array", items: { type: "string" }, description: "See ask." },
          allow_free_text: { type: "boolean", description: "See ask." },
          multi_select: { type: "boolean", description: "See ask." },
        },
        required: ["key", "instruction"],
        additionalProperties: false,
      },
    },
  },
  required: ["steps"],
  additionalProperties: false,
};

/**
 * Asks several questions in order, then for a confirmation (FLOW-5); the core does the rest. No step of a model's flow is
 * sensitive: the model could do nothing with a value that it never sees.
 */
export const flow: Tool = {
  name: "flow",
  description:
    "Ask the person several questions in a row; they confirm before you get the answers, as JSON by key. Use it for " +
    "several decisions, such as the settings of a new project. Not for one question (ask), nor for what ask is not for. " +
    questionRules,
  parameters,
  tier: "safe",
  read(given) {
    const read = readArguments(flowSchema, given);
    if (read.type === "invalid") return read;
    const steps = readFlow(read.value);
    if (steps.type === "read") return { type: "flow", flow: steps.value };
    return { type: "invalid", reason: `the arguments are wrong: ${steps.refusal.detail}` };
  },
};
