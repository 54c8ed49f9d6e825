import { Room, watched } from "./room.ts";
import { lacking, type Row } from "./row.ts";
import { scenarios } from "./scenarios.ts";
import { table } from "./table.ts";
import { tryRow } from "./trial.ts";

/**
 * Tries hostile things one after the other in a process of its own: only there are children and descriptors its alone, and
 * only there may a command kill its parent. Each verdict is a line of JSON.
 *
 *   node --conditions=assent-source main.ts [part of a name]…
 */
export type Verdict = { readonly name: string; readonly failures: readonly string[]; readonly ms: number };

export type Trial = {
  readonly name: string;
  readonly requirement: string;
  /** Why it cannot be tried here. */
  readonly lacking: string | null;
  readonly play: () => Promise<readonly string[]>;
};

export const trials: readonly Trial[] = [
  ...table.map((row: Row) => ({ ...row, lacking: lacking(row), play: () => tryRow(row) })),
  ...scenarios.map((scenario) => ({ ...scenario, lacking: null })),
];

async function main(parts: readonly string[]): Promise<void> {
  // Whoever started it to know is gone.
  if (process.env["HOSTILE_LANE"] !== undefined) process.stdin.on("end", () => process.exit(1)).resume();
  const chosen = trials.filter(({ name }) => parts.length === 0 || parts.some((part) => isMeant(name, part)));
  await warmUp();
  for (const { name, lacking: reason, play } of chosen) {
    if (reason !== null) continue;
    const since = performance.now();
    const failures = await watched(play).catch((error: unknown) => [String(error)]);
    const verdict: Verdict = { name, failures, ms: Math.round(performance.now() - since) };
    process.stdout.write(`${JSON.stringify(verdict)}\n`);
  }
  process.exit(0);
}

/** A whole name means that one. */
function isMeant(name: string, part: string): boolean {
  return trials.some((trial) => trial.name === part) ? name === part : name.includes(part);
}

/** What is opened once and kept for the next is open before anything is counted: as much as is ever needed at one time. */
async function warmUp(): Promise<void> {
  const rooms = Array.from({ length: 24 }, () => new Room());
  await Promise.allSettled(rooms.map((room) => room.call("terminal", { command: "sleep 0.5" })));
  await Promise.allSettled(rooms.map((room) => room.call("terminal", { command: "true", persistent: true })));
  await Promise.all(rooms.map((room) => room.close()));
}

if (import.meta.main) await main(process.argv.slice(2));
