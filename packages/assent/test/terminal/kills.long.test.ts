import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Place, terminal, until } from "../e2e/product.ts";
import { Random } from "../simulation/random.ts";
import { described, isAlive, kill, look } from "./hostile/processes.ts";
import { clockMs, type Ended, goneAt, isGone, type Numbered, pidsIn, plant, tryTrees, wayOf } from "./trees.ts";

/** `npm run campaign kill-trees -- --trials 500` kills more; `KILL_TREES_SEED=<seed>` grows others. */
const wanted = Number(process.env["KILL_TREES"] ?? 40);
const seed = Number(process.env["KILL_TREES_SEED"] ?? 1);
/** As many at a time: one that hears no SIGTERM is waited for, and leaves the machine to others. */
const lanes = 2;
const onLinux = process.platform === "linux";

test.skipIf(!onLinux)(
  `of ${wanted} trees of processes that are killed nothing survives${onLinux ? "" : " (skipped: needs /proc of Linux)"}`,
  { timeout: 60_000 + wanted * 5_000 },
  async () => {
    const numbers = Array.from({ length: wanted }, (_, index) => index + 1);
    const isSignalled = (number: number) => wayOf({ seed, number }).startsWith("SIG");
    const called = numbers.filter((number) => !isSignalled(number));
    const shares = Array.from({ length: lanes }, (_, lane) =>
      called.filter((_number, index) => index % lanes === lane),
    );
    const found = (await Promise.all(shares.map((share) => tryTrees(seed, share)))).flat();
    for (const number of numbers.filter(isSignalled)) found.push(await signalProduct({ seed, number }));
    process.stdout.write(figures(found));
    const failures = found.flatMap((ended) => ended.failures.map((failure) => `${nameOf(ended)}: ${failure}`));
    expect(failures).toEqual([]);
    expect(found.length).toBe(wanted);
    expect([...new Set(found.map(({ way }) => way))].sort()).toEqual([
      "SIGINT",
      "SIGTERM",
      "abort",
      "close",
      "timeout",
    ]);
    expect(found.filter(({ deaf }) => deaf).length).toBeGreaterThan(wanted / 10);
  },
);

/** The real command runs the tree, and gets the signal. */
async function signalProduct(numbered: Numbered): Promise<Ended> {
  const way = wayOf(numbered) === "SIGINT" ? "SIGINT" : "SIGTERM";
  const mark = `${process.pid}-${seed}-${numbered.number}`;
  const place = new Place([terminal("ls"), { text: "done" }], { KILLED_TREE: mark });
  const pids = place.file("pids");
  const tree = plant(numbered, place.file("tree"), pids);
  // Harmless by the policy's table, so that nobody is asked.
  writeFileSync(place.file("ls"), `#!/bin/bash\n${tree.command}\n`, { mode: 0o755 });
  place.env["PATH"] = `${place.folder}:${process.env["PATH"]}`;
  const running = place.start(["run", "go"]);
  await until(
    `${nameOf({ ...numbered, way, ...tree })} is ready`,
    () => pidsIn(pids).length === tree.size || undefined,
    () => running.output,
  );
  await sleep(10 + new Random(numbered.seed, numbered.number, 3).below(300));
  const gone = goneAt(pidsIn(pids));
  const requested = clockMs();
  running.kill(way);
  const at = await gone;
  const code = await running.ended;
  const survivors = [...new Set([...pidsIn(pids).filter((pid) => !isGone(pid)), ...carrying(`KILLED_TREE=${mark}`)])];
  const failures = survivors.map((pid) => `survived: ${described(pid)}`);
  const expected = way === "SIGINT" ? 130 : 143;
  if (code !== expected) failures.push(`expected exit code ${expected}, came ${code}: ${running.output.slice(-300)}`);
  for (const pid of survivors) kill(pid);
  const { deaf, size } = tree;
  return { ...numbered, way, deaf, size, ms: (at ?? Number.POSITIVE_INFINITY) - requested, failures };
}

/** Those that live and have this variable. */
function carrying(entry: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const seen = look(pid);
        return seen !== null && isAlive(seen) && readFileSync(`/proc/${pid}/environ`, "latin1").includes(`${entry}\0`);
      } catch {
        return false;
      }
    });
}

function nameOf({ number, way, size, deaf }: Pick<Ended, "number" | "way" | "size" | "deaf">): string {
  return `tree ${number} of seed ${seed} (${size}${deaf ? ", deaf" : ""}, by ${way})`;
}

function figures(found: readonly Ended[]): string {
  const rows = [false, true].map((deaf) => {
    const some = found.filter((ended) => ended.deaf === deaf).toSorted((one, other) => one.ms - other.ms);
    const at = (share: number) => (some[Math.ceil(some.length * share) - 1]?.ms ?? Number.NaN).toFixed(0);
    const slowest = some.slice(-3).map((ended) => `${ended.ms.toFixed(0)} ms ${nameOf(ended)}`);
    return (
      `${some.length} trees ${deaf ? "of which some hear no SIGTERM" : "that hear SIGTERM"}: gone after ` +
      `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, max ${at(1)} ms; slowest ${slowest.join(", ")}\n`
    );
  });
  const survivors = found.flatMap(({ failures }) => failures.filter((failure) => /survived|alive/.test(failure)));
  return `${rows.join("")}${found.length} kills, ${survivors.length} with survivors\n`;
}
