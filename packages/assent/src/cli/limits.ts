import { type Limits, parseCount, parseTurnLimit, type TurnLimit } from "../core/index.ts";
import { type Given, UsageError } from "./flags.ts";
import { pricesKnown } from "./model.ts";
import { limitOptions } from "./specs/following.ts";

type Reader<T> = { readonly parse: (typed: string) => T | null; readonly expected: string };

const turnLimit: Reader<TurnLimit> = { parse: parseTurnLimit, expected: 'a positive integer or "unlimited"' };
const count: Reader<number> = { parse: parseCount, expected: "a positive integer" };
const seconds: Reader<number> = {
  parse: (typed) => Math.ceil((parseAmount(typed) ?? 0) * 1_000) || null,
  expected: "a number of seconds above 0",
};
const amount: Reader<number> = { parse: parseAmount, expected: "a number above 0" };

/** What the command line says of limits; for a new session also what the environment does. */
export function readLimits(given: Given, { isNew }: { readonly isNew: boolean }): Partial<Limits> {
  const flag = <T>(name: keyof typeof limitOptions, reader: Reader<T>) => read(`--${name}`, given.text(name), reader);
  const usual = <T>(name: string, reader: Reader<T>) =>
    isNew ? read(name, process.env[name] || undefined, reader) : undefined;
  if (!isNew) refuseBudgets(given);
  const turns = flag("max-turns", turnLimit) ?? usual("ASSENT_MAX_TURNS", turnLimit);
  const iterations = flag("max-iterations", count) ?? usual("ASSENT_MAX_ITERATIONS", count);
  return {
    ...(turns === undefined ? {} : { turns }),
    ...(iterations === undefined ? {} : { iterations }),
    ...budgetOf(flag),
  };
}

function budgetOf(
  flag: (name: keyof typeof limitOptions, reader: Reader<number>) => number | undefined,
): Partial<Limits> {
  const tokens = flag("max-tokens", count);
  const iterationTokens = flag("max-iteration-tokens", count);
  const calls = flag("max-calls", count);
  const clockMs = flag("max-time", seconds);
  const cost = flag("max-cost", amount);
  return {
    ...(tokens === undefined ? {} : { tokens }),
    ...(iterationTokens === undefined ? {} : { iteration_tokens: iterationTokens }),
    ...(calls === undefined ? {} : { calls }),
    ...(clockMs === undefined ? {} : { clock_ms: clockMs }),
    ...(cost === undefined ? {} : { cost }),
  };
}

/** A limit that nothing is counted against would be none. */
export function checkCost({ cost }: Partial<Limits>, model: string): void {
  if (cost === undefined || pricesKnown(model)) return;
  throw new UsageError(`--max-cost: the prices of ${model} are not known; models.json in ASSENT_HOME tells them`);
}

/** A session that is there has the budget that it was made with. */
function refuseBudgets(given: Given): void {
  const names = Object.keys(limitOptions).filter((name) => name !== "max-turns" && name !== "max-iterations");
  const found = names.find((name) => given.has(name));
  if (found === undefined) return;
  throw new UsageError(`--${found} is for a new session; of an earlier one only turns and iterations can be changed`);
}

function read<T>(name: string, typed: string | undefined, { parse, expected }: Reader<T>): T | undefined {
  if (typed === undefined) return undefined;
  const value = parse(typed);
  if (value !== null) return value;
  throw new UsageError(`${name}: expected ${expected}, found ${JSON.stringify(typed)}`);
}

function parseAmount(typed: string): number | null {
  return /^\d{1,9}(\.\d{1,9})?$/.test(typed) && Number(typed) > 0 ? Number(typed) : null;
}
