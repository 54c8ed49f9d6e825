import { visibleText } from "../core/interaction/index.ts";

/** Who speaks; a surface shows each so that it cannot be taken for another (PROG-1). */
export type Channel = "prompt" | "agent" | "tool" | "system";

/** One thing to show. */
export type Said = {
  readonly channel: Channel;
  /** As it came: whoever shows it makes it visible. */
  readonly text: string;
  /** `output` may be folded, `start` is what is about to run, `code` is a bare code (ANS-5) that stands alone without its channel. */
  readonly form: "text" | "markdown" | "output" | "diff" | "start" | "code";
  /** Whose output it is. */
  readonly call?: string;
  /**
   * A field of a subject: the name stands before the text, and further lines are indented below it, so that no line of a
   * command can pass for another field. It is shown in full (INT-2).
   */
  readonly field?: string;
};

/** How many lines of a text are shown; of a longer one the first and the last of them. */
const mostLines = { prompt: 10, tool: 40 };
/** How much of one line is shown. */
const mostCharacters = 2_000;
/** What a tool says of an output that it did not keep whole. */
const leftOut = /^\[… .* bytes left out.* …\]$/m;

export function saidSystem(text: string): readonly Said[] {
  return [{ channel: "system", form: "text", text }];
}

export function saidTool(text: string): readonly Said[] {
  return [{ channel: "tool", form: "text", text }];
}

/** Where all of an output is: told in the middle of it, and so lost where the middle is not shown. */
export function leftOutLine(text: string): string | null {
  return leftOut.exec(text)?.[0] ?? null;
}

/** A field as one text. */
function fieldLines({ field, text }: Said): string {
  return field === undefined ? text : `${field}: ${text.replaceAll("\n", `\n${" ".repeat(field.length + 2)}`)}`;
}

/** As labelled lines, for what has no colours and no width; nothing in them that a terminal would obey. */
export function plainLines(said: readonly Said[]): string {
  return said.map(plain).join("");
}

function plain(said: Said): string {
  const { channel, form, text } = said;
  if (form === "code") return `${visibleText(text)}\n`;
  const most = mostOf(said);
  if (most === null) return labelled(channel, fieldLines(said));
  const shown = cut(text, most);
  const whole = channel === "tool" && form === "output" ? leftOutLine(text) : null;
  return `${labelled(channel, shown)}${whole === null || shown.includes(whole) ? "" : labelled(channel, whole)}`;
}

/** A subject is what is decided on, and an agent's text is what was asked for: both stay whole. */
function mostOf({ channel, form, field }: Said): number | null {
  if (channel === "prompt") return mostLines.prompt;
  const mayBeCut = form === "output" || form === "start" || form === "diff";
  return mayBeCut && field === undefined ? mostLines.tool : null;
}

function labelled(channel: Channel, text: string): string {
  const label = channel.padEnd(8);
  return visibleText(text.replace(/\n$/, ""))
    .split("\n")
    .map((line) => `${label}${line}\n`)
    .join("");
}

/** As much as a person reads; the whole is in the journal. */
function cut(text: string, most: number): string {
  const all = text.replace(/\n$/, "").split("\n").map(cutLine);
  if (all.length <= most) return all.join("\n");
  const part = most / 2;
  const left = `… ${all.length - most} lines more …`;
  return [...all.slice(0, part), left, ...all.slice(-part)].join("\n");
}

function cutLine(line: string): string {
  return line.length <= mostCharacters ? line : `${line.slice(0, mostCharacters)} … ${line.length} characters`;
}
