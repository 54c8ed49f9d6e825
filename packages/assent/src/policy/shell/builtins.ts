import { afterSum } from "./arithmetic.ts";
import { quiet } from "./builtins-options.ts";
import { declarations, isElement } from "./builtins-variables.ts";
import { isInputName } from "./descriptors.ts";
import { distinct, isSameState } from "./merge.ts";
import { resolvePath } from "./paths.ts";
import { isSystemPlace } from "./places.ts";
import type { Ran, Running, Shell } from "./shell.ts";
import { anyValue, homeOf, leftFolder, type ShellState, withVariable } from "./state.ts";
import {
  type Argument,
  beginning,
  joinedWords,
  known,
  nowhere,
  spanOfWords,
  type Text,
  textOf,
  withoutDashes,
} from "./text.ts";

export type Called = {
  readonly argv: readonly Argument[];
  readonly words: readonly Argument[];
  readonly running: Running;
  readonly shell: Shell;
};

export type Builtin = (called: Called) => readonly Ran[];

/** What changes the shell itself, or makes it run something. The other builtins are like programs. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["cd", changeFolder],
  ["pushd", pushFolder],
  ["popd", popFolder],
  ["eval", (called) => inThisShell(joinedWords(withoutDashes(called.words)), called)],
  [".", sourceFile],
  ["source", sourceFile],
  ["exec", (called) => runRest(called, { takesValue: "a" })],
  ["command", commandBuiltin],
  ["builtin", (called) => runRest(called, { takesValue: "" })],
  ["trap", trap],
  ["alias", alias],
  ["unalias", ({ running }) => [{ state: { ...running.state, aliases: new Map() }, output: [] }]],
  ["hash", (called) => asksWith(called, /^-p/, "makes a name stand for another program")],
  ["enable", (called) => asksWith(called, /^-\w*f/, "loads new commands into the shell")],
  ["bind", (called) => asksWith(called, /^-x/, "binds keys to commands")],
  ["fc", (called) => (hasOption(called, /^-\w*l/) ? nothing(called) : asks(called, "runs an earlier command again"))],
  ["history", history],
  ["umask", mask],
  [
    "shopt",
    (called) =>
      namesOption(called, /^(?:lastpipe|xpg_echo|extdebug|localvar_inherit|sourcepath)$/)
        ? asks(called, changesReading)
        : nothing(called),
  ],
  ["complete", runsOption],
  ["compgen", runsOption],
  ["test", hiddenWords],
  ["[", hiddenWords],
  ["let", sums],
  ["wait", hiddenWords],
  ...declarations,
]);

function nothing({ running }: Called): readonly Ran[] {
  return [{ state: running.state, output: null }];
}

function asks({ argv, running, shell }: Called, reason: string): readonly Ran[] {
  const span = spanOfWords(argv);
  shell.analysis.find({ rule: "exec-injected", reason }, span);
  return [{ state: running.state, output: null }];
}

const changesReading = "changes how the shell reads commands";

function namesOption({ words }: Called, name: RegExp): boolean {
  return words.some(({ text }) => name.test(known(text) ?? ""));
}

function hasOption({ words }: Called, option: RegExp): boolean {
  return words.some(({ text }) => option.test(beginning(text)));
}

function asksWith(called: Called, option: RegExp, reason: string): readonly Ran[] {
  return hasOption(called, option) ? asks(called, reason) : nothing(called);
}

function changeFolder(called: Called): readonly Ran[] {
  const { words, running, shell } = called;
  const { state } = running;
  const { home } = shell.analysis.world;
  const target = words.find(({ text }) => !/^-[LPe@]+$|^--$/.test(known(text) ?? ""));
  const next = target === undefined ? homeOf(state, home) : folderFrom(target, state);
  const moved = withVariable({ ...state, cwd: next }, "OLDPWD", { type: "text", text: state.cwd });
  // It may fail; where one stays then matters only in a place of the system.
  const sure = /^(?:-|\.\.?|\/|\/tmp\/?)$/.test(known(target?.text ?? ["/"]) ?? "");
  const stays = !sure && isSystemPlace(state.cwd, shell.analysis.world) ? [{ state, output: [], ok: false }] : [];
  // Going back tells where that is.
  return [{ state: moved, output: known(target?.text ?? []) === "-" ? null : [] }, ...stays];
}

function folderFrom({ text }: Argument, state: ShellState): Text {
  const path = state.variables.get("CDPATH");
  const given = beginning(text);
  if (path?.type === "text" && path.text.length > 0 && !/^(?:\/|\.\.?(?:\/|$)|-$)/.test(given)) {
    return resolvePath(textOf(...path.text, "/", ...text), state.cwd);
  }
  if (known(text) !== "-") return resolvePath(text, state.cwd);
  return leftFolder(state);
}

/** The folders that were left by pushd stand in a variable that no command can name. */
const folders = "pushed folders";

function pushFolder(called: Called): readonly Ran[] {
  const { words, running } = called;
  const { state } = running;
  const [target] = words.filter(({ text }) => !/^[-+]/.test(beginning(text)));
  const before = state.variables.get(folders);
  const left: Argument = { text: state.cwd, splits: false, span: nowhere };
  const items = [left, ...(before?.type === "list" ? before.items : [])];
  const cwd: Text =
    target === undefined ? [{ hole: "any", from: "pushd", made: true }] : resolvePath(target.text, state.cwd);
  return quiet(withVariable({ ...state, cwd }, folders, { type: "list", items }));
}

function popFolder(called: Called): readonly Ran[] {
  const { state } = called.running;
  const before = state.variables.get(folders);
  const [last, ...rest] = before?.type === "list" ? before.items : [];
  const cwd: Text = last?.text ?? [{ hole: "path", from: "popd" }];
  return quiet(withVariable({ ...state, cwd }, folders, { type: "list", items: rest }));
}

function inThisShell(text: Text, { argv, running, shell }: Called): readonly Ran[] {
  const span = spanOfWords(argv);
  return shell.runText(text, argv[1]?.span ?? span, running);
}

function sourceFile(called: Called): readonly Ran[] {
  const { words, running, shell, argv } = called;
  const [path] = words;
  if (path === undefined) return nothing(called);
  const { state, streams } = running;
  const given = known(path.text);
  const fromInput = isInputName(given) && streams.input?.type === "text" ? streams.input.text : null;
  const place = known(resolvePath(path.text, state.cwd));
  const content = fromInput ?? shell.contentOf(given ?? "", state) ?? shell.contentOf(place ?? "", state);
  if (content !== null) return inThisShell(content, called);
  const next = shell.conclude([{ does: "script", path, language: "shell" }], argv, running);
  return [{ state: withUnknownVariables(next), output: null }];
}

/** A file that cannot be seen may set anything. */
function withUnknownVariables(state: ShellState): ShellState {
  const variables = new Map(state.variables);
  for (const name of variables.keys()) {
    // Others are what the shell keeps for itself.
    if (/^\w+$/.test(name)) variables.set(name, anyValue(name));
  }
  return { ...state, variables };
}

/** The rest is run in place of the shell, or as it is. */
function runRest({ words, running, shell }: Called, { takesValue }: { readonly takesValue: string }): readonly Ran[] {
  let first = 0;
  while (first < words.length) {
    const option = known(words[first]?.text ?? []) ?? "";
    if (!option.startsWith("-") || option === "-") break;
    first += takesValue !== "" && option.endsWith(takesValue) ? 2 : 1;
    if (option === "--") break;
  }
  return shell.runArgv(words.slice(first), running);
}

function commandBuiltin(called: Called): readonly Ran[] {
  if (/^-\w*[vV]/.test(known(called.words[0]?.text ?? []) ?? "")) {
    const name = known(called.words[1]?.text ?? []);
    return [{ state: called.running.state, output: name === null ? null : [`/usr/bin/${name}\n`] }];
  }
  const functions = new Map<string, null>();
  const ways = runRest(
    { ...called, running: { ...called.running, state: { ...called.running.state, functions } } },
    { takesValue: "" },
  );
  return ways.map((way) => ({ ...way, state: { ...way.state, functions: called.running.state.functions } }));
}

/** `history -w` writes what was typed to a file; to which one without a name, setting HISTFILE has said. */
function history(called: Called): readonly Ran[] {
  const { words, argv, running, shell } = called;
  const at = words.findIndex(({ text }) => /^-\w*[wa]/.test(known(text) ?? ""));
  const path = words[at + 1];
  if (at < 0 || path === undefined) return nothing(called);
  return [{ state: shell.conclude([{ does: "write", path }], argv, running), output: [] }];
}

/** Without a mask for it, everybody can write to what is made. */
function mask(called: Called): readonly Ran[] {
  const { words, argv, running, shell } = called;
  if (!words.some(({ text }) => /^[0-7]*[0145]$|[oa]\+?=?.*w/.test(known(text) ?? ""))) return nothing(called);
  const span = spanOfWords(argv);
  shell.analysis.find({ rule: "system-mode", reason: "lets everybody write to what is made from now on" }, span);
  return [{ state: running.state, output: [] }];
}

/** What a trap does is done sooner or later. */
function trap(called: Called): readonly Ran[] {
  const { words, running, shell } = called;
  const [first, ...signals] = words.filter(({ text }) => known(text) !== "--");
  if (first === undefined || signals.length === 0 || /^-[lp]?$/.test(known(first.text) ?? "")) return nothing(called);
  const ways = shell.runText(first.text, first.span, running);
  shell.analysis.traps.push({ text: first.text, span: first.span });
  const { files } = running.state;
  const isEach = signals.some(({ text }) => /^DEBUG$/i.test(known(text) ?? "DEBUG"));
  if (isEach && ways.some(({ state }) => !isSameState({ ...state, files }, running.state)))
    asks(called, "changes the shell before each later command");
  // What it does to the shell may have been done by any later command, or not yet; what it prints comes at some time.
  const later = ways.map((way) => ({ state: { ...way.state, parameters: running.state.parameters }, output: null }));
  return distinct([{ state: running.state, output: null }, ...later]);
}

function alias(called: Called): readonly Ran[] {
  const { words, running, shell } = called;
  const aliases = new Map(running.state.aliases);
  for (const { text, span } of words) {
    const start = beginning(text);
    const equals = start.indexOf("=");
    if (equals <= 0) continue;
    const value = textOf(start.slice(equals + 1), ...text.slice(1));
    aliases.set(start.slice(0, equals), known(value) ?? '"$unknown_alias"');
    // Used or not: what is given a new name is given it for later.
    shell.runText(value, span, running);
  }
  return [{ state: { ...running.state, aliases }, output: [] }];
}

function runsOption(called: Called): readonly Ran[] {
  const { words, running, shell } = called;
  for (const [index, { text }] of words.entries()) {
    const next = words[index + 1];
    const option = known(text) ?? "";
    if (/^-\w*[CF]$/.test(option) && next !== undefined) shell.runText(next.text, next.span, running);
    // The words of a list are expanded.
    if (/^-\w*W$/.test(option) && next !== undefined) shell.runHidden(next.text, next.span);
  }
  return nothing(called);
}

function sums(called: Called): readonly Ran[] {
  hiddenWords(called);
  const written = called.words.map(({ text }) =>
    text.map((piece) => (typeof piece === "string" ? piece : "?")).join(""),
  );
  const state = written.reduce((before, text) => afterSum(text, before), called.running.state);
  return [{ state, output: [] }];
}

/** These evaluate what they are given once more. */
function hiddenWords(called: Called): readonly Ran[] {
  const { words, running, shell } = called;
  for (const { text, span } of words) {
    if (isElement(text)) shell.runHidden(text, span);
    else shell.suspectSubscript(text, span);
    // A name on its own is looked up, and its value evaluated.
    for (const name of known(text)?.match(/^[A-Za-z_]\w*$|(?<==)[A-Za-z_]\w*$/g) ?? []) {
      const value = running.state.variables.get(name);
      if (value?.type === "text") shell.runHidden(value.text, span);
    }
  }
  return [{ state: running.state, output: [] }];
}
