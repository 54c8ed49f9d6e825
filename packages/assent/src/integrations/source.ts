import type { ToolSource } from "./types.ts";

/** Whether its tools come from an MCP server. */
export function isMcp({ type }: ToolSource): boolean {
  return type === "mcp-command" || type === "mcp-url" || type === "mcp-given";
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
