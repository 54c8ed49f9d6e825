import { Random } from "../../simulation/random.ts";
import {
  chunkingProblems,
  differencesFrom,
  type Outcome,
  otherCalls,
  type Played,
  play,
  problemsOf,
  requestProblems,
} from "./check.ts";
import type { FormatName, Golden } from "./goldens.ts";
import { chunksOf, type Mutant, mutant } from "./mutate.ts";

/** What one stream has shown. */
export type Checked = {
  readonly format: FormatName;
  readonly outcome: Outcome | "threw";
  readonly problems: readonly string[];
  /** How long its reading took, of the processor. */
  readonly cpuMs: number;
  readonly mutant: Mutant;
};

/** More than this of the processor for one stream is a fault of the reader. */
const mostCpuMs = 1_000;

/** One mutated stream, the same for the same numbers. */
export function checkStream(seed: number, number: number): Checked {
  const random = new Random(seed, number);
  const made = mutant(random);
  const chunkings = [chunksOf(made.bytes, random), chunksOf(made.bytes, random)] as const;
  const { outcome, problems, cpuMs } = judged(made, chunkings);
  const slow = cpuMs > mostCpuMs ? [`it took ${Math.round(cpuMs)} ms of the processor`] : [];
  return { format: made.golden.format, outcome, problems: [...problems, ...slow], cpuMs, mutant: made };
}

type Chunkings = readonly [readonly Buffer[], readonly Buffer[]];

function judged({ golden, kept }: Mutant, [one, other]: Chunkings): Pick<Checked, "outcome" | "problems" | "cpuMs"> {
  const { format } = golden;
  const begin = process.threadCpuUsage();
  try {
    const played = play(format, one);
    const again = play(format, other);
    // Only the product is timed: what checks it may take longer.
    const { user, system } = process.threadCpuUsage(begin);
    const cpuMs = (user + system) / 2 / 1_000;
    const problems = [
      ...problemsOf(format, played),
      ...chunkingProblems(played, again),
      ...requestProblems(format, played.reading),
      ...(kept === "same" ? differencesFrom(sound(golden), played) : []),
      ...(kept === "no other call" ? otherCalls(golden, played) : []),
    ];
    return { outcome: played.outcome, problems, cpuMs };
  } catch (error) {
    return {
      outcome: "threw",
      cpuMs: 0,
      problems: [`it threw: ${error instanceof Error ? error.stack : String(error)}`],
    };
  }
}

const soundOnes = new Map<Golden, Played>();

/** What the undamaged stream is read as. */
export function sound(golden: Golden): Played {
  const known = soundOnes.get(golden) ?? play(golden.format, [plainBytes(golden)]);
  soundOnes.set(golden, known);
  return known;
}

function plainBytes({ events }: Golden): Buffer {
  return Buffer.from(
    events.map(({ name, data }) => `${name === "" ? "" : `event: ${name}\n`}data: ${data}\n\n`).join(""),
  );
}

/** Which stream it was, what was done to it and what is wrong; then the fewest bytes that are still wrong in this way. */
export function describe({ problems, mutant: { golden, bytes, done, kept } }: Checked, which: string): string {
  const first = problems[0] ?? "";
  const head = `stream ${which} (${golden.format}, ${golden.name}; ${done.join("; ")}): ${problems.slice(0, 3).join("; ")}`;
  const least = kept === "nothing" ? leastBytes(golden, bytes, first.slice(0, 40)) : bytes;
  return `${head}\n${JSON.stringify(least.toString("latin1").slice(0, 3_000))}`;
}

/** Removes ever smaller parts as long as the problem stays. */
function leastBytes(golden: Golden, bytes: Buffer, problem: string): Buffer {
  const stays = (some: Buffer) => {
    const chunkings = [[some], Array.from(some, (byte) => Buffer.of(byte))] as const;
    const { problems } = judged({ golden, bytes: some, done: [], kept: "nothing" }, chunkings);
    return problems.some((each) => each.startsWith(problem));
  };
  if (bytes.length > 100_000 || !stays(bytes)) return bytes;
  let least = bytes;
  let tries = 600;
  for (let size = least.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < least.length && tries > 0; tries--) {
      const without = Buffer.concat([least.subarray(0, at), least.subarray(at + size)]);
      if (stays(without)) least = without;
      else at += size;
    }
  }
  return least;
}
