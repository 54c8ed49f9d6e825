export * from "./arguments.ts";
export * from "./events.ts";
export * from "./foreign.ts";
export { type DecodedGrant, decodeGrant, encodeGrant } from "./grant.ts";
export * from "./interaction-lines.ts";
export * from "./policy-lines.ts";
export * from "./script.ts";
