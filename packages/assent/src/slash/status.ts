import type { BackgroundProcess, Session, Waiting } from "../core/index.ts";
import { visibleLine } from "../core/interaction/index.ts";
import { saidTokens } from "../show/index.ts";
import { bare, type SlashCommand, type Surroundings, told } from "./command.ts";

export const status: SlashCommand = {
  name: "status",
  usage: "/status",
  does: "tells the model, the session, its limits and cost, and what is under way",
  examples: ["/status"],
  tier: "safe",
  who: "anyone",
  run: bare(({ host, session, around }) => told(describeStatus(host.view(session), around))),
};

function describeStatus(session: Session, { version, model }: Surroundings): string {
  const { id, name, cwd, status: state, limits, turns, usage } = session;
  const fields: readonly (readonly [label: string, values: readonly string[]])[] = [
    ["assent", [version]],
    ["model", [model.name() ?? "none is set; /model setup sets one up"]],
    ["session", [`${id}${name === null ? "" : ` (${name})`}${state === "aborted" ? ", aborted" : ""}`]],
    ["folder", [cwd]],
    ["turns", [`${turns} of ${limits.turns}`]],
    ["tokens", saidTokens(usage, usage).map(({ text }) => text.replace(/^tokens: /, ""))],
    ["exchange", exchangeLines(session)],
    ["question", session.interactions.slice(0, 1).map(({ request }) => request.question)],
    ["waiting", session.waiting.map(describeWaiting)],
    ["background", session.processes.map(describeProcess)],
    ["terminal", terminalLines(session)],
  ];
  return fields
    .flatMap(([label, values]) =>
      values.map((value, index) => `${(index === 0 ? label : "").padEnd(11)}${visibleLine(value)}`),
    )
    .join("\n");
}

function exchangeLines({ id, exchange, limits, lastEnding, failed }: Session): readonly string[] {
  if (exchange === null) {
    const last = lastEnding === null ? "none so far" : `none is open; the last one ended: ${lastEnding.outcome}`;
    return [failed === null ? last : `${last}; /resume ${id} goes on with it`];
  }
  const { ordinal, prompt, run, stop } = exchange;
  return [
    `${ordinal}${stop === null ? "" : ", stopping"}: ${shortened(prompt)}`,
    ...(run === null ? [] : [`run, iteration ${run.iterations} of ${limits.iterations}: ${shortened(run.objective)}`]),
  ];
}

/** As /queue names it, too. */
export function describeWaiting({ id, type, text, held, sent }: Waiting): string {
  const how = held ? "held" : sent === null ? waitsFor[type] : "sent";
  return `${id}  ${how}  ${shortened(text)}`;
}

const waitsFor: Readonly<Record<Waiting["type"], string>> = {
  steering: "for the next turn",
  prompt: "for the next exchange",
  command: "for the next exchange",
};

function describeProcess({ pid, command, kept }: BackgroundProcess): string {
  return `${pid}  ${shortened(command)}${kept ? "  (kept)" : ""}`;
}

function terminalLines({ terminal }: Session): readonly string[] {
  switch (terminal.state) {
    case "never":
      return [];
    case "open":
      return [`a persistent shell is open in ${terminal.cwd}`];
    case "closed":
      return [`the persistent shell was ${terminal.lost ? "lost" : "closed"} in ${terminal.cwd}`];
    default:
      return terminal satisfies never;
  }
}

const mostCharacters = 100;

function shortened(text: string): string {
  const line = visibleLine(text.slice(0, 2 * mostCharacters));
  return text.length <= mostCharacters && line.length <= mostCharacters ? line : `${line.slice(0, mostCharacters)}…`;
}
