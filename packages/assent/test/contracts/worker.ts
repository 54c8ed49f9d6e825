/** What a process of its own does to a journal in the tests: `node worker.ts <task as JSON>`. */
import { readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { openSqliteJournal } from "../../src/runtime/journal/index.ts";
import { type Holder, type Journal, JournalError } from "../../src/runtime/ports.ts";
import { thisProcess } from "../../src/runtime/process.ts";
import { type Plan, perform, plannedSteps, type Step } from "./workload.ts";

export type Task =
  /** Does the steps from that one on and says the number of each that is done. */
  | {
      readonly type: "steps";
      readonly file: string;
      readonly plan: Plan;
      readonly from: number;
      readonly holder: Holder;
    }
  /** Appends so many events to one session that others append to as well. */
  | { readonly type: "race"; readonly file: string; readonly session: string; readonly events: number }
  /** For each line, the name of a store: opens it, takes a lease there, says who has it. */
  | { readonly type: "openers" }
  /** Says who it is and waits for the end of its input. */
  | { readonly type: "live" }
  /** Opens the journal and says what became of it. */
  | { readonly type: "open"; readonly file: string }
  /** Appends until the disk is full, makes room, goes on. */
  | { readonly type: "fill"; readonly file: string; readonly filler: string };

const attempts = 3;

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

function workSteps({ file, plan, from, holder }: Extract<Task, { type: "steps" }>): void {
  let journal: Journal | null = null;
  const open = (): Journal => {
    journal ??= openSqliteJournal(file);
    return journal;
  };
  const close = (): void => {
    const closing = journal;
    journal = null;
    closing?.close();
  };
  for (const [index, step] of plannedSteps(plan).entries()) {
    if (index < from) continue;
    if (!tried(`step ${index}`, () => doStep({ open, close }, step, holder))) {
      say("gave up");
      return;
    }
    say(String(index));
  }
  tried("close", close);
  say("done");
}

type Door = { readonly open: () => Journal; readonly close: () => void };

function doStep({ open, close }: Door, step: Step, holder: Holder): void {
  if (step.type === "reopen") {
    close();
    open();
  } else perform(open(), step, holder);
}

/** Only what the journal promises to throw is caught: anything else ends the process, and the test sees it. */
function tried(what: string, work: () => void): boolean {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      work();
      return true;
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      say(`failed ${what}: ${error.code} ${error.message}`);
    }
  }
  return false;
}

function race({ file, session, events }: Extract<Task, { type: "race" }>): void {
  const journal = openSqliteJournal(file);
  nextLine();
  let newest = 0;
  for (let count = 0; count < events; ) {
    const text = `${process.pid} ${count}`;
    const appended = journal.append(session, newest, [{ type: "context.changed", at: 0, text }]);
    if (appended.type === "stale") newest = appended.newest;
    else {
      newest += 1;
      count += 1;
    }
  }
  journal.close();
}

function openInTurn(): void {
  say("ready");
  for (let file = nextLine(); file !== ""; file = nextLine()) {
    const said = outcomeOf(() => {
      const journal = openSqliteJournal(file);
      const { pid } = journal.takeLease("shared", thisProcess());
      journal.append(`of ${process.pid}`, 0, [{ type: "context.changed", at: 0, text: "here" }]);
      journal.close();
      return String(pid);
    });
    say(said);
  }
}

function outcomeOf(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return error instanceof JournalError ? `${error.code}: ${error.message}` : `not a JournalError: ${error}`;
  }
}

/** Reads byte by byte, so that what follows the line is left for the next. */
function nextLine(): string {
  const byte = Buffer.alloc(1);
  let line = "";
  while (readSync(0, byte) === 1 && byte[0] !== 0x0a) line += byte.toString("latin1");
  return line;
}

function live(): void {
  say(JSON.stringify(thisProcess()));
  nextLine();
}

function open({ file }: Extract<Task, { type: "open" }>): void {
  say(
    outcomeOf(() => {
      openSqliteJournal(file).close();
      return "opened";
    }),
  );
}

function fill({ file, filler }: Extract<Task, { type: "fill" }>): void {
  const journal = openSqliteJournal(file);
  writeFileSync(filler, Buffer.alloc(256 * 1024));
  let newest = 0;
  const add = (text: string) => {
    const appended = journal.append("s", newest, [{ type: "context.changed", at: 0, text }]);
    if (appended.type === "stale") throw new Error(`expected ${newest} events, the journal says ${appended.newest}`);
    newest += 1;
    return appended.type;
  };
  const refusal = (): string => {
    for (;;) {
      const said = outcomeOf(() => add(`${newest + 1} `.padEnd(10_000, "x")));
      if (said !== "appended") return said;
    }
  };
  const first = refusal();
  const acknowledged = newest;
  const readWhileFull = journal.read("s", 0).events.length;
  const newStore = outcomeOf(() => openAnother(`${file}-other`));
  rmSync(filler);
  const afterwards = [add("there is room again"), add("and still")];
  journal.close();
  const reopened = openSqliteJournal(file);
  const { events, damage } = reopened.read("s", 0);
  const sequence = events.every(({ seq }, index) => seq === index + 1);
  say(
    JSON.stringify({
      first,
      acknowledged,
      readWhileFull,
      newStore,
      afterwards,
      found: events.length,
      sequence,
      damage,
    }),
  );
}

function openAnother(file: string): string {
  openSqliteJournal(file).close();
  return "opened";
}

const works: { readonly [T in Task["type"]]: (task: Extract<Task, { type: T }>) => void } = {
  steps: workSteps,
  race,
  openers: openInTurn,
  live,
  open,
  fill,
};

function work<T extends Task["type"]>(task: Extract<Task, { type: T }>): void {
  const one: (task: Extract<Task, { type: T }>) => void = works[task.type as T];
  one(task);
}

if (import.meta.main) work(JSON.parse(process.argv[2] ?? "null"));
