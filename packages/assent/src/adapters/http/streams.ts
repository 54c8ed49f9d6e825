/** Who follows something costs a connection for as long as they do. */
const mostStreams = 512;
const mostPerBearer = 128;

/** The streams that are open, so that they can be counted and ended. */
export type Streams = {
  readonly count: number;
  /** `null` when there are too many; otherwise to be called when it has ended. */
  open(bearer: string, end: () => void): (() => void) | null;
  /** The server goes: who follows is to come again. */
  endAll(): void;
};

export function openStreams(): Streams {
  const open = new Map<() => void, string>();
  return {
    get count() {
      return open.size;
    },
    open(bearer, end) {
      const own = [...open.values()].filter((each) => each === bearer).length;
      if (open.size >= mostStreams || own >= mostPerBearer) return null;
      open.set(end, bearer);
      return () => void open.delete(end);
    },
    endAll() {
      for (const end of open.keys()) end();
    },
  };
}
