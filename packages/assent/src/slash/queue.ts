import { isBlank } from "../core/interaction/index.ts";
import {
  quoted,
  type SlashCommand,
  type SlashPlace,
  type SlashResult,
  submit,
  told,
  unlessRefused,
  wordsOf,
  wrong,
} from "./command.ts";
import { suggestion } from "./names.ts";
import { describeWaiting } from "./status.ts";

export const queue: SlashCommand = {
  name: "queue",
  usage: "/queue [text | list | drop <id> | send <id>]",
  does: "keeps a prompt for the next exchange; lists what waits, takes it back, or sends what is held",
  more: "Texts are held when the exchange that they waited for did not end well.",
  examples: ["/queue then update the changelog", "/queue", "/queue drop w2", "/queue send w3"],
  tier: (given) => (isListing(given) ? "safe" : "elevated"),
  who: "person",
  complete: (typed, { host, session }) =>
    /^(?:drop|send)\s/.test(typed) ? host.view(session).waiting.map(({ id }) => id) : ["list", "drop", "send"],
  run(given, place) {
    if (isListing(given)) return told(listed(place));
    const [word = "", id = "", ...more] = wordsOf(given);
    // With more words behind it, it is the beginning of a text.
    if ((word === "drop" || word === "send") && more.length === 0) return change(word, id, place);
    return add(given.trim(), place);
  },
};

function isListing(given: string): boolean {
  return isBlank(given) || given.trim() === "list";
}

function listed({ host, session }: SlashPlace): string {
  const { waiting } = host.view(session);
  return waiting.length === 0 ? "nothing waits" : waiting.map(describeWaiting).join("\n");
}

function change(word: "drop" | "send", id: string, place: SlashPlace): SlashResult {
  const ids = place.host.view(place.session).waiting.map((each) => each.id);
  if (!ids.includes(id)) {
    const there = ids.length === 0 ? "nothing waits" : `there are ${ids.join(", ")}`;
    return wrong(`${word}: expected the id of a waiting text, found ${quoted(id)}; ${there}${suggestion(id, ids)}`);
  }
  const { refusal } = submit(place, { type: word === "drop" ? "withdrawal" : "release", waiting: id });
  return unlessRefused(place, refusal, told(word === "drop" ? `${id} is taken back` : `${id} is sent`));
}

function add(text: string, place: SlashPlace): SlashResult {
  const { refusal, events } = submit(place, { type: "prompt", text, delivery: "next", entry: "typed" });
  const queued = events.map(({ event }) => event).find((event) => event.type === "prompt.queued");
  const where = queued?.type === "prompt.queued" ? `waits as ${queued.waiting}` : "nothing is open: it is sent";
  return unlessRefused(place, refusal, told(where));
}
