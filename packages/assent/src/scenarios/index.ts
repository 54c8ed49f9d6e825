export { difference } from "./difference.ts";
export { playLive } from "./live.ts";
export { playScenario } from "./play.ts";
export { readScenario } from "./read.ts";
export { recordScenario } from "./record.ts";
export type { Scenario } from "./scenario.ts";
