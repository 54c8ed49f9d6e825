import type { ShellFacts } from "../runtime/ports.ts";

/** What a shell has said of itself, as its own builtins print it. */
export type Told = {
  /** The names of its functions, aliases, traps, exported variables, remembered places and disabled builtins, in this order. */
  readonly listed: string;
  readonly functions: string;
  readonly options: string;
  /** The values of `steering`, each after its name and `=`, when it has one. */
  readonly steering: readonly string[];
};

/** What a shell has, before it is compared with what it began with. */
export type Known = Omit<ShellFacts, "inherited">;

/** Variables that mean something to the shell itself, exported or not. */
export const steering: readonly string[] = ["IFS", "PATH", "HOME", "CDPATH", "PS4", "GLOBIGNORE", "EXECIGNORE"];

/** A longer text is not told. */
const mostText = 8 * 1024;
/** Longer than this together, no body of a function is told. */
export const mostBodies: number = 64 * 1024;

/** Of the person's own environment these are told: they decide what any program does that starts. */
const startup = ["BASH_ENV", "ENV", "LD_PRELOAD", "LD_AUDIT"];
/** They change by themselves, or say nothing of what a command means. */
const passing = /^(?:_|PWD|OLDPWD|SHLVL|__assent_\w*)$/;

/** `null` when it cannot be understood, or when a DEBUG trap may have changed its words, or skipped some (`extdebug`). */
export function readTold(told: Told, ownTrap: string): Known | null {
  const listed = readListed(told.listed);
  if (listed === null) return null;
  const { names, aliases, traps, exported, places, disabled } = listed;
  const trapped = traps.flatMap(([, text = "-", name = ""]): [string, string][] => {
    const command = unquoted(text);
    return text === "-" || (name === "EXIT" && command === ownTrap) ? [] : [[name, command]];
  });
  const options = told.options.split(":").filter((name) => name !== "");
  if (trapped.some(([name]) => name === "DEBUG") || options.includes("extdebug")) return null;
  const variables = { ...readExported(exported), ...readSteering(told.steering) };
  return {
    functions: readFunctions(
      names.map(([, name = ""]) => name),
      told.functions,
    ),
    aliases: short(aliases.map(([, name = "", text = ""]) => [name, unquoted(text)])),
    traps: short(trapped),
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => !passing.test(name))),
    options: Object.fromEntries(options.map((name) => [name, true])),
    places: strayPlaces(places, variables["PATH"] ?? ""),
    disabled: disabled.map(([, name = ""]) => name),
  };
}

/** What is not as it was when the shell began. */
export function factsSince(first: Known, now: Known): ShellFacts {
  const changed = (name: string) => first.variables[name] !== now.variables[name];
  const names = [...new Set([...Object.keys(now.variables), ...Object.keys(first.variables)])].sort();
  const told = names.filter((name) => changed(name) || startup.includes(name));
  const options = [...new Set([...Object.keys(now.options), ...Object.keys(first.options)])].sort();
  const same = (kind: "functions" | "aliases") =>
    Object.keys(now[kind]).filter((name) => now[kind][name] !== null && now[kind][name] === first[kind][name]);
  return {
    ...now,
    variables: short(told.map((name) => [name, now.variables[name] ?? null])),
    options: Object.fromEntries(
      options.flatMap((name) =>
        first.options[name] === now.options[name] ? [] : [[name, now.options[name] === true]],
      ),
    ),
    inherited: [...same("functions"), ...same("aliases"), ...told.filter((name) => !changed(name))],
  };
}

/** What a new shell gets from the environment it is started in; what a file named by BASH_ENV does is not known here. */
export function factsOfNew(env: NodeJS.ProcessEnv): ShellFacts {
  const functions = Object.entries(env).flatMap(([name, text]): [string, string][] => {
    const [, found] = /^BASH_FUNC_(.+)%%$/.exec(name) ?? [];
    return found === undefined || text === undefined ? [] : [[found, text.replace(/^\(\)\s*/, "")]];
  });
  const variables = startup.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const none = { aliases: {}, traps: {}, options: {}, places: {}, disabled: [] };
  const inherited = [...functions, ...variables].map(([name]) => name);
  return { ...none, functions: short(functions), variables: short(variables), inherited };
}

/** The same without what must not be seen. */
export function factsHidden(facts: ShellFacts, hide: (text: string) => string): ShellFacts {
  const hidden = (texts: Readonly<Record<string, string | null>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text === null ? null : hide(text)]));
  const { functions, aliases, traps, variables } = facts;
  return {
    ...facts,
    functions: hidden(functions),
    aliases: hidden(aliases),
    traps: hidden(traps),
    variables: hidden(variables),
  };
}

const quotedText = /'[^']*'(?:\\''[^']*')*/.source;
/** As a variable is shown. */
const value = /"(?:[^"\\]|\\.)*"|\$'(?:[^'\\]|\\.)*'/.source;
const list = `\\((?:${value}|[^()"'$])*\\)`;
const word = `${quotedText}|[^\\s']+`;

const patterns = {
  names: /declare -f[a-z]* (\S+)\n/y,
  aliases: new RegExp(`alias (?:-- )?([^\\s=]+)=(${quotedText})\\n`, "y"),
  traps: new RegExp(`trap -- (${quotedText}|-) (?:SIG)?(\\S+)\\n`, "y"),
  // An array has no value that a program would get.
  exported: new RegExp(`declare -[A-Za-z]+ (\\w+)(?:=(?:(${value})|${list}))?\\n`, "ys"),
  places: new RegExp(`builtin hash -p (${word}) (${word})\\n`, "y"),
  disabled: /enable -n (\S+)\n/y,
};

type Listed = Readonly<Record<keyof typeof patterns, readonly RegExpExecArray[]>>;

/** `null` when something else is in it. */
function readListed(text: string): Listed | null {
  let at = 0;
  const read = (pattern: RegExp): readonly RegExpExecArray[] => {
    const found: RegExpExecArray[] = [];
    pattern.lastIndex = at;
    for (let next = pattern.exec(text); next !== null; next = pattern.exec(text)) {
      found.push(next);
      at = pattern.lastIndex;
    }
    return found;
  };
  const { names, aliases, traps, exported, places, disabled } = patterns;
  const listed = {
    ...{ names: read(names), aliases: read(aliases), traps: read(traps) },
    ...{ exported: read(exported), places: read(places), disabled: read(disabled) },
  };
  return at === text.length ? listed : null;
}

/** Each body begins with a line of its own; a text in one that looks like such a line makes one too many. */
function readFunctions(names: readonly string[], text: string): Known["functions"] {
  const parts = text.split(/^(?:function )?(\S+) \(\) \n/m);
  const headers = parts.filter((_, index) => index % 2 === 1);
  const isWhole =
    parts[0] === "" && headers.length === names.length && headers.every((each, nth) => each === names[nth]);
  const bodies = names.map((name, nth): [string, string | null] => [
    name,
    isWhole ? (parts[2 * nth + 2] ?? "").replace(/\ndeclare -f[a-z]+ \S+\n$/, "\n").trim() : null,
  ]);
  return short(bodies.filter(([name]) => !passing.test(name)));
}

function readExported(found: Listed["exported"]): Record<string, string | null> {
  return Object.fromEntries(
    found.map(([, name = "", text]): [string, string | null] => [name, text === undefined ? null : unquoted(text)]),
  );
}

function readSteering(values: readonly string[]): Record<string, string> {
  const set = values.flatMap((value): [string, string][] => {
    const at = value.indexOf("=");
    return at === -1 ? [] : [[value.slice(0, at), value.slice(at + 1)]];
  });
  return Object.fromEntries(set);
}

/** A shell remembers where it found a program: that is told only of one that it cannot have found by itself. */
function strayPlaces(found: Listed["places"], path: string): Record<string, string> {
  const folders = path.split(":");
  const isFound = (name: string, place: string) =>
    place.endsWith(`/${name}`) && folders.includes(place.slice(0, -name.length - 1));
  const places = found.map(([, place = "", name = ""]) => [unquoted(name), unquoted(place)] as const);
  return Object.fromEntries(places.filter(([name, place]) => !isFound(name, place)));
}

function short(texts: readonly (readonly [string, string | null])[]): Record<string, string | null> {
  return Object.fromEntries(texts.map(([name, text]) => [name, text === null || text.length > mostText ? null : text]));
}

const escapes: Readonly<Record<string, string>> = {
  ...{ a: "\u0007", b: "\b", e: "\u001b", E: "\u001b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" },
};

/** What bash has quoted in one of its three ways. */
function unquoted(text: string): string {
  if (text.startsWith("$'")) {
    return text
      .slice(2, -1)
      .replace(/\\([0-7]{1,3}|.)/gs, (_, code: string) =>
        /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
      );
  }
  if (text.startsWith('"')) return text.slice(1, -1).replace(/\\([\\"$`\n])/g, "$1");
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("'\\''", "'") : text;
}
