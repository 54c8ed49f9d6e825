import { exitCodes } from "../adapters/headless/index.ts";
import { visibleLine } from "../core/index.ts";
import type { Provider } from "../runtime/index.ts";
import { type Outcome, steps } from "./doctor-steps.ts";
import { UsageError } from "./flags.ts";
import { scriptOf } from "./model.ts";
import { openModel } from "./open.ts";
import { stderr, stdout } from "./output.ts";

type Result = { readonly step: string; readonly seconds: number } & Outcome;

/** `assent doctor --live`: a fixed protocol with the real model, within ten minutes. */
export async function examine(name: string, { json }: { readonly json: boolean }): Promise<number> {
  if (scriptOf(name) !== null) {
    throw new UsageError(`--live: expected a real model, found ${name}: a script says nothing about one`);
  }
  const provider = openModel(name);
  stderr.write(`assent: examines ${name}. This costs ${roughly(provider)}. Ctrl-C ends it.\n`);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.on("SIGINT", onSignal);
  try {
    const results = await perform(provider, { stop: stop.signal, json });
    const count = (verdict: Outcome["verdict"]) => results.filter((result) => result.verdict === verdict).length;
    const undone = results.length < steps.length ? `; ${results.length} of ${steps.length} steps were done` : "";
    stderr.write(`assent: ${count("pass")} passed, ${count("fail")} failed, ${count("skip")} skipped${undone}\n`);
    if (stop.signal.aborted) return exitCodes.stopped;
    return count("fail") === 0 ? exitCodes.done : exitCodes.failed;
  } finally {
    process.off("SIGINT", onSignal);
  }
}

function roughly({ window = null }: Provider): string {
  const filled =
    window === null || window > 300_000 ? "" : `, and one request of more than ${window} that must be refused`;
  return `about 10000 tokens${filled}`;
}

type Performing = { readonly stop: AbortSignal; readonly json: boolean };

async function perform(provider: Provider, { stop, json }: Performing): Promise<readonly Result[]> {
  const results: Result[] = [];
  const examined = { provider, window: provider.window ?? null, called: null, requests: 0 };
  for (const step of steps) {
    if (stop.aborted) break;
    stderr.write(`      ${step.name} begins, at most ${step.limitMs / 1_000} s\n`);
    const began = performance.now();
    const outcome = await step.perform(examined, AbortSignal.any([stop, AbortSignal.timeout(step.limitMs)]));
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const detail = visibleLine(outcome.detail);
    const result: Result = { step: step.name, verdict: outcome.verdict, seconds, detail };
    // What was not finished has neither passed nor failed.
    if (stop.aborted) break;
    results.push(result);
    stdout.write(`${json ? JSON.stringify(result) : describe(result)}\n`);
    if (outcome.hopeless) break;
  }
  return results;
}

function describe({ step, verdict, seconds, detail }: Result): string {
  return `${verdict}  ${step.padEnd(18)} ${`${seconds} s`.padStart(7)}  ${detail}`;
}
