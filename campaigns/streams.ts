/**
 * Streams of models, damaged at random: 1,000,000 through the reader of each format, and one in fifty as many over real
 * connections. `STREAMS_SEED=7 npm run campaign streams 300000` damages 300,000 in another way.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { checkStream, describe } from "../packages/assent/test/providers/streams/index.ts";
import { serveStreams } from "../packages/assent/test/providers/streams/served.ts";

/** More growth of the heap than this is a leak. */
const mostGrowth = 8 * 1_048_576;
const mostShown = 20;

/** In bytes, after all that nobody needs is gone; `null` where that cannot be asked for. */
function heap(): number | null {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("typeof gc === 'function' ? gc : null");
  if (typeof collect !== "function") return null;
  collect();
  return process.memoryUsage().heapUsed;
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function shown(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort()
    .map(([name, count]) => `${name} ${count.toLocaleString("en")}`)
    .join(", ");
}

export type Streams = {
  /** By format and outcome. */
  readonly counts: ReadonlyMap<string, number>;
  readonly violations: readonly string[];
  readonly slowest: string;
  /** After each tenth. */
  readonly heaps: readonly (number | null)[];
};

/** Reads so many damaged streams; says how far it is where it is asked to. */
export function readStreams(
  streams: number,
  seed: number,
  onTenth?: (done: number, violations: readonly string[]) => void,
): Streams {
  const counts = new Map<string, number>();
  const heaps: (number | null)[] = [];
  const violations: string[] = [];
  const tenth = Math.max(1, Math.floor(streams / 10));
  let slowest = { cpuMs: 0, which: "" };
  for (let number = 0; number < streams; number++) {
    const checked = checkStream(seed, number);
    const { format, outcome, cpuMs, problems } = checked;
    const [name, which] = [`${format} ${outcome}`, `${seed}:${number}`];
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (cpuMs > slowest.cpuMs) slowest = { cpuMs, which };
    if (problems.length > 0) violations.push(violations.length < mostShown ? describe(checked, which) : which);
    if (onTenth === undefined || (number + 1) % tenth !== 0) continue;
    heaps.push(heap());
    onTenth(number + 1, violations);
  }
  return {
    counts,
    violations,
    slowest: `${slowest.cpuMs.toFixed(1)} ms of the processor, stream ${slowest.which}`,
    heaps,
  };
}

async function main(streams: number, seed: number): Promise<void> {
  const begin = performance.now();
  const seconds = () => Math.round((performance.now() - begin) / 1_000);
  let told = 0;
  const read = readStreams(streams, seed, (done, found) => {
    for (; told < Math.min(found.length, mostShown); told++) tell(`violation: ${found[told]}`);
    tell(`${done.toLocaleString("en")} streams, ${found.length} violations, ${seconds()} s`);
  });
  const served = await serveStreams(seed, Math.ceil(streams / 50));
  const [first = null, middle = null, last = null] = [read.heaps[0], read.heaps[4], read.heaps[9]];
  const mebibytes = (bytes: number | null) => (bytes === null ? "not known" : `${(bytes / 1_048_576).toFixed(1)} MiB`);
  const grown = first !== null && last !== null && last - first > mostGrowth;
  const growth = grown ? [`the heap grew from ${mebibytes(first)} to ${mebibytes(last)}`] : [];
  const violations = [...read.violations, ...served.problems, ...growth];
  for (const violation of violations.slice(told, told + mostShown)) tell(`violation: ${violation}`);
  tell(`read: ${shown(read.counts)}`);
  tell(`served: ${shown(served.outcomes)}`);
  tell(`slowest: ${read.slowest}`);
  tell(`heap after 10 %, 50 %, 100 %: ${[first, middle, last].map(mebibytes).join(", ")}`);
  tell(`streams: ${streams.toLocaleString("en")} with seed ${seed}, ${violations.length} violations, ${seconds()} s`);
  if (violations.length > 0) process.exitCode = 1;
}

if (import.meta.main) await main(Number(process.argv[2] ?? 1_000_000), Number(process.env["STREAMS_SEED"] ?? 1));
