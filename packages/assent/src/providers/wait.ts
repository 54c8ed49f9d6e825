import type { Clock } from "../runtime/ports.ts";

/** That long, or until the signal comes. Nothing is left of it afterwards. */
export async function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const cancel = clock.after(ms, end);
  signal.addEventListener("abort", end);
  await promise;
  signal.removeEventListener("abort", end);
  cancel();
}
