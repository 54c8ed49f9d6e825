import type { EventOf, SessionEvent } from "../core/index.ts";
import { renderBlock } from "../core/interaction/index.ts";
import { inShellWords, type Said, Showing, saidSubject, saidSystem } from "../show/index.ts";
import {
  errand,
  quoted,
  type SlashCommand,
  type SlashPlace,
  type SlashResult,
  told,
  wordsOf,
  wrong,
} from "./command.ts";
import { recordedEvents } from "./export.ts";
import { suggestion } from "./names.ts";

/** How many exchanges are shown unless it is said. */
const usualExchanges = 3;
/** Of a longer output the first and the last lines are shown, half of these each. */
const mostLines = 12;

/** Everything is readable here, also what was withheld when it came (PRI-1). */
export const history: SlashCommand = {
  name: "history",
  usage: "/history [n | <call> | all]",
  does: `shows what was said and done in the last ${usualExchanges} exchanges, or n, or the whole output of a call`,
  more: "Texts of the model that were withheld and replies that were discarded are there, too, marked as such.",
  examples: ["/history", "/history 10", "/history all", "/history t4c1"],
  tier: "safe",
  who: "anyone",
  complete: () => ["all"],
  run(given, place) {
    const words = wordsOf(given);
    const [word = String(usualExchanges)] = words;
    if (words.length > 1) return wrong(`expected a number, a call or all, found ${quoted(given)}`);
    if (word === "all") return showExchanges(Number.POSITIVE_INFINITY, place);
    if (/^\d+$/.test(word)) {
      return Number(word) > 0 ? showExchanges(Number(word), place) : wrong(`expected a number above 0, found ${word}`);
    }
    return showCall(word, place);
  },
};

async function showExchanges(most: number, place: SlashPlace): Promise<SlashResult> {
  const telling = new Telling(place);
  const first = place.host.view(place.session).counted.exchanges - most;
  const said: Said[] = [];
  let begun = most === Number.POSITIVE_INFINITY;
  for await (const { event } of recordedEvents(place)) {
    begun ||= event.type === "exchange.started" && event.exchange > first;
    if (begun) said.push(...telling.tell(event).map((each) => folded(here(each, place))));
  }
  if (said.length > 0) return errand({ type: "show", said });
  const { history } = place.host.view(place.session);
  return told(
    history === null
      ? "nothing was said so far"
      : "nothing was said since this session was forked; /context tells what it has of the one before",
  );
}

/** What is to be done about it is done in the session that is open. */
function here(said: Said, { session }: SlashPlace): Said {
  return said.channel === "system" ? { ...said, text: inShellWords(session, said.text) } : said;
}

async function showCall(call: string, place: SlashPlace): Promise<SlashResult> {
  const telling = new Telling(place);
  const said: Said[] = [];
  const known = new Set<string>();
  for await (const { event } of recordedEvents(place)) {
    const ofIt = telling.tell(event);
    for (const each of callsIn(event)) {
      known.add(each.id);
      if (each.id === call) said.push({ channel: "tool", form: "start", text: `${each.tool} ${each.arguments}`, call });
    }
    if ("call" in event && event.call === call) said.push(...ofIt.filter(({ form }) => form !== "start"));
  }
  if (known.has(call)) return errand({ type: "show", said });
  return wrong(`expected a number, a call or all, found ${quoted(call)}${suggestion(call, ["all", ...known])}`);
}

type Called = { readonly id: string; readonly tool: string; readonly arguments: string };

function callsIn(event: SessionEvent): readonly Called[] {
  if (event.type === "model.replied" || event.type === "reply.discarded") return event.reply.calls;
  return event.type === "command.entered" && "call" in event ? [{ ...event, id: event.call }] : [];
}

/** All that a session has recorded as what people read, with what they were not shown at the time. */
class Telling {
  readonly #showing: Showing;

  constructor({ host, session }: SlashPlace) {
    this.#showing = new Showing({ ...host.view(session), exchange: null, interactions: [] });
  }

  tell(event: SessionEvent): readonly Said[] {
    const shown = this.#showing.show(event);
    switch (event.type) {
      case "model.replied":
        return [...shown, ...withheldText(event)];
      case "reply.discarded":
        return discardedReply(event);
      case "exchange.ended":
        return [...this.#showing.saidText(event), ...shown];
      case "interaction.requested":
        return [...shown, ...saidSubject(event.request), ...saidSystem(renderBlock(event.request))];
      case "prompt.queued":
      case "steering.received":
        return [...saidSystem("while it worked:"), { channel: "prompt", form: "text", text: event.text }];
      case "prompt.withdrawn":
      case "steering.withdrawn":
        return saidSystem(`${event.waiting} was taken back`);
      default:
        return shown;
    }
  }
}

function withheldText({ reply, hidden }: EventOf<"model.replied">): readonly Said[] {
  if (!hidden || reply.text === "") return [];
  return [...saidSystem("withheld (it stood beside a question or right after an answer):"), agentText(reply.text)];
}

function discardedReply({ reply, violations, offer }: EventOf<"reply.discarded">): readonly Said[] {
  const part = offer === undefined ? "" : `: ${offer.part} (${offer.rule})`;
  return [
    ...saidSystem(`discarded reply, ${violations.join(", ")}${part}`),
    ...(reply.text === "" ? [] : [agentText(reply.text)]),
    ...reply.calls.map(
      ({ tool, arguments: given }) => ({ channel: "tool", form: "text", text: `not run: ${tool} ${given}` }) as const,
    ),
  ];
}

function agentText(text: string): Said {
  return { channel: "agent", form: "markdown", text };
}

/** As much as a person reads of an output among others; where the whole is stands in the middle. */
function folded(said: Said): Said {
  if (said.call === undefined || said.form === "start") return said;
  const lines = said.text.replace(/\n$/, "").split("\n");
  if (lines.length <= mostLines) return said;
  const part = mostLines / 2;
  const left = `… ${lines.length - mostLines} lines more (/history ${said.call} shows all) …`;
  return { ...said, text: [...lines.slice(0, part), left, ...lines.slice(-part)].join("\n") };
}
