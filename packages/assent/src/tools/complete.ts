import * as v from "valibot";
import type { Tool } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";

const schema = v.strictObject({ result: v.string(), status: v.picklist(["success", "failure", "partial"]) });

/** Ends a run (LOOP-2); the core does the rest. */
export const complete: Tool = {
  name: "complete",
  description:
    "End the work on the objective. result is what the person reads; status is success, partial, or failure when the " +
    "objective cannot be reached.",
  read(given) {
    const read = readArguments(schema, given);
    return read.type === "read" ? { type: "complete", ...read.value } : read;
  },
};
