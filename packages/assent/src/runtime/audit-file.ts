import { isUtf8 } from "node:buffer";
import { type AuditRecord, auditSteps } from "../core/index.ts";
import {
  auditFileVersion,
  closedLine,
  coveredLine,
  type Loose,
  looseCount,
  looseList,
  looseRecord,
  looseText,
  readAuditLine,
} from "../wire/index.ts";
import type { ChainBreak, ChainCheck } from "./ports.ts";
import { noHash, sha256 } from "./sha256.ts";

export type AuditFile = {
  readonly session: string;
  readonly cwd: string;
  /** The version of Assent, and when it was exported. */
  readonly version: string;
  readonly at: number;
  readonly records: readonly AuditRecord[];
  readonly check: ChainCheck;
};

/** An audit that stands for itself: a header, a line for each decision and execution, and an end; each holds those before it. */
export function auditLines({ session, cwd, version, at, records, check }: AuditFile): readonly string[] {
  const { events, before, head, breaks, more } = check;
  const steps = auditSteps(records);
  const bodies = [
    { type: "audit", v: auditFileVersion, session, cwd, assent: version, exported: at },
    ...steps.map((step, index) => ({ n: index + 1, ...step })),
    { type: "end", records: steps.length, journal: { events, before, head, breaks, more } },
  ];
  let prev = noHash;
  return bodies.map((body) => {
    const covered = coveredLine(body, prev);
    prev = sha256(covered);
    return closedLine(covered, prev);
  });
}

type ExportedChain = Pick<ChainCheck, "events" | "before" | "head" | "more"> & {
  readonly breaks: readonly (Omit<ChainBreak, "what"> & { readonly what: string })[];
};

export type AuditFileCheck = {
  readonly session: string | null;
  readonly records: number;
  /** The hash of the last line. */
  readonly head: string | null;
  /** What was known of the session's events when it was exported, as its end says it. */
  readonly journal: ExportedChain | null;
  /**
   * The line that has the hash which was looked for, where all up to it is as it was. That of the journal, which the end names, is
   * none: it does not come from these lines, and whoever makes them anew can leave it there.
   */
  readonly found: number | null;
  readonly breaks: readonly { readonly line: number; readonly what: string; readonly reason: string }[];
};

/** Whether an exported audit is as it was exported; a line that is not is named by its number and by what it says that it is. */
export function checkAuditFile(file: Uint8Array, wanted?: string): AuditFileCheck {
  const walk = new FileWalk(wanted);
  for (const line of linesIn(Buffer.from(file))) walk.step(line);
  return walk.end();
}

/** What is no text is no line of ours: read as one, another byte could stand in its place unseen. */
function* linesIn(bytes: Buffer): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const line = bytes.subarray(from, end === -1 ? bytes.length : end);
    yield isUtf8(line) ? line.toString("utf8") : "";
    from += line.length + 1;
  }
}

class FileWalk {
  readonly #wanted: string | undefined;
  readonly #breaks: AuditFileCheck["breaks"][number][] = [];
  #line = 0;
  #records = 0;
  #session: string | null = null;
  #journal: ExportedChain | null = null;
  #found: number | null = null;
  #ended = false;
  /** What follows is not of this audit. */
  #over = false;
  #head: string | null = null;
  /** The hashes that the next line may follow: as it is stored, and as it should be. None after a line that is no line. */
  #before: readonly string[] | null = [noHash];

  constructor(wanted: string | undefined) {
    this.#wanted = wanted;
  }

  step(text: string): void {
    if (this.#over) return;
    this.#line += 1;
    const read = readAuditLine(text);
    const before = this.#before;
    if (typeof read === "string") {
      this.#breakAt({}, read);
      this.#before = null;
      return;
    }
    const { body, covered, prev, hash } = read;
    const should = sha256(covered);
    this.#before = [hash, should];
    this.#head = hash;
    if (should !== hash) this.#breakAt(body, "it is not as it was exported");
    else if (this.#ended && body["type"] === "audit") {
      this.#over = true;
      this.#breakAt(body, "another audit begins here: each is verified by itself, in a file of its own");
    } else if (before !== null && !before.includes(prev)) {
      this.#breakAt(body, "it does not follow the line before it: lines are missing, or in another order");
    } else if (this.#ended) this.#breakAt(body, "it comes after the end");
    else this.#take(body, hash);
  }

  end(): AuditFileCheck {
    if (!this.#ended && this.#breaks.length === 0) {
      this.#line += 1;
      this.#breakAt({ type: "end" }, "the end of the audit is missing");
    }
    const [session, records, journal] = [this.#session, this.#records, this.#journal];
    return { session, records, head: this.#head, journal, found: this.#found, breaks: this.#breaks };
  }

  /** A line that is as it was exported. */
  #take(body: Loose, hash: string): void {
    if (hash === this.#wanted && this.#breaks.length === 0) this.#found = this.#line;
    const { type, n } = body;
    if (this.#line === 1) this.#takeHeader(body);
    else if (type === "end") this.#takeEnd(body);
    else if (this.#breaks.length === 0 && n !== this.#records + 1) {
      this.#breakAt(body, `expected record ${this.#records + 1}, found ${Number(n)}`);
    } else this.#records += 1;
  }

  #takeHeader(body: Loose): void {
    const { type, v, session } = body;
    this.#session = looseText(session);
    if (type !== "audit") this.#breakAt(body, "the header of the audit is missing");
    else if (v !== auditFileVersion) this.#breakAt(body, `expected version ${auditFileVersion}, found ${Number(v)}`);
  }

  #takeEnd(body: Loose): void {
    const { records, journal } = body;
    this.#ended = true;
    this.#journal = exportedChain(looseRecord(journal));
    if (this.#breaks.length > 0) return;
    if (records !== this.#records) {
      this.#breakAt(body, `expected ${this.#records} records, found ${Number(records)}`);
    }
  }

  #breakAt(body: Loose, reason: string): void {
    this.#breaks.push({ line: this.#line, what: describe(body), reason });
  }
}

function exportedChain({ events, before, head, breaks, more }: Loose): ExportedChain {
  return {
    ...{ events: looseCount(events), before: looseCount(before), head: looseText(head) || null },
    breaks: looseList(breaks).map((each) => {
      const { seq, what, reason, type, call } = looseRecord(each);
      return {
        // A number that is no place is one of the things that can be wrong with it.
        ...{ seq: typeof seq === "number" ? seq : 0, what: looseText(what), reason: looseText(reason) },
        ...{ type: looseText(type) || null, call: looseText(call) || null },
      };
    }),
    more: looseCount(more),
  };
}

function describe(body: Loose): string {
  const { type, call } = body;
  const kind = type === "audit" ? "header" : looseText(type);
  return looseText(call) === "" ? kind : `${kind} of call ${looseText(call)}`;
}
