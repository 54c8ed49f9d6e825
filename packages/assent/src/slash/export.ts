import { resolve } from "node:path";
import { encodeEvent, messageOf, type RecordedEvent } from "../wire/index.ts";
import { quoted, type SlashCommand, type SlashPlace, told, wrong } from "./command.ts";

export const exportCommand: SlashCommand = {
  name: "export",
  usage: "/export [file]",
  does: "writes the session's events to a new file, one a line, as JSON; for your eyes only",
  more: "Without a file: <session>.jsonl in the session's folder. A file that is there is not overwritten.",
  examples: ["/export", "/export notes/today.jsonl"],
  tier: "elevated",
  who: "person",
  async run(given, place) {
    const { cwd } = place.host.view(place.session);
    const typed = given.trim() === "" ? `${place.session}.jsonl` : given.trim();
    const file = resolve(cwd, typed);
    const problem = await writeNew(file, place);
    if (problem !== null) return wrong(`cannot write ${quoted(file)}: ${problem}`);
    return told(`the session is written to ${file}`);
  },
};

/** Every event that is recorded by now, in order. */
export async function* recordedEvents({
  host,
  session,
}: Pick<SlashPlace, "host" | "session">): AsyncGenerator<RecordedEvent> {
  const watch = host.watch(session, { after: 0 });
  watch.finish();
  for await (const watched of watch) if (watched.type === "recorded") yield watched;
}

/** What is there is never touched; of a file that could not be written whole nothing is left. */
async function writeNew(file: string, place: SlashPlace): Promise<string | null> {
  // To load it takes a start several milliseconds.
  const { rm, writeFile } = await import("node:fs/promises");
  let begun = false;
  async function* lines(): AsyncGenerator<string> {
    begun = true;
    for await (const { seq, session, event } of recordedEvents(place))
      yield `${encodeEvent({ seq, session, event })}\n`;
  }
  try {
    await writeFile(file, lines(), { flag: "wx", mode: 0o600 });
    return null;
  } catch (error) {
    if (begun) await rm(file, { force: true });
    return isTaken(error) ? "it is there already, and is not overwritten" : messageOf(error);
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
