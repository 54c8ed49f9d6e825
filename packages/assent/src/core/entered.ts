import { type Deciders, type Draft, type Evolvers, refuse } from "./draft.ts";
import { startExchange, updateExchange } from "./exchange.ts";
import type { InputOf, Refusal } from "./inputs.ts";
import { isBlank } from "./interaction/index.ts";

/** What people do themselves: calls of their own, commands of the shell, a summary of the history (SEL-5). */
export const enteredEvolvers: Evolvers<"command.entered" | "command.launched"> = {
  "command.entered": (session, event) => {
    // A command of the shell does what it does by other inputs.
    if (!("call" in event)) return session;
    const { call: id, tool, arguments: given, asks } = event;
    const call = { id, original: "", tool, arguments: given, asks, status: { type: "asked" } } as const;
    return updateExchange({ ...session, worked: true }, (exchange) => ({
      ...exchange,
      entered: true,
      phase: { type: "turn", ordinal: 0, calls: [call] },
    }));
  },
  "command.launched": (session, event) => ({
    ...session,
    launches: session.launches.filter(({ call }) => call !== event.call),
  }),
};

export const enteredDeciders: Deciders<"command" | "entry" | "compaction" | "launch"> = {
  command: decideCommand,
  entry: (draft, { command, by }) => {
    if (isBlank(command)) return refuse("invalid_command", "a command has at least one visible character");
    draft.emit({ type: "command.entered", command, by });
    return null;
  },
  compaction: (draft, { by }) => {
    const { exchange, history, counted } = draft.session;
    if (exchange !== null) return refuse("exchange_open", "an exchange is open; its end comes first");
    if (history === null)
      return refuse("nothing_to_compact", "nothing was said in this session that could be summarised");
    const ordinal = counted.exchanges + 1;
    draft.emit({ type: "exchange.started", exchange: ordinal, prompt: "/compact", by, compacts: true });
    return null;
  },
  launch: (draft, { call, by }) => {
    const known = draft.session.launches.some((launch) => launch.call === call);
    if (!known) return refuse("unknown_call", `call ${call} asked for no command, or it has been entered`);
    draft.emit({ type: "command.launched", call, by });
    return null;
  },
};

/** While an exchange is open it waits for the end of that, in order with what else waits. */
function decideCommand(draft: Draft, input: InputOf<"command">): Refusal | null {
  const { text, tool, arguments: given, asks, by } = input;
  if (isBlank(text)) return refuse("invalid_command", "a command has at least one visible character");
  if (asks.type === "invalid") return refuse("invalid_command", asks.reason);
  // The others are the model's own; a flow has an input of its own.
  if (asks.type !== "tool") return refuse("invalid_command", `${tool} is not for people to call`);
  const command = { tool, arguments: given, asks };
  if (draft.session.exchange === null) startExchange(draft, { text, by, command });
  else draft.emit({ type: "prompt.queued", waiting: `w${draft.session.counted.waiting + 1}`, text, by, command });
  return null;
}
