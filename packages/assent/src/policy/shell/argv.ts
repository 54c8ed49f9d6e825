import { builtins } from "./builtins.ts";
import { elsewhere } from "./child.ts";
import { deedsOf } from "./deeds-of.ts";
import { madeScripts } from "./made-scripts.ts";
import { isSameState } from "./merge.ts";
import { printed } from "./output.ts";
import { resolvePath } from "./paths.ts";
import { looksAlike } from "./precheck.ts";
import { programNamed } from "./programs/index.ts";
import type { Input, Ran, Running, Shell } from "./shell.ts";
import type { Spec } from "./spec.ts";
import { placeKey, type ShellState, withFile } from "./state.ts";
import { type Argument, beginning, ending, isMade, known, shown, spanOfWords, type Text } from "./text.ts";
import { typed } from "./typed.ts";
import { unknownProgram } from "./unknown.ts";
import { sortWords } from "./words.ts";

/** Runs a command whose words are evaluated: a function, a builtin or a program. */
export function runArgv(argv: readonly Argument[], running: Running, shell: Shell): readonly Ran[] {
  const [first, ...words] = argv;
  const unchanged = { state: running.state, output: null };
  if (first === undefined || !shell.analysis.spend(first.span)) return [unchanged];
  shell.analysis.steps.push({ type: "run", argv: argv.map(({ text }) => known(text)) });
  const name = nameOf(first, running);
  if (name === null) {
    const reason = `runs ${shown(first.text)}, which is not known before it runs`;
    shell.analysis.find({ rule: "exec-unknown-program", reason }, first.span);
    return [unchanged];
  }
  if (running.state.functions.has(name)) return shell.runBody(name, argv, running);
  const builtin = builtins.get(name);
  if (builtin !== undefined) return builtin({ argv, words, running, shell });
  return runProgram(name, { first, words, argv, running, shell });
}

/** A function of this name is called for names that nothing has. */
const notFound = "command_not_found_handle";

type Called = {
  readonly first: Argument;
  readonly words: readonly Argument[];
  readonly argv: readonly Argument[];
  readonly running: Running;
  readonly shell: Shell;
};

function runProgram(name: string, called: Called): readonly Ran[] {
  const made = runsMadeHere(called);
  if (made !== null) return made;
  const { words, argv, running, shell } = called;
  const base = name.split("/").at(-1) ?? name;
  const spec = programNamed(base);
  findStrangeName(name, called);
  findTypedAnswer(base, called);
  findInjected(name, called);
  findBulk(base, called);
  findHidden(base, spec, called);
  runMadeScripts(base, called);
  const handler = running.state.functions.has(notFound) && spec === undefined;
  if (handler && !running.streams.running.includes(notFound)) return shell.runBody(notFound, argv, running);
  const deeds = spec === undefined ? null : deedsOf(base, spec, words);
  showInput(spec, called);
  const state = deeds === null ? unknownProgram(argv, running, shell) : shell.conclude(deeds, argv, running);
  const contentOf = ({ text }: Argument): Text | null =>
    shell.contentOf(known(resolvePath(text, state.cwd)) ?? "", state);
  const output = printed({ name: base, words, input: running.streams.input, spec, cwd: state.cwd, contentOf });
  const input = base === "mkfifo" ? null : running.streams.input;
  return [{ state: base === "tee" || base === "mkfifo" ? withCopies(state, words, input) : state, output }];
}

/** The name, where it can be known: with a folder that is not, the program's own name is enough. */
function nameOf({ text, splits }: Argument, { state }: Running): string | null {
  const name = known(text);
  if (name !== null) return name;
  // A pattern in a folder of the project names its own programs.
  if (
    /^(?:\.\/)?[\w-][\w.-]*\//.test(beginning(text)) &&
    text.slice(1).every((piece) => typeof piece === "string" || piece.hole === "glob")
  ) {
    return shown(text);
  }
  const last = ending(text);
  const slash = last.lastIndexOf("/");
  const [hole] = text;
  const fromEnvironment =
    typeof hole === "object" && /^\$\{?\w+\}?$/.test(hole.from) && !state.variables.has(hole.from.replace(/\W/g, ""));
  const folder = typeof hole === "object" && (hole.hole === "path" || !splits || fromEnvironment);
  return text.length === 2 && folder && slash >= 0 && slash < last.length - 1 ? last.slice(slash) : null;
}

/** What a program shows of files it also shows of its input. */
function showInput(spec: Spec | undefined, { first, argv, running, shell }: Called): void {
  const { input } = running.streams;
  if (input?.type !== "file" || spec?.operands?.includes("show") !== true) return;
  shell.conclude([{ does: "show", path: { text: input.path, splits: false, span: first.span } }], argv, running);
}

function runMadeScripts(name: string, { first: { span }, words, argv, running, shell }: Called): void {
  const { inside } = shell.analysis;
  for (const { path, language, text } of madeScripts(name, words, running.state)) {
    const key = `${path} ${language} ${shown(text)}`;
    // A recipe that calls its own file: within itself it does nothing else.
    if (inside.some((each) => each.key === key && isSameState(each.state, running.state))) continue;
    inside.push({ key, state: running.state });
    if (language === "shell") shell.runText(text, span, running);
    else shell.conclude([{ does: "code", language, text, span }], argv, running);
    inside.pop();
  }
}

/** What `tee` was given is in its files afterwards; what comes through a pipe with a name, somebody else has put there. */
function withCopies(state: ShellState, words: readonly Argument[], input: Input | null): ShellState {
  const text: Text = input?.type === "text" ? input.text : [{ hole: "any", from: "its input" }];
  let next = state;
  for (const word of words) {
    const path = known(resolvePath(word.text, state.cwd));
    if (path !== null) next = withFile(next, path, { type: "content", text });
  }
  return next;
}

/** A program that the command itself has put there: a copy, a link, a script. */
function runsMadeHere({ first, words, argv, running, shell }: Called): readonly Ran[] | null {
  const { state } = running;
  // A bare name is not looked for in the folder.
  if (state.files.size === 0 || known(first.text)?.includes("/") === false) return null;
  const path = placeKey(resolvePath(first.text, state.cwd)) ?? "";
  const made = state.files.get(path);
  if (made === undefined) return null;
  if (made.type === "written") {
    const reason = `runs ${shown(first.text)}, which ${made.by} has just written`;
    shell.analysis.find({ rule: "exec-unseen", reason }, first.span);
    return null;
  }
  if (made.type === "content") {
    const apart = elsewhere(running);
    const inside = { ...apart, state: { ...apart.state, parameters: words } };
    const ways = runContent(made.text, { argv, running: inside, shell });
    return ways.map((way) => ({ ...way, state }));
  }
  const folder = path.slice(0, path.lastIndexOf("/")) || "/";
  const target: Argument = { ...first, text: resolvePath(made.of, made.type === "link" ? [folder] : state.cwd) };
  // These do what the name says by which they are called.
  const called = /(?:^|\/)(?:busybox|toybox|coreutils)$/.test(known(made.of) ?? "")
    ? { ...first, text: [path.split("/").at(-1) ?? ""] }
    : target;
  return shell.runArgv([called, ...words], { ...running, state: { ...state, files: withoutFile(state.files, path) } });
}

function withoutFile(files: Running["state"]["files"], path: string): Running["state"]["files"] {
  const rest = new Map(files);
  rest.delete(path);
  return rest;
}

/** A script begins with the name of what runs it; that gets the rest of the line as one word, and then the script. */
function runContent(text: Text, { argv, running, shell }: Pick<Called, "argv" | "running" | "shell">): readonly Ran[] {
  const [start] = text;
  const [first, ...words] = argv;
  if (first === undefined) return [];
  const [, program = "", given = ""] = /^#![ \t]*(\S+)[ \t]*(.*)/.exec(typeof start === "string" ? start : "") ?? [];
  if (program === "" || /(?:^|\/)(?:ba|da|z|k|a)?sh$/.test(program)) return shell.runText(text, first.span, running);
  const named = [program, ...(given === "" ? [] : [given.trim()])].map((word) => ({ ...first, text: [word] }));
  return shell.runArgv([...named, first, ...words], running);
}

/** A key that answers a question, typed into another terminal. */
function findTypedAnswer(name: string, { argv, shell }: Called): void {
  const isTyping = /^(?:tmux|screen|xdotool|ydotool|wtype|zellij|kitty|wezterm|osascript)$/.test(name);
  const answer = argv.find(({ text }) => /^\s*(?:y|yes|[1-5])\s*(?:\\?[nr]|\^M|\n)?$/i.test(known(text) ?? ""));
  const sends = argv.some(({ text }) =>
    /^(?:wtype|send-keys|send|stuff|type|key|write|write-chars|send-text)$/.test(known(text) ?? ""),
  );
  if (!isTyping || answer === undefined || !sends) return;
  shell.analysis.find({ rule: "self-approval", reason: "types an answer into another terminal" }, answer.span);
}

function findStrangeName(name: string, { first, shell: { analysis } }: Called): void {
  if (name.startsWith("/dev/fd/")) {
    analysis.find(
      { rule: "exec-unseen", reason: "runs what another command gives, or hands it to a program to load" },
      first.span,
    );
  }
  if (/^[!^]./.test(name)) {
    analysis.find(
      { rule: "exec-unseen", reason: `runs ${name}: in a shell that is typed into, an earlier command` },
      first.span,
    );
  }
  if (/^\/etc\/(?:rc\d?\.d|init\.d)\//.test(name)) {
    analysis.find({ rule: "system-service", reason: `runs ${name}, which controls a service` }, first.span);
  }
  if (looksAlike(name)) {
    analysis.find({ rule: "look-alike-name", reason: `runs ${name}, which only looks like another name` }, first.span);
  }
}

/** A word that the command makes up out of sight may be an operand that matters, or an option. */
function findHidden(name: string, spec: Spec | undefined, { words, shell }: Called): void {
  if (["echo", "printf", "test", "["].includes(name)) return;
  const isPlain = spec !== undefined && spec.commands === undefined;
  const values = isPlain
    ? sortWords(spec, words).options.flatMap(({ value }) => value ?? [])
    : words.filter(followsOption);
  for (const word of words) {
    if (!isMade(word.text.slice(0, 1)) || values.includes(word)) continue;
    const reason = `gives ${name} a word that cannot be seen: ${shown(word.text)}`;
    shell.analysis.find({ rule: "hidden-word", reason }, word.span);
  }
}

function followsOption(_: Argument, index: number, words: readonly Argument[]): boolean {
  return /^-{1,2}[A-Za-z][\w-]*$/.test(known(words[index - 1]?.text ?? []) ?? "");
}

/** Where programs are searched for in unusual places, a usual name may be another program. */
function findInjected(name: string, { first, running, shell }: Called): void {
  const { search } = running.state;
  if (search === null || name.includes("/")) return;
  shell.analysis.find({ rule: "exec-injected", reason: `runs ${name} while ${search}` }, first.span);
}

/** Files that others list are removed, however many they are. */
function findBulk(name: string, { argv, running, shell }: Called): void {
  const listed = argv.some(({ text }) => text.some((piece) => typeof piece === "object" && piece.listed === true));
  if (!(running.streams.bulk || listed) || !["rm", "unlink", "shred", "srm"].includes(name)) return;
  const span = spanOfWords(argv);
  shell.analysis.find({ rule: "delete-bulk", reason: "deletes every file that it is given" }, span, typed(argv));
}
