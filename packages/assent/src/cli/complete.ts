import { commandSpecs, specOf } from "./specs/registry.ts";
import { type CommandSpec, type Completes, helpOption, type OptionSpec } from "./specs/spec.ts";

/** A word that could stand there, and a line about it. */
export type Candidate = { readonly word: string; readonly about: string };

/** What is wanted at the place of the last word. */
type Wanted =
  | { readonly type: "words"; readonly words: readonly Candidate[] }
  /** `before` is what the word begins with that is not part of the value, such as `--cwd=`. */
  | {
      readonly type: "value";
      readonly completes: Completes;
      readonly before: string;
      /** What can stand there as well. */
      readonly also?: readonly Candidate[];
    };

const nothing: Wanted = { type: "words", words: [] };

/**
 * What the scripts of `assent completion` ask: all words after `assent`, the last one as far as it is typed. Answers with a
 * line a word: the word, a tab and what it is. `:file` and `:folder` leave it to the shell, which knows how to quote them.
 */
export async function printCompletions(argv: readonly string[]): Promise<number> {
  const typed = argv.at(-1) ?? "";
  const wanted = wantedAt(argv.slice(0, -1), typed);
  const asked = wanted.type === "value" ? await valuesOf(wanted, typed) : wanted.words;
  if (typeof asked === "string") return print([asked]);
  const also = wanted.type === "value" ? (wanted.also ?? []) : [];
  return print([...also, ...asked].filter(isPlain).map(({ word, about }) => `${word}\t${lineOf(about)}`));

  function isPlain({ word }: Candidate): boolean {
    // Shells put a word on the line as it is: one that they would read as something else is not offered.
    return word.startsWith(typed) && /^[\w.,:=@/+-]+$/.test(word);
  }
}

function print(lines: readonly string[]): number {
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return 0;
}

/** Names and prompts are what others wrote: a terminal obeys none of it. */
function lineOf(about: string): string {
  const line = about.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}

function wantedAt(before: readonly string[], typed: string): Wanted {
  const [first, ...others] = before;
  if (first === undefined) return typed.startsWith("-") ? optionsOf(commandSpecs["shell"], []) : names(commandSpecs);
  if (first.startsWith("-")) return wantedIn(commandSpecs["shell"], before, typed);
  if (first === "help") return wantedOfHelp(others);
  const found = specOf([first]);
  let [spec, words] = ["spec" in found ? found.spec : undefined, others];
  for (;;) {
    const [word = "", ...rest] = words;
    const part: CommandSpec | undefined = Object.hasOwn(spec?.parts ?? {}, word) ? spec?.parts?.[word] : undefined;
    if (part === undefined) return wantedIn(spec, words, typed);
    [spec, words] = [part, rest];
  }
}

function wantedOfHelp(words: readonly string[]): Wanted {
  if (words.length === 0) return names(commandSpecs);
  const found = specOf(words);
  return "spec" in found ? names(found.spec.parts ?? {}) : nothing;
}

/** Reads the words as `readFlags` would, and says what comes next. */
function wantedIn(spec: CommandSpec | undefined, words: readonly string[], typed: string): Wanted {
  if (spec === undefined) return nothing;
  const { given, options, open, plain } = read(spec, words);
  if (open !== null) return completed(open, "");
  if (typed.startsWith("-") && !plain) {
    const [, before = "", name = ""] = /^(--([a-z-]+)=)/.exec(typed) ?? [];
    return before === "" ? optionsOf(spec, options) : completed(optionNamed(spec, name), before);
  }
  const parts = given === 0 && words.length === 0 ? spec.parts : undefined;
  if (parts !== undefined && spec.arguments.length === 0) return names(parts);
  const expected = spec.arguments.flatMap((each) =>
    Array.from({ length: Math.min(each.most ?? 1, given + 1) }, () => each),
  );
  const value = completed(expected[given], "");
  return parts !== undefined && value.type === "value" ? { ...value, also: namesOf(parts) } : value;
}

type Read = {
  /** How many arguments there are. */
  readonly given: number;
  readonly options: readonly string[];
  /** The option whose value comes next. */
  readonly open: OptionSpec | null;
  /** After `--` nothing is an option. */
  readonly plain: boolean;
};

function read(spec: CommandSpec, words: readonly string[]): Read {
  let state: Read = { given: 0, options: [], open: null, plain: false };
  for (const word of words) {
    if (state.open !== null) state = { ...state, open: null };
    else if (state.plain || !word.startsWith("-") || word === "-") state = { ...state, given: state.given + 1 };
    else if (word === "--") state = { ...state, plain: true };
    else {
      const name = word.slice(2);
      const option = optionNamed(spec, name);
      const open = option?.value === undefined ? null : option;
      state = { ...state, options: [...state.options, name.replace(/=.*$/s, "")], open };
    }
  }
  return state;
}

function optionNamed({ options }: CommandSpec, name: string): OptionSpec | undefined {
  return Object.hasOwn(options, name) ? options[name] : undefined;
}

function completed(place: { readonly completes?: Completes } | undefined, before: string): Wanted {
  return place?.completes === undefined ? nothing : { type: "value", completes: place.completes, before };
}

/** Those that are not given yet: twice is a mistake. */
function optionsOf(spec: CommandSpec | undefined, given: readonly string[]): Wanted {
  const all = Object.entries({ ...spec?.options, ...spec?.alsoKnown, ...helpOption });
  const left = all.filter(([name]) => !given.includes(name));
  return { type: "words", words: left.map(([name, { does }]) => ({ word: `--${name}`, about: does })) };
}

function names(specs: Readonly<Record<string, CommandSpec>>): Wanted {
  return { type: "words", words: namesOf(specs) };
}

function namesOf(specs: Readonly<Record<string, CommandSpec>>): readonly Candidate[] {
  return Object.entries(specs).map(([word, { does }]) => ({ word, about: does }));
}

async function valuesOf(
  { completes, before }: Extract<Wanted, { type: "value" }>,
  typed: string,
): Promise<readonly Candidate[] | ":file" | ":folder"> {
  const candidates = (found: readonly Candidate[]) =>
    found.map(({ word, about }) => ({ word: `${before}${word}`, about }));
  switch (completes) {
    case "file":
      return ":file";
    case "folder":
      return ":folder";
    case "command":
      return [];
    case "model":
      if (typed.startsWith(`${before}scripted:`)) return ":file";
      return candidates(await (await import("./complete-models.ts")).modelCandidates());
    case "session":
    case "interaction":
    case "call":
    case "grant":
      return candidates((await import("./complete-kept.ts")).keptCandidates(completes));
    case "service":
    case "integration":
      return candidates((await import("./complete-integrations.ts")).integrationCandidates(completes));
    default:
      return candidates(completes.map((word) => ({ word, about: "" })));
  }
}
