export { policy } from "./table.ts";
export type * from "./verdict.ts";
