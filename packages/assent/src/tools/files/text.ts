import * as v from "valibot";

/** Text that can be written as it is: half a character would become another one. */
export const textSchema = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.isWellFormed()) return;
    addIssue({ message: "surrogate", expected: "whole characters", received: "half of a surrogate pair" });
  }),
);
