import * as v from "valibot";
import type { ToolResult } from "../core/index.ts";
import type { Plan, Tool } from "../runtime/ports.ts";
import { type Ended, killMarked, runCommand } from "../terminal/index.ts";
import { readArguments } from "../wire/index.ts";

const defaultTimeout = 120;

const schema = v.strictObject({
  command: v.pipe(v.string(), v.nonEmpty()),
  timeout_s: v.exactOptional(v.pipe(v.number(), v.minValue(1), v.maxValue(300)), defaultTimeout),
});

/** Runs one command in a shell of its own, with the person's environment and rights; nothing of it is kept. */
export const terminal: Tool = {
  name: "terminal",
  description:
    "Run one bash command and get its output and exit code. Each command has a shell of its own in the session's " +
    "folder, and no input. timeout_s is 1 to 300, 120 unless given.",
  read(given) {
    const read = readArguments(schema, given);
    if (read.type === "invalid") return read;
    return { type: "tool", parallel: false, command: read.value.command };
  },
  hands: {
    plan(given, { cwd }) {
      const read = readArguments(schema, given);
      // Only arguments that could be read get this far.
      if (read.type === "invalid") return { tool: "terminal", cwd };
      const { command, timeout_s } = read.value;
      return { tool: "terminal", cwd, command, more: { timeout_s } };
    },
    async run(plan, watched) {
      const { command = "", cwd } = plan;
      const { session, call, signal, onOutput } = watched;
      const marker = `${session}/${call}`;
      return resultOf(await runCommand({ command, cwd, marker, signal, onOutput, timeoutMs: timeoutOf(plan) * 1_000 }));
    },
    close: async (session) => killMarked(`${session}/`, "SIGKILL"),
  },
};

function timeoutOf({ more }: Plan): number {
  const given = typeof more === "object" && more !== null && "timeout_s" in more ? more["timeout_s"] : undefined;
  return typeof given === "number" ? given : defaultTimeout;
}

function resultOf(ended: Ended): ToolResult {
  if (ended.type === "not-started") return { type: "error", text: ended.reason };
  const { stdout, stderr, exit, signal, why } = ended;
  const parts = [stdout, stderr === "" ? "" : `stderr:\n${stderr}`, sayWhy(ended)];
  const text = parts.filter((part) => part !== "").join("\n");
  if (why === "timeout") return { type: "error", text };
  return { type: "output", text, ...(signal === null ? { exit: exit ?? 0 } : {}) };
}

function sayWhy({ why, signal, exit }: Extract<Ended, { type: "ended" }>): string {
  if (why === "timeout") return "the command took too long and was killed";
  if (why === "aborted") return `the command was killed (${signal ?? `it exited with ${exit}`})`;
  return signal === null ? "" : `the command ended by signal ${signal}`;
}
