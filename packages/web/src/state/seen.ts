/** A browser has few connections for one server: a page that nobody has looked at for so long gives one back. */
const unseenMs = 60_000;

/** Ends with the other, and when the page has been out of sight for a while. */
export function whileSeen(other: AbortSignal, ms: number = unseenMs): AbortSignal {
  const leaving = new AbortController();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const look = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = document.hidden ? setTimeout(end, ms) : null;
  };
  const end = (): void => {
    if (timer !== null) clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
    leaving.abort();
  };
  document.addEventListener("visibilitychange", look);
  other.addEventListener("abort", end, { once: true });
  look();
  return leaving.signal;
}

/** When the page is in sight again, or the signal says that nobody waits for that. */
export function seen(signal: AbortSignal): Promise<void> {
  if (!document.hidden || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
  });
}
