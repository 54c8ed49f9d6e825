import { median } from "../median.ts";

/** One line of the harness: one run of one peer, or what a peer's installation has. */
export type Run = {
  readonly scenario: string;
  readonly peer: string;
  readonly when?: string;
  readonly ok?: boolean;
  readonly stopped?: string;
  readonly coldStartMs?: number | null;
  readonly gaps?: readonly number[];
  /** Of each request: its number, its bytes, and more. */
  readonly rows?: readonly (readonly [number, number, ...unknown[]])[];
  readonly cpuMs?: number;
  readonly peakRss?: number;
  readonly returnMs?: number | null;
  readonly addedBytes?: number | null;
  readonly left?: readonly string[];
  readonly interrupt?: { readonly peerGoneMs: number | null; readonly treeGoneMs: number | null } | null;
  readonly version?: string;
  readonly bytes?: number;
  readonly packages?: number;
};

export type Results = {
  readonly runs: readonly Run[];
  readonly peers: readonly string[];
  /** The day on which they were measured, or the first and the last. */
  readonly date: string;
};

export const ours = "assent";
export const floor = "floor-node";
/** Not agents, but what agents are made with. */
export const frameworks = ["agents", "aisdk", "langgraph", "mastra"];

/** Of each peer and scenario the runs of the last day that it was measured: releases change. */
export function readResults(text: string): Results {
  const all: readonly Run[] = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const last = new Map<string, string>();
  for (const run of all) if (dayOf(run) > (last.get(nameOf(run)) ?? "")) last.set(nameOf(run), dayOf(run));
  const runs = all.filter((run) => run.when === undefined || dayOf(run) === last.get(nameOf(run)));
  const days = [...new Set(last.values())].toSorted();
  const date = days.length < 2 ? days.join("") : `${days[0]} to ${days.at(-1)}`;
  const peers = [...new Set(runs.flatMap(({ peer }) => peer ?? []))];
  return { runs, peers: peers.toSorted((one, other) => rank(one) - rank(other) || one.localeCompare(other)), date };
}

function dayOf({ when = "" }: Run): string {
  return when.slice(0, 10);
}

function nameOf({ scenario, peer }: Run): string {
  return JSON.stringify([scenario, peer]);
}

/** Ours first, then the floor, then agents, then frameworks. */
function rank(peer: string): number {
  return peer === ours ? 0 : peer === floor ? 1 : frameworks.includes(peer) ? 3 : 2;
}

export function runsOf({ runs }: Results, scenario: string, peer: string): readonly Run[] {
  return runs.filter((each) => each.scenario === scenario && each.peer === peer);
}

/** The middle of what the runs of a peer that came to their end have; `null` when none did. */
export function middle(
  results: Results,
  [scenario, peer]: readonly [string, string],
  of: (run: Run) => number | null | undefined,
) {
  const values = runsOf(results, scenario, peer)
    .filter(({ ok }) => ok)
    .flatMap((run) => of(run) ?? []);
  return values.length === 0 ? null : median(values);
}

export const gapOf = ({ gaps }: Run) => (gaps === undefined || gaps.length === 0 ? null : median(gaps));
