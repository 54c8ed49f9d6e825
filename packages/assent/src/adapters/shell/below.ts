import type { Session } from "../../core/index.ts";
import { visibleLine } from "../../core/interaction/index.ts";
import type { Line } from "./line.ts";
import type { Progress } from "./progress.ts";
import type { Bottom } from "./screen.ts";
import { gutterOf, harmless, type Look, paint } from "./style.ts";
import { fit } from "./width.ts";

export type Drawn = {
  readonly session: Session;
  readonly look: Look;
  readonly progress: Progress;
  readonly line: Line;
  readonly picking: boolean;
  readonly status: string;
};

/** What stands below all that was printed: what is under way, what waits, the line, and where one is. */
export function bottomOf({ session, look, progress, line, picking, status }: Drawn): Bottom {
  const faint = (text: string) => paint(fit(text, look.columns - 1), ["dim"], look);
  const gutter = (name: "output" | "system" | "prompt") => gutterOf(name, look).first;
  const above = [
    ...progress.tail().map((each) => faint(`${gutter("output")}${each}`)),
    ...session.waiting.map((each) => faint(`${gutter("system")}${describeWaiting(each)}`)),
    ...(progress.isWorking ? [faint(`${progress.line(Date.now(), look.utf8)}${hint(session, look)}`)] : []),
  ];
  const prompt = line.isAnswer ? "? " : picking ? `session ${gutter("prompt")}` : gutter("prompt");
  const hidden = line.isAnswer && line.asked?.sensitive === true;
  return { above, prompt, editing: line.editing, hidden, status: faint(status) };
}

function describeWaiting({ id, type, text, held }: Session["waiting"][number]): string {
  const what = harmless(visibleLine(text.length > 200 ? `${text.slice(0, 200)}…` : text));
  const next = type === "steering" ? "goes with the next turn" : "comes next";
  const when = held ? `kept until you send it: /queue send ${id}` : next;
  return `waiting: ${what} (${when}; /queue drop ${id} takes it back)`;
}

function hint({ exchange }: Session, { utf8 }: Look): string {
  const separator = utf8 ? " · " : " | ";
  return `${separator}${exchange?.stop === null ? "Ctrl-C stops" : "Ctrl-C again kills"}`;
}
