import { visibleText } from "../../core/interaction/index.ts";
import type { Channel } from "../../show/index.ts";

/** How a terminal shows things. */
export type Look = {
  readonly columns: number;
  readonly color: boolean;
  readonly utf8: boolean;
};

/** All codes that are ever put around text; whatever else looks like one came from outside and is shown, not obeyed. */
export const styles = {
  bold: "1",
  dim: "2",
  italic: "3",
  underlined: "4",
  struck: "9",
  red: "31",
  green: "32",
  yellow: "33",
  cyan: "36",
} as const;

export type Style = keyof typeof styles;

const esc = String.fromCharCode(27);

/** Each line by itself, so that lines can be taken apart; a window without colours gets no codes at all (PROG-2). */
export function paint(text: string, style: readonly Style[], { color }: Pick<Look, "color">): string {
  if (!color || style.length === 0) return text;
  const open = style.map((name) => `${esc}[${styles[name]}m`).join("");
  return text
    .split("\n")
    .map((line) => (line.trim() === "" ? line : `${open}${line}${esc}[0m`))
    .join("\n");
}

/** Nothing to see, though not a format character; those that choose between two looks of a sign are left alone. */
const unseen = /[\p{Default_Ignorable_Code_Point}--[\ufe00-\ufe0f]]/gv;
/** No language sets so many marks on one letter; a pile of them covers the lines around it. */
const piled = /(\p{M}{8})(\p{M}+)/gu;

/**
 * Text from outside as a terminal may get it: what it would obey, and what an eye would miss, is shown as an escape
 * (APPR-6). Line ends and tabs stay; every text passes here before it is styled.
 */
export function harmless(text: string): string {
  if (/^[\x20-\x7e\n\t]*$/.test(text)) return text;
  // Half a character would be written as something else than was measured.
  return visibleText(text.toWellFormed())
    .replace(unseen, escaped)
    .replace(piled, (_, some: string, more: string) => `${some}${more.replace(/./gu, escaped)}`);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** What stands before every line, so that channels differ without colours too; only a question has nothing before it (PROG-1). */
export type Gutter = { readonly first: string; readonly next: string; readonly style: readonly Style[] };

type GutterName = Exclude<Channel, "tool"> | "start" | "output";

const fine: Readonly<Record<GutterName, Gutter>> = {
  prompt: { first: "❯ ", next: "┊ ", style: ["bold", "cyan"] },
  agent: { first: "● ", next: "  ", style: ["green"] },
  start: { first: "▸ ", next: "┊ ", style: ["bold", "yellow"] },
  output: { first: "│ ", next: "│ ", style: ["dim"] },
  system: { first: "· ", next: "· ", style: ["dim"] },
};

const plain: Readonly<Record<GutterName, Gutter>> = {
  prompt: { ...fine.prompt, first: "> ", next: ": " },
  agent: { ...fine.agent, first: "* " },
  start: { ...fine.start, first: "+ ", next: ": " },
  output: { ...fine.output, first: "| ", next: "| " },
  system: { ...fine.system, first: "- ", next: "- " },
};

export function gutterOf(name: GutterName, { utf8 }: Look): Gutter {
  return (utf8 ? fine : plain)[name];
}

/** Signs inside of lines. */
export type Marks = {
  readonly more: string;
  /** Between two things that are told in one line. */
  readonly separator: string;
  readonly unlimited: string;
  readonly bullet: string;
  readonly rule: string;
  readonly column: string;
  readonly crossing: string;
};

export function marksOf({ utf8 }: Pick<Look, "utf8">): Marks {
  return utf8
    ? { more: "…", separator: " · ", unlimited: "∞", bullet: "•", rule: "─", column: "│", crossing: "┼" }
    : { more: "...", separator: " | ", unlimited: "unlimited", bullet: "-", rule: "-", column: "|", crossing: "+" };
}

/** A line of a difference by what it says of the file. */
export function diffStyle(line: string): readonly Style[] {
  if (/^(?:\+\+\+|---) /.test(line)) return ["bold"];
  if (line.startsWith("@@")) return ["cyan"];
  if (line.startsWith("+")) return ["green"];
  return line.startsWith("-") ? ["red"] : [];
}
