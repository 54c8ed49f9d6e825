import type { SessionEvent } from "../../core/index.ts";
import { encodeEvent } from "../../wire/index.ts";
import { type ChainBreak, type ChainCheck, type ChainPlace, milestones } from "../ports.ts";
import { noHash, sha256 } from "../sha256.ts";
import { despiteDamage } from "./failure.ts";

/** So many breaks of a session are told one by one. */
const mostBreaks = 100;
/** Where rows were exchanged, what follows them is held against the hashes of the last few. */
const mostCandidates = 16;

/** So many bytes of an event are enough to tell its number and its session. */
const mostPlace = 1_024;

const notAsRecorded = "it is not as it was recorded";

/** An event as it is stored, to the byte. */
export type ChainRow = {
  readonly seq: number;
  readonly milestone: number;
  readonly line: string | Uint8Array;
  readonly hash: string | null;
};

/** What is known of a session beside its events. */
export type ChainNote = {
  /** So many were recorded before there were hashes. */
  readonly before: number;
  /** The newest event and its hash, when the session was last left or its end was lost. */
  readonly noted: { readonly seq: number; readonly head: string } | null;
};

export const noNote: ChainNote = { before: 0, noted: null };

/** Of what is lost with the end of a file or of its log, this may be a part. */
export function endMissing(noted: number): string {
  return `events up to ${noted} were recorded, and are missing at the end; what other sessions recorded then may be missing, too`;
}

/** Events as they are stored after those that there are; `head` is the hash of the newest of these, `null` before the first. */
export function chainEvents(
  session: string,
  events: readonly SessionEvent[],
  { after, head }: { readonly after: number; readonly head: string | null },
): readonly (ChainRow & { readonly line: string; readonly hash: string })[] {
  let hash = head ?? noHash;
  return events.map((event, index) => {
    const seq = after + index + 1;
    const milestone = milestones.includes(event.type) ? 1 : 0;
    const line = encodeEvent({ seq, session, event });
    hash = chainHash(hash, { seq, milestone, line });
    return { seq, milestone, line, hash };
  });
}

/** The hash of an event, given that of the one before it. */
function chainHash(previous: string, { seq, milestone, line }: Omit<ChainRow, "hash">): string {
  const place = `${previous} ${seq} ${milestone}\n`;
  return sha256(typeof line === "string" ? place + line : Buffer.concat([Buffer.from(place), line]));
}

/** The hash that the next event goes on from, where the newest has none: what is of before there were hashes counts all the same. */
export function hashAfter(rows: Iterable<ChainRow>): string {
  let hash = noHash;
  for (const row of rows) hash = row.hash ?? chainHash(hash, row);
  return hash;
}

export type Checking = {
  readonly note: ChainNote;
  readonly wanted: string | undefined;
  /** The rows are those after this one. */
  readonly after?: ChainPlace | undefined;
  /** It stands in no list of sessions: nobody can say whose its events should be. */
  readonly isUnlisted?: boolean;
};

/** Goes through a session's rows, in the order of their numbers, and tells what is not as it was recorded. */
export function checkChain(
  session: string,
  rows: Iterable<ChainRow>,
  { note, wanted, after, isUnlisted = false }: Checking,
): ChainCheck {
  const walk = new Walk(isUnlisted ? null : session, { note, wanted, after });
  const goThrough = () => {
    for (const row of rows) walk.step(row);
    walk.end();
  };
  despiteDamage(goThrough, (reason) => walk.unreadable(reason));
  return { session, ...walk.result() };
}

class Walk {
  readonly #session: string | null;
  readonly #note: ChainNote;
  readonly #wanted: string | undefined;
  readonly #breaks: ChainBreak[] = [];
  #more = 0;
  #events = 0;
  #before = 0;
  #last = 0;
  #head: string | null = null;
  #found: number | null = null;
  /** The call that each question is about: an answer does not say it itself. */
  readonly #asked = new Map<string, string>();
  /** The hashes that the next row may follow, the likeliest first; none where the row before it is missing. */
  #candidates: readonly string[] = [noHash];
  /** The last break, while it is not known whether the event or its hash was changed: what its hash should be. */
  #doubted: string | null = null;

  constructor(session: string | null, { note, wanted, after }: Omit<Checking, "isUnlisted">) {
    this.#session = session;
    this.#note = note;
    this.#wanted = wanted;
    if (after !== undefined) {
      [this.#last, this.#head] = [after.seq, after.hash];
      this.#candidates = [after.hash];
    }
    if (session === null) {
      const reason = "its session was taken out of the list of sessions";
      this.#add({ seq: 1, what: "unlisted", reason, type: null, call: null });
    }
  }

  step(row: ChainRow): void {
    const { seq } = row;
    this.#events += 1;
    if (isQuestion(row.line)) this.#takeQuestion(row.line);
    // What is no number is no place either.
    if (!(seq > this.#last)) {
      this.#break(row, "misplaced", `expected event ${this.#last + 1}`);
      return;
    }
    if (seq > this.#last + 1) this.#skip(seq);
    this.#last = seq;
    this.#head = row.hash;
    const known = this.#breaks.length + this.#more;
    if (row.hash === null) this.#withoutHash(row);
    else this.#withHash({ ...row, hash: row.hash });
    // Whole chains can be exchanged, too.
    if (this.#breaks.length + this.#more === known && this.#elsewhere(row) !== null) this.#break(row, "changed", "");
    const isIntact = this.#breaks.length + this.#more === known;
    // It stands for all that came before it.
    if (this.#breaks.length === 0 && row.hash !== null && row.hash === this.#wanted) this.#found = seq;
    const { noted } = this.#note;
    if (isIntact && noted?.seq === seq && noted.head !== row.hash) {
      this.#break(
        row,
        "noted",
        "it is not the one that was recorded; what other sessions recorded then may be missing, too",
      );
    }
  }

  end(): void {
    const { noted } = this.#note;
    if (noted === null || noted.seq <= this.#last) return;
    this.#add({ seq: this.#last + 1, what: "cut", reason: endMissing(noted.seq), type: null, call: null });
  }

  unreadable(why: string): void {
    const reason = `it cannot be read: ${why}; what comes after it is not verified`;
    this.#add({ seq: this.#last + 1, what: "unreadable", reason, type: null, call: null });
  }

  result(): Omit<ChainCheck, "session"> {
    const [events, before, head] = [this.#events, this.#before, this.#head];
    return { events, before, head, found: this.#found, breaks: this.#breaks, more: this.#more };
  }

  #skip(seq: number): void {
    const [from, to] = [this.#last + 1, seq - 1];
    const reason = from === to ? "it is missing" : `events ${from} to ${to} are missing`;
    this.#add({ seq: from, what: "missing", reason, type: null, call: null });
    // What follows cannot be held against a hash that is not there.
    this.#candidates = [];
    this.#doubted = null;
  }

  #withoutHash(row: ChainRow): void {
    const [likeliest] = this.#candidates;
    this.#candidates = likeliest === undefined ? [] : [chainHash(likeliest, row)];
    this.#doubted = null;
    if (row.seq <= this.#note.before) this.#before += 1;
    else this.#break(row, "unhashed", "it has no hash: it was taken away, or an older Assent recorded it");
  }

  #withHash(row: ChainRow & { readonly hash: string }): void {
    const [likeliest] = this.#candidates;
    if (likeliest === undefined) {
      this.#candidates = [row.hash];
      if (placeIn(row.line) === null) this.#break(row, "changed", notAsRecorded);
      return;
    }
    const followed = this.#candidates.find((previous) => chainHash(previous, row) === row.hash);
    if (followed !== undefined) {
      // The event before it fits between its neighbours, and what it was stored with does not.
      if (followed === this.#doubted) this.#blameHash();
      this.#candidates = [row.hash];
      this.#doubted = null;
      return;
    }
    this.#doubted = chainHash(likeliest, row);
    this.#candidates = [this.#doubted, row.hash, ...this.#candidates].slice(0, mostCandidates);
    const ofBefore = row.seq === this.#before + 1 && this.#before > 0;
    const reason = ofBefore
      ? `it, or one of the ${this.#before} before it that have no hashes, is not as it was recorded`
      : notAsRecorded;
    this.#break(row, "changed", reason);
  }

  #takeQuestion(line: string | Uint8Array): void {
    const text = textOf(line);
    const interaction = /"interaction_id":"([^"]{1,80})"/.exec(text)?.[1];
    const call = /"purpose":\{[^{}]*"call":"([^"]{1,80})"/.exec(text)?.[1];
    if (interaction !== undefined && call !== undefined) this.#asked.set(interaction, call);
  }

  #blameHash(): void {
    const last = this.#breaks.at(-1);
    if (last?.what !== "changed" || this.#more > 0) return;
    this.#breaks[this.#breaks.length - 1] = { ...last, what: "hash", reason: "its hash is not as it was recorded" };
  }

  #break(row: ChainRow, what: ChainBreak["what"], reason: string): void {
    const { type, ...about } = told(row.line);
    const call = about.call ?? this.#asked.get(about.interaction ?? "") ?? null;
    const elsewhere = what === "changed" ? this.#elsewhere(row) : null;
    if (elsewhere === null) this.#add({ seq: row.seq, what, reason, type, call });
    else this.#add({ seq: row.seq, what: "misplaced", reason: `it says that it is ${elsewhere}`, type, call });
  }

  /** Where an event belongs by its own words, where that is not here. */
  #elsewhere({ seq, line }: ChainRow): string | null {
    const place = placeIn(line);
    if (place === null) return null;
    if (place.seq !== seq) return `event ${place.seq}`;
    const isOurs = this.#session === null || place.session === JSON.stringify(this.#session).slice(1, -1);
    return isOurs ? null : `of session ${place.session}`;
  }

  #add(broken: ChainBreak): void {
    if (this.#breaks.length < mostBreaks) this.#breaks.push(broken);
    else this.#more += 1;
  }
}

/** The number and the session, as JSON has it, that an event says it has; `null` where its text does not begin as one of ours. */
function placeIn(line: string | Uint8Array): { readonly seq: number; readonly session: string } | null {
  const text = textOf(typeof line === "string" ? line : line.subarray(0, mostPlace));
  const [, seq, session] = /^\{"seq":(\d{1,15}),"at":[-+.\de]{1,30},"session":"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  return seq === undefined || session === undefined ? null : { seq: Number(seq), session };
}

type Told = Pick<ChainBreak, "type" | "call"> & { readonly interaction: string | null };

/** What a text that may be damaged says of itself. */
function told(line: string | Uint8Array): Told {
  const text = textOf(line);
  const first = (pattern: RegExp) => pattern.exec(text)?.[1] ?? null;
  // A reply may have several.
  const calls = [...text.matchAll(/\{"id":"([^"]{1,80})","original":/g)].map(([, id]) => id);
  return {
    type: first(/"type":"([a-z]+\.[a-z]+)"/),
    call: calls.length > 0 ? calls.join(", ") : first(/"call":"([^"]{1,80})"/),
    interaction: first(/"interaction(?:_id)?":"([^"]{1,80})"/),
  };
}

const question = '"type":"interaction.requested"';

function isQuestion(line: string | Uint8Array): boolean {
  if (typeof line === "string") return line.includes(question);
  return Buffer.from(line.buffer, line.byteOffset, line.byteLength).includes(question);
}

function textOf(line: string | Uint8Array): string {
  return typeof line === "string" ? line : Buffer.from(line).toString("utf8");
}
