import type { Tool } from "../runtime/ports.ts";
import type { TerminalOptions } from "../terminal/index.ts";
import { readArguments } from "../wire/index.ts";
import { processTool } from "./process.ts";
import { terminalSchema } from "./terminal-arguments.ts";
import type { TerminalHands } from "./terminal-hands.ts";

/** The terminal and, for what its commands leave running, `process`; their hands are made together. */
export function terminalTools(options: TerminalOptions): readonly Tool[] {
  let made: Promise<TerminalHands> | undefined;
  const hands = () => {
    made ??= import("./terminal-hands.ts").then(({ terminalHands }) => terminalHands(options));
    return made;
  };
  return [
    { ...terminal, hands: async () => (await hands()).terminal },
    { ...processTool, hands: async () => (await hands()).process },
  ];
}

const terminal: Tool = {
  name: "terminal",
  description:
    "Run a bash command and get its output and exit code. By default each command has a shell of its own in the " +
    "session's folder. persistent: true runs it in one shell that keeps its folder, variables and functions; it opens " +
    "with the first such call, and while it is open all commands go there; close: true (without command) ends it. " +
    "timeout_s is 1 to 300, 120 unless given; for longer work start it with & and use process.",
  read(given) {
    const read = readArguments(terminalSchema, given);
    if (read.type === "invalid") return read;
    const { command, close: closes } = read.value;
    if (command !== undefined && closes) {
      return { type: "invalid", reason: "command and close exclude each other: run the command first, then close" };
    }
    if (command === undefined && !closes) {
      return { type: "invalid", reason: "expected a command, or close: true to close the persistent shell" };
    }
    return { type: "tool", parallel: false, ...(command === undefined ? {} : { command }) };
  },
};
