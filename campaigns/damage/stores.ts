/** The stores that are damaged: made by the command itself and by the journal, and what each of them holds while it is whole. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defaultLimits, type SessionEvent } from "../../packages/assent/src/core/index.ts";
import { openSqliteJournal } from "../../packages/assent/src/runtime/journal/index.ts";
import { type Journal, milestones } from "../../packages/assent/src/runtime/ports.ts";
import { thisProcess } from "../../packages/assent/src/runtime/process.ts";
import { decodeEvent, encodeEvent, type RecordedEvent } from "../../packages/assent/src/wire/index.ts";
import { note, olderLayout } from "../../packages/assent/test/contracts/stores.ts";
import { Place, type Scripted, terminal } from "../../packages/assent/test/e2e/product.ts";

/** The file, its log, and what processes share of that. */
export const parts = ["journal.db", "journal.db-wal", "journal.db-shm", "journal.db-last"] as const;
export type Part = (typeof parts)[number];

/** The files of a store as they lie on the disk. */
export type Files = ReadonlyMap<Part, Buffer>;

export type WholeStore = {
  readonly name: string;
  readonly files: Files;
  /** Of each session its events, as they are stored. */
  readonly sessions: ReadonlyMap<string, readonly string[]>;
  /** Of before there were hashes: a change in it cannot be told. */
  readonly isOlder: boolean;
};

function readFiles(folder: string): Files {
  const there = parts.filter((part) => existsSync(join(folder, part)));
  return new Map(there.map((part) => [part, readFileSync(join(folder, part))]));
}

export function writeFiles(folder: string, files: Files): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [part, bytes] of files) writeFileSync(join(folder, part), bytes, { mode: 0o600 });
  return join(folder, parts[0]);
}

const holder = thisProcess();
const fixture = join(import.meta.dirname, "../../packages/assent/test/fixtures/journal-v1.jsonl");

/** All stores of a campaign; `scratch` is a folder for them. */
export function wholeStores(scratch: string): readonly WholeStore[] {
  const real = realSessions();
  const told = new Map([...real, ...fixtureSessions()]);
  const long = new Map([...told, ["long", longSession("long", 2_500)], ["after", longSession("after", 6)]]);
  const made = (name: string) => join(scratch, name, parts[0]);
  return [
    closed("closed", made("closed"), told),
    closed("long", made("long"), long),
    // The same ids with other events in them: a page from one of these may well be taken for one of the other.
    closed("alike", made("alike"), new Map([...told].map(([session, events]) => [session, [...events, note("more")]]))),
    logged("logged", made("logged"), told),
    halfLogged("half-logged", made("half-logged"), long),
    older("older", made("older"), { sessions: told, goesOn: false }),
    older("taken-over", made("taken-over"), { sessions: told, goesOn: true }),
  ];
}

type Sessions = ReadonlyMap<string, readonly SessionEvent[]>;

/** Sessions of the command: one that is done, two that wait for an answer, one of many turns. */
function realSessions(): Sessions {
  const ends: (() => void)[] = [];
  const place = new Place([], {}, (then) => ends.push(then));
  try {
    const ask = { calls: [{ tool: "ask", arguments: { question: "Which one?", options: ["This", "That"] } }] };
    const turns = Array.from({ length: 25 }, (_, index) => terminal(`echo ${index} ${"x".repeat(200 * index)}`));
    const run = (...replies: readonly Scripted[]) => {
      const script = place.file(`script-${ends.push(() => {})}.jsonl`);
      writeFileSync(script, replies.map((reply) => JSON.stringify(reply)).join("\n"));
      place.assent(["run", "--unattended", "park", "--model", `scripted:${script}`, "go"]);
    };
    run(terminal("echo one"), { text: "Done." });
    run(terminal("rm -rf build"), { text: "Done." });
    run(ask, { text: "Done." });
    run(...turns, { text: "Done." });
    return recordedIn(join(place.home, parts[0]));
  } finally {
    for (const end of ends) end();
  }
}

function recordedIn(file: string): Sessions {
  const journal = openSqliteJournal(file);
  const found = [...journal.heads().keys()].map((session) => {
    return [session, journal.read(session, 0).events.map(({ event }) => event)] as const;
  });
  journal.close();
  if (found.length !== 4) throw new Error(`expected the command to have made 4 sessions, found ${found.length}`);
  return new Map(found);
}

/** Sessions with every kind of event that there was in the first version. */
function fixtureSessions(): Sessions {
  const sessions = new Map<string, SessionEvent[]>();
  for (const line of readFileSync(fixture, "utf8").trim().split("\n")) {
    const decoded = decodeEvent(line);
    if (decoded.type !== "event") throw new Error(decoded.reason);
    sessions.set(decoded.session, [...(sessions.get(decoded.session) ?? []), decoded.event]);
  }
  return sessions;
}

/** At rest, over many pages, some events larger than one, with a milestone now and then. */
function longSession(session: string, count: number): readonly SessionEvent[] {
  const by = { name: "ann", adapter: "test" };
  const created: SessionEvent = { type: "session.created", at: 1, session, cwd: "/project", limits: defaultLimits };
  return Array.from({ length: count }, (_, index): SessionEvent => {
    const text = `event ${index + 1} ${"ä.".repeat(index % 97 === 5 ? 4_000 : index % 150)}`;
    if (index === 0) return created;
    return index % 50 === 1 ? { type: "session.renamed", at: 1, name: text, by } : note(text);
  });
}

function add(journal: Journal, sessions: Sessions): void {
  for (const [session, events] of sessions) {
    const first = Math.ceil(events.length / 2);
    for (const part of [events.slice(0, first), events.slice(first)]) {
      if (part.length > 0) journal.append(session, journal.heads().get(session) ?? 0, part);
    }
    // Every other one is left in order, as a process leaves it that is not killed.
    if (events.length % 2 === 0) {
      journal.takeLease(session, holder);
      journal.releaseLease(session, holder);
    }
  }
}

function whole(name: string, file: string, isOlder = false): WholeStore {
  const files = readFiles(join(file, ".."));
  const sessions = new Map<string, readonly string[]>();
  const copy = writeFiles(join(file, "..", "copy"), files);
  const journal = openSqliteJournal(copy);
  for (const session of journal.heads().keys()) {
    sessions.set(session, journal.read(session, 0).events.map(encodeEvent));
  }
  const broken = journal.verify(null).filter(({ breaks }) => breaks.length > 0);
  journal.close();
  if (broken.length > 0) throw new Error(`${name} is damaged before it is: ${JSON.stringify(broken)}`);
  return { name, files, sessions, isOlder };
}

/** All of it is in the one file. */
function closed(name: string, file: string, sessions: Sessions): WholeStore {
  const journal = openSqliteJournal(file);
  add(journal, sessions);
  journal.close();
  return whole(name, file);
}

/** As a process leaves it that is killed: all that was recorded is in the log alone. */
function logged(name: string, file: string, sessions: Sessions): WholeStore {
  const journal = openSqliteJournal(file);
  add(journal, sessions);
  const killed = copiedBeside(file);
  journal.close();
  return whole(name, killed);
}

/** Half of it in the file, the rest in the log. */
function halfLogged(name: string, file: string, sessions: Sessions): WholeStore {
  closed(name, file, sessions);
  const journal = openSqliteJournal(file);
  for (const session of sessions.keys()) {
    journal.append(session, journal.heads().get(session) ?? 0, [note("later"), note("still later")]);
  }
  journal.append("new", 0, longSession("new", 40));
  const killed = copiedBeside(file);
  journal.close();
  return whole(name, killed);
}

function copiedBeside(file: string): string {
  const killed = join(file, "..", "killed");
  mkdirSync(killed);
  for (const part of readFiles(join(file, "..")).keys()) copyFileSync(join(file, "..", part), join(killed, part));
  return join(killed, parts[0]);
}

/** As the version made it that had no hashes; or such a one that this version has gone on with. */
function older(
  name: string,
  file: string,
  { sessions, goesOn }: { readonly sessions: Sessions; readonly goesOn: boolean },
): WholeStore {
  mkdirSync(join(file, ".."), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec(olderLayout);
  const list = database.prepare("INSERT INTO sessions (id) VALUES (?) RETURNING number");
  const put = database.prepare("INSERT INTO events VALUES (?, ?, ?, ?)");
  for (const [session, events] of sessions) {
    const number = Number(list.get(session)?.["number"]);
    for (const [index, event] of events.entries()) {
      const recorded: RecordedEvent = { seq: index + 1, session, event };
      put.run(number, recorded.seq, milestones.includes(event.type) ? 1 : 0, encodeEvent(recorded));
    }
  }
  database.close();
  if (goesOn) {
    const journal = openSqliteJournal(file);
    for (const session of sessions.keys()) {
      journal.append(session, journal.heads().get(session) ?? 0, [note("later")]);
    }
    journal.close();
  }
  return whole(name, file, true);
}
