import type { InputBody, InteractionRequest } from "../../src/core/index.ts";
import { enteredCommand } from "../../src/tools/index.ts";
import type { Random } from "./random.ts";

/** What a person does next. */
export type Deed =
  | { readonly type: "submit"; readonly body: InputBody }
  | { readonly type: "sleep"; readonly ms: number }
  | { readonly type: "nothing" };

const acting = { by: { name: "ada", adapter: "simulation" }, authority: "act" } as const;
const nothing: Deed = { type: "nothing" };

/** At a question: mostly an answer, sometimes nonsense, a cancel, a stop, or a long absence. */
export function actOn(request: InteractionRequest, random: Random, willing: boolean): Deed {
  if (willing) return reply(request, "1");
  const longer = request.options.length === 5 ? 8 : 0;
  const answers = { first: 8, second: 3, longer, text: 1, nonsense: 2 };
  const deed = random.weighted({ ...answers, cancel: 0.3, stop: 0.5, away: 2, wait: 4 });
  switch (deed) {
    case "first":
      return reply(request, "1");
    case "second":
      return reply(request, "2");
    case "longer":
      return reply(request, String(3 + random.below(3)));
    case "text":
      return reply(request, "rather something else");
    case "nonsense":
      return reply(request, "option 1");
    case "cancel":
      return reply(request, "cancel");
    case "stop":
      return { type: "submit", body: { type: "stop", mode: random.chance(0.5) ? "kill" : "graceful", ...acting } };
    case "away":
      return { type: "sleep", ms: 500 };
    case "wait":
      return nothing;
    default:
      return deed satisfies never;
  }
}

/** While it works: now and then a word or a command of one's own, seldom a stop. */
export function interrupt(random: Random, willing: boolean): Deed {
  if (willing || random.chance(0.95)) return nothing;
  const text = "mind the docs too";
  const steering = { type: "prompt", text, delivery: "now", entry: "submitted", ...acting } as const;
  const stop = { type: "stop", mode: random.chance(0.5) ? "kill" : "graceful", ...acting } as const;
  const command = { type: "command", text: "!touch mine", ...enteredCommand("touch mine"), ...acting } as const;
  const body = { steering, command, stop }[random.weighted({ steering: 5, command: 3, stop: 2 })];
  return { type: "submit", body };
}

function reply({ interaction_id }: InteractionRequest, line: string): Deed {
  return { type: "submit", body: { type: "reply", interaction: interaction_id, line, shown: null, ...acting } };
}
