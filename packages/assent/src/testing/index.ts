export * from "./model-server/index.ts";
