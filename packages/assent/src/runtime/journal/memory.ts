import type { SessionEvent } from "../../core/index.ts";
import type { Appended, Holder, Journal, Outline, Reading } from "../ports.ts";
import { chainEvents, checkChain, noNote } from "./chain.ts";
import { collect } from "./reading.ts";

/** What journals in memory share, as processes share a file. */
export type MemoryStore = {
  /** The events as they are stored: encoded, so that what is read back has been through its bytes, and with their hashes. */
  readonly sessions: Map<
    string,
    { readonly seq: number; readonly milestone: number; readonly line: string; readonly hash: string }[]
  >;
  readonly leases: Map<string, Holder>;
  readonly isAlive: (holder: Holder) => boolean;
  revision: number;
};

/** An empty store. `isAlive` says whether the process that has a lease still lives. */
export function memoryStore(isAlive: (holder: Holder) => boolean = () => true): MemoryStore {
  return { sessions: new Map(), leases: new Map(), isAlive, revision: 0 };
}

/** For tests and for a host that keeps nothing: the same promises as the file's, but for the disk. */
export function openMemoryJournal(store: MemoryStore = memoryStore()): Journal {
  return {
    append: (session, expected, events) => append(store, session, { expected, events }),
    read: (session, after, most) => read(store, session, { after, most }),
    outline: () => outline(store),
    heads: () => new Map([...store.sessions].map(([session, rows]) => [session, rows.length])),
    revision: () => store.revision,
    takeLease(session, holder) {
      const other = leaseHolder(store, session);
      if (other !== null) return other;
      store.leases.set(session, holder);
      return holder;
    },
    releaseLease(session, { host }) {
      if (store.leases.get(session)?.host === host) store.leases.delete(session);
    },
    leaseHolder: (session) => leaseHolder(store, session),
    remove(session) {
      const holder = leaseHolder(store, session);
      if (holder !== null) return holder;
      store.sessions.delete(session);
      store.leases.delete(session);
      store.revision += 1;
      return null;
    },
    verify(session, wanted, after) {
      const meant = [...store.sessions].filter(([id]) => session === null || id === session);
      return meant.map(([id, rows]) => checkChain(id, rows.slice(after?.seq ?? 0), { note: noNote, wanted, after }));
    },
    close() {},
  };
}

function append(
  store: MemoryStore,
  session: string,
  { expected, events }: { readonly expected: number; readonly events: readonly SessionEvent[] },
): Appended {
  const rows = store.sessions.get(session) ?? [];
  if (rows.length !== expected) return { type: "stale", newest: rows.length };
  const head = rows.at(-1)?.hash ?? null;
  for (const row of chainEvents(session, events, { after: expected, head })) rows.push(row);
  store.sessions.set(session, rows);
  store.revision += 1;
  return { type: "appended" };
}

type Part = { readonly after: number; readonly most?: number | undefined };

function read({ sessions }: MemoryStore, session: string, { after, most = Number.POSITIVE_INFINITY }: Part): Reading {
  return collect(session, after, (sessions.get(session) ?? []).slice(after, after + most));
}

function outline({ sessions }: MemoryStore): Outline {
  const found = [...sessions].map(([session, rows]) => ({
    ...{ session, newest: rows.length },
    ...collect(
      session,
      null,
      rows.filter(({ milestone }) => milestone === 1),
    ),
  }));
  return {
    sessions: found.map(({ session, newest, events }) => ({ session, newest, milestones: events })),
    damage: found.flatMap(({ damage }) => damage ?? []),
  };
}

function leaseHolder({ leases, isAlive }: MemoryStore, session: string): Holder | null {
  const holder = leases.get(session);
  return holder !== undefined && isAlive(holder) ? holder : null;
}
