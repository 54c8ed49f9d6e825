export * from "./core/interaction/index.ts";
export type * from "./core/json.ts";
export * from "./wire/foreign.ts";
export * from "./wire/interaction-lines.ts";
