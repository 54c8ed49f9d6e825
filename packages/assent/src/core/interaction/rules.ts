import { mostInstructionWords, mostOptions, mostOptionWords } from "./contract.ts";

/** How a model must ask (TXT-1..3); in the descriptions of the tools that ask, and in the system prompt. */
export const questionRules = [
  `A question is one sentence of at most ${mostInstructionWords} words, on one line, without markup and without a label such`,
  `as Answer:. Its options are at most ${mostOptions}, each at most ${mostOptionWords} words, all different, and together all`,
  "there is to choose from; split longer lists into several questions. Never add an option such as Other: free text is",
  "always possible.",
].join(" ");
