import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, vi } from "vitest";
import type { Place } from "../../src/runtime/index.ts";
import { membersOf } from "../../src/terminal/kill.ts";
import { nobodyAnswers } from "../fixtures/nobody.ts";
import { verifies } from "../requirements/verifies.ts";
import { actingTool, eagerTools } from "../tools/eager.ts";

const folder = mkdtempSync(join(tmpdir(), "assent-early-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { hands } = actingTool(eagerTools({ folder: join(folder, "spilled"), pty: true }), "terminal");
const place: Place = { session: "early", cwd: folder, terminal: { state: "never" }, seen: [] };
const trials = 30;

verifies("STOP-3b", "a command that is stopped in the moment of its start leaves nothing that runs on", async () => {
  for (let trial = 0; trial < trials; trial++) {
    const stopping = new AbortController();
    const running = hands.run(hands.plan(JSON.stringify({ command: "trap '' HUP; sleep 600" }), place), {
      ...{ session: "early", call: `t${trial}`, signal: stopping.signal, attended: true, lend: null },
      ...{ onOutput: () => {}, tell: () => {}, ...nobodyAnswers },
    });
    await sleep(trial % 10);
    stopping.abort("stopped");
    await running;
    // The first process of its terminal has been killed, and is gone in a moment.
    const left = () => membersOf({ marker: `early/t${trial}`, seen: [] }).map(({ name }) => name);
    await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 5_000 });
  }
});
