/** Asks a running Node to collect its garbage, as a debugger would: by a signal that every Node listens to. */
import { setTimeout as sleep } from "node:timers/promises";

/** So that several processes do not want the same port. */
export const collectable = { NODE_OPTIONS: "--inspect-port=0" } as const;

export type Collector = {
  /** The bytes of the heap that are in use once all that nobody needs is gone. */
  readonly collect: () => Promise<number>;
  readonly close: () => void;
};

/** `said` is what the process has written to its standard error so far: there it says where it listens. */
export async function collectorOf(pid: number, said: () => string): Promise<Collector> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await addressIn(said));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  let asked = 0;
  const call = (method: string) => {
    const id = ++asked;
    const answer = new Promise<{ readonly usedSize?: number }>((resolve) => {
      const take = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data));
        if (message.id !== id) return;
        socket.removeEventListener("message", take);
        resolve(message.result);
      };
      socket.addEventListener("message", take);
    });
    socket.send(JSON.stringify({ id, method }));
    return answer;
  };
  const collect = async () => {
    await call("HeapProfiler.collectGarbage");
    return (await call("Runtime.getHeapUsage")).usedSize ?? 0;
  };
  return { collect, close: () => socket.close() };
}

async function addressIn(said: () => string): Promise<string> {
  for (let tries = 0; tries < 400; tries++) {
    const found = /Debugger listening on (ws:\S+)/.exec(said())?.[1];
    if (found !== undefined) return found;
    await sleep(25);
  }
  throw new Error(`expected a process to say where it can be asked to collect, it said: ${said()}`);
}
