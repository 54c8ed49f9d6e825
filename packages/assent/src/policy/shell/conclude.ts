import type { Step } from "./analysis.ts";
import { builtins } from "./builtins.ts";
import { elsewhere, givenTo } from "./child.ts";
import { codeDeeds } from "./code/index.ts";
import type { Danger, Deed } from "./deeds.ts";
import { isDescriptorName, isInputName } from "./descriptors.ts";
import { goesInto, isThere, linksAbove, movesLinks, programIn } from "./folders-above.ts";
import { hostOf, leadsTo, networkDevice, remotePlace } from "./hosts.ts";
import { runWithInput } from "./input-words.ts";
import { modeDanger } from "./modes.ts";
import { changedOwnHome } from "./own-home.ts";
import { withScript } from "./package-scripts.ts";
import { resolvePath, within } from "./paths.ts";
import { realPlace } from "./paths-made.ts";
import { homesOf, isAboveStartup, isOwnPlace, isStartupPlace, isSystemPlace, type World } from "./places.ts";
import { programNamed } from "./programs/index.ts";
import { isSearchPath, searchPathDanger } from "./search-path.ts";
import { isSecretPlace } from "./secrets.ts";
import type { Running, Shell } from "./shell.ts";
import { afterSubshell, type MadeFile, placeKey, type ShellState, withFile, withVariable } from "./state.ts";
import type { Argument, Span, Text } from "./text.ts";
import { beginning, ending, isMade, known, nowhere, shown, spanOfWords, textOf } from "./text.ts";
import { typed } from "./typed.ts";
import { lookIntoWords } from "./unknown.ts";
import { variableDeeds } from "./variables.ts";

type Concluding = { readonly argv: readonly Argument[]; readonly running: Running; readonly shell: Shell };

/** Decides on what a program would do. The one place where a path, a host or a text becomes something to ask about. */
export function conclude(deeds: readonly Deed[], concluding: Concluding): ShellState {
  let { state } = concluding.running;
  let { variables } = state;
  for (const [at, deed] of deeds.entries()) {
    // What is set for a program that is run counts for it, and for nothing after it.
    const inside = variables === state.variables ? state : { ...state, variables };
    const next = concludeOne(deed, { ...concluding, running: { ...concluding.running, state: inside } });
    state = variables === state.variables ? next : { ...next, variables: state.variables };
    // Each is a copy of all of them: after the last one nobody looks.
    if ((deed.does === "variable" || deed.does === "forget") && at < deeds.length - 1)
      variables = givenTo(variables, deed);
  }
  return state;
}

function concludeOne(deed: Deed, concluding: Concluding): ShellState {
  const { running, shell } = concluding;
  switch (deed.does) {
    case "danger":
      find(deed.danger, deed.at?.span, concluding);
      return running.state;
    case "start-assent":
      return startsAssent(concluding);
    case "read":
    case "show":
      return reads(deed.path, deed.does, concluding);
    case "write":
      return writes(deed.path, concluding);
    case "link":
      return makes(deed.path, { type: "link", of: deed.target.text }, deed.target.text, concluding);
    case "copy":
      return copies(deed.path, deed.from, concluding);
    case "connect":
      return connects(deed.host, concluding);
    case "remote": {
      const place = remotePlace(deed.place.text);
      if ("host" in place) return connects({ ...deed.place, text: place.host }, concluding);
      const path = { ...deed.place, text: place.path };
      return deed.use === "read" ? reads(path, "read", concluding) : writes(path, concluding);
    }
    case "mode":
      return setsMode(deed.mode, concluding);
    case "variable":
    case "forget":
      return sets(deed, concluding);
    case "run": {
      const more = deed.more === true ? [unseenWord(deed.argv[0]?.span)] : [];
      const streams = { ...running.streams, bulk: running.streams.bulk || deed.each === true };
      return inside(shell.runArgv([...deed.argv, ...more], { ...elsewhere(running), streams }), running.state);
    }
    default:
      return runsText(deed, concluding);
  }
}

type TextDeed = Extract<
  Deed,
  { readonly does: "shell" | "program" | "code" | "script" | "set-script" | "run-input" | "run-with-input" }
>;

function runsText(deed: TextDeed, concluding: Concluding): ShellState {
  const { running, shell } = concluding;
  switch (deed.does) {
    case "shell":
      return inside(shell.runText(deed.text, deed.span, apart(running, deed.parameters)), running.state);
    case "program": {
      const before = shell.analysis.steps.length;
      const ways = shell.runText(deed.text, deed.span, apart(running));
      unusualProgram(deed, shell.analysis.steps.slice(before), concluding);
      return inside(ways, running.state);
    }
    case "code":
      namesOwn(deed, concluding);
      return conclude([...codeDeeds(deed.language, deed.text, deed.span), ...givenPaths(deed, concluding)], concluding);
    case "script":
      return runsScript(deed, concluding);
    case "set-script":
      return withScript(running.state, deed);
    case "run-input":
      return runsInput(deed.language, concluding);
    case "run-with-input":
      return inside(runWithInput(deed, elsewhere(running), shell), running.state);
    default:
      return deed satisfies never;
  }
}

/** Code can put a path together in many ways; the names in it are enough. */
function namesOwn({ text, span }: Extract<Deed, { does: "code" }>, concluding: Concluding): void {
  const code = shown(text);
  const { own, open = [] } = concluding.shell.analysis.world;
  const names = own.filter((place) => !open.includes(place)).map((place) => place.split("/").slice(-2).join("/"));
  if (![...names, "ASSENT_HOME"].some((name) => name !== "" && code.includes(name))) return;
  find({ rule: "self-approval", reason: "names a place that belongs to Assent itself" }, span, concluding);
}

/** Names of functions that change files, and the modes in which they are opened for that. */
const changing = /write|['"][rbt]{0,2}[wax+][bt+]{0,2}['"]|unlink|remove|rename|copy|chmod|truncate|mkdir/i;

/** Code that writes to what it is given writes to the words after it. */
function givenPaths({ text, span }: Extract<Deed, { does: "code" }>, { argv }: Concluding): readonly Deed[] {
  const code = known(text) ?? "";
  if (!/argv/i.test(code) || !changing.test(code)) return [];
  const at = argv.findIndex((word) => word.span.end === span.end);
  return argv
    .slice(at + 1)
    .filter((word) => at >= 0 && /^[/~.]/.test(beginning(word.text)))
    .map((path) => ({ does: "write", path }));
}

/** Another process: of what it does only the files stay. */
function inside(ways: readonly { readonly state: ShellState }[], before: ShellState): ShellState {
  return ways.reduce((state, way) => afterSubshell(state, way.state), before);
}

/** A shell of its own has its own parameters, and the first of the words after its text is its name. */
function apart(running: Running, [zeroth, ...parameters]: readonly Argument[] = []): Running {
  const { state, streams } = elsewhere(running);
  const named = zeroth === undefined ? state : withVariable(state, "0", { type: "text", text: zeroth.text });
  return { streams, state: { ...named, parameters } };
}

function find(danger: Danger, span: Span | undefined, { argv, shell }: Concluding): void {
  shell.analysis.find(danger, span ?? spanOfWords(argv), argv.length === 0 ? null : typed(argv));
}

function unseenWord(span: Span = nowhere): Argument {
  return { text: [{ hole: "any", from: "…" }], splits: true, span };
}

/** Sent elsewhere by variables, it takes what is this one's own for files like any others. */
function startsAssent(concluding: Concluding): ShellState {
  const { running, shell } = concluding;
  const name = changedOwnHome(running.state, shell.analysis.world);
  const reason = `starts Assent with another ${name}, so that it does not know what belongs to this one`;
  if (name !== undefined) find({ rule: "self-approval", reason }, undefined, concluding);
  return running.state;
}

function setsMode(mode: Argument, concluding: Concluding): ShellState {
  const danger = modeDanger(mode);
  if (danger !== null) find(danger, mode.span, concluding);
  return concluding.running.state;
}

function placeOf(path: Argument, { running: { state }, shell: { analysis } }: Concluding): Text {
  return realPlace(path.text, state, analysis);
}

function reads(path: Argument, use: "read" | "show", concluding: Concluding): ShellState {
  const { running, shell } = concluding;
  const host = networkDevice(path.text);
  if (host !== null) return connects({ ...path, text: host }, concluding);
  const place = placeOf(path, concluding);
  const { world } = shell.analysis;
  const { own, open = [] } = world;
  const closed = own.filter((each) => !open.includes(each));
  if (
    (isOwnPlace(place, world) || goesInto(place, closed, concluding)) &&
    !open.some((folder) => within(place, folder))
  ) {
    const reason = `reads ${shown(path.text)}, ${ownership(place, world)}`;
    find({ rule: "self-approval", reason }, path.span, concluding);
  }
  if (use === "show" && isSecretPlace(place, world)) {
    find(
      { rule: "secret-read", reason: `shows ${shown(path.text)}, which usually holds secrets` },
      path.span,
      concluding,
    );
  }
  return running.state;
}

function ownership(place: Text, world: World): string {
  return isOwnPlace(place, world) ? "which belongs to Assent itself" : "where Assent keeps what is its own";
}

/** `put`: what is there now is something else from then on; `link`: surely a link, where nothing or another was. */
function writes(path: Argument, concluding: Concluding, how: "change" | "put" | "link" = "change"): ShellState {
  const { running, shell } = concluding;
  const host = networkDevice(path.text);
  if (host !== null) return connects({ ...path, text: host }, concluding);
  const place = placeOf(path, concluding);
  const { world } = shell.analysis;
  const named = shown(path.text);
  // Behind a folder that is known it can hardly lead out of it.
  if (isMade(path.text.slice(0, 1)) || isMade(running.state.cwd)) {
    find({ rule: "hidden-word", reason: `changes ${named}, a place that cannot be seen` }, path.span, concluding);
  }
  const at = shown(place) === named ? `${named},` : `${named}, that is ${shown(place)},`;
  const isOwn = isOwnPlace(place, world) || goesInto(place, world.own, concluding);
  if (isOwn || (how === "link" && linksAbove(place, world))) {
    find({ rule: "self-approval", reason: `changes ${at} ${ownership(place, world)}` }, path.span, concluding);
  } else if (isSystemPlace(place, world)) {
    find({ rule: "overwrite-system", reason: `changes ${at} which belongs to the system` }, path.span, concluding);
  } else if (isStartupPlace(place, world)) {
    find({ rule: "overwrite-startup", reason: `changes ${at} which runs by itself later` }, path.span, concluding);
  } else if (how !== "change" && isAboveStartup(place, world)) {
    const reason = `changes ${at} where files are that run by themselves later`;
    find({ rule: "overwrite-startup", reason }, path.span, concluding);
  }
  return written(place, concluding);
}

/** What a program has written may be run afterwards. */
function written(place: Text, { argv, running: { state } }: Concluding): ShellState {
  const by = programIn(argv);
  const path = known(place);
  if (by === undefined || path === null) return state;
  const before = state.files.get(path);
  // Another may have put more into it than what was there.
  if (before?.type === "content")
    return before.by === undefined ? state : withFile(state, path, { type: "content", text: before.text });
  return writers.test(by) ? withFile(state, path, { type: "written", by }) : state;
}

/** Programs that write what they fetch, decode or are told. */
const writers =
  /^(?:curl|wget2?|aria2c|https?|xh|axel|openssl|gpg2?|age|xxd|dd|sponge|python[\d.]*|node|perl|ruby|php|lua|gawk|awk|uudecode)$/;

/** Remembers what is at the path now; when that is a folder, it is in it under the name of what it was made from. */
function makes(path: Argument, made: MadeFile, from: Text, concluding: Concluding): ShellState {
  const how = made.type === "link" ? "link" : movesLinks(concluding.argv) ? "put" : "change";
  const state = writes(path, concluding, how);
  const place = known(resolvePath(path.text, state.cwd));
  if (place === null) return state;
  const name = shown(from).replace(/\/+$/, "").split("/").at(-1) ?? "";
  if (known(from) !== null && isThere([place], concluding.shell.analysis.world))
    writes({ ...path, text: textOf(...path.text, "/", name) }, concluding, how);
  return withFile(withFile(state, place, made), `${place === "/" ? "" : place}/${name}`, made);
}

function copies(path: Argument, from: Argument, concluding: Concluding): ShellState {
  const { world } = concluding.shell.analysis;
  const source = placeOf(from, concluding);
  const target = placeOf(path, concluding);
  if (isSecretPlace(source, world) && !isSecretPlace(target, world)) {
    const reason = `copies ${shown(from.text)}, which usually holds secrets, to where it is not known to`;
    find({ rule: "secret-read", reason }, from.span, concluding);
  }
  const { input } = concluding.running.streams;
  const fromInput = isInputName(known(from.text)) && input?.type === "text";
  if (fromInput) return makes(path, { type: "content", text: input.text }, from.text, concluding);
  const made = concluding.running.state.files.get(known(source) ?? "");
  return makes(path, made ?? { type: "copy", of: source }, source, concluding);
}

function connects(host: Argument, concluding: Concluding): ShellState {
  const where = hostOf(host.text);
  const named = shown(host.text);
  if (where === "external") find({ rule: "network-host", reason: `connects to ${named}` }, host.span, concluding);
  if (where === "unknown") {
    const reason = `connects to ${named}, which is not known before it runs`;
    find({ rule: "network-unknown-host", reason }, host.span, concluding);
  }
  const { served = [] } = concluding.shell.analysis.world;
  const words = concluding.argv.map(({ text }) => text);
  if (where !== "external" && leadsTo(served, { host: host.text, words })) {
    const reason = `connects to ${named}, where Assent itself listens`;
    find({ rule: "self-approval", reason }, host.span, concluding);
  }
  return concluding.running.state;
}

function sets(deed: Extract<Deed, { does: "variable" | "forget" }>, concluding: Concluding): ShellState {
  const { state } = concluding.running;
  if (deed.does === "forget") return state;
  const { name, value, span } = deed;
  if (!isSearchPath(name)) return conclude(variableDeeds(name, value, span), { ...concluding, argv: [] });
  const danger = searchPathDanger(name, value, homesOf(concluding.shell.analysis.world));
  return danger === null ? state : { ...state, search: `${name} ${danger.reason}` };
}

/** Pagers, editors and the like that people use are known; one that is not runs unseen. */
function unusualProgram(
  { text, span }: TextDeed & { does: "program" },
  steps: readonly Step[],
  concluding: Concluding,
): void {
  if (known(text)?.trim() === "") return;
  const names = steps.flatMap((step) => (step.type === "run" ? [step.argv[0] ?? null] : []));
  const usual =
    names.length > 0 &&
    names.every((name) => name !== null && isUsual(name) && !/(?:^|\/)(?:rm|rmdir|shred|unlink|mv|dd)$/.test(name));
  // A shell without a text of its own runs whatever it is given.
  const bare = /^\s*(?:\S*\/)?(?!ssh)(?:\w{0,2}sh|python[\d.]*|perl|ruby|node|php|lua)(?!\S)(?!.*\s-\w*[cem])/s.test(
    known(text) ?? "",
  );
  if (usual && !bare) return;
  find({ rule: "exec-option", reason: `makes another program run ${shown(text)}` }, span, concluding);
}

/** A program that is described, by its name or where the system keeps it. */
function isUsual(name: string): boolean {
  const [base = "", ...folders] = name.split("/").toReversed();
  const folder = folders.toReversed().join("/");
  return (folders.length === 0 || /^(?:\/usr)?(?:\/local)?\/s?bin$/.test(folder)) && isDescribed(base);
}

function isDescribed(name: string): boolean {
  return programNamed(name) !== undefined || builtins.has(name);
}

function runsScript({ path, language }: Extract<Deed, { does: "script" }>, concluding: Concluding): ShellState {
  const { running, shell, argv } = concluding;
  const given = known(path.text);
  const at = argv.indexOf(path);
  // What follows the script is for it.
  const options = argv.slice(0, Math.max(0, at));
  if (options.some(({ text }) => /^--(?:syntax-)?check$/.test(known(text) ?? ""))) return running.state;
  if (isInputName(given)) return runsInput(language, concluding);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(beginning(path.text))) {
    find({ rule: "exec-unseen", reason: `runs what ${shown(path.text)} gives` }, path.span, concluding);
    return connects(path, concluding);
  }
  if (!path.text.some((piece) => typeof piece === "string" || piece.hole === "path")) {
    find(
      { rule: "exec-unseen", reason: `runs ${shown(path.text)}, which is not known before it runs` },
      path.span,
      concluding,
    );
  }
  const isAssent = /(?:^|\/)assent(?:\.c?js)?$/.test(ending(path.text));
  if (isAssent) shell.runArgv([{ ...path, text: ["assent"] }, ...argv.slice(at + 1)], running);
  else if (at >= 0) lookIntoWords(argv.slice(at + 1), running, shell);
  const place = placeKey(resolvePath(path.text, running.state.cwd)) ?? "";
  const content = shell.contentOf(given ?? "", running.state) ?? contentAt(place, concluding);
  if (content === null && isDescriptorName(given)) {
    find({ rule: "exec-unseen", reason: `runs what comes through ${given}` }, path.span, concluding);
  }
  return content === null ? running.state : runsContent(content, language, path.span, concluding);
}

function contentAt(place: string, { running: { state }, shell }: Concluding): Text | null {
  const made = state.files.get(place);
  if (made?.type === "written") return [{ hole: "any", from: place }];
  if (made?.type === "content" || made === undefined) return shell.contentOf(place, state);
  return shell.contentOf(known(resolvePath(made.of, state.cwd)) ?? "", state);
}

function runsContent(
  text: Text,
  language: Extract<Deed, { does: "script" }>["language"],
  span: Span,
  concluding: Concluding,
): ShellState {
  const { running, shell } = concluding;
  if (language !== "shell") return conclude(codeDeeds(language, text, span), concluding);
  const { state, streams } = apart(running);
  // Its words are not followed.
  return inside(shell.runText(text, span, { streams, state: { ...state, parameters: null } }), running.state);
}

function runsInput(language: Extract<Deed, { does: "script" }>["language"], concluding: Concluding): ShellState {
  const { running, argv } = concluding;
  const set = running.state.files.get("/dev/stdin");
  const input = running.streams.input ?? (set?.type === "content" ? ({ type: "text", text: set.text } as const) : null);
  if (input === null || input.type === "file") return running.state;
  const span = argv[0]?.span ?? nowhere;
  const streams = { ...running.streams, input: null };
  return runsContent(textOf(...input.text), language, span, { ...concluding, running: { ...running, streams } });
}
