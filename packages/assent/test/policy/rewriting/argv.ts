/** Steps that give a program the same words in another way: options, paths, places of redirections, wrappers. */
import type { Random } from "../../simulation/random.ts";
import { type Form, pick, type Step, type Word, word } from "./form.ts";
import { isOfTheShell, wrapperSteps } from "./wrappers.ts";

/** Options without a value, and their long names, of programs that take options anywhere. */
const flags: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rm: { r: "recursive", R: "recursive", f: "force", v: "verbose" },
  chmod: { R: "recursive", v: "verbose", f: "silent" },
  chown: { R: "recursive", v: "verbose" },
  cp: { r: "recursive", R: "recursive", a: "archive", f: "force", v: "verbose" },
  mv: { f: "force", v: "verbose" },
  ln: { s: "symbolic", f: "force", v: "verbose" },
  tee: { a: "append" },
  ls: { a: "all", l: "", h: "human-readable" },
  grep: { r: "recursive", n: "line-number", i: "ignore-case" },
  wc: { l: "lines", c: "bytes" },
  mkdir: { p: "parents", v: "verbose" },
  shred: { u: "remove", z: "zero", f: "force" },
};

/** Those whose short options are worth adding without a change of what is done. */
const verbose = new Set(["rm", "chmod", "chown", "cp", "mv", "ln", "mkdir"]);

function flagsOf({ words: [first] }: Form): Readonly<Record<string, string>> | undefined {
  const name = first?.value ?? "";
  return first && !first.live && Object.hasOwn(flags, name) ? flags[name] : undefined;
}

function isCluster(each: Word, known: Readonly<Record<string, string>>): boolean {
  return /^-[A-Za-z]+$/.test(each.value) && !each.live && [...each.value.slice(1)].every((letter) => letter in known);
}

/** Replaces one cluster of short options by other words. */
function cluster(
  name: string,
  write: (
    letters: readonly string[],
    known: Readonly<Record<string, string>>,
    random: Random,
  ) => readonly string[] | undefined,
): Step {
  return {
    name,
    on: "form",
    apply(form, random) {
      const known = flagsOf(form);
      const index = known === undefined ? -1 : form.words.findIndex((each) => isCluster(each, known));
      if (known === undefined || index < 0) return undefined;
      const made = write([...(form.words[index]?.value.slice(1) ?? "")], known, random);
      return made && { ...form, words: form.words.toSpliced(index, 1, ...made.map(word)) };
    },
  };
}

const optionSteps: readonly Step[] = [
  cluster("options apart", (letters) => (letters.length > 1 ? letters.map((letter) => `-${letter}`) : undefined)),
  cluster("options turned", (letters) => (letters.length > 1 ? [`-${letters.toReversed().join("")}`] : undefined)),
  cluster("long options", (letters, known) =>
    letters.every((letter) => known[letter]) ? letters.map((letter) => `--${known[letter]}`) : undefined,
  ),
  cluster("beginnings of long options", (letters, known, random) =>
    letters.every((letter) => known[letter])
      ? letters.map((letter) => `--${known[letter]?.slice(0, 4 + random.below(4))}`)
      : undefined,
  ),
  cluster("an option twice", (letters) => [`-${letters.join("")}${letters[0]}`]),
  {
    name: "one more option",
    on: "form",
    apply(form, random) {
      const known = flagsOf(form);
      if (known === undefined || !verbose.has(form.words[0]?.value ?? "")) return undefined;
      return { ...form, words: form.words.toSpliced(1, 0, word(pick(random, ["-v", "--verbose", "--verb"]) ?? "-v")) };
    },
  },
  {
    name: "options last",
    on: "form",
    apply(form) {
      const known = flagsOf(form);
      const [first, ...rest] = form.words;
      if (known === undefined || first === undefined || rest.some(({ value }) => value === "--")) return undefined;
      const options = rest.filter((each) => isCluster(each, known));
      if (options.length === 0 || options.length === rest.length) return undefined;
      return { ...form, words: [first, ...rest.filter((each) => !options.includes(each)), ...options] };
    },
  },
  {
    name: "end of options",
    on: "form",
    apply(form) {
      const known = flagsOf(form);
      const isKnown = (each: Word) =>
        !each.value.startsWith("-") || /^--\w/.test(each.value) || (known && isCluster(each, known));
      if (known === undefined || !form.words.every(isKnown)) return undefined;
      const last = form.words.findLastIndex(({ value }) => value.startsWith("-"));
      return { ...form, words: form.words.toSpliced(Math.max(last, 0) + 1, 0, word("--")) };
    },
  },
];

const placed = /(^|=)(\/(?:etc|usr|boot|var|root|lib|opt|srv|dev|bin|sbin|tmp|home)\/)(?!tcp|udp|null)/;

const detours: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `/.${path}`,
  (path) => `${path}/`,
  (path) => `${path}./`,
  (path) => `/tmp/..${path}`,
  (path) => `/home/dev/../..${path}`,
  (path) => `${path}../${path.split("/")[1]}/`,
  (path) => `../../..${path}`,
  (path) => `../../../..${path}`,
  (path) => `./../../..${path}`,
];

function rerouted(each: Word, random: Random): Word | undefined {
  if (each.live || !placed.test(each.value)) return undefined;
  const detour = pick(random, detours);
  return word(each.value.replace(placed, (_, start: string, path: string) => start + (detour?.(path) ?? path)));
}

const programFolders = ["/bin/", "/usr/bin/", "/usr/local/bin/", "//usr/bin/", "/usr/bin/./", "/usr/../bin/", "/sbin/"];
const pathSteps: readonly Step[] = [
  {
    name: "a detour in a path",
    on: "form",
    apply(form, random) {
      const index = form.words.findIndex((each, at) => at > 0 && !each.live && placed.test(each.value));
      const found = form.words[index];
      const changed = found && rerouted(found, random);
      return changed && { ...form, words: form.words.with(index, changed) };
    },
  },
  {
    name: "a detour in a target",
    on: "form",
    apply(form, random) {
      const redirections = form.redirections.map((each) => ({
        ...each,
        target: rerouted(each.target, random) ?? each.target,
      }));
      return form.redirections.length > 0 ? { ...form, redirections } : undefined;
    },
  },
  {
    name: "from the folder itself",
    on: "form",
    apply(form) {
      const [only] = form.redirections;
      const parts = /^(\/\w.*)\/([^/]+)$/.exec(only?.target.value ?? "");
      if (only === undefined || parts === null || only.target.live || parts[1]?.startsWith("/dev")) return undefined;
      const target = word(parts[2] ?? "");
      return { ...form, before: [...form.before, `cd ${parts[1]}`], redirections: [{ ...only, target }] };
    },
  },
  {
    name: "a program by its path",
    on: "form",
    apply(form, random) {
      const [first] = form.words;
      if (first === undefined || first.live || isOfTheShell(form) || first.value.includes("/")) return undefined;
      return { ...form, words: form.words.with(0, word(`${pick(random, programFolders)}${first.value}`)) };
    },
  },
];

const patterns: readonly ((name: string) => string)[] = [
  (name) => `/bin/${name.slice(0, -1)}[${name.slice(-1)}]`,
  (name) => `/b?n/${name}`,
  (name) => `/[b]in/${name}`,
  (name) => `/usr/b*/${name}`,
  (name) => `/bin/${name.slice(0, -1)}{${name.slice(-1)}..${name.slice(-1)}}`,
  (name) => `/???/${name}`,
];

const patternSteps: readonly Step[] = [
  {
    name: "a program by a pattern",
    on: "form",
    apply(form, random) {
      const [first] = form.words;
      if (first === undefined || first.live || isOfTheShell(form) || !/^[a-z]{2,}$/.test(first.value)) return undefined;
      const text = pick(random, patterns)?.(first.value) ?? "";
      return { ...form, bash: true, words: [{ value: text, text, live: true }, ...form.words.slice(1)] };
    },
  },
];

const redirectionSteps: readonly Step[] = [
  {
    name: "redirection first",
    on: "form",
    apply: (form) =>
      form.redirections.length > 0
        ? { ...form, redirections: form.redirections.map((each) => ({ ...each, first: true })) }
        : undefined,
  },
  {
    name: "another redirection",
    on: "form",
    apply(form, random) {
      const operators = [">|", "&>", "1>", ">>", "&>>", "<>", "2>", "7>", "{fd}>", ">&"];
      const operator = pick(random, operators) ?? ">";
      if (form.redirections.length === 0) return undefined;
      return { ...form, bash: true, redirections: form.redirections.map((each) => ({ ...each, operator })) };
    },
  },
  {
    name: "redirection beside others",
    on: "form",
    apply(form, random) {
      const more = pick(random, [
        { operator: "2>", target: word("/dev/null") },
        { operator: "<", target: word("/dev/null") },
        { operator: "2>&", target: word("1") },
      ]);
      return more && form.feed === undefined ? { ...form, redirections: [...form.redirections, more] } : undefined;
    },
  },
  {
    name: "other blanks",
    on: "form",
    apply: (form, random) => ({ ...form, gap: pick(random, ["\t", "  ", " \\\n  ", "\\\n ", " \t "]) ?? " " }),
  },
  {
    name: "assignments in front",
    on: "form",
    apply: (form, random) => ({
      ...form,
      assignments: [
        pick(random, ["FOO=1", "LC_ALL=C", "TZ='Europe/Berlin'", "A= B=2", "NAME=$USER"]) ?? "",
        ...form.assignments,
      ],
    }),
  },
];

export const argvSteps: readonly Step[] = [
  ...optionSteps,
  ...pathSteps,
  ...patternSteps,
  ...redirectionSteps,
  ...wrapperSteps,
];
