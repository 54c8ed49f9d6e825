import type { Usage } from "../core/index.ts";
import type { Provider } from "../runtime/ports.ts";

/** What a million tokens cost, in whatever money the person counts in. */
export type Prices = { readonly input: number; readonly output: number; readonly cached?: number };

/**
 * How many tokens a request and its reply may have together, by how the model's name begins; the longest beginning that
 * fits counts. Prices are not here: they change, and a wrong one is worse than none.
 */
const windows: Readonly<Record<string, number>> = {
  "gpt-3.5-turbo": 16_385,
  "gpt-4-turbo": 128_000,
  "gpt-4o": 128_000,
  "gpt-4.1": 1_047_576,
  "gpt-5": 400_000,
  "gpt-5-chat": 128_000,
  o1: 200_000,
  "o1-mini": 128_000,
  "o1-preview": 128_000,
  o3: 200_000,
  o4: 200_000,
  "claude-": 200_000,
  "gemini-": 1_048_576,
};

/** `null` when nobody knows. A server of many vendors puts their names before the model's: `anthropic/claude-…`. */
export function windowOf(model: string): number | null {
  const bare = model.slice(model.lastIndexOf("/") + 1);
  const [longest] = Object.keys(windows)
    .filter((beginning) => bare.startsWith(beginning))
    .sort((one, other) => other.length - one.length);
  return longest === undefined ? null : (windows[longest] ?? null);
}

/** Input that the provider had kept is charged at its own price, where one is known. */
export function costOf({ input, output, cached }: Usage, prices: Prices): number {
  const kept = Math.min(cached, input);
  return ((input - kept) * prices.input + kept * (prices.cached ?? prices.input) + output * prices.output) / 1_000_000;
}

/** The same provider, whose answers say what they cost. */
export function withCost(provider: Provider, prices: Prices | null): Provider {
  if (prices === null) return provider;
  return {
    ...provider,
    async ask(question, watched) {
      const answer = await provider.ask(question, watched);
      if (answer.type !== "replied") return answer;
      return { ...answer, usage: { ...answer.usage, cost: costOf(answer.usage, prices) } };
    },
  };
}
