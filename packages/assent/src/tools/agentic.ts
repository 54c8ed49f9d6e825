import * as v from "valibot";
import type { Tool } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";

const schema = v.strictObject({ user_prompt: v.string(), objective: v.pipe(v.string(), v.nonEmpty()) });

/** Opens a run (LOOP-1); the core does the rest. */
export const agentic: Tool = {
  name: "agentic",
  description:
    "Start working on an objective on your own, over several turns. Call it when the request needs more than one step; " +
    "then use the other tools, and call complete at the end.",
  read(given) {
    const read = readArguments(schema, given);
    return read.type === "read" ? { type: "agentic", objective: read.value.objective } : read;
  },
};
