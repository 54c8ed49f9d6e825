import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import { openSqliteJournal } from "../../src/runtime/index.ts";
import { Oracle } from "../core/oracle.ts";
import { verifies } from "../requirements/verifies.ts";
import { Random } from "../simulation/random.ts";
import { Place, type Running, type Scripted, terminal } from "./product.ts";

/** `KILLS=1000 npx vitest run e2e/kills` kills more often; `KILL_SEED=<seed>` chooses the moments anew. */
const wanted = Number(process.env["KILLS"] ?? 60);
const seed = Number(process.env["KILL_SEED"] ?? 1);
const turns = 12;

verifies(
  ["SESS-2d", "SESS-1b"],
  `killed ${wanted} times at any moment and resumed, no command has run twice and nothing is lost`,
  async () => {
    const random = new Random(seed);
    let kills = 0;
    for (let nth = 1; kills < wanted; nth++) {
      const place = new Place(script(nth), {});
      traceCommands(place);
      kills += await playUntilDone(place, random);
      expect(complaints(place)).toEqual([]);
    }
  },
  300_000,
);

/** Harmless, so that nobody is asked; in this place it leaves a trace. */
function script(nth: number): readonly Scripted[] {
  const replies = Array.from({ length: turns }, (_, index) => terminal(`ls ${nth}-${index + 1}`));
  return [...replies, { text: "All done." }];
}

function traceCommands(place: Place): void {
  const programs = place.file("programs");
  mkdirSync(programs);
  const ls = join(programs, "ls");
  writeFileSync(ls, `#!/bin/sh\necho "$@" >> '${place.file("trace")}'\n`);
  chmodSync(ls, 0o755);
  place.env["PATH"] = `${programs}${delimiter}${process.env["PATH"]}`;
}

/** Starts it again and again, and kills it at a moment of its choosing, until it got to its end. */
async function playUntilDone(place: Place, random: Random): Promise<number> {
  for (let kills = 0; ; kills++) {
    const session = sessionOf(place);
    const running = place.start(session === undefined ? ["run", "go"] : ["resume", session]);
    // Later and later: a slow machine must get to the end too.
    if (!(await killSoon(running, 60 + random.below(190 + 20 * kills)))) return kills;
  }
}

/** The session that got its prompt; one that was made just before the kill did not. */
function sessionOf(place: Place): string | undefined {
  const journal = openSqliteJournal(join(place.home, "journal.db"));
  const { sessions } = journal.outline();
  journal.close();
  return sessions.find(({ milestones }) => milestones.length > 1)?.session;
}

/** False when it had ended by itself. */
async function killSoon(running: Running, ms: number): Promise<boolean> {
  const timer = setTimeout(() => running.kill("SIGKILL"), ms);
  const code = await running.ended;
  clearTimeout(timer);
  if (code !== -2) expect({ code, output: running.output }).toMatchObject({ code: 0 });
  return code === -2;
}

/** The journal read by a stranger, beside the traces that the commands left. */
function complaints(place: Place): readonly string[] {
  const traced = place.read("trace").split("\n").filter(Boolean);
  const twice = traced.filter((line, index) => traced.indexOf(line) !== index).map((line) => `ls ${line} ran twice`);
  const journal = openSqliteJournal(join(place.home, "journal.db"));
  try {
    const session = sessionOf(place) ?? "";
    const { events, damage } = journal.read(session, 0);
    const oracle = new Oracle();
    for (const { event } of events) oracle.see(event);
    const finished = events.filter(({ event }) => event.type === "call.finished").length;
    const unknown = events.filter(({ event }) => event.type === "call.unknown").length;
    const settled = finished + unknown === turns ? [] : [`${finished} finished and ${unknown} unknown of ${turns}`];
    const missing = traced.length < finished ? [`${finished} finished, but only ${traced.length} ran`] : [];
    return [...twice, ...oracle.complaints, ...settled, ...missing, ...(damage === null ? [] : [damage.reason])];
  } finally {
    journal.close();
  }
}
