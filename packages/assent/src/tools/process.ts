import type { Tool } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";
import { processParameters, processSchema } from "./terminal-arguments.ts";

/** What commands have left running in the background (TERM-5). */
export const processTool: Tool = {
  name: "process",
  description:
    "Background processes of this session. Use it to read from a server started with &, or to wait for a long build. Not " +
    "for other processes (terminal). All end with the session.",
  parameters: processParameters,
  tier: "elevated",
  read(given) {
    const read = readArguments(processSchema, given);
    if (read.type === "invalid") return read;
    const { operation, process } = read.value;
    if (operation !== "list" && process === undefined) {
      return { type: "invalid", reason: `${operation} expects process, the pid that list shows` };
    }
    return { type: "tool", parallel: false };
  },
};
