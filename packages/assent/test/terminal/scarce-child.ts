import { closeSync, openSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openRedacting } from "../../src/runtime/redaction.ts";
import { runCommand } from "../../src/terminal/ephemeral.ts";
import { fixedGrace } from "../../src/terminal/kill.ts";
import { Shell } from "../../src/terminal/persistent.ts";
import { SpillFile } from "../../src/terminal/spill.ts";
import { TypedSecrets } from "../../src/terminal/typed-secrets.ts";

/**
 * Starts commands while there are hardly any descriptors left: none, one, two and so on. Tells how many descriptors are open
 * after each of some rounds of that, once there is room again.
 */
const [how = ""] = process.argv.slice(2);
const rounds = 4;
const mostFree = 32;
const { env } = process;
const secrets = new TypedSecrets(openRedacting(() => []));
const place = { cwd: "/", env, marker: `scarce-${process.pid}/c` };
const attended = how === "tty";

async function once(): Promise<void> {
  await runCommand(
    {
      ...place,
      // Too long to be an argument: it needs a file, too.
      command: how === "long" ? `: ${"x".repeat(70_000)}` : ":",
      timeoutMs: 10_000,
      watched: { signal: new AbortController().signal, ask: async () => null, attended },
      grace: () => fixedGrace(0),
      ...{ onOutput: () => {}, secrets, spill: () => new SpillFile({ file: null, path: "", most: 0 }) },
    },
    "bash",
  );
}

async function shell(): Promise<void> {
  await (await Shell.open({ ...place, attended: false })).close();
}

function openFiles(): number {
  return readdirSync("/proc/self/fd").length;
}

function taken(): number[] {
  const all: number[] = [];
  try {
    for (;;) all.push(openSync("/dev/null", "r"));
  } catch {
    return all;
  }
}

async function attempt(): Promise<string> {
  try {
    await (how === "shell" ? shell() : once());
    return "done";
  } catch (error) {
    return String(error);
  }
}

// What is loaded or made once is there before it is counted.
await attempt();
await attempt();
const open: number[] = [];
for (let round = 0; round < rounds; round++) {
  for (let free = 0; free < mostFree; free++) {
    const filling = taken();
    for (const file of filling.splice(0, free)) closeSync(file);
    await attempt();
    for (const file of filling) closeSync(file);
    await sleep(5);
  }
  // Those that are kept for the next command are kept again.
  await attempt();
  await sleep(20);
  open.push(openFiles());
}
process.stdout.write(JSON.stringify({ open, last: await attempt() }));
process.exit(0);
