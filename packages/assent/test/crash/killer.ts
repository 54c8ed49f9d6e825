import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** When a process is killed: once there are so many events, or bytes of commands, and then so many milliseconds later. */
export type Aim = { readonly of: "events" | "bytes"; readonly at: number; readonly delay: number };
/** Where they are: in the journal, and in the files of a folder. */
export type Places = { readonly journal: string; readonly files: string };
export type Order = Aim & Places & { readonly pid: number; readonly flag: SharedArrayBuffer };

/** Kills one process at a time, from a thread of its own: whoever does something else as well is too late. */
export class Killer {
  readonly #worker = new Worker(new URL("./killer-worker.ts", import.meta.url));

  /** `callOff` says that the process has ended; `killed` whether it was killed before that. */
  aim({ journal, files }: Places, pid: number, aim: Aim): { readonly killed: Promise<boolean>; callOff(): void } {
    const flag = new SharedArrayBuffer(4);
    const order: Order = { ...aim, journal, files, pid, flag };
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
