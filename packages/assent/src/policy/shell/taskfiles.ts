import { readYaml, type Yaml } from "./yaml.ts";

/** With these `task` only tells of the tasks. */
const telling = /^(?:-l|--list|-a|--list-all|--summary|--help|-h|--version|-i|--init|--completion(?:=.*)?)$/;
/** What stands below these keys is run. */
const running = /^(?:cmds?|sh|if|status|preconditions|defer)$/;
/** Names of other tasks. */
const needing = /^(?:deps|task)$/;
const settings = /^(?:vars|env)$/;

/** `needs`: the tasks that are called; `values`: texts that commands are put together from. */
type Found = { readonly lines: string[]; readonly needs: string[]; readonly values: Map<string, string> };

/** The commands of the wanted tasks of a Taskfile, and of those that they call. */
export function taskfileCommands(text: string, words: readonly string[]): string {
  const end = words.indexOf("--");
  const own = end < 0 ? words : words.slice(0, end);
  if (own.some((word) => telling.test(word))) return "";
  const file = readYaml(text);
  if (file === null) return '"$a_taskfile_that_is_not_followed"';
  if (!isMap(file)) return "";
  const found: Found = { lines: [], needs: [], values: new Map() };
  for (const [key, node] of file) if (settings.test(key)) gather(node, key, found);
  const entries = file.get("tasks");
  const isDry = own.some((word) => /^(?:-n|--dry)$/.test(word));
  if (isMap(entries) && !isDry) gatherEntries(entries, own, found);
  return found.lines.map((line) => filledIn(line, found.values)).join("\n");
}

function gatherEntries(entries: ReadonlyMap<string, Yaml>, words: readonly string[], found: Found): void {
  // A word that is not known names any, where a name stands first.
  const isOpen = words.find((word) => !word.startsWith("-")) === "";
  const named = isOpen ? [...entries.keys()] : words.flatMap((word) => entriesNamed(word, entries));
  const first = entries.has("default") ? "default" : [...entries.keys()][0];
  const wanted = new Set(named.length > 0 ? named : first === undefined ? [] : [first]);
  for (const name of wanted) {
    found.needs.length = 0;
    gather(entries.get(name) ?? "", "cmds", found);
    for (const need of found.needs)
      for (const each of entriesNamed(filledIn(need, found.values), entries)) wanted.add(each);
  }
}

/** A task by its name, another name of it or a pattern; in a file that others include, by the end of its name. */
function entriesNamed(word: string, entries: ReadonlyMap<string, Yaml>): readonly string[] {
  const isOpen = word.includes("{{") || word.includes("$");
  return [...entries].flatMap(([name, node]) => {
    const others = isMap(node) ? node.get("aliases") : undefined;
    const names = [name, ...(Array.isArray(others) ? others : [])];
    const isMeant = names.some((each) => {
      if (typeof each !== "string") return false;
      const [start = "", ...rest] = each.split("*");
      return word === each || word.endsWith(`:${each}`) || (rest.length > 0 && word.startsWith(start));
    });
    return isOpen || isMeant ? [name] : [];
  });
}

function gather(node: Yaml, key: string, found: Found): void {
  if (typeof node === "string") {
    if (running.test(key)) found.lines.push(node);
    else if (needing.test(key)) found.needs.push(node);
  } else if (!isMap(node)) {
    for (const each of node) gather(each, key, found);
  } else if (settings.test(key)) gatherSettings(node, found);
  else for (const [name, value] of node) gather(value, name, found);
}

/** They have names of their own, which mean nothing here. */
function gatherSettings(node: ReadonlyMap<string, Yaml>, found: Found): void {
  for (const [name, value] of node) {
    if (typeof value === "string") found.values.set(name, value);
    else gather(value, "", found);
  }
}

function isMap(node: Yaml | undefined): node is ReadonlyMap<string, Yaml> {
  return node instanceof Map;
}

/** With the values that are known; what is worked out is not, and only where the command's name depends on it that matters. */
function filledIn(line: string, values: ReadonlyMap<string, string>): string {
  return line.replace(/\{\{-?([^{}]*?)-?\}\}/g, (_, inside: string) => {
    const [, literal] = /^\s*"([^"\\]*)"\s*$/.exec(inside) ?? [];
    const [, name] = /^\s*\.(\w+)\s*$/.exec(inside) ?? [];
    const [, before, otherwise] = /^\s*\.(\w+)\s*\|\s*default\s+"([^"\\]*)"\s*$/.exec(inside) ?? [];
    if (literal !== undefined) return literal;
    if (name !== undefined) return values.get(name) ?? `{{.${name}}}`;
    if (before !== undefined) return values.get(before) ?? otherwise ?? "";
    return `$\{a_template}`;
  });
}
