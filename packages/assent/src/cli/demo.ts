import { readFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { evolve, newSession, nextWork, type SessionEvent } from "../core/index.ts";
import { decodeEvent } from "../wire/index.ts";

/** Reads a recorded session, shows each event as a person would see it, and what the fold of all of them says. */
export function demo(file: string, out: Pick<Writable, "write">): number {
  out.write("A recorded session of Assent; the model in it was scripted. Nothing is run.\n\n");
  let session = newSession();
  for (const [index, line] of readFileSync(file, "utf8").trimEnd().split("\n").entries()) {
    const decoded = decodeEvent(line);
    if (decoded.type === "unreadable") {
      out.write(`assent: ${file}, line ${index + 1}: ${decoded.reason}\n`);
      return 1;
    }
    session = evolve(session, decoded.event);
    for (const shown of show(decoded.event)) out.write(`${shown}\n`);
  }
  const { exchange, turns, limits } = session;
  out.write(`\nThe fold of its ${session.seq} events: session ${session.id}, ${session.status}, `);
  out.write(`turn ${turns} of ${limits.turns}, ${exchange === null ? "no exchange open" : "an exchange open"}; `);
  out.write(`next work: ${nextWork(session).type}.\n`);
  return 0;
}

/** The channels a person tells apart: prompt, agent, tool and system. */
function show(event: SessionEvent): readonly string[] {
  switch (event.type) {
    case "exchange.started":
      return [`prompt  ${event.prompt}`];
    case "run.started":
      return [`system  run opened: ${event.objective}`];
    case "model.replied":
      return [
        ...(event.reply.text === "" ? [] : [`agent   ${event.reply.text}`]),
        ...event.reply.calls.map(({ tool, arguments: given }) => `agent   → ${tool} ${given}`),
      ];
    case "call.judged":
      return [`system  ${event.verdict}: ${event.reason} (${event.rule})`];
    case "interaction.requested": {
      const { question, options } = event.request;
      return [question, "", ...options.map(({ label }, index) => `${index + 1}) ${label}`)];
    }
    case "interaction.rejected":
      return [`system  not an answer: ${event.detail}`];
    case "interaction.resolved":
      return "by" in event ? [`system  ${event.state} by ${event.by.name} in ${event.by.adapter}`] : [];
    case "call.finished":
      return event.result.text === "" ? [] : [`tool    ${event.result.text}`];
    case "exchange.ended":
      return [`agent   ${event.text}`, `system  ${event.outcome}`];
    default:
      return [];
  }
}
