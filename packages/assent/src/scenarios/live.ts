import type { EventType } from "../core/index.ts";
import type { Provider } from "../runtime/index.ts";
import { type Played, type PlayedMove, playScenario } from "./play.ts";
import type { Scenario } from "./scenario.ts";

export type LivePlay = {
  readonly came: readonly string[];
  /** Where the model did something else, a line each; empty when it did the same. */
  readonly differences: readonly string[];
};

/**
 * The scenario with a real model in the place of its script (SCEN-2). No two replies of a model have the same words: only
 * what happened is compared, which calls and questions there were and what was executed, each once whatever its order.
 */
export async function playLive(scenario: Scenario, model: Provider): Promise<LivePlay> {
  const differences: string[] = [];
  // After a difference the rest of a session is typed at something else than it was written for.
  const goesOn = (move: PlayedMove) => {
    const found = differencesOf(move);
    differences.push(...found);
    return found.length === 0;
  };
  const { came }: Played = await playScenario(scenario, { live: model }, goesOn);
  return { came, differences };
}

function differencesOf({ part, events, executed }: PlayedMove): readonly string[] {
  const happened = new Set(events.filter(isStructural));
  const found = part.checks.flatMap((check): readonly string[] => {
    if (check.type === "events") {
      const expected = new Set(check.events.filter(isStructural));
      return [...missing("events", expected, happened), ...surplus("events", happened, expected)];
    }
    if (check.type !== "no-events") return [];
    return check.events.flatMap((type) => (events.includes(type) ? [`+ events ${type}`] : []));
  });
  const [expected, ran] = [new Set(part.executes), new Set(executed)];
  const deeds = [...missing("executes", expected, ran), ...surplus("executes", ran, expected)];
  const all = [...found, ...deeds];
  return all.length === 0 ? [] : [`  ${part.lines.join("\n  ")}`, ...all];
}

function missing(what: string, expected: ReadonlySet<string>, came: ReadonlySet<string>): readonly string[] {
  return [...expected].flatMap((each) => (came.has(each) ? [] : [`- ${what} ${each}`]));
}

function surplus(what: string, came: ReadonlySet<string>, expected: ReadonlySet<string>): readonly string[] {
  return [...came].flatMap((each) => (expected.has(each) ? [] : [`+ ${what} ${each}`]));
}

function isStructural(type: EventType): boolean {
  return type.startsWith("call.") || type.startsWith("interaction.") || type === "exchange.ended";
}
