import type { Tool } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";
import { processSchema } from "./terminal-arguments.ts";

/** What commands have left running in the background (TERM-5). */
export const processTool: Tool = {
  name: "process",
  description:
    "Background processes of this session, by pid. operation: list shows them; read gives the output since the last " +
    "read; wait waits until the process has ended, at most timeout_s (1 to 300, 30 unless given), and gives its output; " +
    "kill ends it. They end with the session.",
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
