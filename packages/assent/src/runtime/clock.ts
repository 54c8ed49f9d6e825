import type { Clock } from "./ports.ts";

/** As long as a timer of Node can be: a longer one would be over at once. */
const mostTimerMs = 2 ** 31 - 1;

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, then) {
    const timer = setTimeout(then, Math.min(ms, mostTimerMs));
    return () => clearTimeout(timer);
  },
};
