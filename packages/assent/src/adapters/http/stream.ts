import type { Clock, SessionHost, Watch, Watched } from "../../runtime/index.ts";
import { encodeEvent } from "../../wire/index.ts";

/** So often something is said though nothing has happened: who has gone is noticed, and who is between does not hang up. */
const beatMs = 15_000;
/** Who takes nothing for so long, though something was to be taken, has gone. */
const mostStalledMs = 60_000;
/** So much is put together into one piece. */
const mostPieceCharacters = 64 * 1024;
/** Changes that come together are told together. */
const changesMs = 50;

const beat = ": \n\n";

/** One server-sent event. */
function sent(data: string, { name, id }: { readonly name?: string; readonly id?: number }): string {
  return `${id === undefined ? "" : `id: ${id}\n`}${name === undefined ? "" : `event: ${name}\n`}data: ${data}\n\n`;
}

/**
 * A session's events after a number, and then every new one (SRV-1). Nothing is queued for who is slow: recorded events are
 * fetched when they are taken, and what is live is dropped.
 */
export async function* sessionEvents(
  watch: Watch,
  { clock, known }: { readonly clock: Clock; readonly known: number | null },
): AsyncGenerator<string, void, undefined> {
  const watched = watch[Symbol.asyncIterator]();
  /** Fetched while the reader takes what was before: that it failed is told when it is wanted, and not earlier. */
  const fetched = () => {
    const coming = watched.next();
    coming.catch(() => {});
    return coming;
  };
  try {
    let next = fetched();
    // Who knows all that is recorded is told so at once.
    if (known !== null) yield caughtUp(known);
    for (;;) {
      const first = await orBeat(next, clock);
      if (first === null) {
        yield beat;
        continue;
      }
      if (first.done) return;
      let piece = pieceOf(first.value);
      next = fetched();
      // What is recorded already is there at once.
      for (let last: Watched = first.value; isFollowed(last) && piece.length < mostPieceCharacters; ) {
        const more = await next;
        if (more.done) break;
        last = more.value;
        piece += pieceOf(last);
        next = fetched();
      }
      yield piece;
    }
  } finally {
    watch.close();
  }
}

function caughtUp(seq: number): string {
  return sent(JSON.stringify({ seq }), { name: "caught-up" });
}

function isFollowed(watched: Watched): boolean {
  return watched.type === "recorded" && !watched.newest;
}

function pieceOf(watched: Watched): string {
  switch (watched.type) {
    case "recorded": {
      const event = sent(encodeEvent(watched), { id: watched.seq });
      return watched.newest ? event + caughtUp(watched.seq) : event;
    }
    case "live":
      return sent(JSON.stringify(watched.live), { name: "live" });
    case "dropped":
      return sent(JSON.stringify({ count: watched.count }), { name: "dropped" });
    default:
      return watched satisfies never;
  }
}

export type Changes = {
  readonly host: SessionHost;
  readonly clock: Clock;
  /** A session as it is told, or that it is gone; `null` when there is nothing new to tell of it. */
  readonly describe: (session: string) => Change | null;
  readonly signal: AbortSignal;
};

export type Change = { readonly name: "session" | "gone"; readonly data: string };

/** Every session that comes to a milestone, from now on. However slow somebody is: a session that changed twice is told once. */
export async function* changeEvents({ host, clock, describe, signal }: Changes): AsyncGenerator<string> {
  const changed = new Set<string>();
  let wake = () => {};
  const end = host.overview().listen((session) => {
    changed.add(session);
    wake();
  });
  signal.addEventListener("abort", () => wake(), { once: true });
  try {
    yield beat;
    while (!signal.aborted) {
      const change = new Promise<"change">((resolve) => {
        wake = () => resolve("change");
      });
      if (changed.size === 0 && (await orBeat(change, clock)) === null) {
        yield beat;
        continue;
      }
      await passed(clock, changesMs);
      const told = [...changed].flatMap((session) => describe(session) ?? []);
      changed.clear();
      if (told.length > 0) yield told.map(({ name, data }) => sent(data, { name })).join("");
    }
  } finally {
    end();
  }
}

/** What comes, or `null` when nothing has for a while. */
async function orBeat<T>(coming: Promise<T>, clock: Clock): Promise<T | null> {
  let cancel = () => {};
  const late = new Promise<null>((resolve) => {
    cancel = clock.after(beatMs, () => resolve(null));
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    cancel();
  }
}

function passed(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/**
 * Pieces as a body: one is made when one was taken, and no sooner, so that whoever does not read costs what the system keeps for
 * a connection and nothing else. Whoever takes nothing for long is let go.
 */
export function bodyOf(pieces: AsyncGenerator<string>, clock: Clock, onEnd: () => void): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder();
  let ended = false;
  let cancelLook = () => {};
  const finish = () => {
    if (ended) return;
    ended = true;
    cancelLook();
    onEnd();
    void pieces.return(undefined).catch(() => {});
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        cancelLook();
        try {
          const next = await pieces.next();
          if (ended) return;
          if (next.done) {
            finish();
            controller.close();
            return;
          }
          controller.enqueue(bytes.encode(next.value));
          cancelLook = clock.after(mostStalledMs, () => {
            finish();
            controller.error(new Error("nothing was taken for too long"));
          });
        } catch (error) {
          finish();
          controller.error(error);
        }
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}
