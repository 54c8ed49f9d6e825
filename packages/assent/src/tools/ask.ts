import * as v from "valibot";
import type { Json } from "../core/index.ts";
import { questionRules } from "../core/interaction/index.ts";
import type { Tool } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";

export const askSchema = v.strictObject({
  question: v.string(),
  options: v.exactOptional(v.array(v.string()), []),
  allow_free_text: v.exactOptional(v.boolean(), true),
  multi_select: v.exactOptional(v.boolean()),
});

const parameters: Json = {
  type: "object",
  properties: {
    question: { type: "string", description: "One sentence." },
    options: {
      type: "array",
      items: { type: "string" },
      description: "Labels without numbers. Default none.",
    },
    allow_free_text: {
      type: "boolean",
      description: "Default true; needed without options.",
    },
    multi_select: { type: "boolean", description: "Several may be chosen. Default false." },
  },
  required: ["question"],
  additionalProperties: false,
};

/** Puts a question to the person (TXT-1..3 hold for it); the core does the rest. */
export const ask: Tool = {
  name: "ask",
  description:
    "Ask the person one question; you get the chosen label or their text. Use it for what they alone can decide, such as " +
    "a choice between designs. Not for what tools can find out, several questions (flow), approval of a call (the policy " +
    "asks) or secrets. Even a single possible action is an option here, not an offer in text. Text beside this " +
    `call is not shown. ${questionRules}`,
  parameters,
  tier: "safe",
  read(given) {
    const read = readArguments(askSchema, given);
    if (read.type === "invalid") return read;
    const options = read.value.options.map((label, index) => ({ id: String(index + 1), label }));
    return { type: "ask", draft: { ...read.value, options } };
  },
};
