import { type ShellState, withFile } from "./state.ts";
import type { Text } from "./text.ts";

/** The scripts that are named, with what runs before and after them; all of them when none is. */
export function packageCommands(text: string, words: readonly string[]): string {
  if (words[0] === "pkg" || words[0] === "set-script") return "";
  const block = text.slice(Math.max(0, text.indexOf('"scripts"') + '"scripts"'.length));
  const all = scriptsIn(block);
  const named = all.filter(([name]) => words.includes(name.replace(/^(?:pre|post)/, "")) || words.includes(name));
  return (named.length > 0 ? named : all).map(([, command]) => command).join("\n");
}

/** The names and commands that stand in a text in JSON. */
export function scriptsIn(json: string): readonly (readonly [name: string, command: string])[] {
  const all = json.matchAll(/"([^"]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/g);
  return [...all].map(([, name = "", command = ""]) => [unescapedJson(name), unescapedJson(command)]);
}

export function unescapedJson(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, char: string) =>
    code === undefined ? (escapes[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** No path of a file: what else is in the package is not known. */
const setScripts = "set scripts/";
/** It may be any of them. */
const anyScript = "*";

/** What a package is given as a script is run where that script is. */
export function withScript(
  state: ShellState,
  { name, text }: { readonly name: string | null; readonly text: Text },
): ShellState {
  return withFile(state, `${setScripts}${name ?? anyScript}`, { type: "content", text });
}

/** The script that was set there; `null`: it is a file. */
export function setScriptAt(path: string): string | null {
  return path.startsWith(setScripts) ? path.slice(setScripts.length) : null;
}

/** Programs that run scripts of a package by their names alone. */
const byName = /^(?:yarn|yarnpkg|pnpm|bun|run-[sp]|npm-run-all2?|lerna|turbo|nx|concurrently|wsrun)$/;

/** Whether the program, given these words, runs the script of that name. */
export function runsScriptOf(program: string, words: readonly string[], script: string): boolean {
  if (program === "npm" || program === "cnpm") return isIn(npmScripts(words), script);
  if (program === "node") return words.includes("--run") && isIn(words, script);
  if (!byName.test(program)) return false;
  const isBare = program.startsWith("yarn") && words.every((word) => word.startsWith("-"));
  const plain = words.filter((word) => !word.startsWith("-"));
  return isIn([...plain.flatMap(around), ...plain.flatMap(occasionsOf), ...(isBare ? installing : [])], script);
}

function isIn(names: readonly string[], script: string): boolean {
  if (script === anyScript) return names.length > 0;
  return names.some((name) => {
    // What is not known may be any name.
    if (name === "") return true;
    // `run-s 'build:*'`, `concurrently npm:build`
    const [start = "", ...rest] = name.replace(/^npm:/, "").split("*");
    return rest.length > 0 ? script.startsWith(start) : script === start || name === script;
  });
}

const installing = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];
const installed = [...installing, "dependencies"];
const packing = ["prepublish", "prepack", "prepare", "postpack"];

/** What npm runs of a package with commands of its own. */
const occasions: readonly (readonly [commands: string, scripts: readonly string[]])[] = [
  ["test t tst it cit sit install-test install-ci-test clean-install-test", around("test")],
  ["start", around("start")],
  ["stop", around("stop")],
  ["restart", ["stop", "start", "restart"].flatMap(around)],
  ["version verison", around("version")],
  ["pack", packing],
  ["publish", ["prepublishOnly", ...packing, ...around("publish")]],
  ["install i in add isnt isnta isntal isntall ci ic clean-install install-clean isntall-clean", installed],
  ["it cit sit install-test install-ci-test clean-install-test", installed],
  ["rebuild rb link ln dedupe ddp prune update upgrade up udpate audit", installed],
  ["uninstall un r rm unlink remove", [...around("uninstall"), "dependencies"]],
  ["shrinkwrap", around("shrinkwrap")],
];

function around(name: string): readonly string[] {
  return [`pre${name}`, name, `post${name}`];
}

function occasionsOf(command: string): readonly string[] {
  return occasions.flatMap(([commands, scripts]) => {
    // A command may be cut short.
    const isMeant = commands
      .split(" ")
      .some((each) => each === command || (command.length > 2 && each.startsWith(command)));
    return isMeant ? scripts : [];
  });
}

/** Of npm the scripts that are run by name stand behind the command for it. */
function npmScripts(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--", 2);
  const plain = (end < 0 ? words : words.slice(0, end)).filter((word) => !word.startsWith("-"));
  if (plain[0] === "") return [""];
  const at = plain.findIndex((word) => /^(?:run|run-\w*|rum|urn)$/.test(word));
  const named = at < 0 ? [] : plain.slice(at + 1).flatMap(around);
  return [...named, ...plain.slice(0, at < 0 ? plain.length : at).flatMap(occasionsOf)];
}
