import { readFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { evolve, newSession, nextWork, type SessionEvent } from "../core/index.ts";
import { decodeEvent } from "../wire/index.ts";

type Streams = { readonly stdout: Pick<Writable, "write">; readonly stderr: Pick<Writable, "write"> };

/** Reads a recorded session, shows each event as a person would see it, and what the fold of all of them says. */
export function demo(file: string, { stdout, stderr }: Streams): number {
  let session = newSession();
  const shown: string[] = [];
  try {
    for (const line of readFileSync(file, "utf8").trimEnd().split("\n")) {
      const decoded = decodeEvent(line);
      const problem = decoded.type === "unreadable" ? decoded.reason : outOfOrder(decoded.seq, session.seq + 1);
      if (decoded.type === "unreadable" || problem !== null) {
        stderr.write(`assent: ${file}, event ${session.seq + 1}: ${problem}\n`);
        return 1;
      }
      session = evolve(session, decoded.event);
      shown.push(...show(decoded.event));
    }
  } catch (error) {
    stderr.write(`assent: cannot read the recording: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  const { turns, limits, seq } = session;
  stdout.write("A recorded session of Assent; the model in it was scripted. Nothing is run.\n\n");
  stdout.write(`${shown.join("\n")}\n\n`);
  stdout.write(`The recording has ${seq} events; folded, they say: turn ${turns} of ${limits.turns}, `);
  stdout.write(`and what is due next is to ${nextWork(session).type}.\n`);
  return 0;
}

function outOfOrder(found: number, expected: number): string | null {
  return found === expected ? null : `seq: expected ${expected}, found ${found}`;
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
