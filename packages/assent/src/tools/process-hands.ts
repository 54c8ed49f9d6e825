import * as v from "valibot";
import type { ToolResult } from "../core/index.ts";
import type { Hands, WatchedCall } from "../runtime/ports.ts";
import type { SessionTerminal } from "../terminal/index.ts";
import { readArguments } from "../wire/index.ts";
import { processSchema } from "./terminal-arguments.ts";
import { describeKilled, joined } from "./terminal-result.ts";

type Given = v.InferOutput<typeof processSchema>;

export function processHands(of: (session: string) => SessionTerminal): Hands {
  return {
    plan(given, { cwd }) {
      const read = readArguments(processSchema, given);
      return read.type === "invalid"
        ? { tool: "process", cwd, fails: read.reason }
        : { tool: "process", cwd, more: read.value };
    },
    async run({ more }, watched) {
      return run(v.parse(processSchema, more), watched, of(watched.session));
    },
  };
}

async function run(given: Given, { signal }: WatchedCall, terminal: SessionTerminal): Promise<ToolResult> {
  const { operation, process: pid = "", timeout_s } = given;
  if (operation === "list") return { type: "output", text: listOf(terminal) };
  const background = terminal.background(pid);
  if (background === null) {
    return { type: "error", text: `no background process of this session has the pid ${pid}\n${listOf(terminal)}` };
  }
  if (operation === "kill") {
    const killed = await background.kill();
    return {
      type: killed.left.length === 0 ? "output" : "error",
      text: joined(background.read(), `[${describeKilled(killed) || "it had ended already"}]`),
    };
  }
  const ended = operation === "wait" ? await waitFor(background.ended, timeout_s, signal) : false;
  background.look();
  const runs = background.entries.length > 0;
  const still = ended === "aborted" ? "stopped waiting; it still runs" : `still runs after ${timeout_s} s`;
  const note = runs ? (operation === "wait" ? still : "runs") : "has ended";
  return {
    type: "output",
    text: joined(background.read(), `[process ${pid} ${note}]`),
  };
}

function listOf({ entries }: SessionTerminal): string {
  if (entries.length === 0) return "no background process runs";
  return entries.map(({ pid, command }) => `${pid} ${command}`).join("\n");
}

function waitFor(ended: Promise<void>, seconds: number, signal: AbortSignal): Promise<"ended" | "aborted" | "time"> {
  return new Promise((resolve) => {
    const done = (how: "ended" | "aborted" | "time") => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(how);
    };
    const onAbort = () => done("aborted");
    const timer = setTimeout(() => done("time"), seconds * 1_000);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    void ended.then(() => done("ended"));
  });
}
