import * as v from "valibot";
import { type ReadArguments, readArguments } from "../../wire/index.ts";

/** The most lines that one call of read_file shows. */
export const mostLines = 2_000;

/** A path as a model may write it: nothing in it is expanded. */
const path = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const received = JSON.stringify(dataset.value);
    if (dataset.value.includes("\0")) addIssue({ message: "NUL", expected: "a path without NUL", received });
    if (/^~(?:\/|$)/.test(dataset.value)) {
      addIssue({ message: "~", expected: "the home folder written out (~ is not expanded)", received });
    }
  }),
);

/** Text that can be written as it is: half a character would become another one. */
const text = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.isWellFormed()) return;
    addIssue({ message: "surrogate", expected: "whole characters", received: "half of a surrogate pair" });
  }),
);

const positive = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

export const readSchema = v.strictObject({
  path,
  offset: v.exactOptional(positive, 1),
  limit: v.exactOptional(v.pipe(positive, v.maxValue(mostLines)), mostLines),
});

export const writeSchema = v.strictObject({ path, content: text });

const editSchema = v.strictObject({
  path,
  old_text: v.pipe(text, v.nonEmpty()),
  new_text: text,
  replace_all: v.exactOptional(v.boolean(), false),
});
export type Edit = v.InferOutput<typeof editSchema>;

export function readEdit(given: string): ReadArguments<Edit> {
  const read = readArguments(editSchema, given);
  if (read.type === "invalid" || read.value.old_text !== read.value.new_text) return read;
  const reason = "the arguments are wrong: new_text: expected another text than old_text, found the same";
  return { type: "invalid", reason };
}

export const listSchema = v.strictObject({
  path: v.exactOptional(path, "."),
  depth: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20)), 2),
  all: v.exactOptional(v.boolean(), false),
});

export const searchSchema = v.strictObject({
  pattern: v.pipe(v.string(), v.nonEmpty()),
  path: v.exactOptional(path, "."),
  glob: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
  ignore_case: v.exactOptional(v.boolean(), false),
  literal: v.exactOptional(v.boolean(), false),
  context: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)), 0),
  all: v.exactOptional(v.boolean(), false),
});
