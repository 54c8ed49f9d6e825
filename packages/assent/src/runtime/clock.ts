import type { Clock } from "./ports.ts";

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};
