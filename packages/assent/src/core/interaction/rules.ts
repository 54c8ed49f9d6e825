import { mostInstructionWords, mostOptions, mostOptionWords } from "./contract.ts";

/** How a model must ask (TXT-1..3); in the descriptions of the tools that ask, and in the system prompt. */
export const questionRules = [
  `A question is one sentence of at most ${mostInstructionWords} words on one line, without markup or a label such as`,
  `Answer:. At most ${mostOptions} options of at most ${mostOptionWords} words, all different, together exhaustive;`,
  "longer lists become several questions. No option such as Other: free text is implicit.",
].join(" ");
