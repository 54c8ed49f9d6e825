/** What processes hold while they work: memory and descriptors, looked at once a second, and the line through that. */
import { readdirSync, readFileSync } from "node:fs";

const megabyte = 1_048_576;

export type Sample = { readonly seconds: number; readonly bytes: number; readonly descriptors: number };

/** `null` when there is no such process any more. */
export function sampleOf(pid: number, seconds: number): Sample | null {
  try {
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    // One that has ended and was not asked for has none.
    if (resident === undefined) return null;
    return { seconds, bytes: Number(resident) * 1_024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    return null;
  }
}

/** Those that live and were started with this text in their environment. */
export function processesWith(text: string): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, "latin1").includes(text) ? [Number(name)] : [];
    } catch {
      // It has ended meanwhile, or is somebody else's.
      return [];
    }
  });
}

export type Held = {
  /** In megabytes a minute. */
  readonly slope: number;
  /** In megabytes: the medians of the first and of the last fifth. */
  readonly first: number;
  readonly last: number;
  readonly descriptors: { readonly first: number; readonly last: number; readonly most: number };
};

/** So many stretches, of each of which the least counts. */
const stretches = 24;

/**
 * What is fitted is the least of each stretch, not each sample. What is resident goes up with every exchange and down with every
 * collection, by more than a leak makes in a minute; the least of a stretch is near to what was left after a collection. It is
 * memory as the system counts it, so it has in it what the heap keeps of what it once needed: a slope that ends once the heap is as
 * large as the work needs it is no leak, and is what the time before `from` is for.
 */
export function heldBy(samples: readonly Sample[], from: number): Held {
  const counted = samples.filter(({ seconds }) => seconds >= from);
  const length = Math.max(1, Math.ceil(counted.length / stretches));
  const least = Array.from({ length: Math.ceil(counted.length / length) }, (_, index) => {
    const stretch = counted.slice(index * length, (index + 1) * length);
    return stretch.reduce((one, other) => (other.bytes < one.bytes ? other : one));
  });
  const fifth = Math.max(1, Math.floor(counted.length / 5));
  const [begin, end] = [counted.slice(0, fifth), counted.slice(-fifth)];
  const bytes = (some: readonly Sample[]) => median(some.map((each) => each.bytes)) / megabyte;
  const fewest = (some: readonly Sample[]) => Math.min(...some.map((each) => each.descriptors));
  return {
    slope: slopeOf(least.map((each) => [each.seconds / 60, each.bytes / megabyte])),
    first: bytes(begin),
    last: bytes(end),
    // The fewest of a part: how many commands run at a moment is chance.
    descriptors: {
      first: fewest(begin),
      last: fewest(end),
      most: Math.max(...counted.map((each) => each.descriptors)),
    },
  };
}

/** Of the line of least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([each]) => each)), mean(points.map(([, each]) => each))];
  const up = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0);
  const along = points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
  return along === 0 ? 0 : up / along;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
