/** The contract for questions alone: requests, responses, the text form, the reply grammar, flows. Nothing of Node. */
export * from "./core/interaction/index.ts";
export type * from "./core/json.ts";
export * from "./wire/foreign.ts";
export * from "./wire/interaction-lines.ts";
