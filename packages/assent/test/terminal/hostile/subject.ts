/** What is tried here; the only place that says where it comes from. */
export { terminalTools } from "../../../src/tools/index.ts";
