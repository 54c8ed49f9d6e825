import { parse } from "unbash";
import { hostOf } from "./hosts.ts";
import { programNamed } from "./programs/index.ts";
import type { Running, Shell } from "./shell.ts";
import type { ShellState } from "./state.ts";
import { type Argument, after, beginning, known } from "./text.ts";

/** More words than this are not gone through: nobody hides a command behind so many. */
const mostTails = 40;

/**
 * A program that nobody has described. It may do what it is made for, but when its words are themselves a command, or one of
 * them is a text that a shell would run, it may run them: then those decide.
 */
export function unknownProgram(argv: readonly Argument[], running: Running, shell: Shell): ShellState {
  const words = argv.slice(1);
  lookIntoWords(words, running, shell);
  return running.state;
}

export function lookIntoWords(words: readonly Argument[], running: Running, shell: Shell): void {
  for (const [index, word] of words.slice(0, mostTails).entries()) {
    const value = valueIn(word);
    lookIntoTail(words.slice(index), running, shell);
    lookIntoText(value, running, shell);
    lookForHost(value, shell);
    lookForOutput(words, index, running, shell);
  }
}

/** What an option carries counts as a word. */
function valueIn(word: Argument): Argument {
  const equals = /^--?[\w-]+=/.exec(beginning(word.text));
  return equals === null ? word : { ...word, text: after(word.text, equals[0].length) };
}

function lookIntoTail(tail: readonly Argument[], running: Running, shell: Shell): void {
  const [first] = tail;
  const name = first === undefined ? null : known(first.text);
  // One word alone is more often a name than a command.
  if (name === null || tail.length < 2 || !/^[\w./+-]+$/.test(name)) return;
  if (programNamed(name.split("/").at(-1) ?? "") === undefined) return;
  repeatFindings(tail, running, shell);
}

function repeatFindings(tail: readonly Argument[], running: Running, shell: Shell): void {
  const found = shell.analysis.tentatively(() => shell.runArgv(tail, running));
  for (const { rule, reason, span, effective } of found) {
    if (rule !== "exec-unknown-program") shell.analysis.find({ rule, reason }, span, effective);
  }
}

/** Only a text of several words that begins with a program everybody knows: prose seldom does. */
function lookIntoText(word: Argument, running: Running, shell: Shell): void {
  const text = known(word.text);
  if (text === null || !/\S\s+\S/.test(text) || text.length > 4_000) return;
  const script = parse(text);
  if ((script.errors?.length ?? 0) > 0) return;
  const found = shell.analysis.tentatively(() => shell.runText([text], word.span, running));
  for (const { rule, reason, span, effective } of found) {
    if (certain.has(rule.split("-")[0] ?? "") || rule === "too-much")
      shell.analysis.find({ rule, reason }, span, effective);
  }
}

/** What prose does not look like by chance. */
const certain: ReadonlySet<string> = new Set(["delete", "privilege", "network", "system", "overwrite"]);

function lookForHost(word: Argument, { analysis }: Shell): void {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(beginning(word.text))) return;
  if (hostOf(word.text) !== "external") return;
  analysis.find({ rule: "network-host", reason: "is given the address of another machine" }, word.span);
}

/** By convention, what follows these is written to. */
function lookForOutput(words: readonly Argument[], index: number, running: Running, shell: Shell): void {
  const word = words[index];
  if (word === undefined) return;
  const option = beginning(word.text);
  const attached =
    /^--(?:out|output|outfile|output-file|output-dir|out-dir|outdir|dest|destination|target-dir|prefix)=/.exec(option);
  if (attached !== null) {
    shell.conclude([{ does: "write", path: { ...word, text: after(word.text, attached[0].length) } }], [], running);
    return;
  }
  const path = words[index + 1];
  if (
    path !== undefined &&
    /^(?:-o|--out|--output|--outfile|--output-file|--output-dir|--out-dir|--outdir|--dest)$/.test(option)
  ) {
    shell.conclude([{ does: "write", path }], [], running);
  }
}
