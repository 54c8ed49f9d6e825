import * as v from "valibot";
import { questionRules } from "../core/interaction/index.ts";
import type { Tool } from "../runtime/ports.ts";
import { readArguments, readFlow } from "../wire/index.ts";

const schema = v.strictObject({
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

/**
 * Asks several questions in order, then for a confirmation (FLOW-5); the core does the rest. No step of a model's flow is
 * sensitive: the model could do nothing with a value that it never sees.
 */
export const flow: Tool = {
  name: "flow",
  description:
    "Ask the person 1 to 7 questions in order; they confirm, change or restart before you get the answers, as JSON by " +
    `key. A key is a short name without spaces. Use ask for a single question. ${questionRules}`,
  read(given) {
    const read = readArguments(schema, given);
    if (read.type === "invalid") return read;
    const steps = readFlow(read.value);
    if (steps.type === "read") return { type: "flow", flow: steps.value };
    return { type: "invalid", reason: `the arguments are wrong: ${steps.refusal.detail}` };
  },
};
