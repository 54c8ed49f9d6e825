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
  readonly onProgress?: (totals: Totals) => void;
};

/** What has been done so far. */
export type Totals = {
  readonly counts: Record<string, number>;
  /** By the type of the last event in the journal: at how many kills it was that. */
  readonly lasts: Map<string, number>;
  /** The kinds with the number of events after which they were killed. */
  readonly points: Set<string>;
  /** Of the events of the kinds when nobody kills them. */
  readonly types: Set<string>;
  readonly violations: string[];
};

type Planned = { readonly number: number; readonly kind: Kind; readonly format: string; readonly first: Aim | null };

const lanes = 2;
/** An append and what follows at once take no longer. */
const longestDelay = 40;
const playable = kinds.filter(({ surface }) => surface !== "terminal" || !noTerminal);

/** Kills the shipped command at every journalled point of every kind of session, until it was killed so often. */
export async function crash(options: CrashOptions): Promise<Totals> {
  const totals: Totals = {
    ...{ counts: { kills: 0, plays: 0 }, lasts: new Map(), points: new Set(), types: new Set(), violations: [] },
  };
  const packed = new Packed();
  const killers = Array.from({ length: lanes }, () => new Killer());
  try {
    const stage = new Stage(packed, options, totals);
    const lengths = await rehearse(stage, killers);
    const plan = planned(lengths, options);
    const play = async (killer: Killer) => {
      for (const each of plan) {
        await stage.play(each, killer);
        if ((totals.counts["kills"] ?? 0) >= options.kills) return;
      }
    };
    await Promise.all(killers.map(play));
  } finally {
    await Promise.all(killers.map((killer) => killer.close()));
    packed.remove();
  }
  return totals;
}

/** Each kind once, unkilled: how many events it has. */
async function rehearse(stage: Stage, killers: readonly Killer[]): Promise<ReadonlyMap<Kind, number>> {
  const lengths = new Map<Kind, number>();
  const left = playable.values();
  const play = async (killer: Killer) => {
    for (const kind of left) {
      const format = formats[playable.indexOf(kind) % formats.length] ?? formats[0];
      const { events } = await stage.play({ number: -1 - playable.indexOf(kind), kind, format, first: null }, killer);
      lengths.set(kind, events.length);
    }
  };
  await Promise.all(killers.map(play));
  return lengths;
}

/** Every point of every kind: at once in one round, a moment later in the next, and so on; in an order by the seed. */
function* planned(lengths: ReadonlyMap<Kind, number>, { seed, only }: CrashOptions): Generator<Planned> {
  for (let number = 0, round = 0; ; round++) {
    const random = new Random(seed, round);
    const points = playable.flatMap((kind) =>
      Array.from({ length: lengths.get(kind) ?? 0 }, (_, index) => ({ kind, at: index + 1, order: random.next() })),
    );
    for (const { kind, at } of points.sort((one, other) => one.order - other.order)) {
      const delay = round % 2 === 0 ? 0 : random.below(longestDelay);
      const format = formats[(number + round) % formats.length] ?? formats[0];
      if (only === undefined || only === number) yield { number, kind, format, first: { at, delay } };
      if (only === number) return;
      number += 1;
    }
  }
}

/** Where plays are made, one home each, and counted. */
class Stage {
  readonly #packed: Packed;
  readonly #options: CrashOptions;
  readonly #totals: Totals;
  readonly #user: string;
  #told = 0;

  constructor(packed: Packed, options: CrashOptions, totals: Totals) {
    this.#packed = packed;
    this.#options = options;
    this.#totals = totals;
    this.#user = join(packed.top, "user");
    mkdirSync(this.#user);
  }

  async play({ number, kind, format, first }: Planned, killer: Killer): Promise<Played> {
    const model = await openModel(kind.stories);
    const command = join(this.#packed.installed, "bin", "assent.cjs");
    const home = new Home({ command, user: this.#user, url: model.url, format });
    const random = new Random(this.#options.seed, number);
    try {
      const played = await new Play({ kind, home, model, killer, random, first }).play();
      this.#count(played, { number, kind, format, first });
      return played;
    } finally {
      await model.close();
      home.remove();
    }
  }

  #count({ hits, events, complaints, ...counted }: Played, { number, kind, format, first }: Planned): void {
    const { counts, lasts, points, types, violations } = this.#totals;
    counts["plays"] = (counts["plays"] ?? 0) + 1;
    counts["kills"] = (counts["kills"] ?? 0) + hits.length;
    for (const [name, count] of Object.entries(counted)) counts[name] = (counts[name] ?? 0) + count;
    for (const { events: after, last } of hits) {
      points.add(`${kind.name} ${after}`);
      lasts.set(last, (lasts.get(last) ?? 0) + 1);
    }
    for (const type of events) types.add(type);
    const aim = first === null ? "unkilled" : `killed ${first.delay} ms after event ${first.at}`;
    const killed = hits.map(({ events: after, last }) => `${after} ${last}`).join(", ");
    const again = `CRASH_SEED=${this.#options.seed} CRASH_PLAY=${number} npm run campaign crash plays it again`;
    for (const complaint of complaints) {
      violations.push(`${kind.name} over ${format}, ${aim} (hits: ${killed}): ${complaint}; ${again}`);
    }
    this.#tell();
  }

  /** Every hundred kills. */
  #tell(): void {
    const hundreds = Math.floor((this.#totals.counts["kills"] ?? 0) / 100);
    if (hundreds <= this.#told) return;
    this.#told = hundreds;
    this.#options.onProgress?.(this.#totals);
  }
}
