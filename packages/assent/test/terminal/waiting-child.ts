import { descendantsOf, processOf } from "../../src/terminal/processes.ts";
import { until } from "../e2e/product.ts";

/** The child of a spawner that waits for the next command. It leads a session once it ends with the spawner. */
export function waitingChild(spawner: number): Promise<number> {
  const waits = (pid: number) => processOf(pid)?.session === pid;
  return until("its child waits", () => descendantsOf(spawner).find(waits));
}
