/**
 * A long day. A server as it is built has sessions begun, prompted, answered, watched and stopped for minutes on end, and beside it one
 * run makes turn after turn. What they hold of memory and descriptors must not go up with it, and nothing may be left running.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openModelServer } from "../packages/assent/src/testing/index.ts";
import { Place } from "../packages/assent/test/e2e/product.ts";
import { Served } from "../packages/assent/test/http/served.ts";
import { Random } from "../packages/assent/test/simulation/random.ts";
import { type Report, runCampaign } from "./report.ts";
import { collectable, collectorOf } from "./soak/collected.ts";
import { type Counts, keepBusy, replies } from "./soak/load.ts";
import { type Collected, type Held, heldBy, processesWith, type Sample, sampleOf } from "./soak/samples.ts";

export type SoakOptions = {
  readonly minutes: number;
  /** In a run of seconds the heap still grows, and how many descriptors there are is chance: then only what is left running counts. */
  readonly judgesGrowth: boolean;
};

/** In megabytes a minute. */
const steepest = 1;
/** The part of the time after which memory counts: until then the heap grows to what the work needs. */
const warmUp = 0.25;
/** Both ends of the pipes that are opened before they are needed: whether they are just there is chance. */
const mostPrepared = 4;
/** In seconds. */
const collectEvery = 10;
/** People at the server at once. */
const people = 3;
/** More than are asked for; behind the last every reply is `done`. */
const mostReplies = 200_000;

export type Soak = Report & { readonly told: readonly string[] };

export async function campaign({ minutes, judgesGrowth }: SoakOptions): Promise<Soak> {
  const random = new Random(1);
  const counts: Counts = { sessions: 0, exchanges: 0, answers: 0, stops: 0, watched: 0 };
  const [server, run] = await Promise.all([soakedServer(random), soakedRun()]);
  try {
    const watched = {
      server: { pid: server.served.pid, said: () => server.served.running.errors },
      run: { pid: await run.place.holder(), said: run.said },
    };
    const until = performance.now() + minutes * 60_000;
    const isOver = () => performance.now() > until;
    const busy = Array.from({ length: people }, (_, nth) =>
      keepBusy(server.served, { counts, random: new Random(2, nth), isOver }),
    );
    const [ofServer, ofRun] = await Promise.all([
      sampled(watched.server, isOver),
      sampled(watched.run, isOver),
      ...busy,
    ]);
    const turns = run.asked();
    const ended = await Promise.all([server.served.end(), run.end()]);
    const left = await stillThere([server.place.home, run.place.home]);
    const from = minutes * 60 * warmUp;
    const held = {
      server: heldBy(ofServer.samples, ofServer.collections, from),
      run: heldBy(ofRun.samples, ofRun.collections, from),
    };
    const violations = [
      ...left,
      ...(judgesGrowth ? unfit(held) : []),
      ...(ended[0] === 0 ? [] : [`the server ended with ${ended[0]}`]),
    ];
    const perSession = ((held.server.heapSlope * 1_048_576) / (counts.sessions / minutes) / 1_024).toFixed(2);
    const told = [
      ...Object.entries(held).map(tellHeld),
      `the server's heap goes up by ${perSession} KB for each session that was begun`,
    ];
    return {
      name: "soak",
      counts: { ...counts, "turns of the run": turns, "left running": left.length },
      violations,
      told,
    };
  } finally {
    await Promise.all([server.close(), run.close()]);
  }
}

function unfit(held: Readonly<Record<string, Held>>): readonly string[] {
  return Object.entries(held).flatMap(([name, { slope, descriptors }]) => [
    ...(slope > steepest ? [`the ${name} grows by ${slope.toFixed(2)} MB a minute`] : []),
    ...(descriptors.last > descriptors.first + mostPrepared
      ? [`the ${name} had ${descriptors.first} descriptors at the beginning and ${descriptors.last} at the end`]
      : []),
  ]);
}

function tellHeld([name, { slope, heapSlope, first, last, descriptors }]: readonly [string, Held]): string {
  const slopes = `${slope.toFixed(3)} MB a minute after collections, of it ${heapSlope.toFixed(3)} in the heap`;
  const memory = `${slopes}; all the time median ${first.toFixed(1)} MB at first and ${last.toFixed(1)} MB at last`;
  return `${name}: ${memory}; descriptors ${descriptors.first} at first, ${descriptors.last} at last, ${descriptors.most} at most`;
}

type Watched = { readonly pid: number; readonly said: () => string };

/** One process: a sample a second, and a collection now and then, until it is over. */
async function sampled({ pid, said }: Watched, isOver: () => boolean) {
  const [samples, collections]: [Sample[], Collected[]] = [[], []];
  const began = performance.now();
  const look = () => {
    const sample = sampleOf(pid, (performance.now() - began) / 1_000);
    if (sample === null) throw new Error(`process ${pid} has ended by itself: ${said()}`);
    return sample;
  };
  const collector = await collectorOf(pid, said);
  for (let second = 0; !isOver(); second++) {
    samples.push(look());
    if (second % collectEvery === 0) {
      const heap = await collector.collect();
      const { seconds, bytes } = look();
      collections.push({ seconds, bytes, heap });
    }
    await sleep(1_000);
  }
  collector.close();
  return { samples, collections };
}

async function soakedServer(random: Random) {
  const { place, close } = await modelPlace(replies(random, mostReplies));
  return { place, served: await Served.at(place), close };
}

/**
 * A run that has a command to run in every reply, and no end. All that was said in it stays in its history and goes with every request,
 * so it grows with its turns, at any pace: 700 of them add 12 MB, whether they take 16 seconds or ten minutes, half of it in one step when
 * a request gets longer than 128 KB. A turn in not quite two seconds is what a fast model makes; at twice that the line is too steep.
 */
async function soakedRun() {
  const script = Array.from({ length: mostReplies }, (_, number) => ({
    calls: [{ tool: "terminal", arguments: { command: `echo ${number}` } }],
    fault: { slow: 200 },
  }));
  const { place, server, close } = await modelPlace(script);
  const running = place.start(["run", "--max-turns", "unlimited", "--json", "work"]);
  const end = async () => {
    running.kill("SIGTERM");
    return await running.ended;
  };
  return { place, said: () => running.errors, asked: () => server.requests.length, end, close };
}

/** A home of its own, and a model behind real HTTP. */
async function modelPlace(script: Parameters<typeof openModelServer>[0]["script"]) {
  const server = await openModelServer({ script });
  const ends: (() => void)[] = [];
  const env = {
    ...collectable,
    ASSENT_MODEL: "openai-chat:m",
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: `${server.url}/v1`,
  };
  const place = new Place([], env, (then) => ends.push(then));
  const close = async () => {
    await server.close();
    for (const end of ends) end();
  };
  return { server, place, close };
}

/** What belongs to these homes and does not end by itself, once all of it was told to. */
async function stillThere(homes: readonly string[]): Promise<readonly string[]> {
  const found = () => homes.flatMap((home) => processesWith(home));
  for (let tries = 0; tries < 100 && found().length > 0; tries++) await sleep(50);
  return found().map((pid) => `process ${pid} is left`);
}

if (import.meta.main) {
  await runCampaign(async () => {
    const { told, ...report } = await campaign({ minutes: Number(process.argv[2] ?? 10), judgesGrowth: true });
    process.stdout.write(`${told.join("\n")}\n`);
    return report;
  });
}
