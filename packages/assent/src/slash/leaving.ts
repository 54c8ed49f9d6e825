import { bare, errand, quoted, type SlashCommand, wrong } from "./command.ts";

export const clear: SlashCommand = {
  name: "clear",
  usage: "/clear",
  does: "clears the screen; the session stays as it is",
  examples: ["/clear"],
  tier: "safe",
  who: "person",
  run: bare(() => errand({ type: "clear" })),
};

export const exit: SlashCommand = {
  name: "exit",
  also: ["quit"],
  usage: "/exit",
  does: "leaves the shell; the session can be resumed",
  more: "What runs in the background ends with it, but for what /keep keeps.",
  examples: ["/exit"],
  tier: "safe",
  who: "person",
  run: bare(() => errand({ type: "leave" })),
};

export const text: SlashCommand = {
  name: "text",
  usage: "/text <reply>",
  does: "answers the open question with this text, whatever it looks like",
  more: "For a reply that would be taken for a command, an option or a stop.",
  examples: ["/text 2", "/text /usr/bin"],
  tier: "safe",
  who: "person",
  // Where a question is open and there is a reply, the line is an answer and does not come here.
  run: (given, { host, session }) =>
    host.view(session).interactions.length === 0
      ? wrong("no question is open")
      : wrong(`expected a reply with at least one visible character, found ${quoted(given)}`),
};

export const demo: SlashCommand = {
  name: "demo",
  usage: "/demo",
  does: "plays the demo: a scripted model with the real tools, in a folder that is made for it",
  examples: ["/demo"],
  tier: "safe",
  who: "person",
  run: bare(({ around }) => errand({ type: "child", argv: [...around.program, "demo"] })),
};
