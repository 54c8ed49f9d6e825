import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { formats } from "../e2e/model-place.ts";
import { Packed } from "../e2e/packed.ts";
import { noTerminal } from "../e2e/product.ts";
import { Random } from "../simulation/random.ts";
import { Home } from "./home.ts";
import { type Aim, Killer } from "./killer.ts";
import { type Kind, kinds } from "./kinds.ts";
import { openModel } from "./model.ts";
import { Play, type Played } from "./play.ts";

export type CrashOptions = {
  readonly kills: number;
  readonly seed: number;
  /** Plays this one alone. */
  readonly only?: number;
  /** What is wrong, as it is found; then the home of that play stays where it is. */
  readonly onViolation?: (violation: string) => void;
  /** Every hundred kills. */
  readonly onProgress?: (totals: Totals) => void;
};

/** What has been done so far. */
export type Totals = {
  readonly counts: Readonly<Record<Counted, number>>;
  /** By the type of the last event in the journal: at how many kills it was that. */
  readonly lasts: ReadonlyMap<string, number>;
  /** The types of all events that were met. */
  readonly types: ReadonlySet<string>;
  readonly violations: readonly string[];
};

type Counted =
  | ("kills" | "points" | "sessions" | "processes" | "event types" | "acknowledged events" | "accepted answers")
  | ("questions open at a kill" | "calls unknown after one" | "model requests");

type Planned = { readonly number: number; readonly kind: Kind; readonly format: string; readonly first: Aim | null };

const lanes = 2;
/** An append and what follows at once take no longer. */
const longestDelay = 40;
const playable = kinds.filter(({ surface }) => surface !== "terminal" || !noTerminal);

/** Kills the shipped command at every journalled point of every kind of session, until it was killed so often. */
export async function crash(options: CrashOptions): Promise<Totals> {
  const packed = new Packed();
  const killers = Array.from({ length: lanes }, () => new Killer());
  try {
    const stage = new Stage(packed, options);
    const { seed, only } = options;
    const all = planned(await rehearse(stage, killers), seed);
    // Those below 0 are the rehearsals.
    const plan = only === undefined ? all : all.drop(Math.max(0, only)).take(only < 0 ? 0 : 1);
    const play = async (killer: Killer) => {
      for (const each of plan) {
        await stage.play(each, killer);
        if (stage.totals.counts.kills >= options.kills) return;
      }
    };
    await Promise.all(killers.map(play));
    return stage.totals;
  } finally {
    await Promise.all(killers.map((killer) => killer.close()));
    packed.remove();
  }
}

/** Where a kind can be killed. */
type Point = Pick<Aim, "of" | "at">;

/** Each kind once, unkilled: the events that it has, and the bytes that its commands leave. */
async function rehearse(stage: Stage, killers: readonly Killer[]): Promise<ReadonlyMap<Kind, readonly Point[]>> {
  const points = new Map<Kind, readonly Point[]>();
  const left = playable.values();
  const play = async (killer: Killer) => {
    for (const kind of left) {
      const format = formats[playable.indexOf(kind) % formats.length] ?? formats[0];
      const { events, bytes } = await stage.play(
        { number: -1 - playable.indexOf(kind), kind, format, first: null },
        killer,
      );
      const upTo = (of: Point["of"], most: number) =>
        Array.from({ length: most }, (_, index) => ({ of, at: index + 1 }));
      points.set(kind, [...upTo("events", events.length), ...upTo("bytes", bytes)]);
    }
  };
  await Promise.all(killers.map(play));
  return points;
}

/** Every point of every kind, in an order by the seed: at once and a moment later, half of them so in each round. */
function* planned(found: ReadonlyMap<Kind, readonly Point[]>, seed: number): Generator<Planned, never> {
  for (let number = 0, round = 0; ; round++) {
    const random = new Random(seed, round);
    const points = playable.flatMap((kind) =>
      (found.get(kind) ?? []).map((point) => ({ kind, point, order: random.next() })),
    );
    for (const { kind, point } of points.sort((one, other) => one.order - other.order)) {
      const delay = (point.at + round) % 2 === 0 ? 0 : random.below(longestDelay);
      const format = formats[(number + round) % formats.length] ?? formats[0];
      yield { number, kind, format, first: { ...point, delay } };
      number += 1;
    }
  }
}

/** Where plays are made, one home each, and counted. */
class Stage {
  readonly #packed: Packed;
  readonly #options: CrashOptions;
  readonly #user: string;
  readonly #lasts = new Map<string, number>();
  readonly #types = new Set<string>();
  /** The kinds with the number of events after which they were killed first. */
  readonly #points = new Set<string>();
  readonly #violations: string[] = [];
  readonly #played: Played[] = [];
  #told = 0;

  constructor(packed: Packed, options: CrashOptions) {
    this.#packed = packed;
    this.#options = options;
    this.#user = join(packed.top, "user");
    mkdirSync(this.#user);
  }

  get totals(): Totals {
    const sum = (of: (played: Played) => number) => this.#played.reduce((all, played) => all + of(played), 0);
    const counts = {
      kills: sum(({ hits }) => hits.length),
      points: this.#points.size,
      sessions: sum(({ sessions }) => sessions),
      processes: sum(({ processes }) => processes),
      "event types": this.#types.size,
      "acknowledged events": sum(({ shown }) => shown),
      "accepted answers": sum(({ answers }) => answers),
      "questions open at a kill": sum(({ openAtKills }) => openAtKills),
      "calls unknown after one": sum(({ events }) => events.filter((type) => type === "call.unknown").length),
      "model requests": sum(({ requests }) => requests),
    };
    return { counts, lasts: this.#lasts, types: this.#types, violations: this.#violations };
  }

  async play(planned: Planned, killer: Killer): Promise<Played> {
    const { number, kind, format, first } = planned;
    const model = await openModel(kind.stories);
    const command = join(this.#packed.installed, "bin", "assent.cjs");
    const home = new Home({ command, user: this.#user, url: model.url, format });
    const random = new Random(this.#options.seed, number);
    try {
      const played = await new Play({ kind, home, model, killer, random, first }).play();
      home.close();
      const where = this.#options.onViolation === undefined ? "" : `, in ${home.folder}`;
      this.#count(played, planned, where);
      if (where === "" || played.complaints.length === 0) home.remove();
      return played;
    } finally {
      await model.close();
    }
  }

  #count(played: Played, { number, kind, format, first }: Planned, where: string): void {
    const { hits, events, complaints } = played;
    this.#played.push(played);
    for (const { last } of hits) this.#lasts.set(last, (this.#lasts.get(last) ?? 0) + 1);
    for (const { events: after } of hits.slice(0, 1)) this.#points.add(`${kind.name} ${after}`);
    for (const type of events) this.#types.add(type);
    const aim = first === null ? "unkilled" : `aimed at ${first.delay} ms after ${first.at} ${first.of}`;
    const killed = hits.map(({ events: after, last }) => `${after} ${last}`).join(", ");
    const again = `again: CRASH_SEED=${this.#options.seed} CRASH_PLAY=${number} npm run campaign crash`;
    for (const complaint of complaints) {
      const which = `${kind.name} over ${format}, ${aim}, killed after [${killed}]${where}`;
      this.#violations.push(`${which}: ${complaint} (${again})`);
      this.#options.onViolation?.(`${which}: ${complaint}`);
    }
    this.#tell();
  }

  #tell(): void {
    const hundreds = Math.floor(this.totals.counts.kills / 100);
    if (hundreds <= this.#told) return;
    this.#told = hundreds;
    this.#options.onProgress?.(this.totals);
  }
}
