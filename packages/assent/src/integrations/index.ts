export { type Integrations, openIntegrations } from "./integrations.ts";
export { openLog } from "./log.ts";
export type { Given, Known } from "./setup.ts";
export { counted } from "./source.ts";
export type * from "./types.ts";
