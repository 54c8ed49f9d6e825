import * as v from "valibot";

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

export const processSchema = v.strictObject({
  operation: v.picklist(["list", "read", "wait", "kill"]),
  process: v.exactOptional(v.union([v.string(), v.pipe(v.number(), v.transform(String))])),
  timeout_s: v.exactOptional(v.pipe(v.number(), v.minValue(1), v.maxValue(300)), processTimeout),
});
