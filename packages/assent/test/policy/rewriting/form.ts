/** A simple command in parts, and a line made of it: what the rewriting steps work on. */
import type { Random } from "../../simulation/random.ts";

/** A word with its value, and how it is written now. `live` words are expanded by the shell and must stay as written. */
export type Word = { readonly value: string; readonly text: string; readonly live?: boolean };
export type Redirection = { readonly operator: string; readonly target: Word; readonly first?: boolean };

export type Form = {
  /** Commands that set what the words use. */
  readonly before: readonly string[];
  readonly assignments: readonly string[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** What is piped into it. */
  readonly feed?: string;
  /** Between two words. */
  readonly gap: string;
  /** Written in a way that only bash knows. */
  readonly bash: boolean;
  /** The words are more than one command. */
  readonly compound?: boolean;
};

/** `compound`: more than one pipeline, so it needs a group to stand where one command may. `done`: nothing may go around it. */
export type Line = {
  readonly text: string;
  readonly compound: boolean;
  readonly bash: boolean;
  readonly done?: boolean;
};

/** A seed that is no simple command has only its text. */
export type Seed = { readonly source: string; readonly form?: Form };

export type Step =
  | { readonly name: string; readonly on: "form"; apply(form: Form, random: Random): Form | undefined }
  | { readonly name: string; readonly on: "line"; apply(line: Line, random: Random): Line | undefined };

export function pick<T>(random: Random, from: readonly T[]): T | undefined {
  return from[random.below(from.length)];
}

export function single(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

export function double(value: string): string {
  return `"${value.replaceAll(/[\\"$`]/g, "\\$&")}"`;
}

export function plain(value: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(value) ? value : single(value);
}

export function word(value: string): Word {
  return { value, text: plain(value) };
}

/** Known as blanks, single quotes, a pipe before the last command, `>` and `>>`, and assignments in front. */
export function seedOf(source: string): Seed {
  const tokens = tokensOf(source);
  const pipe = tokens.findLastIndex(({ text }) => text === "|");
  const feed = pipe < 0 ? {} : { feed: source.slice(0, tokens[pipe]?.at).trim() };
  const rest = tokens.slice(pipe + 1);
  const assignments = rest.slice(
    0,
    Math.max(
      0,
      rest.findIndex(({ text }) => !/^[A-Z_]+=/.test(text)),
    ),
  );
  const words: Word[] = [];
  const redirections: Redirection[] = [];
  for (let index = assignments.length; index < rest.length; index++) {
    const { text = "", ...token } = rest[index] ?? {};
    const target = rest[index + 1];
    if (/^>>?$/.test(text) && target !== undefined) {
      redirections.push({ operator: text, target: wordOf(target) });
      index++;
    } else words.push(wordOf({ at: 0, quoted: false, ...token, text }));
  }
  const written = assignments.map(({ text }) => text.replace(/=(.*)$/s, (_, value: string) => `=${plain(value)}`));
  return { source, form: { before: [], assignments: written, words, redirections, gap: " ", bash: false, ...feed } };
}

type Token = { readonly text: string; readonly quoted: boolean; readonly at: number };

function tokensOf(source: string): readonly Token[] {
  return [...source.matchAll(/(?:[^\s']|'[^']*')+/g)].map((match) => ({
    text: match[0].replaceAll("'", ""),
    quoted: match[0].includes("'"),
    at: match.index,
  }));
}

function wordOf({ text, quoted }: Token): Word {
  return !quoted && /[*?~$[{]/.test(text) ? { value: text, text, live: true } : word(text);
}

export function lineOf(form: Form): Line {
  const { before, assignments, words, redirections, feed, gap, bash } = form;
  const written = (first: boolean) =>
    redirections
      .filter((each) => (each.first ?? false) === first)
      .map(({ operator, target }) => operator + target.text);
  const simple = [...written(true), ...assignments, ...words.map(({ text }) => text), ...written(false)].join(gap);
  const text = [...before, feed === undefined ? simple : `${feed} | ${simple}`].join("; ");
  return { text, compound: before.length > 0 || (form.compound ?? false), bash };
}

/** As the body of a group or a branch: `{${bodyOf(line)}}`. */
export function bodyOf({ text, compound }: Line): string {
  return compound ? `\n${text}\n` : ` ${text}; `;
}

/** As one command. */
export function unitOf(line: Line): string {
  return line.compound ? `{${bodyOf(line)}}` : line.text;
}

/** A name that nothing else in the line uses. */
export function freshName(random: Random, taken: string): string {
  const names = ["c", "cmd", "x", "target", "opt", "TOOL", "_a", "what", "p1", "args", "Z9", "run_it"];
  const start = random.below(names.length);
  const free = [...names.slice(start), ...names].find((name) => !new RegExp(`\\b${name}\\b`).test(taken));
  return free ?? `v${random.below(10_000)}`;
}
