import type { ToolResult } from "../core/index.ts";
import type { Failed, McpCalled, McpWatch } from "../integrations/index.ts";
import type { WatchedCall } from "../runtime/ports.ts";

/** What a call of a server needs, from what any call has. */
export function watchOf({ session, signal, onOutput, form }: WatchedCall): McpWatch {
  return { session, signal, onProgress: (line) => onOutput("stderr", `${line}\n`), ask: form };
}

export function resultOf(called: McpCalled | Failed): ToolResult {
  if ("failed" in called) return { type: "error", text: called.failed };
  return { type: called.isError ? "error" : "output", text: called.text };
}
