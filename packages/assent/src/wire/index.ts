export * from "./arguments.ts";
export * from "./events.ts";
export * from "./script.ts";
