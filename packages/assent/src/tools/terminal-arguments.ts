import * as v from "valibot";
import type { Json } from "../core/index.ts";

const terminalTimeout = 120;
const processTimeout = 30;

export const terminalSchema = v.strictObject({
  command: v.exactOptional(
    v.pipe(
      v.string(),
      v.nonEmpty("expected a command, found an empty text"),
      v.check((text) => !text.includes("\0"), "a command cannot hold the character NUL"),
    ),
  ),
  persistent: v.exactOptional(v.boolean(), false),
  close: v.exactOptional(v.boolean(), false),
  timeout_s: v.exactOptional(v.pipe(v.number(), v.minValue(1), v.maxValue(300)), terminalTimeout),
});

/** What a person's own command may say, too: `tty` gives it the terminal that they sit at. A model has none to give. */
export const enteredSchema = v.strictObject({ ...terminalSchema.entries, tty: v.exactOptional(v.boolean(), false) });

export const terminalParameters: Json = {
  type: "object",
  properties: {
    command: { type: "string", description: "Bash; not with close." },
    persistent: { type: "boolean", description: "Use the persistent shell. Default false." },
    close: { type: "boolean", description: "Close the persistent shell. Default false." },
    timeout_s: {
      type: "number",
      minimum: 1,
      maximum: 300,
      description: `Seconds until it and its children are killed. Default ${terminalTimeout}.`,
    },
  },
  additionalProperties: false,
};

export const processSchema = v.strictObject({
  operation: v.picklist(["list", "read", "wait", "kill"]),
  process: v.exactOptional(v.union([v.string(), v.pipe(v.number(), v.transform(String))])),
  timeout_s: v.exactOptional(v.pipe(v.number(), v.minValue(1), v.maxValue(300)), processTimeout),
});

/** A pid is told as a number, for which every server has a type; a model that writes it as a text is understood too. */
export const processParameters: Json = {
  type: "object",
  properties: {
    operation: {
      type: "string",
      enum: ["list", "read", "wait", "kill"],
      description: "read: output since the last read; wait: until its end, then read.",
    },
    process: { type: "integer", description: "Its pid; for all but list." },
    timeout_s: {
      type: "number",
      minimum: 1,
      maximum: 300,
      description: `Most seconds to wait. Default ${processTimeout}.`,
    },
  },
  required: ["operation"],
  additionalProperties: false,
};
