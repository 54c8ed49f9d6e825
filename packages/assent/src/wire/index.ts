export * from "./arguments.ts";
export * from "./events.ts";
export * from "./foreign.ts";
export * from "./interaction-lines.ts";
export * from "./script.ts";
