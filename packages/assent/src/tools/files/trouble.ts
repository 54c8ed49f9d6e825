import type { Stats } from "node:fs";
import type { ToolResult } from "../../core/index.ts";
import { codeOf, messageOf } from "../../wire/index.ts";

/** Why something cannot be done, for the model. */
export type Trouble = { readonly type: "trouble"; readonly text: string };

export function trouble(text: string): Trouble {
  return { type: "trouble", text };
}

/** The system's own words, without its name for the path: a temporary file's would only puzzle. */
export function failure(what: string, error: unknown): Trouble {
  const message = messageOf(error);
  const code = codeOf(error);
  return trouble(`${what}: ${code === null ? message : (message.split(", ")[0] ?? code)}`);
}

export function asResult({ text }: Trouble): ToolResult {
  return { type: "error", text };
}

export function kindOf(
  stats: Pick<Stats, "isFile" | "isDirectory" | "isFIFO" | "isSocket" | "isSymbolicLink">,
): string {
  if (stats.isFile()) return "a file";
  if (stats.isDirectory()) return "a folder";
  if (stats.isSymbolicLink()) return "a link";
  if (stats.isFIFO()) return "a FIFO";
  return stats.isSocket() ? "a socket" : "a device";
}
