export * from "./core/index.ts";
export * from "./wire/index.ts";
