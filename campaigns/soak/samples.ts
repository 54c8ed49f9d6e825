/** What processes hold while they work: memory and descriptors, looked at once a second, and the line through that. */
import { readdirSync, readFileSync } from "node:fs";

const megabyte = 1_048_576;

export type Sample = { readonly seconds: number; readonly bytes: number; readonly descriptors: number };
/** Right after a collection: what is resident, and what of the heap is in use. */
export type Collected = { readonly seconds: number; readonly bytes: number; readonly heap: number };

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
  /** In megabytes a minute: of what is resident after collections, and of the heap that is in use then. */
  readonly slope: number;
  readonly heapSlope: number;
  /** In megabytes, of all samples, collected or not: the medians of the first and of the last fifth. */
  readonly first: number;
  readonly last: number;
  readonly descriptors: { readonly first: number; readonly last: number; readonly most: number };
};

/**
 * The line goes through what is resident right after a collection that was asked for, not through all samples: left alone, a Node that
 * has little to do collects its old objects only every few minutes, and until then what is resident goes up with every exchange by
 * more than a leak would. So this is what is held, by the heap or outside of it, and not what a list of processes shows:
 * that is higher by the garbage that waits, and the medians tell it. Before `from` nothing counts: until then the heap, the
 * compiled code and the caches grow to what the work needs.
 */
export function heldBy(samples: readonly Sample[], collections: readonly Collected[], from: number): Held {
  const counted = samples.filter(({ seconds }) => seconds >= from);
  const after = collections.filter(({ seconds }) => seconds >= from);
  const fifth = Math.max(1, Math.floor(counted.length / 5));
  const [begin, end] = [counted.slice(0, fifth), counted.slice(-fifth)];
  const bytes = (some: readonly Sample[]) => median(some.map((each) => each.bytes)) / megabyte;
  const fewest = (some: readonly Sample[]) => Math.min(...some.map((each) => each.descriptors));
  return {
    slope: slopeOf(after.map((each) => [each.seconds / 60, each.bytes / megabyte])),
    heapSlope: slopeOf(after.map((each) => [each.seconds / 60, each.heap / megabyte])),
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
