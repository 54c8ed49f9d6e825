import { type Deciders, type Draft, type Evolvers, refuse } from "./draft.ts";
import type { Person, StopMode } from "./events.ts";
import { bindToEnd, updateExchange } from "./exchange.ts";
import type { Refusal } from "./inputs.ts";
import { withdraw } from "./questions.ts";
import { type Call, openInteraction } from "./state.ts";

/** A stop binds the exchange to end: what runs finishes, or is killed when asked for; nothing new begins (STOP-1). */
export const stopEvolvers: Evolvers<"stop.requested"> = {
  "stop.requested": (session, event) =>
    updateExchange(bindToEnd(session, { outcome: "stopped" }), (exchange) => ({
      ...exchange,
      stop: event.mode,
      phase:
        exchange.phase.type === "turn" && event.mode === "kill"
          ? { ...exchange.phase, calls: exchange.phase.calls.map(markKilled) }
          : exchange.phase,
    })),
};

export const stopDeciders: Deciders<"stop"> = {
  stop: (draft, input) => {
    const { exchange } = draft.session;
    const other = input.exchange !== undefined && input.exchange !== exchange?.ordinal;
    if (other) return refuse("nothing_to_stop", `exchange ${input.exchange} is not open`);
    return requestStop(draft, input.mode, input.by);
  },
};

export function requestStop(draft: Draft, mode: StopMode, by: Person): Refusal | null {
  const exchange = draft.session.exchange;
  if (exchange === null) return refuse("nothing_to_stop", "no exchange is open");
  if (exchange.stop === "kill" || exchange.stop === mode) return null;
  draft.emit({ type: "stop.requested", exchange: exchange.ordinal, mode, by });
  for (;;) {
    const interaction = openInteraction(draft.session);
    if (interaction === null) return null;
    withdraw(draft, interaction, { reason: "stopped" });
  }
}

function markKilled(call: Call): Call {
  return call.status.type === "started"
    ? { ...call, status: { type: "started", kill: call.status.kill ?? "stopped" } }
    : call;
}
