import type { Session } from "../core/index.ts";
import { bare, quoted, type SlashCommand, told, wordsOf, wrong } from "./command.ts";
import { aligned } from "./listing.ts";
import { suggestion } from "./names.ts";

export const context: SlashCommand = {
  name: "context",
  usage: "/context",
  does: "shows what the model is told with every request, and how full its window is",
  examples: ["/context"],
  tier: "safe",
  who: "anyone",
  run: bare(({ host, session }) => told(describeContext(host.view(session)))),
};

function describeContext({ context: facts, history, measured, window, files, lastCommand }: Session): string {
  const { length, weight } = history ?? { length: 0, weight: 0 };
  const tokens =
    measured === null ? null : Math.round(measured.tokens + (weight - measured.characters) / measured.perToken);
  const size = window === null ? "of a window that is not known" : `of ${window}`;
  return [
    facts === "" ? "nothing has been told so far" : facts,
    "",
    `history: ${length} messages, ${weight} characters`,
    tokens === null
      ? `tokens: not known before the first reply, ${size}`
      : `tokens: about ${tokens} ${size}${window === null ? "" : ` (${Math.round((100 * tokens) / window)} %)`}`,
    ...(lastCommand === null ? [] : [`last command: ${lastCommand.command}`]),
    ...(files.paths.length === 0
      ? []
      : [`files modified: ${files.paths.join(", ")}${files.more ? ", and maybe more" : ""}`]),
  ].join("\n");
}

/** So much of what a tool does is told in a list. */
const mostSentence = 120;

export const tools: SlashCommand = {
  name: "tools",
  usage: "/tools",
  does: "lists the tools that the model has",
  examples: ["/tools"],
  tier: "safe",
  who: "anyone",
  run: bare(({ host, session, around }) => {
    const state = host.view(session);
    const offered = around.tools.filter((tool) => tool.available?.(state) ?? true);
    return told(
      aligned(offered.map(({ name, tier, description }) => [name, tier, firstSentence(description)])).join("\n"),
    );
  }),
};

/** In one line: what ends with a colon says nothing without what it announces. */
function firstSentence(text: string): string {
  const sentence = (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll(/\s+/g, " ");
  return sentence.length <= mostSentence ? sentence : `${sentence.slice(0, mostSentence - 2)} …`;
}

export const doctor: SlashCommand = {
  name: "doctor",
  usage: "/doctor",
  does: "tells what is there and what is missing on this machine",
  examples: ["/doctor"],
  tier: "safe",
  who: "anyone",
  run: bare(async ({ around }) => told(await around.doctor())),
};

const parts = ["explain", "rules"] as const;

export const policy: SlashCommand = {
  name: "policy",
  usage: "/policy [explain <command> | rules]",
  does: "tells whether a command would need your approval and why, or lists the rules",
  examples: ["/policy explain rm -rf build", "/policy rules"],
  tier: "safe",
  who: "anyone",
  complete: () => parts,
  async run(given, { host, session, around }) {
    const [part = "", ...rest] = wordsOf(given);
    if (part === "") return told(aboutPolicy);
    // As it was typed: white space may mean something in a command.
    const command = given.trim().slice(part.length).trim();
    if (part === "explain" && rest.length > 0) return told(await around.explain(command, host.view(session).cwd));
    if (part === "explain") return wrong("explain: expected a command, found none");
    if (part === "rules" && rest.length === 0) return told(await around.rules());
    if (part === "rules") return wrong(`rules: expected no argument, found ${quoted(rest.join(" "))}`);
    return wrong(`expected explain or rules, found ${quoted(part)}${suggestion(part, parts)}`);
  },
};

const aboutPolicy = [
  "Every call is judged before it runs: it is allowed, you are asked, or it is denied.",
  "/policy explain <command> tells the verdict on a command and its reasons, without running it.",
  "/policy rules lists what is asked about. /grants lists what you have allowed for longer.",
].join("\n");
