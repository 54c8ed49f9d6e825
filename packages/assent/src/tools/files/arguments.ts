import * as v from "valibot";
import type { Json } from "../../core/index.ts";
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

const pathParameter: Json = { type: "string", description: "~ is not expanded." };

export const readSchema = v.strictObject({
  path,
  offset: v.exactOptional(positive, 1),
  limit: v.exactOptional(v.pipe(positive, v.maxValue(mostLines)), mostLines),
});

export const readParameters: Json = {
  type: "object",
  properties: {
    path: pathParameter,
    offset: { type: "integer", minimum: 1, description: "First line. Default 1." },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: mostLines,
      description: `Most lines. Default ${mostLines}.`,
    },
  },
  required: ["path"],
  additionalProperties: false,
};

export const writeSchema = v.strictObject({ path, content: text });

export const writeParameters: Json = {
  type: "object",
  properties: {
    path: pathParameter,
    content: { type: "string", description: "All of it." },
  },
  required: ["path", "content"],
  additionalProperties: false,
};

export const editSchema = v.strictObject({
  path,
  old_text: v.pipe(text, v.nonEmpty()),
  new_text: text,
  replace_all: v.exactOptional(v.boolean(), false),
});
export type Edit = v.InferOutput<typeof editSchema>;

export const editParameters: Json = {
  type: "object",
  properties: {
    path: pathParameter,
    old_text: {
      type: "string",
      description: "Exactly as in the file, no line numbers, long enough to occur once.",
    },
    new_text: { type: "string", description: "Its replacement." },
    replace_all: { type: "boolean", description: "Every occurrence. Default false." },
  },
  required: ["path", "old_text", "new_text"],
  additionalProperties: false,
};

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

export const listParameters: Json = {
  type: "object",
  properties: {
    path: { type: "string", description: "Default . (this folder)." },
    depth: { type: "integer", minimum: 1, maximum: 20, description: "Levels. Default 2." },
    all: { type: "boolean", description: "Also .git and git-ignored files. Default false." },
  },
  additionalProperties: false,
};

export const searchSchema = v.strictObject({
  pattern: v.pipe(v.string(), v.nonEmpty()),
  path: v.exactOptional(path, "."),
  glob: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
  ignore_case: v.exactOptional(v.boolean(), false),
  literal: v.exactOptional(v.boolean(), false),
  context: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10)), 0),
  all: v.exactOptional(v.boolean(), false),
});

export const searchParameters: Json = {
  type: "object",
  properties: {
    pattern: {
      type: "string",
      description: "Regular expression, within a line; no look-around or back-references.",
    },
    path: { type: "string", description: "Folder or file. Default . (this folder)." },
    glob: { type: "string", description: "Only these files, such as *.ts, src/** or !*.lock." },
    ignore_case: { type: "boolean", description: "Default false." },
    literal: { type: "boolean", description: "Plain text. Default false." },
    context: { type: "integer", minimum: 0, maximum: 10, description: "Lines around each match. Default 0." },
    all: { type: "boolean", description: "Also hidden and git-ignored files. Default false." },
  },
  required: ["pattern"],
  additionalProperties: false,
};
