import { mostRepeats } from "./bounds.ts";
import { repeatsTold } from "./limits.ts";
import type { Run, Session } from "./state.ts";

/** The block never exceeds this, in UTF-8 bytes (STATE-3). */
const mostStateBytes = 2048;
const mostLine = 160;
const mostPrompt = 600;
/** How much of the last command's output is shown, in characters (STATE-2). */
const mostOutput = 500;
/** Kept free for prompt and files, however long the rest is: their labels, marks of a cut and a first few names. */
const roomForPrompt = 140;
/** The label of a line and the mark of its cut. */
const roomForLabel = 60;

/**
 * Current facts for a run, made anew for each request and never stored (STATE-2). Facts that the history does not state
 * as current: what was asked, where the run is, where the terminal is, what changed. Prompt and list of files are cut to
 * what the others leave; the output of the last command comes before them.
 */
export function stateBlock(session: Session): string {
  const { exchange } = session;
  if (exchange?.run == null) return "";
  const first = `A run is active: iteration ${exchange.run.iterations + 1} of ${session.limits.iterations}.`;
  const before = [line("Objective: ", exchange.run.objective), ...commandLines(session)];
  const after = [...waitingLines(session), ...repeatLines(session, exchange.run)];
  const others = utf8Length(["<state>", first, ...before, ...after, "</state>"].join("\n"));
  const output = outputLines(session, mostStateBytes - others - roomForPrompt);
  const room = mostStateBytes - others - utf8Length(output.map((shown) => `${shown}\n`).join(""));
  const prompt = line("Prompt: ", exchange.prompt, Math.max(0, Math.min(mostPrompt, room - roomForPrompt)));
  const files = filesLine(session, room - utf8Length(`${prompt}\n`) - 1);
  return ["<state>", first, prompt, ...before, ...output, ...after, ...files, "</state>"].join("\n");
}

function commandLines({ lastCommand, terminal }: Session): readonly string[] {
  const lines: string[] = [];
  if (terminal.state === "open") lines.push(line("Terminal: open in ", terminal.cwd));
  if (terminal.state === "closed") lines.push(line("Terminal: closed, was in ", terminal.cwd));
  if (lastCommand === null) return lines;
  if (terminal.state === "never") lines.push("Terminal: none open");
  const exit = lastCommand.exit === null ? "" : ` (exit ${lastCommand.exit})`;
  lines.push(line(`Last command${exit}: `, lastCommand.command));
  return lines;
}

function outputLines({ lastCommand }: Session, room: number): readonly string[] {
  const output = lastCommand?.output.trim() ?? "";
  return output === "" ? [] : [line("Its output: ", output, room - roomForLabel, mostOutput)];
}

function repeatLines({ limits }: Session, run: Run): readonly string[] {
  const times = mostRepeats(run);
  if (times < repeatsTold) return [];
  return [`The same call gave the same result ${times} times; at ${limits.repeats} the run ends. Change course.`];
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
    const longer = names === "" ? flatten(path) : `${names}, ${flatten(path)}`;
    if (utf8Length(label + longer + rest(shown + 1)) > room) return [label + names + rest(shown)];
    names = longer;
  }
  return [label + names + rest(files.paths.length)];
}

/** One line, at most so long beyond its label; a cut is marked with how much there is. */
function line(label: string, text: string, mostBytes = mostLine, mostCharacters = mostBytes): string {
  // Only the part that can be shown is looked at: a flood of output costs no more than a line of it.
  const looked = text.slice(0, mostBytes * 2);
  const cut = `… [cut; ${text.length} characters in all]`;
  let kept = "";
  let bytes = 0;
  let characters = 0;
  for (const character of flatten(looked)) {
    bytes += utf8Length(character);
    characters += 1;
    if (bytes > mostBytes || characters > mostCharacters) return label + kept + cut;
    kept += character;
  }
  return looked.length < text.length ? label + kept + cut : label + kept;
}

/** What stands in a line stays in it, and half a character is none. */
function flatten(text: string): string {
  return text.replaceAll(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/gu, " ⏎ ").toWellFormed();
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
