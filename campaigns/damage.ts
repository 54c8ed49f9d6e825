/**
 * Damaged stores. Stores of real sessions, closed, killed and of an older layout, are damaged in every way and opened again:
 * what is read must be as it was recorded, what is not must be named, and nothing may crash or hang. Each is judged in a process
 * that may die of it; a part of them also by the built command. `DAMAGE_SEED=7 npm run campaign damage 500` damages others.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { deserialize, serialize } from "node:v8";
import { Random } from "../packages/assent/test/simulation/random.ts";
import { Commands } from "./damage/commands.ts";
import { canSuffer, type HarmName, harmed, harmNames, untouched } from "./damage/harm.ts";
import { judgeStore, type Verdict } from "./damage/judge.ts";
import { type Files, type WholeStore, wholeStores, writeFiles } from "./damage/stores.ts";
import { type Report, roomyFolder, runCampaign } from "./report.ts";

export type DamageOptions = {
  readonly seed: number;
  readonly stores: number;
  /** Of every so many, one is also looked at by the command; of those, one in ten by the server. */
  readonly commandEvery: number;
};

/** A store on which nothing has been said for so long hangs the process. */
const mostMs = 60_000;

type Damaged = { readonly store: WholeStore; readonly harm: HarmName; readonly files: Files; readonly random: Random };

/** The same for the same seed and number, whichever process asks. */
function damagedStore(stores: readonly WholeStore[], seed: number, number: number): Damaged {
  const random = new Random(seed, number);
  const harm = harmNames[number % harmNames.length] ?? "one bit";
  const able = stores.filter((store) => canSuffer(store, harm));
  const store = able[random.below(able.length)];
  const others = able.filter((each) => each !== store);
  const other = others[random.below(others.length)];
  if (store === undefined || other === undefined) throw new Error(`expected two stores that can suffer ${harm}`);
  return { store, harm, files: harmed(store, harm, { random, other }), random };
}

type Judged = Verdict & { readonly number: number; readonly harm: HarmName; readonly store: string };

export type Damages = Report & { readonly table: readonly string[] };

export async function campaign({ seed, stores, commandEvery }: DamageOptions): Promise<Damages> {
  const scratch = mkdtempSync(join(roomyFolder(), "assent-damage-"));
  const commands = new Commands();
  try {
    const whole = wholeStores(scratch);
    writeFileSync(join(scratch, "stores"), serialize(whole));
    const { judged, violations } = await judgeAll(scratch, seed, stores);
    const counts = new Map<string, number>([["stores", stores]]);
    const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
    for (const { outcome, notes } of judged) for (const what of [outcome, ...notes]) count(what);
    for (let number = 0; number < stores; number += commandEvery) {
      const damaged = damagedStore(whole, seed, number);
      const serves = number % (10 * commandEvery) === 0;
      const { outcome, found } = await commanded(commands, damaged, serves);
      count(`${outcome} by the command`);
      if (serves) count("served");
      violations.push(...found.map((what) => `${number} (${damaged.harm}, ${damaged.store.name}): ${what}`));
    }
    return { name: "damage", counts: Object.fromEntries(counts), violations, table: tableOf(judged) };
  } finally {
    commands.end();
    rmSync(scratch, { recursive: true });
  }
}

async function commanded(commands: Commands, { store, files, random }: Damaged, serves: boolean) {
  const sessions = [...store.sessions.keys()];
  // One that the command has made, and any.
  const chosen = [sessions[random.below(4)] ?? "", sessions[random.below(sessions.length)] ?? ""];
  const { outcome, violations } = commands.judge(store, files, chosen);
  return { outcome, found: serves ? [...violations, ...(await commands.serve(files))] : violations };
}

/** One process for all; where it dies or hangs, that is found, and another goes on behind the store that it died of. */
async function judgeAll(scratch: string, seed: number, stores: number) {
  const judged: Judged[] = [];
  const violations: string[] = [];
  for (let from = 0; from < stores; ) {
    const { ending, found } = await judgeFrom([scratch, seed, from, stores].map(String));
    judged.push(...found);
    from += found.length;
    if (from < stores) violations.push(`${from++}: the process that opened it ended: ${ending}`);
  }
  for (const { number, harm, store, violations: found } of judged) {
    violations.push(...found.map((what) => `${number} (${harm}, ${store}): ${what}`));
  }
  return { judged, violations };
}

async function judgeFrom(
  argv: readonly string[],
): Promise<{ readonly ending: string; readonly found: readonly Judged[] }> {
  const child = spawn(process.execPath, [import.meta.filename, "--judge", ...argv], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (part) => {
    said = `${said}${part}`.slice(-2_000);
  });
  const ended = new Promise<string>((resolve) =>
    child.once("close", (code, signal) => resolve(`${signal ?? code} ${said}`)),
  );
  const found: Judged[] = [];
  const hangs = () => child.kill("SIGKILL");
  let timer = setTimeout(hangs, mostMs);
  for await (const line of createInterface({ input: child.stdout })) {
    clearTimeout(timer);
    timer = setTimeout(hangs, mostMs);
    found.push(JSON.parse(line));
  }
  clearTimeout(timer);
  return { ending: await ended, found };
}

/** In the process that may die of it: a line for each store. */
function judgePart(scratch: string, seed: number, [from, to]: readonly [number, number]): void {
  const whole: readonly WholeStore[] = deserialize(readFileSync(join(scratch, "stores"))).map(withBuffers);
  const folder = join(scratch, "damaged");
  for (let number = from; number < to; number++) {
    rmSync(folder, { recursive: true, force: true });
    const { store, harm, files } = damagedStore(whole, seed, number);
    const verdict = judgeStore(writeFiles(folder, files), store, untouched(store, files));
    process.stdout.write(`${JSON.stringify({ ...verdict, number, harm, store: store.name } satisfies Judged)}\n`);
  }
}

function withBuffers(store: WholeStore): WholeStore {
  return { ...store, files: new Map([...store.files].map(([part, bytes]) => [part, Buffer.from(bytes)])) };
}

/** What became of each kind of damage. */
function tableOf(judged: readonly Judged[]): readonly string[] {
  return harmNames.map((harm) => {
    const all = judged.filter((each) => each.harm === harm);
    const of = (outcome: Verdict["outcome"]) => all.filter((each) => each.outcome === outcome).length;
    return `${harm.padEnd(26)} intact ${of("intact")}, named in part ${of("named")}, refused whole ${of("refused")}`;
  });
}

if (import.meta.main) {
  const [first = "2000", scratch = "", ...numbers] = process.argv.slice(2);
  const [seed = 1, from = 0, to = 0] = numbers.map(Number);
  if (first === "--judge") judgePart(scratch, seed, [from, to]);
  else {
    const options = { seed: Number(process.env["DAMAGE_SEED"] ?? 1), stores: Number(first), commandEvery: 17 };
    await runCampaign(async () => {
      const { table, ...report } = await campaign(options);
      process.stdout.write(`${table.join("\n")}\n`);
      return report;
    });
  }
}
