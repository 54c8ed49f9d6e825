export { systemClock } from "./clock.ts";
export * from "./host.ts";
export * from "./journal/index.ts";
export { digestOf } from "./judging.ts";
export { describeDamage, type Submitted } from "./open-session.ts";
export type { SessionSummary } from "./outline.ts";
export * from "./ports.ts";
export { isAlive, isForeground, terminalName, thisProcess } from "./process.ts";
export type { Watched } from "./watch.ts";
