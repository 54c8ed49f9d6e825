import type { EventType, SessionEvent } from "../core/index.ts";
import { visibleLine } from "../core/index.ts";
import type { RecordedEvent } from "../wire/index.ts";
import { secretTyped } from "./answers.ts";
import { difference } from "./difference.ts";
import { playScenario } from "./play.ts";
import { readScenario } from "./read.ts";
import { isLeftOut, Retelling } from "./retelling.ts";

export type Recorded =
  | {
      readonly type: "recorded";
      readonly text: string;
      /** How the play differs from what was recorded, line by line; `null` where it does the same. */
      readonly differs: string | null;
    }
  | { readonly type: "unrecordable"; readonly reason: string };

const longestTitle = 80;

/**
 * A session that was recorded, as a scenario (SCEN-3): what people typed, what the model replied, what tools gave. What is
 * shown between comes from a play of it, so the scenario holds by itself; where the play does something else than was
 * recorded, that is told.
 */
export async function recordScenario(session: string, events: readonly RecordedEvent[]): Promise<Recorded> {
  const retelling = new Retelling(events.map(({ event }) => event));
  const told = retelling.tell();
  if ("reason" in told) return { type: "unrecordable", reason: told.reason };
  const title = `# ${titleOf(session, events)}`;
  const notes = told.notes.map((note) => `# ${note}`);
  const read = readScenario(session, `${[title, ...told.lines].join("\n")}\n`);
  if (read.type === "malformed") return { type: "unrecordable", reason: read.reason };
  const { came, recorded } = await playScenario(read.scenario);
  const text = `${[title, ...notes, ...came.flatMap(withComment)].join("\n")}\n`;
  return { type: "recorded", text, differs: difference(typesOf(events), typesOf(recorded)) };
}

function titleOf(session: string, events: readonly RecordedEvent[]): string {
  const prompts = events.flatMap(({ event }) => (event.type === "exchange.started" ? [event.prompt] : []));
  const said = visibleLine(prompts[0] ?? "").trim();
  const cut = said.length > longestTitle ? `${said.slice(0, longestTitle)} …` : said;
  return cut === "" ? `Session ${session}` : `Session ${session}: ${cut}`;
}

function withComment(line: string): readonly string[] {
  const isSecret = line === `> ${secretTyped}` || line === `>> ${secretTyped}`;
  return isSecret ? ["# A secret was typed here; it is not recorded.", line] : [line];
}

/** What depends on the machine, and is not played. */
const worldly: readonly EventType[] = [
  "context.changed",
  "terminal.opened",
  "terminal.closed",
  "process.started",
  "process.ended",
  "process.kept",
];

function typesOf(events: readonly RecordedEvent[]): readonly string[] {
  return withoutAskedByRunning(events.map(({ event }) => event))
    .filter((event) => !isLeftOut(event))
    .map(({ type }) => type)
    .filter((type) => !worldly.includes(type));
}

/** What calls asked people while they ran is left out of a scenario, and so makes no difference. */
function withoutAskedByRunning(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const calls = new Set<string>();
  const questions = new Set<string>();
  return events.filter((event) => {
    switch (event.type) {
      case "flow.started":
        if (event.flow !== undefined) calls.add(event.call);
        return event.flow === undefined;
      case "flow.changed":
      case "flow.ended":
        return !calls.has(event.call);
      case "interaction.requested": {
        const { purpose, request } = event;
        const isAsked = purpose.type === "terminal-input" || (purpose.type === "flow" && calls.has(purpose.call));
        if (isAsked) questions.add(request.interaction_id);
        return !isAsked;
      }
      case "interaction.rejected":
      case "interaction.resolved":
      case "interaction.expired":
        return !questions.has(event.interaction);
      default:
        return true;
    }
  });
}
