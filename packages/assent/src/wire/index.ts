export * from "./arguments.ts";
export * from "./events.ts";
export * from "./foreign.ts";
export { type DecodedGrant, decodeGrant, encodeGrant } from "./grant.ts";
export * from "./interaction-lines.ts";
export * from "./loose.ts";
export { readModels, type WrittenModel } from "./models-file.ts";
export * from "./policy-lines.ts";
export * from "./script.ts";
