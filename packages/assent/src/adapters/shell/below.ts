import type { Session } from "../../core/index.ts";
import { visibleLine } from "../../core/interaction/index.ts";
import type { Line } from "./line.ts";
import type { Progress } from "./progress.ts";
import type { Bottom } from "./screen.ts";
import { statusLine } from "./status.ts";
import { gutterOf, harmless, type Look, type Marks, marksOf, paint } from "./style.ts";
import { fit, fitMiddle, type Middled } from "./width.ts";

export type Below = {
  readonly session: Session;
  readonly look: Look;
  readonly progress: Progress;
  readonly line: Line;
  readonly picking: boolean;
  readonly model: string | null;
};

/** What stands below all that was printed: what is under way, what waits, the line, and where one is. */
export function bottomOf({ session, look, progress, line, picking, model }: Below): Bottom {
  const marks = marksOf(look);
  const faint = (text: string) => paint(fit(text, look.columns - 1, marks.more), ["dim"], look);
  const ended = (row: Middled) => paint(fitMiddle(row, look.columns, marks.more), ["dim"], look);
  const gutter = (name: "output" | "prompt") => gutterOf(name, look).first;
  const above = [
    ...progress.tail().map((each) => faint(`${gutter("output")}${each}`)),
    ...session.waiting.map((each) => ended(describeWaiting(each, look))),
    ...(progress.isWorking ? [ended(hinted(progress.line(Date.now(), look), hint(session, marks)))] : []),
  ];
  const prompt = line.isAnswer ? "? " : picking ? `session ${gutter("prompt")}` : gutter("prompt");
  // Names and folders may hold what a terminal would obey.
  const status = faint(harmless(visibleLine(statusLine(session, model, marks))));
  const hidden = line.isAnswer && line.asked?.sensitive === true;
  return { above, prompt, editing: line.editing, hidden, status };
}

function describeWaiting({ id, type, text, held }: Session["waiting"][number], look: Look): Middled {
  const middle = harmless(visibleLine(text.slice(0, mostOfText)));
  const next = type === "steering" ? "goes with the next turn" : "comes next";
  const when = held ? `kept until you send it: /queue send ${id}` : next;
  const how = held ? `/queue send ${id}` : `/queue drop ${id}`;
  // In a narrow window the text needs the room more.
  const after = look.columns < narrow ? ` (${how})` : ` (${when}; /queue drop ${id} takes it back)`;
  return { before: `${gutterOf("system", look).first}waiting: `, middle, after };
}

const narrow = 80;
/** More than fits into any row. */
const mostOfText = 1_000;

function hinted({ after, ...row }: Middled, told: string): Middled {
  return { ...row, after: `${after}${told}` };
}

function hint({ exchange }: Session, { separator }: Marks): string {
  return `${separator}${(exchange?.stop ?? null) === null ? "Ctrl-C stops" : "Ctrl-C again kills"}`;
}
