import * as v from "valibot";
import { questionRules } from "../core/interaction/index.ts";
import type { Tool } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";

const schema = v.strictObject({
  question: v.string(),
  options: v.exactOptional(v.array(v.string()), []),
  allow_free_text: v.exactOptional(v.boolean(), true),
  multi_select: v.exactOptional(v.boolean()),
});

/** Puts a question to the person (TXT-1..3 hold for it); the core does the rest. */
export const ask: Tool = {
  name: "ask",
  description: `Ask the person one question; multi_select when several options may be chosen. ${questionRules}`,
  read(given) {
    const read = readArguments(schema, given);
    if (read.type === "invalid") return read;
    const options = read.value.options.map((label, index) => ({ id: String(index + 1), label }));
    return { type: "ask", draft: { ...read.value, options } };
  },
};
