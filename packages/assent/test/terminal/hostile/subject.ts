/** What is tried here; the only place that says where it comes from. */
export { actingTool, type EagerTool, eagerTools } from "../../tools/eager.ts";
