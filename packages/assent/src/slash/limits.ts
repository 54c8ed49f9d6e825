import { bare, quoted, type SlashCommand, submit, told, unlessRefused, wordsOf, wrong } from "./command.ts";
import { suggestion } from "./names.ts";

export const turnLimit: SlashCommand = {
  name: "turn-limit",
  usage: "/turn-limit [n|unlimited]",
  modelUsage: "/turn-limit",
  does: "shows or sets how many turns the model has before you are asked whether to go on",
  examples: ["/turn-limit 50", "/turn-limit unlimited"],
  tier: (given) => (given.trim() === "" ? "safe" : "elevated"),
  who: "anyone",
  withheld: (given) => (given.trim() === "" ? null : "how long the model may work is a person's to decide"),
  complete: () => ["unlimited"],
  run(given, place) {
    const limit = given.trim();
    if (limit !== "") {
      const { refusal } = submit(place, { type: "limit", turns: limit });
      if (refusal !== null) return wrong(`${refusal.detail}${suggestion(limit, ["unlimited"])}`);
    }
    const { turns, limits } = place.host.view(place.session);
    return told(`${turns} of ${limits.turns} turns`);
  },
};

export const stop: SlashCommand = {
  name: "stop",
  usage: "/stop [kill]",
  does: "ends the open exchange; what runs finishes first, with kill it is ended, too",
  examples: ["/stop", "/stop kill"],
  tier: "elevated",
  who: "person",
  complete: () => ["kill"],
  run(given, place) {
    const word = given.trim();
    if (word !== "" && word !== "kill")
      return wrong(`expected kill or nothing, found ${quoted(word)}${suggestion(word, ["kill"])}`);
    const { refusal } = submit(place, { type: "stop", mode: word === "kill" ? "kill" : "graceful" });
    return unlessRefused(place, refusal, told(word === "kill" ? "stopping; what runs is ended" : "stopping"));
  },
};

export const compact: SlashCommand = {
  name: "compact",
  usage: "/compact",
  does: "lets the model summarise the history, to make room",
  examples: ["/compact"],
  tier: "elevated",
  who: "anyone",
  run: bare((place) =>
    unlessRefused(place, submit(place, { type: "compaction" }).refusal, told("the history is being summarised")),
  ),
};

export const keep: SlashCommand = {
  name: "keep",
  usage: "/keep <pid>",
  does: "lets a background process outlive the session",
  examples: ["/keep 4711"],
  tier: "elevated",
  who: "person",
  complete: (_typed, { host, session }) => host.view(session).processes.map(({ pid }) => String(pid)),
  run(given, place) {
    const words = wordsOf(given);
    const [process = ""] = words;
    const { processes } = place.host.view(place.session);
    const running = processes.map(({ pid }) => pid).join(", ");
    const there = running === "" ? "no background process runs" : `there are ${running}`;
    if (words.length !== 1) return wrong(`expected the pid of a background process, found ${quoted(given)}; ${there}`);
    const { refusal } = submit(place, { type: "keeping", process });
    if (refusal?.code === "unknown_process")
      return wrong(`no background process has the pid ${quoted(process)}; ${there}`);
    return unlessRefused(place, refusal, told(`process ${process} does not end with the session`));
  },
};
