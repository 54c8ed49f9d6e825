import { mostRepeats } from "./bounds.ts";
import { mostOutput } from "./facts.ts";
import { repeatsTold } from "./limits.ts";
import type { Exchange, Session } from "./state.ts";

/** The block never exceeds this, in UTF-8 bytes (STATE-3). */
const mostStateBytes = 2048;
const mostLine = 160;
const mostOutputBytes = 700;
const mostPrompt = 600;
/** Kept free of the prompt: its own label and mark of a cut, and the shortest list of files. */
const roomForFiles = 140;

/**
 * Current facts for a run, made anew for each request and never stored (STATE-2). Facts that the history does not state
 * as current: what was asked, where the run is, where the terminal is, what changed.
 */
export function stateBlock(session: Session): string {
  const { exchange } = session;
  if (exchange?.run == null) return "";
  const fixed = fixedLines(session, exchange);
  const room = mostStateBytes - utf8Length(`<state>\n${fixed.join("\n")}\n</state>`);
  const prompt = line("Prompt: ", exchange.prompt, Math.max(0, Math.min(mostPrompt, room - roomForFiles)));
  const files = filesLine(session, room - utf8Length(`${prompt}\n`) - 1);
  return ["<state>", fixed[0], prompt, ...fixed.slice(1), ...files, "</state>"].join("\n");
}

function fixedLines(session: Session, exchange: Exchange): readonly string[] {
  const { run } = exchange;
  if (run === null) return [];
  const lines = [
    `A run is active: iteration ${run.iterations + 1} of ${session.limits.iterations}.`,
    line("Objective: ", run.objective),
    ...commandLines(session),
    ...waitingLines(session),
  ];
  const times = mostRepeats(run);
  if (times >= repeatsTold) {
    lines.push(
      `The same call gave the same result ${times} times; at ${session.limits.repeats} the run ends. Change course.`,
    );
  }
  return lines;
}

function commandLines({ lastCommand, terminal }: Session): readonly string[] {
  const lines: string[] = [];
  if (terminal.state === "open") lines.push(line("Terminal: open in ", terminal.cwd));
  if (terminal.state === "closed") lines.push(line("Terminal: closed, was in ", terminal.cwd));
  if (lastCommand === null) return lines;
  if (terminal.state === "never") lines.push("Terminal: none open");
  const exit = lastCommand.exit === null ? "" : ` (exit ${lastCommand.exit})`;
  lines.push(line(`Last command${exit}: `, lastCommand.command));
  const output = lastCommand.output.trim();
  if (output !== "") lines.push(line("Its output: ", output, mostOutputBytes, mostOutput));
  return lines;
}

function waitingLines({ waiting, processes }: Session): readonly string[] {
  const lines: string[] = [];
  if (processes.length > 0) {
    // The line holds no more than a few; the rest is in their number.
    const listed = processes
      .slice(0, 16)
      .map(({ pid, command }) => `${pid} ${command.slice(0, mostLine)}`)
      .join("; ");
    lines.push(line(`Background processes (${processes.length}): `, listed));
  }
  const prompts = waiting.filter(({ type }) => type === "prompt").length;
  if (prompts > 0) lines.push(`Prompts that wait for the next exchange: ${prompts}`);
  return lines;
}

/** As many names as fit; the rest is counted. */
function filesLine({ files }: Session, room: number): readonly string[] {
  if (files.paths.length === 0 && !files.more) return [];
  const label = "Files modified: ";
  const more = files.more ? ", and maybe more" : "";
  const rest = (shown: number) => {
    const hidden = files.paths.length - shown;
    return hidden === 0 ? more : `${shown > 0 ? ", " : ""}${hidden} not shown${more}`;
  };
  let names = "";
  for (const [shown, path] of files.paths.entries()) {
    const longer = names === "" ? path : `${names}, ${path}`;
    if (utf8Length(label + longer + rest(shown + 1)) > room) return [label + names + rest(shown)];
    names = longer;
  }
  return [label + names + rest(files.paths.length)];
}

/** One line, at most so long beyond its label; a cut is marked with how much is missing. */
function line(label: string, text: string, mostBytes = mostLine, mostCharacters = mostBytes): string {
  // Only the part that can be shown is looked at: a flood of output costs no more than a line of it.
  const flat = text.slice(0, mostBytes * 2).replaceAll(/\s*\n\s*/g, " ⏎ ");
  let kept = "";
  let bytes = 0;
  let characters = 0;
  for (const character of flat) {
    bytes += utf8Length(character);
    characters += 1;
    if (bytes > mostBytes || characters > mostCharacters)
      return `${label}${kept}… [cut; ${text.length} characters in all]`;
    kept += character;
  }
  return text.length > mostBytes * 2 ? `${label}${kept}… [cut; ${text.length} characters in all]` : label + kept;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
