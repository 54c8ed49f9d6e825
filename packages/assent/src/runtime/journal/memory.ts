import { decodeEvent, encodeEvent } from "../../wire/index.ts";
import { type Holder, type Journal, milestones, type Reading } from "../ports.ts";

/** What journals in memory share, as processes share a file. */
export type MemoryStore = {
  /** Encoded, so that what is read back has been through its bytes. */
  readonly sessions: Map<string, string[]>;
  readonly leases: Map<string, Holder>;
  readonly isAlive: (holder: Holder) => boolean;
  revision: number;
};

export function memoryStore(isAlive: (holder: Holder) => boolean = () => true): MemoryStore {
  return { sessions: new Map(), leases: new Map(), isAlive, revision: 0 };
}

/** For tests and for a host that keeps nothing: the same promises as the file's, but for the disk. */
export function openMemoryJournal(store: MemoryStore = memoryStore()): Journal {
  function leaseHolder(session: string): Holder | null {
    const holder = store.leases.get(session);
    return holder !== undefined && store.isAlive(holder) ? holder : null;
  }
  function read(session: string, after: number, most = Number.POSITIVE_INFINITY): Reading {
    const lines = store.sessions.get(session) ?? [];
    const wanted = lines.slice(after, after + most).map((line) => decodeEvent(line));
    const events = wanted.flatMap((decoded) => {
      return decoded.type === "event" ? [{ seq: decoded.seq, session, event: decoded.event }] : [];
    });
    return { events, damage: null };
  }
  return {
    append(session, expected, events) {
      const lines = store.sessions.get(session) ?? [];
      if (lines.length !== expected) return { type: "stale", newest: lines.length };
      lines.push(...events.map((event, index) => encodeEvent({ seq: expected + index + 1, session, event })));
      store.sessions.set(session, lines);
      store.revision += 1;
      return { type: "appended" };
    },
    read,
    outline: () => ({
      sessions: [...store.sessions].map(([session, lines]) => ({
        session,
        newest: lines.length,
        milestones: read(session, 0).events.filter(({ event }) => milestones.includes(event.type)),
      })),
      damage: [],
    }),
    revision: () => store.revision,
    takeLease(session, holder) {
      const other = leaseHolder(session);
      if (other !== null) return other;
      store.leases.set(session, holder);
      return holder;
    },
    releaseLease(session, { pid, started }) {
      const held = store.leases.get(session);
      if (held?.pid === pid && held.started === started) store.leases.delete(session);
    },
    leaseHolder,
    close() {},
  };
}
