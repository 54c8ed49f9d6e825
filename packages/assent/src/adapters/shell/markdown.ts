import { tableLines } from "./markdown-table.ts";
import { diffStyle, harmless, type Look, type Marks, marksOf, paint, type Style } from "./style.ts";
import { chop, widthOf, wrap } from "./width.ts";

/** What reads markdown. */
export type Markdown = { readonly lexer: (text: string) => readonly MarkdownToken[] };

/** Loaded for the first text that is shown: it takes as long as all the rest of a start. */
export async function loadMarkdown(): Promise<Markdown> {
  const { lexer } = await import("marked");
  return { lexer: (text) => lexer(text) };
}

/** What is used of its tokens. */
export type MarkdownToken = {
  readonly type: string;
  readonly raw: string;
  readonly text?: string;
  readonly tokens?: readonly MarkdownToken[];
  readonly depth?: number;
  readonly href?: string;
  readonly autolink?: boolean;
  readonly lang?: string;
  readonly ordered?: boolean;
  readonly start?: number | "";
  readonly loose?: boolean;
  readonly checked?: boolean;
  readonly items?: readonly MarkdownToken[];
  readonly align?: readonly ("center" | "left" | "right" | null)[] | string | null;
  readonly header?: readonly MarkdownCell[] | boolean;
  readonly rows?: readonly (readonly MarkdownCell[])[];
};

export type MarkdownCell = { readonly tokens: readonly MarkdownToken[] };

/** Longer texts are read as they are: no person reads them, and the time that marks take grows with them. */
const mostCharacters = 100_000;
/** What is nested deeper than a window is wide is not moved further to the right. */
const leastWidth = 12;
const rule = 24;

type Page = {
  readonly look: Look;
  readonly marks: Marks;
  /** No blank lines between blocks. */
  readonly tight: boolean;
};

/** An agent's text as lines of at most `width` columns; `null` where it cannot be read as markdown. */
export function markdownLines(text: string, look: Look & { readonly width: number }, markdown: Markdown) {
  if (text.length > mostCharacters) return null;
  try {
    const page = { look, marks: marksOf(look), tight: false };
    return blockLines(markdown.lexer(text), look.width, page);
  } catch {
    // Nested so deeply that the stack does not hold it: nothing that a person meant as marks.
    return null;
  }
}

function blockLines(tokens: readonly MarkdownToken[], width: number, page: Page): readonly string[] {
  const lines: string[] = [];
  for (const token of tokens) {
    const block = linesOf(token, width, page);
    if (block.length === 0) continue;
    if (lines.length > 0 && !page.tight) lines.push("");
    for (const line of block) lines.push(line);
  }
  return lines;
}

function linesOf(token: MarkdownToken, width: number, page: Page): readonly string[] {
  switch (token.type) {
    case "space":
      return [];
    case "heading": {
      const marks = paint("#".repeat(token.depth ?? 1), ["dim"], page.look);
      return wrap(`${marks} ${inlineOf(token, ["bold"], page)}`, width);
    }
    case "hr":
      return [paint(page.marks.rule.repeat(Math.min(rule, width)), ["dim"], page.look)];
    case "code":
      return codeLines(token, width, page);
    case "list":
      return listLines(token, width, page);
    case "blockquote":
      return quoteLines(token, width, page);
    case "table":
      return tableLines(tableOf(token, page), width, page);
    case "paragraph":
    case "text":
      return wrap(inlineOf(token, [], page), width);
    default:
      // HTML, definitions and whatever else: as it was written.
      return wrap(shown(token.raw.replace(/\n+$/, ""), ["dim"], page), width);
  }
}

/** The one way by which the model's text gets into a line. */
function shown(text: string, style: readonly Style[], { look }: Page): string {
  return paint(harmless(text), style, look);
}

function codeLines({ text = "", lang = "" }: MarkdownToken, width: number, page: Page): readonly string[] {
  const isDiff = /^(?:diff|patch)\b/.test(lang);
  return text.split("\n").flatMap((line) => {
    const painted = shown(line, isDiff ? diffStyle(line) : ["cyan"], page);
    return chop(painted, width - 2).map((row) => `  ${row}`);
  });
}

function quoteLines({ tokens = [] }: MarkdownToken, width: number, page: Page): readonly string[] {
  if (width - 2 < leastWidth) return blockLines(tokens, width, page);
  const mark = paint(">", ["dim"], page.look);
  return blockLines(tokens, width - 2, { ...page, tight: false }).map((line) => `${mark} ${line}`);
}

function listLines(list: MarkdownToken, width: number, page: Page): readonly string[] {
  const { items = [], ordered = false, start = 1, loose = false } = list;
  const first = start === "" ? 1 : start;
  const last = `${first + items.length - 1}.`.length;
  return items.flatMap((item, index) => {
    const mark = ordered ? `${first + index}.`.padStart(last) : page.marks.bullet;
    const lines = itemLines(item, mark, { width, page: { ...page, tight: !loose } });
    return loose && index > 0 ? ["", ...lines] : lines;
  });
}

function itemLines(item: MarkdownToken, mark: string, { width, page }: { width: number; page: Page }) {
  const tokens = (item.tokens ?? []).filter(({ type }) => type !== "checkbox");
  const box = item.checked === undefined ? "" : `[${item.checked ? "x" : " "}] `;
  const lead = `${paint(mark, ["dim"], page.look)} ${box}`;
  const indent = widthOf(lead);
  if (width - indent < leastWidth) return [lead, ...blockLines(tokens, width, page)];
  const [first = "", ...rest] = blockLines(tokens, width - indent, page);
  return [`${lead}${first}`, ...rest.map((line) => `${" ".repeat(indent)}${line}`)];
}

function tableOf({ header, rows = [], align }: MarkdownToken, page: Page) {
  const cells = (row: readonly MarkdownCell[], style: readonly Style[]) =>
    row.map(({ tokens }) => {
      const text = tokens.map((token) => inlineText(token, style, page)).join("");
      return text.replace(/ *\n */g, "\n");
    });
  return {
    head: Array.isArray(header) ? cells(header, ["bold"]) : [],
    rows: rows.map((row) => cells(row, [])),
    align: Array.isArray(align) ? align : [],
  };
}

function inlineOf({ tokens, text = "" }: MarkdownToken, style: readonly Style[], page: Page): string {
  if (tokens === undefined) return shown(decoded(text), style, page);
  return tokens.map((token) => inlineText(token, style, page)).join("");
}

function inlineText(token: MarkdownToken, style: readonly Style[], page: Page): string {
  const { text = "", raw } = token;
  switch (token.type) {
    case "strong":
      return inlineOf(token, [...style, "bold"], page);
    case "em":
      return inlineOf(token, [...style, "italic"], page);
    case "del":
      return page.look.color ? inlineOf(token, [...style, "struck"], page) : shown(raw, style, page);
    case "codespan":
      return page.look.color ? shown(text, [...style, "cyan"], page) : shown(raw, style, page);
    case "br":
      return "\n";
    case "link":
    case "image":
      return linkText(token, style, page);
    case "escape":
      return shown(text, style, page);
    case "text":
      return inlineOf(token, style, page);
    default:
      return /^<br\s*\/?>$/i.test(raw) ? "\n" : shown(raw, [...style, "dim"], page);
  }
}

/** The address is always shown: a text may look like another one. */
function linkText(token: MarkdownToken, style: readonly Style[], page: Page): string {
  const { type, text = "", href = "", autolink = false } = token;
  const address = autolink ? href : decoded(href);
  const label = autolink ? text : decoded(text);
  if (label === address || `mailto:${label}` === address) return shown(label, [...style, "underlined"], page);
  const image = type === "image" ? shown("image: ", [...style, "dim"], page) : "";
  return `${image}${inlineOf(token, [...style, "underlined"], page)} ${shown(`(${address})`, [...style, "dim"], page)}`;
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Characters that were written by name or number; what they are is made harmless like any other. */
function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w{2,4}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code === 0 || code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
  });
}
