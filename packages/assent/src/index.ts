export * from "./core/index.ts";
export * from "./runtime/index.ts";
export * from "./wire/index.ts";
