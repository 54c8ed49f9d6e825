/**
 * What a damaged store gives, held against what it held while it was whole. Nothing that the journal says of itself is taken
 * for true, but for what it names: that is what it is asked for.
 */
import { openSqliteJournal } from "../../packages/assent/src/runtime/journal/index.ts";
import {
  type ChainBreak,
  type ChainCheck,
  type Damage,
  type Journal,
  JournalError,
  milestones,
  type Outline,
} from "../../packages/assent/src/runtime/ports.ts";
import { thisProcess } from "../../packages/assent/src/runtime/process.ts";
import { encodeEvent } from "../../packages/assent/src/wire/index.ts";
import { note } from "../../packages/assent/test/contracts/stores.ts";
import type { WholeStore } from "./stores.ts";

export type Verdict = {
  /** All is read as it was; some of it is, and the rest is named; or nothing is, with a reason. */
  readonly outcome: "intact" | "named" | "refused";
  /** Beside that: what is worth being counted. */
  readonly notes: readonly string[];
  readonly violations: readonly string[];
};

/** What was named, by any of the ways in which people look. */
type Named = {
  readonly outline: readonly Damage[];
  readonly checks: readonly ChainCheck[];
  /** A look at all of it was refused, or what is wrong is in no session. */
  readonly whole: readonly string[];
};

const holder = thisProcess();
/** How a session tells that it may not be the only one. */
const tooReason = "may be missing, too";

type Expected = { readonly lines: readonly string[]; readonly named: Named; readonly isListed: boolean };

/** `least`: so many sessions have lost nothing. */
export function judgeStore(file: string, store: WholeStore, least: number): Verdict {
  const judging = new Judging(file, store, least);
  const journal = judging.attempt("opening", () => openSqliteJournal(file));
  if (journal === null) return judging.refused();
  try {
    return judging.look(journal);
  } finally {
    judging.attempt("closing", () => journal.close());
  }
}

class Judging {
  readonly #file: string;
  readonly #store: WholeStore;
  readonly #least: number;
  readonly #violations: string[] = [];
  readonly #notes = new Set<string>();
  readonly #refusals: string[] = [];

  constructor(file: string, store: WholeStore, least: number) {
    this.#file = file;
    this.#store = store;
    this.#least = least;
  }

  verdict(outcome: Verdict["outcome"]): Verdict {
    return { outcome, notes: [...this.#notes], violations: this.#violations };
  }

  refused(): Verdict {
    if (this.#least > 0)
      this.#violate(`it is refused, and ${this.#least} sessions were not touched: ${this.#refusals[0]}`);
    return this.verdict("refused");
  }

  /** `null` where the journal refused, which must be by an error of its own that names the file. */
  attempt<T>(what: string, work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof JournalError)) this.#violate(`${what} threw ${describe(error)}`);
      else if (!error.message.startsWith(`${this.#file}: `)) this.#violate(`${what}: ${error.message} names no file`);
      else if (error.message.includes("undefined")) this.#violate(`${what}: ${error.message}`);
      this.#refusals.push(`${what}: ${describe(error)}`);
      return null;
    }
  }

  look(journal: Journal): Verdict {
    const outline = this.attempt("outline", () => journal.outline());
    const heads = this.attempt("heads", () => journal.heads());
    const checks = this.attempt("verify", () => journal.verify(null)) ?? [];
    const named = { outline: outline?.damage ?? [], checks, whole: this.#wholeNamed(checks, heads) };
    const listed = new Set(outline?.sessions.map(({ session }) => session));
    const intact = [...this.#store.sessions].filter(([id, lines]) =>
      this.#readsAsItWas(journal, id, { lines, named, isListed: listed.has(id) }),
    );
    if (intact.length < this.#least)
      this.#violate(`only ${intact.length} sessions are whole, ${this.#least} were not touched`);
    if (outline !== null) this.#outlined(outline, named);
    if (heads !== null) this.#headed(journal, heads, named);
    const isNamed =
      named.whole.length > 0 || named.outline.length > 0 || checks.some(({ breaks }) => breaks.length > 0);
    const ids = intact.map(([session]) => session);
    this.#use(journal, ids, isNamed);
    if (ids.length === 0 && outline === null) return this.verdict("refused");
    return this.verdict(isNamed || ids.length < this.#store.sessions.size ? "named" : "intact");
  }

  /** What was said of the store as a whole: it was refused, or is wrong in no session, or lacks more than one of them tells. */
  #wholeNamed(checks: readonly ChainCheck[], heads: ReadonlyMap<string, number> | null): readonly string[] {
    const ofNone = checks.filter(({ session }) => !this.#store.sessions.has(session) && !heads?.has(session));
    const reasons = (some: readonly ChainCheck[]) => some.flatMap(({ breaks }) => breaks.map(({ reason }) => reason));
    return [...this.#refusals, ...reasons(ofNone), ...reasons(checks).filter((each) => each.endsWith(tooReason))];
  }

  /** Whether all of it is there; what is not as it was, or is missing, must be named. */
  #readsAsItWas(journal: Journal, session: string, { lines, named, isListed }: Expected): boolean {
    const reading = this.attempt(`reading ${session}`, () => journal.read(session, 0));
    if (reading === null) {
      if (isListed) this.#violate(`${session}: it is listed, and its reading is refused: ${this.#refusals.at(-1)}`);
      return false;
    }
    const { events, damage } = reading;
    for (const [index, recorded] of events.entries()) {
      if (encodeEvent(recorded) !== lines[index]) this.#changed(session, index + 1, named);
    }
    if (damage !== null && damage.seq !== events.length + 1) {
      this.#violate(`${session}: ${events.length} events are read, and the damage is told at ${damage.seq}`);
    }
    if (damage !== null && damage.session !== session) this.#violate(`${session}: told as ${damage.session}`);
    if (events.length < lines.length && damage === null) {
      this.#mustBeSeen(session, `${events.length} of ${lines.length} events are read`, named);
    }
    if (events.length > lines.length) this.#mustBeNamed(session, `${events.length - lines.length} too many`, named);
    const isSame = events.length === lines.length && events.every((each, index) => encodeEvent(each) === lines[index]);
    return isSame && damage === null && !isNamedIn(session, named);
  }

  #changed(session: string, seq: number, { checks, whole }: Named): void {
    const check = checks.find((each) => each.session === session);
    const covered = check?.breaks.some((each) => covers(each, seq)) || (check?.more ?? 0) > 0;
    if (covered) this.#notes.add("changed, and found by verify");
    else if (this.#store.isOlder && check !== undefined && seq <= check.before) {
      this.#notes.add("changed, of before there were hashes");
    } else if (whole.length > 0) this.#notes.add("changed, and only the store is named");
    else this.#violate(`${session}: event ${seq} is not as it was, and nothing says so`);
  }

  /** By what people see of themselves: the reading has not said it, so the list of sessions must. */
  #mustBeSeen(session: string, what: string, named: Named): void {
    const isListed = named.outline.some((each) => each.session === session);
    if (isListed || this.#refusals.length > 0) return;
    // Those that are in no list have no id; and what went with the log is told by one session for all.
    const forOthers = ({ session: id, reason }: Damage) => id.endsWith("(not listed)") || reason.endsWith(tooReason);
    if (named.outline.some(forOthers)) this.#notes.add("missing, and told by another session");
    else this.#violate(`${session}: ${what}, and only who verifies is told, if anybody`);
  }

  /** By anything: an index that lacks something is found by who verifies. */
  #mustBeNamed(session: string, what: string, named: Named): void {
    if (named.outline.some((each) => each.session === session)) return;
    if (isNamedIn(session, named)) this.#notes.add("not listed in full, and found by verify alone");
    else if (named.whole.length > 0) this.#notes.add("not listed in full, and only the store is named");
    else this.#violate(`${session}: ${what}, and nothing says so`);
  }

  /** Each session is listed, with the milestones that it has. */
  #outlined({ sessions }: Outline, named: Named): void {
    for (const [session, lines] of this.#store.sessions) {
      const found = sessions.find((each) => each.session === session)?.milestones.map(encodeEvent);
      const expected = lines.filter((line) => milestones.includes(typeOf(line)));
      if (found === undefined) this.#mustBeNamed(session, "it is not listed", named);
      else if (found.length !== expected.length) {
        this.#mustBeNamed(session, `${found.length} of ${expected.length} milestones are listed`, named);
      } else {
        const wrong = expected.findIndex((line, index) => line !== found[index]);
        if (wrong !== -1) this.#changed(session, seqOf(expected[wrong] ?? ""), named);
      }
    }
  }

  #headed(journal: Journal, heads: ReadonlyMap<string, number>, named: Named): void {
    for (const [session, lines] of this.#store.sessions) {
      const newest = heads.get(session);
      if (newest !== lines.length) this.#mustBeNamed(session, `its newest is ${newest}`, named);
    }
    for (const session of heads.keys()) if (!this.#store.sessions.has(session)) this.#stranger(journal, session, named);
  }

  /** A session that was not there. */
  #stranger(journal: Journal, session: string, named: Named): void {
    const reading = this.attempt(`reading ${session}`, () => journal.read(session, 0));
    if (reading === null || reading.damage !== null) return;
    this.#mustBeNamed(session, `it is listed with ${reading.events.length} events, and was never there`, named);
  }

  /** What is whole can be gone on with, as far as the store can be written at all. */
  #use(journal: Journal, intact: readonly string[], isNamed: boolean): void {
    for (const session of intact.slice(0, 3)) {
      const lines = this.#store.sessions.get(session) ?? [];
      const refused = this.#refusals.length;
      const holds = this.attempt("takeLease", () => journal.takeLease(session, holder));
      const appended = this.attempt("append", () => journal.append(session, lines.length, [note("after the damage")]));
      this.attempt("releaseLease", () => journal.releaseLease(session, holder));
      if (this.#refusals.length > refused) {
        this.#notes.add("a whole session that cannot be written to");
        // That it cannot be written is all that is wrong with it, and is said.
        const isSaid = this.#refusals[refused]?.includes("it cannot be opened for writing");
        if (!isNamed && !isSaid) this.#violate(`${session}: ${this.#refusals[refused]}, and nothing was named before`);
      }
      if (holds !== null && holds.host !== holder.host) this.#notes.add("a lease of nobody");
      if (appended !== null && appended.type !== "appended") this.#violate(`${session}: its append is stale`);
    }
    for (const session of intact) this.#stillThere(journal, session);
  }

  #stillThere(journal: Journal, session: string): void {
    const lines = this.#store.sessions.get(session) ?? [];
    const events = this.attempt(`reading ${session} again`, () => journal.read(session, 0))?.events ?? [];
    const isSame = events.length >= lines.length && lines.every((line, index) => line === asLine(events[index]));
    if (!isSame) this.#violate(`${session}: it was whole, and is not any more once others were written to`);
  }

  #violate(what: string): void {
    this.#violations.push(what);
  }
}

/** After an event that is missing or unreadable nothing can be held against what came before. */
function covers({ seq, what }: ChainBreak, changed: number): boolean {
  return seq === changed || (seq < changed && ["missing", "unreadable"].includes(what));
}

function isNamedIn(session: string, { outline, checks }: Named): boolean {
  const broken = checks.some((each) => each.session === session && each.breaks.length > 0);
  return broken || outline.some((each) => each.session === session);
}

function asLine(recorded: Parameters<typeof encodeEvent>[0] | undefined): string | null {
  return recorded === undefined ? null : encodeEvent(recorded);
}

function seqOf(line: string): number {
  return Number(/"seq":(\d+)/.exec(line)?.[1]);
}

function typeOf(line: string): string {
  return /"type":"([a-z.]+)"/.exec(line)?.[1] ?? "";
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
