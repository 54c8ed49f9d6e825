import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** When a process is killed: once so many events are in the journal, and then so many milliseconds later. */
export type Aim = { readonly at: number; readonly delay: number };
export type Order = Aim & { readonly file: string; readonly pid: number; readonly flag: SharedArrayBuffer };

/** Kills one process at a time, from a thread of its own: whoever does something else as well is too late. */
export class Killer {
  readonly #worker = new Worker(new URL("./killer-worker.ts", import.meta.url));

  /** `callOff` says that the process has ended; `killed` whether it was killed before that. */
  aim(file: string, pid: number, { at, delay }: Aim): { readonly killed: Promise<boolean>; callOff(): void } {
    const flag = new SharedArrayBuffer(4);
    const order: Order = { file, pid, at, delay, flag };
    this.#worker.postMessage(order);
    const killed = once(this.#worker, "message").then(([did]) => did === true);
    const callOff = () => {
      const over = new Int32Array(flag);
      Atomics.store(over, 0, 1);
      Atomics.notify(over, 0);
    };
    return { killed, callOff };
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
