import type { Clock } from "../../runtime/index.ts";

/** Who follows something costs a connection for as long as they do. */
const mostStreams = 512;
const mostPerBearer = 128;
/** How often it is looked whether those who follow still may. */
const lookMs = 500;

/** The streams that are open, so that they can be counted and ended. */
export type Streams = {
  readonly count: number;
  /** `null` when there are too many; otherwise to be called when it has ended. */
  open(bearer: string, end: () => void): (() => void) | null;
  /** The server goes: who follows is to come again. */
  endAll(): void;
};

/** `counts`: whether a bearer's token still does. */
export function openStreams(clock: Clock, counts: (bearer: string) => boolean): Streams {
  const open = new Map<() => void, string>();
  let cancel: (() => void) | null = null;
  const look = () => {
    for (const [end, bearer] of open) if (!counts(bearer)) end();
    cancel = open.size === 0 ? null : clock.after(lookMs, look);
  };
  return {
    get count() {
      return open.size;
    },
    open(bearer, end) {
      const own = [...open.values()].filter((each) => each === bearer).length;
      if (open.size >= mostStreams || own >= mostPerBearer) return null;
      open.set(end, bearer);
      cancel ??= clock.after(lookMs, look);
      return () => void open.delete(end);
    },
    endAll() {
      for (const end of open.keys()) end();
      cancel?.();
      cancel = null;
    },
  };
}
