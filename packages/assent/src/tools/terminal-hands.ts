import { existsSync } from "node:fs";
import * as v from "valibot";
import type { Json, ToolResult } from "../core/index.ts";
import type { Hands, Place, Plan, WatchedCall } from "../runtime/ports.ts";
import { expectPipes, SessionTerminal, type TerminalOptions } from "../terminal/index.ts";
import { readArguments } from "../wire/index.ts";
import { processHands } from "./process-hands.ts";
import { realPlaces } from "./real.ts";
import { enteredSchema } from "./terminal-arguments.ts";
import { closedResult, lentResult, onceResult, shellResult } from "./terminal-result.ts";

export type TerminalHands = { readonly terminal: Hands; readonly process: Hands };

/** The terminal and, for what its commands leave running, `process`: they share what runs. */
export function terminalHands(options: TerminalOptions): TerminalHands {
  const sessions = new Map<string, SessionTerminal>();
  const of = (session: string) => {
    const known = sessions.get(session) ?? new SessionTerminal(session, options);
    sessions.set(session, known);
    return known;
  };
  const terminal: Hands = {
    plan: (given, place) => plan(given, place, of(place.session), options.shell),
    run: (plan, watched) => run(plan, watched, of(watched.session)),
    realPlaces: (paths, { cwd }) => realPlaces(paths, cwd),
    async close(session, kept) {
      const known = sessions.get(session);
      sessions.delete(session);
      await known?.close(kept);
    },
    adopt: ({ session, processes, tell }) => of(session).adopt(processes, tell),
  };
  return { terminal, process: processHands(of) };
}

function plan(given: string, place: Place, running: SessionTerminal, program: string): Plan {
  const read = readArguments(enteredSchema, given);
  // Only arguments that could be read get this far: `tty` only from a person.
  if (read.type === "invalid") return { tool: "terminal", cwd: place.cwd, fails: read.reason };
  const { command, persistent, timeout_s, tty } = read.value;
  const { shell } = running;
  const { cwd: folder, terminal: last } = place;
  if (command === undefined) return { tool: "terminal", cwd: shell?.cwd ?? folder, more: { close: true } };
  // While it is judged and recorded.
  expectPipes();
  const more = { persistent, timeout_s, folder };
  // Which shell it is, is part of what is judged (APPR-6).
  if (tty || !persistent) {
    const { newShellFacts: facts } = running;
    const inherits = facts.inherited.length === 0 ? {} : { shell: facts };
    const planned = (cwd: string, how: Json) => ({ tool: "terminal", cwd, command, more: how, ...inherits });
    if (tty) return planned(shell?.cwd ?? folder, { tty, folder, shell: program });
    return { ...planned(folder, { ...more, shell: program }), ...busy(shell) };
  }
  const lost = shell === null && last.state === "closed" && last.lost;
  const start = lost && existsSync(last.cwd) ? last.cwd : folder;
  const generation = shell?.generation ?? "new";
  const known = { more: { ...more, shell: generation, lost }, shell: running.shellFacts };
  return { tool: "terminal", cwd: shell?.cwd ?? start, command, ...known };
}

/** One shell at a time: what a one-off command did would not be seen in the one that is open (TERM-2). */
function busy(shell: SessionTerminal["shell"]): { readonly fails?: string } {
  if (shell === null) return {};
  const fails = `a persistent shell is open in ${shell.cwd}: send the command with persistent: true to run it there, or close: true first`;
  return { fails };
}

async function run(plan: Plan, watched: WatchedCall, terminal: SessionTerminal): Promise<ToolResult> {
  const { command, cwd } = plan;
  if (command === undefined) return closedResult(await terminal.closeShell());
  const { persistent, timeout_s, folder, shell, lost, tty } = moreOf(plan);
  const running = { command, cwd, timeoutMs: timeout_s * 1_000, watched };
  const ran = { folder, cwd, timeout_s, lost, since: Date.now(), hide: (text: string) => terminal.secrets.hide(text) };
  if (tty) {
    const { lend } = watched;
    if (lend === null) return { type: "error", text: "there is no terminal here that this command could have" };
    return lentResult(await lend(() => terminal.runOnLent(running)), ran);
  }
  if (!persistent) return onceResult(await terminal.runOnce(running), ran);
  if (shell !== (terminal.shell?.generation ?? "new")) {
    return { type: "error", text: "the persistent shell has ended since this was judged; send the command again" };
  }
  return shellResult(await terminal.runInShell(running, folder), ran);
}

const moreSchema = v.object({
  persistent: v.exactOptional(v.boolean(), false),
  timeout_s: v.exactOptional(v.number(), 0),
  folder: v.string(),
  shell: v.exactOptional(v.string()),
  lost: v.exactOptional(v.boolean(), false),
  tty: v.exactOptional(v.boolean(), false),
});

function moreOf({ more }: Plan): v.InferOutput<typeof moreSchema> {
  return v.parse(moreSchema, more);
}
