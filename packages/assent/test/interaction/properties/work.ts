/** What the session has to do, done: the model, the policy and the tools, each with anything that they may say. */
import {
  type Asks,
  type InputBody,
  type JudgedCall,
  type ReceivedCall,
  runningCalls,
  type Work,
} from "../../../src/core/index.ts";
import { ruleOf } from "../../core/grants.ts";
import type { Dice } from "./check.ts";
import { flowOf, questionOf, timed } from "./flows.ts";
import { acted, type Watch } from "./watch.ts";

const usage = { input: 1, output: 1, cached: 0 } as const;

export function workInput(dice: Dice, watch: Watch, work: Work): InputBody {
  switch (work.type) {
    case "call-model":
      return { type: "model-result", request: work.number, result: modelReply(dice, watch) };
    case "compact-history":
    case "stop-model":
      return { type: "model-result", request: work.number, result: { type: "abandoned" } };
    case "judge-calls":
      return { type: "verdicts", verdicts: work.calls.map(({ id }) => verdictOn(dice, id)) };
    case "save-grant":
      return { type: "grant-result", call: work.call };
    case "run-tools":
      return { type: "tool-start", call: work.calls[0]?.id ?? "", digest: "digest" };
    case "kill-tools":
      return { type: "tool-result", call: work.calls[0]?.call.id ?? "", result: { type: "error", text: "killed" } };
    case "ask-person":
    case "end-processes":
      return { type: "clock" };
    case "rest":
      return restInput(dice, watch);
    default:
      return work satisfies never;
  }
}

function restInput(dice: Dice, { session }: Watch): InputBody {
  const [call] = runningCalls(session);
  if (call !== undefined) {
    if (dice.chance(0.4)) return { type: "input-request", call: call.id, draft: questionOf(dice) };
    if (dice.chance(0.3)) return { type: "form-request", call: call.id, flow: flowOf(dice) };
    return { type: "tool-result", call: call.id, result: { type: "output", text: "ok" } };
  }
  if (dice.chance(0.3)) return { type: "flow", flow: flowOf(dice), name: "set up", arguments: "{}", ...acted };
  return { type: "prompt", text: "do it", delivery: "now", entry: "typed", ...acted };
}

function modelReply(dice: Dice, { events }: Watch) {
  const received = (asks: Asks, index: number): ReceivedCall => ({
    id: `c${events.length}-${index}`,
    tool: asks.type === "tool" ? "terminal" : asks.type,
    arguments: "{}",
    asks,
  });
  const kind = dice.weighted({ calls: 12, text: 1, block: 2 });
  if (kind === "text") return { type: "replied", text: "done", calls: [], usage } as const;
  if (kind === "block") {
    return { type: "replied", text: "Which colour is best?\n\n1) Red\n2) Синий", calls: [], usage } as const;
  }
  const calls = Array.from({ length: dice.pick([1, 1, 1, 2, 3]) }, () => asksOf(dice)).map(received);
  return { type: "replied", text: "", calls, usage } as const;
}

function asksOf(dice: Dice): Asks {
  const kind = dice.weighted({ ask: 5, flow: 4, tool: 4 });
  if (kind === "flow") return { type: "flow", flow: flowOf(dice) };
  if (kind === "tool") return { type: "tool", parallel: false, command: "make" };
  return { type: "ask", draft: { ...questionOf(dice), ...timed(dice) } };
}

function verdictOn(dice: Dice, call: string): JudgedCall {
  const judged = { call, rule: "test", reason: "test", digest: "digest", facts: null };
  if (dice.chance(0.2)) return { ...judged, verdict: "allow" };
  return {
    ...judged,
    verdict: "ask",
    approval: { question: "Approve command: make? (yes/no)", subject: "make", ...timed(dice) },
    ...(dice.chance(0.5) ? { grant: ruleOf("make") } : {}),
  };
}
