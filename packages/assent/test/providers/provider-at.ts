import { openProvider, readModelName, targetOf } from "../../src/providers/index.ts";
import { type Provider, systemClock } from "../../src/runtime/index.ts";

/** A model behind real HTTP, which is asked once. */
export function providerAt(url: string): Provider {
  const named = readModelName("openai-chat:m");
  if (named.type !== "named") throw new Error(`expected a name, came ${named.type}`);
  const found = targetOf(named, { OPENAI_BASE_URL: `${url}/v1` }, null);
  if (found.type !== "found") throw new Error(`expected a target, came ${found.type}`);
  const { target, keyName } = found;
  const model = { target, keyName, format: named.entry.format, context: null, prices: null, settings: { retries: 0 } };
  return openProvider(model, { clock: systemClock, version: "0" });
}
