/** Starts a campaign by its name: `npm run campaign power-loss`. */
import { spawnSync } from "node:child_process";

const vitest = ["vitest", "run"];
const script = (name: string) => ["node", `${import.meta.dirname}/${name}.ts`];

type Campaign = {
  readonly argv: readonly string[];
  /** The environment that its argument sets. */
  readonly sets?: string;
  /** The argument where none is given. */
  readonly usual?: string;
  /** Its argument is no number, but this. */
  readonly takes?: RegExp;
  readonly what: string;
};

const campaigns: Readonly<Record<string, Campaign>> = {
  "power-loss": {
    argv: script("power-loss"),
    what: "[seed]: the journal after a power cut at each sync of a workload",
  },
  "disk-faults": { argv: script("disk-faults"), what: "the journal with each write and sync failing once" },
  damage: {
    argv: script("damage"),
    what: "[stores]: stores damaged in every way, 2,000 unless told; DAMAGE_SEED=<seed> damages others",
  },
  soak: {
    argv: script("soak"),
    what: "[minutes]: a server and a run at work, and what they hold of memory and descriptors; 10 minutes unless told",
  },
  simulation: {
    argv: [...vitest, "simulation"],
    sets: "SIMULATED_SEEDS",
    what: "[seeds]: a crash at every point of I/O",
  },
  kills: { argv: [...vitest, "e2e/kills"], sets: "KILLS", what: "[times]: real processes killed at any moment" },
  crash: {
    argv: script("crash"),
    what: "[kills]: the shipped command killed at every journalled point, 1,200 unless told; CRASH_SEED=<seed> aims anew",
  },
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
  streams: {
    argv: script("streams"),
    what: "[streams]: replies of models damaged in every way, 1,000,000 unless told; STREAMS_SEED=<seed> damages others",
  },
  rewriting: {
    argv: [...vitest, "policy/rewriting"],
    sets: "REWRITINGS",
    usual: "50000",
    what: "[rewrites]: dangerous commands written differently, 50,000 unless told; REWRITINGS_FROM=<n> makes others",
  },
  parsing: {
    argv: [...vitest, "policy/execution/agreement"],
    sets: "PARSED_COMMANDS",
    takes: /./,
    what: "[file]: bash and the parser on our commands, and on those of a file of JSON lines",
  },
  faults: {
    argv: [...vitest, "faults/matrix"],
    sets: "FAULTS",
    usual: "all",
    takes: /^all$/,
    what: "every fault of a model in every API, through the built command; the tests play each in one of them",
  },
  races: {
    argv: [...vitest, "http/races"],
    sets: "RACES",
    usual: "1000",
    what: "[rounds]: 50 answers to one question at once, over HTTP, from the page, by command and typed; 1,000 unless told",
  },
  "type-ahead": {
    argv: [...vitest, "e2e/shell-type-ahead"],
    sets: "TYPE_AHEAD",
    usual: "1000",
    what: "[trials]: answers typed before their question is there, in a real terminal; 1,000 unless told",
  },
  "mcp-conformance": {
    argv: script("mcp-conformance"),
    takes: /./,
    what: "[scenario]: the official scenarios for MCP clients, with the client of this repository",
  },
  "mcp-hostile": {
    argv: [...vitest, "integrations/mcp/hostile"],
    sets: "HOSTILE_LINE_BYTES",
    usual: "1000000000",
    what: "[bytes]: the MCP servers that wish us ill, one with a line of so many bytes, a gigabyte unless told",
  },
  execution: {
    argv: [...vitest, "policy/execution/execution"],
    sets: "EXECUTED_EVERY",
    what: "[1]: commands run in a sandbox, and whether they do what is said of them; every second unless told",
  },
};

const [name = "", ...given] = process.argv.slice(2);
const chosen = Object.hasOwn(campaigns, name) ? campaigns[name] : undefined;
/** The number alone, or after the word for it: `200000`, `--sequences 200000`. */
const argument = given.find((word) => !word.startsWith("--")) ?? chosen?.usual;
const wrong = wrongWith(chosen);
if (chosen === undefined || wrong !== null) {
  const known = Object.entries(campaigns).map(([each, { what }]) => `  ${each.padEnd(15)} ${what}\n`);
  const told = wrong === null ? "" : `${wrong}\n`;
  process.stderr.write(
    chosen === undefined ? `${told}usage: npm run campaign <name> [argument]\n\n${known.join("")}` : told,
  );
  process.exitCode = 2;
} else {
  const [command = "", ...rest] = chosen.argv;
  const env = { ...process.env, ...(chosen.sets && argument ? { [chosen.sets]: argument } : {}) };
  const argv = chosen.sets || !argument ? rest : [...rest, argument];
  process.exitCode = spawnSync(command, argv, { stdio: "inherit", env }).status ?? 1;
}

/** A campaign of nothing would find nothing, and look as if all were well. */
function wrongWith(campaign: Campaign | undefined): string | null {
  if (campaign === undefined)
    return name === "" ? null : `expected the name of a campaign, found ${JSON.stringify(name)}`;
  const { takes = /^[1-9]\d*$/, what } = campaign;
  const isFine = argument === undefined || takes.test(argument);
  return isFine ? null : `${name}: expected ${what}; found ${JSON.stringify(argument)}`;
}
