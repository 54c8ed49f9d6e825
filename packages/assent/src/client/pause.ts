const shortest = 250;
const longest = 5_000;

/** How long to wait before that try: longer each time, and not all clients at once. */
export function pauseBefore(attempt: number): number {
  const whole = Math.min(longest, shortest * 2 ** attempt);
  return whole * (0.75 + Math.random() * 0.25);
}

/** Whether it was waited to the end. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (waited: boolean): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(waited);
    };
    const onAbort = (): void => end(false);
    const timer = setTimeout(() => end(true), ms);
    signal?.addEventListener("abort", onAbort);
  });
}
