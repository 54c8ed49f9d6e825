import type { EnteredCall } from "../core/index.ts";
import type { Tool } from "../runtime/ports.ts";
import type { TerminalOptions } from "../terminal/index.ts";
import { readArguments } from "../wire/index.ts";
import { processTool } from "./process.ts";
import { terminalParameters, terminalSchema } from "./terminal-arguments.ts";
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

type EnteredOptions = {
  /** It gets the person's terminal for itself. */
  readonly tty?: boolean;
  /** It runs in the persistent shell, as it must while that is open. */
  readonly persistent?: boolean;
};

/** A command that a person entered, as a call of the terminal (SEL-5). */
export function enteredCommand(command: string, { tty = false, persistent = false }: EnteredOptions = {}): EnteredCall {
  const read = terminal.read(JSON.stringify({ command }));
  const more = { ...(tty ? { tty } : {}), ...(persistent && !tty ? { persistent } : {}) };
  return { tool: terminal.name, arguments: JSON.stringify({ command, ...more }), asks: read };
}

const terminal: Tool = {
  name: "terminal",
  description:
    "Run a bash command. Use it for builds, tests, git and other programs. Not for what the file tools do (cat, ls, grep, " +
    "sed -i, echo >), nor as a way round what was not approved. Each command has its own shell in the session's " +
    "folder; persistent ones share one that keeps folder, variables and functions, and while that is open all must be " +
    "persistent. Long output is cut in the middle, naming a file with the rest. Work over " +
    "300 s: start it with & and use process. Nobody may be there to type: prefer flags without input.",
  parameters: terminalParameters,
  tier: "elevated",
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
