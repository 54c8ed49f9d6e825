/** Looks from outside, as often as it can, and kills a process as soon as it has recorded so much, or its commands have run. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort } from "node:worker_threads";
import type { Order } from "./killer.ts";

/** Between two looks: less than an append takes. */
const pauseMs = 0.15;

parentPort?.on("message", (order: Order) => parentPort?.postMessage(carryOut(order)));

/** Whether it was killed; it may have ended before. */
function carryOut({ of, at, delay, journal, files, pid, flag }: Order): boolean {
  const over = new Int32Array(flag);
  const isOver = (ms: number) => Atomics.wait(over, 0, 0, ms) === "not-equal" || Atomics.load(over, 0) !== 0;
  let database: DatabaseSync | null = null;
  try {
    for (;;) {
      if (of === "events") database ??= opened(journal);
      if ((of === "events" ? eventsIn(database) : bytesIn(files)) >= at) break;
      if (isOver(pauseMs)) return false;
    }
    if (isOver(delay)) return false;
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    // It had gone.
    return false;
  } finally {
    database?.close();
  }
}

/** For reading alone: whoever closes such a one last leaves the log as the killed process left it. */
function opened(file: string): DatabaseSync | null {
  if (!existsSync(`${file}-wal`)) return null;
  try {
    return new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
  } catch {
    return null;
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function eventsIn(database: DatabaseSync | null): number {
  if (database === null) return 0;
  try {
    return Number(database.prepare("SELECT count(*) AS events FROM events").get()?.["events"]);
  } catch {
    // Not laid out yet.
    return 0;
  }
}
