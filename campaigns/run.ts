/** Starts a campaign by its name: `npm run campaign power-loss`. */
import { spawnSync } from "node:child_process";

const vitest = ["vitest", "run"];
const script = (name: string) => ["node", `${import.meta.dirname}/${name}.ts`];

/** The name → the command, and the environment that an argument sets. */
const campaigns: Readonly<
  Record<string, { readonly argv: readonly string[]; readonly sets?: string; readonly what: string }>
> = {
  "power-loss": {
    argv: script("power-loss"),
    what: "[seed]: the journal after a power cut at each sync of a workload",
  },
  "disk-faults": { argv: script("disk-faults"), what: "the journal with each write and sync failing once" },
  simulation: {
    argv: [...vitest, "simulation"],
    sets: "SIMULATED_SEEDS",
    what: "[seeds]: a crash at every point of I/O",
  },
  kills: { argv: [...vitest, "e2e/kills"], sets: "KILLS", what: "[times]: real processes killed at any moment" },
  "kill-trees": {
    argv: [...vitest, "terminal/kills"],
    sets: "KILL_TREES",
    what: "[--trials <n>]: trees of processes killed at any moment, and what survives; KILL_TREES_SEED=<seed> grows others",
  },
  flood: {
    argv: [...vitest, "terminal/flood"],
    sets: "FLOOD_GIGABYTES",
    what: "[--gigabytes <n>]: so much output through a command, beside a bare pipe",
  },
  walks: { argv: [...vitest, "core.walks"], sets: "WALKS", what: "[walks]: random walks over all inputs of the core" },
  replies: {
    argv: [...vitest, "interaction/properties"],
    sets: "INTERACTION_SEQUENCES",
    what: "[--sequences <n>]: sequences of replies to flows and sessions, 10,000 unless told; SEED=<seed> plays one",
  },
};

const [name = "", ...given] = process.argv.slice(2);
/** The number alone, or after the word for it: `200000`, `--sequences 200000`. */
const argument = given.find((word) => !word.startsWith("--"));
const chosen = Object.hasOwn(campaigns, name) ? campaigns[name] : undefined;
if (chosen === undefined) {
  const known = Object.entries(campaigns).map(([each, { what }]) => `  ${each.padEnd(12)} ${what}\n`);
  process.stderr.write(`usage: npm run campaign <name> [argument]\n\n${known.join("")}`);
  process.exitCode = 2;
} else {
  const [command = "", ...rest] = chosen.argv;
  const env = { ...process.env, ...(chosen.sets && argument ? { [chosen.sets]: argument } : {}) };
  const argv = chosen.sets || !argument ? rest : [...rest, argument];
  process.exitCode = spawnSync(command, argv, { stdio: "inherit", env }).status ?? 1;
}
