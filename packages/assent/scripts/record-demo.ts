// Records the session that `assent demo` plays: fixed inputs through the real core, written as a journal is.
// Run by `npm run record-demo`; a test holds the file to what this makes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Asks, decide, encodeEvent, evolve, type InputBody, newSession } from "../src/index.ts";

const ada = { by: { name: "ada", adapter: "demo" }, authority: "act" } as const;
const usage = { input: 900, output: 60, cached: 0 };
const command = "rm -rf build";

const inputs: readonly InputBody[] = [
  { type: "creation", session: "demo", cwd: "/home/ada/project", limits: {} },
  { type: "prompt", text: "clean the build and say what is left", delivery: "now", entry: "typed", ...ada },
  reply(1, "", { tool: "agentic", asks: { type: "agentic", objective: "remove build output, list what remains" } }),
  reply(2, "The build folder goes first.", terminal(command)),
  {
    type: "verdicts",
    verdicts: [
      {
        call: "t2c1",
        verdict: "ask",
        rule: "recursive-delete",
        reason: "deletes a folder and all in it",
        digest: "sha256:5b1d",
        facts: null,
        approval: { question: `Approve command: ${command}? (yes/no)`, subject: { command, cwd: "/home/ada/project" } },
      },
    ],
  },
  { type: "reply", interaction: "demo-1", line: "probably 1", shown: "sha256:90ce", ...ada },
  { type: "reply", interaction: "demo-1", line: "1", shown: "sha256:90ce", ...ada },
  { type: "tool-start", call: "t2c1", digest: "sha256:5b1d" },
  { type: "tool-result", call: "t2c1", result: { type: "output", text: "", exit: 0 } },
  reply(3, "", terminal("ls")),
  {
    type: "verdicts",
    verdicts: [
      { call: "t3c1", verdict: "allow", rule: "reads", reason: "only reads", digest: "sha256:0c41", facts: null },
    ],
  },
  { type: "tool-start", call: "t3c1", digest: "sha256:0c41" },
  { type: "tool-result", call: "t3c1", result: { type: "output", text: "README.md  src  test", exit: 0 } },
  reply(4, "", {
    tool: "complete",
    asks: { type: "complete", status: "success", result: "The build is gone; README.md, src and test are left." },
  }),
];

function terminal(line: string): { tool: string; asks: Asks } {
  return { tool: "terminal", asks: { type: "tool", parallel: false, command: line } };
}

function reply(request: number, text: string, call: { tool: string; asks: Asks }): InputBody {
  const { type: _type, ...given } = call.asks.type === "tool" ? { type: "", command: call.asks.command } : call.asks;
  const calls = [{ id: `call_${request}`, arguments: JSON.stringify(given), ...call }];
  return { type: "model-result", request, result: { type: "replied", text, calls, usage } };
}

export function recordDemo(): string {
  let session = newSession();
  let lines = "";
  for (const [index, input] of inputs.entries()) {
    for (const event of decide(session, { ...input, at: 1_767_225_600_000 + index * 1_000 }).events) {
      session = evolve(session, event);
      lines += `${encodeEvent({ seq: session.seq, session: "demo", event })}\n`;
    }
  }
  return lines;
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, "..", "demo", "session.jsonl"), recordDemo());
