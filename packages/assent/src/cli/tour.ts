import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Guide } from "../adapters/shell/index.ts";
import type { Session } from "../core/index.ts";
import { saidSystem } from "../show/index.ts";

/** What bounds the session of the tour: the limit is met in its third part. */
export const tourTurns = 6;

/** The prompts of the tour, each with what there is to see. */
const parts = [
  {
    prompt: "clean the build and say what is left",
    about:
      "The model is scripted, the commands are real, in a folder that goes when you leave.\n" +
      "1 of 4: a run with a question and an approval. Enter sends the prompt; answer with a number, or with words.",
  },
  {
    prompt: "follow the log for a minute",
    about: "2 of 4: stopping. Enter sends it; then Ctrl-C once lets what runs finish, twice kills it.",
  },
  {
    prompt: "what is this project?",
    about: "3 of 4: a limit. After so many turns of the model you are asked before it goes on.",
  },
  {
    prompt: "remove the old notes",
    about: "4 of 4: a crash. While its question is open this process is killed with kill -9, and started again.",
  },
];

/** Leads through what Assent does; each part begins when nothing else is going on (CLI-6). */
export function tourGuide(folder: string): (session: Session) => Guide | null {
  const killed = join(folder, "killed");
  return ({ exchange, interactions, counted, status }) => {
    const asks = interactions.length > 0;
    if (asks && counted.exchanges === parts.length && !existsSync(killed)) {
      const said = saidSystem("kill -9 of this process comes now");
      return { id: "crash", said, line: "", crash: () => crash(killed) };
    }
    if (exchange !== null || status !== "active") return null;
    const part = parts[counted.exchanges];
    if (part !== undefined) return { id: `${counted.exchanges}`, said: saidSystem(part.about), line: part.prompt };
    const end =
      "That was all: the command ran once, though the process died. /exit leaves; /model sets up a real model.";
    return { id: "end", said: saidSystem(end), line: "/exit" };
  };
}

/** The real thing: nothing can be done before. */
function crash(mark: string): void {
  writeFileSync(mark, "");
  process.kill(process.pid, "SIGKILL");
}
