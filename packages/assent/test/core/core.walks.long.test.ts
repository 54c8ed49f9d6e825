import fc from "fast-check";
import { expect } from "vitest";
import {
  decide,
  entries,
  evolve,
  type Forked,
  fold,
  type InputBody,
  newSession,
  nextWork,
  type Session,
  type SessionEvent,
  type SessionInput,
} from "../../src/core/index.ts";
import { decodeEvent, encodeEvent, eventTypes } from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { fit, type Move, move } from "./moves.ts";
import { Oracle } from "./oracle.ts";
import { replayed } from "./replaying.ts";
import { complete } from "./story.ts";

/** `WALKS=200000 npx vitest run core.walks` walks more; `WALK_SEED=<seed>` repeats the walks of a failure. */
const walks = Number(process.env["WALKS"] ?? 20_000);
const seed = process.env["WALK_SEED"] === undefined ? {} : { seed: Number(process.env["WALK_SEED"]) };

verifies(
  ["SESS-1c", "SESS-2a", "STATE-1d", "INT-14a", "LIM-3b", "SESS-6a"],
  "in random walks over all inputs every promise holds after every input",
  () => {
    const seen = new Map<string, number>();
    const again = new Map<string, number>();
    const property = fc.property(
      fc.array(move, { minLength: 10, maxLength: 60, size: "max" }),
      fc.nat(19),
      (moves, dice) => {
        const walked = new Walk(moves, origins[dice] ?? null);
        walked.isContent();
        if (dice === 0) walked.refoldEverywhere();
        walked.goHome();
        // Some walks with each kind of event; all of them would take too long.
        if (walked.events.some(({ type }) => (again.get(type) ?? 0) < 20)) {
          walked.replays();
          for (const { type } of walked.events) again.set(type, (again.get(type) ?? 0) + 1);
        }
        for (const [name, times] of walked.seen) seen.set(name, (seen.get(name) ?? 0) + times);
      },
    );
    fc.assert(property, { numRuns: walks, ...seed });
    if (process.env["WALK_SEEN"])
      process.stdout.write(`${JSON.stringify([...seen].sort((a, b) => a[1] - b[1]))}
`);
    if (walks < 20_000) return;
    // A walk that never meets an event proves nothing about it.
    expect([...seen.keys()].filter((name) => !name.includes(" ")).sort()).toEqual([...eventTypes].sort());
    expect([...seen.keys()]).toContain("context.changed with an address that is another");
    expect([...seen.keys()]).toContain("model.failed because it moved");
    expect([...seen.keys()]).toContain("model.failed before anything was refused");
    expect([...seen.keys()]).toContain("run.started again");
    expect([...seen.keys()]).toContain("a last word in a run, and failed");
    expect([...seen.keys()].filter((name) => name.startsWith("exchange.ended ")).sort()).toEqual(everyEnding);
    expect([...seen.keys()].filter((name) => name.startsWith("flow.ended to a running call ")).sort()).toEqual(
      everyEnd,
    );
  },
  900_000,
);

/** One random walk, watched by the oracle at every input. */
class Walk {
  readonly inputs: SessionInput[] = [];
  readonly events: SessionEvent[] = [];
  private readonly oracle = new Oracle();
  private session = newSession();
  private at = 1_000;

  constructor(moves: readonly Move[], forks: Forked | null) {
    this.take({ type: "creation", session: "walk", cwd: "/project", limits, ...(forks === null ? {} : { forks }) });
    for (const { after, make } of moves) {
      this.at += after;
      this.take(make(this.session));
    }
    this.foldsToState();
  }

  get seen(): ReadonlyMap<string, number> {
    return this.oracle.seen;
  }

  isContent(): void {
    const { complaints } = this.oracle;
    if (complaints.length > 0) expect(complaints).toEqual([]);
  }

  /** The same inputs lead to the same events and the same requests, byte for byte, from the state or from its events. */
  refoldEverywhere(): void {
    let session = newSession();
    const events: SessionEvent[] = [];
    for (const input of this.inputs) {
      const decision = decide(session, input);
      events.push(...decision.events);
      for (const event of decision.events) session = evolve(session, event);
      const refolded = fold(events);
      isSame(refolded, session);
      expect(JSON.stringify(nextWork(refolded))).toBe(JSON.stringify(nextWork(session)));
    }
    expect(JSON.stringify(events)).toBe(JSON.stringify(this.events));
  }

  replays(): void {
    const { difference } = replayed(this.events, "walk");
    if (difference !== null) expect(difference).toBeNull();
  }

  /** From wherever the walk ended, willing people and a willing model bring the session to rest. */
  goHome(): void {
    for (let moves = 0; moves < 200; moves++) {
      const work = nextWork(this.session);
      if (work.type === "rest" && work.waiting !== "tools") return;
      const calls = this.session.exchange?.run == null ? [] : [complete()];
      this.take(fit(this.session, work, { ...willing, calls }));
      this.isContent();
    }
    expect.fail(`no rest after 200 moves, but ${JSON.stringify(nextWork(this.session))}`);
  }

  private take(body: InputBody): void {
    const input = { ...(body.type === "prompt" ? this.told(body) : body), at: this.at };
    this.inputs.push(input);
    const { events, refusal } = decide(this.session, input);
    const works = input.type === "verdicts" || input.type === "tool-start" || input.type === "model-result";
    if (works && events.length === 0 && refusal === null) expect.fail(`${input.type} was taken and led to nothing`);
    for (const event of events) {
      this.events.push(event);
      this.oracle.see(event);
      this.session = evolve(this.session, event);
    }
    // Someone who may only watch changes nothing, and brings no time either.
    if (refusal?.code === "not_authorized") {
      expect(events).toEqual([]);
      return;
    }
    if (input.type === "recovery" && this.oracle.running > 0) expect.fail("a call is running after a recovery");
    this.oracle.rest(input.at, nextWork(this.session));
    this.agrees();
  }

  /** No two texts of people are the same, so that the oracle can tell them apart. */
  private told<P extends { readonly text: string }>(prompt: P): P {
    return prompt.text.trim() === "" ? prompt : { ...prompt, text: `${prompt.text} #${this.inputs.length}` };
  }

  private agrees(): void {
    const { session, oracle } = this;
    const held: readonly (readonly [string, unknown, unknown])[] = [
      ["turns", session.turns, oracle.turns],
      ["iterations", session.exchange?.run?.iterations ?? null, oracle.iterations],
      ["questions", session.interactions.length, oracle.open.length],
      [
        "open questions",
        session.interactions.filter(({ openedAt }) => openedAt !== null).length,
        Math.min(1, oracle.open.length),
      ],
      ["grants", session.grants.map(({ id }) => id).join(), [...oracle.grants].join()],
      ["aborted", session.status === "aborted", oracle.aborted],
      ["seq", session.seq, this.events.length],
      ["past the iteration limit", (oracle.iterations ?? 0) >= limits.iterations, false],
    ];
    const wrong = held.filter(([, own, expected]) => own !== expected);
    if (wrong.length > 0) expect.fail(`state and oracle differ: ${JSON.stringify(wrong)}`);
  }

  /** From the journal's own bytes, as another process would read it. */
  private foldsToState(): void {
    const lines = this.events.map((event, index) => encodeEvent({ seq: index + 1, session: "walk", event }));
    const read = lines.map(decodeEvent).map((line) => (line.type === "event" ? line.event : expect.fail(line.reason)));
    isSame(fold(read), this.session);
  }
}

/** Comparing texts is many times faster; only what differs is looked into. */
function isSame(one: Session, other: Session): void {
  const [first, second] = [plain(one), plain(other)];
  if (JSON.stringify(first) !== JSON.stringify(second)) expect(first).toEqual(second);
}

const limits = { turns: 6, iterations: 4, failures: 3, repeats: 3, calls: 5 };

const forked: Forked = {
  session: "origin",
  seq: 9,
  name: null,
  addresses: ["https://one.example"],
  history: [
    { role: "user", text: "list" },
    { role: "assistant", text: "", calls: [{ id: "ft1c1", original: "x", tool: "terminal", arguments: "ls" }] },
    { role: "tool", call: "ft1c1", original: "x", text: "a.txt", failed: false },
  ],
};

const unanswered: Forked = { ...forked, history: [{ role: "user", text: "list" }], unworked: true };
/** Some walks begin with what was said elsewhere. */
const origins = [forked, forked, forked, unanswered];

const everyEnding = [
  "exchange.ended answered",
  "exchange.ended budget",
  "exchange.ended cancelled",
  "exchange.ended completed",
  "exchange.ended contract-violation",
  "exchange.ended failed",
  "exchange.ended iteration-limit",
  "exchange.ended stalled",
  "exchange.ended stopped",
  "exchange.ended turn-limit",
];

const everyEnd = ["aborted", "call-ended", "cancelled", "confirmed", "expired", "nobody", "stopped", "taken-back"].map(
  (end) => `flow.ended to a running call ${end}`,
);

const willing = {
  reply: "1",
  text: "text",
  softOffers: "off",
  begins: null,
  own: null,
  outcome: "replied",
  verdicts: ["allow"],
  result: { type: "output", text: "fine" },
  pick: 3,
  digest: "same",
  asksInput: false,
  form: null,
} as const;

/** A session with its logs as lists, so that a comparison does not run down a chain. */
function plain(session: Session): unknown {
  return { ...session, history: entries(session.history), resolved: entries(session.resolved) };
}
