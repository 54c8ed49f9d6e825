export type CommandWords =
  | {
      readonly type: "words";
      readonly command: readonly [string, ...string[]];
      /** What stands before the command, such as `LEVEL=debug`. */
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly type: "broken"; readonly reason: string };

const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;

/**
 * The words of one command as a shell would split them, quotes and all. No shell runs it: what only a shell could do is told
 * instead of being handed to the program as it stands. `hides` are keys that may stand in the variables alone, for everyone
 * on a machine can read the words of a command.
 */
export function readServerCommand(line: string, hides: readonly string[] = []): CommandWords {
  const split = splitWords(line.trim());
  if (split.type === "broken") return split;
  const first = split.words.findIndex((word) => !assignment.test(word));
  const [program, ...rest] = first < 0 ? [] : split.words.slice(first);
  if (program === undefined || program === "")
    return { type: "broken", reason: "expected a command or a URL, found none" };
  const shown = hides.find((key) => [program, ...rest].some((word) => word.includes(`{${key}}`)));
  if (shown !== undefined) {
    const reason = `{${shown}} goes in a variable before the command, as in TOKEN={${shown}} ${program}: its words are seen by others`;
    return { type: "broken", reason };
  }
  const env = split.words.slice(0, first).map((word) => assignment.exec(word)?.slice(1) ?? []);
  return { type: "words", command: [program, ...rest], env: Object.fromEntries(env) };
}

/** The last word of names that hold secrets: `API_KEY`, `apiKey`, `db-password`; not `KEYBOARD`, `MAX_TOKENS` or `KEY_FILE`. */
const secretEnds = "(?:api)?key|token|secret|passw(?:or)?d|pwd|pass|pat|credentials?|auth|bearer";
const secretName = new RegExp(`(?:^|[_-])(?:${secretEnds})$`, "i");
/** What is no secret under whichever name: a number, a usual word, a path. */
const harmless =
  /^(?:\d{0,6}|true|false|yes|no|on|off|none|null|auto|basic|bearer|oauth2?|(?:~|\.{1,2})?\/[\w.-]+\/.*)$/is;
/** How the tokens of well known services begin. */
const knownToken = /^(?:sk[-_]|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|AKIA|AIza|eyJ)[\w-]{8,}/;

type Named = readonly (readonly [name: string, value: string])[];

/**
 * What holds a secret as it stands, and not by `{token}`; `null` where nothing does. Commands and addresses are kept, shown and
 * recorded, so no secret may stand in them.
 */
export function openSecret(named: Named, token: string): string | null {
  const found = named.find(([name, value]) => {
    if (value.includes(`{${token}}`) || harmless.test(value)) return false;
    return knownToken.test(value) || secretName.test(name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_"));
  });
  return found?.[0] ?? null;
}

/** Everything in a command that has a name: variables before it and among its words, and options with their values. */
export function namedIn({ command, env }: Extract<CommandWords, { readonly type: "words" }>): Named {
  const words = command.flatMap((word, index): Named => {
    const [, name, value] = /^(?:-{1,2}[\w-]+=)?-{0,2}([\w-]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) return [[name, value]];
    const option = /^-{1,2}([\w-]+)$/.exec(word)?.[1];
    return option === undefined ? [] : [[option, command[index + 1] ?? ""]];
  });
  return [...Object.entries(env), ...words];
}

/** The plainest of these as a pattern that a line must not have: what has one is asked for anew, and recorded nowhere. */
export const openSecretLine = (() => {
  const names =
    "(?:[Aa][Pp][Ii])?[Kk][Ee][Yy]|[Tt][Oo][Kk][Ee][Nn]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Pp][Aa][Ss][Ss][Ww](?:[Oo][Rr])?[Dd]";
  const value = String.raw`(?!["']?[~.\/])(?!\S{0,200}\{|'[^']{0,200}\{|"[^"]{0,200}\{)\S{8,}`;
  const assigned = String.raw`(?<![\w\-])(?:[\w\-]{0,60}[_\-])?(?:${names})=${value}`;
  const option = String.raw`(?<!\S)--?(?:[\w\-]{0,60}[_\-])?(?:${names})\s+(?!-)${value}`;
  return String.raw`.*(?:${assigned}|${option}|:\/\/[^\/\s]{0,200}@)`;
})();

type Split =
  | { readonly type: "words"; readonly words: readonly string[] }
  | { readonly type: "broken"; readonly reason: string };

/** One piece of a line: a blank, a quoted part, an escaped character, something of a shell's, or plain text. */
const piece =
  /(?<blank>\s+)|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|\\(?<escaped>.)|(?<shell>[|&;<>()$`\n'"\\])|(?<plain>[^\s'"\\|&;<>()$`]+)/gsu;

function splitWords(line: string): Split {
  const words: string[] = [];
  let word: string | null = null;
  for (const { groups = {} } of line.matchAll(piece)) {
    const { blank, single, double, escaped, shell, plain } = groups;
    const expanded = double !== undefined && /(?<!\\)(?:\\\\)*[$`]/.test(double);
    if (shell !== undefined || expanded) return { type: "broken", reason: refusal(shell ?? "$") };
    if (blank === undefined) {
      word = (word ?? "") + (single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? "");
      continue;
    }
    if (word !== null) words.push(word);
    word = null;
  }
  return { type: "words", words: word === null ? words : [...words, word] };
}

function refusal(sign: string): string {
  if (/['"\\]/.test(sign)) return `expected one command, found a ${sign} that nothing closes`;
  return `expected one command, found ${sign}, which only a shell knows: put it in quotes, or use sh -c '…'`;
}
