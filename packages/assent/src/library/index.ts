export { type ArgumentSchema, type CheckedArguments, defineTool, type ToolDefinition } from "./define-tool.ts";
export { type Home, type LibraryTools, openHome, openTools } from "./home.ts";
export { type ModelOptions, openModel, type Script, scriptedModel } from "./model.ts";
