/** What a stretch of lines is to a reader. Of code, block quotes and tables only the place is kept. */
export type BlockKind = "prose" | "item" | "heading" | "bold" | "reported";

export type Block = { readonly kind: BlockKind; readonly from: number; readonly text: string };

type Line = { readonly from: number; readonly text: string };

const fence = /^ {0,8}(`{3,}|~{3,})/u;
const blockQuote = /^\s{0,8}(?:[-*+]\s|\d{1,3}[.)]\s)?\s{0,3}>/u;
const table = /^\s*\||^\s*:?-{3,}:?\s*\|/u;
const ruler = /^\s{0,3}(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/u;
const heading = /^\s{0,3}#{1,6}\s/u;
const boldLine = /^\s{0,3}(?:\*\*|__)[^*_]{1,200}(?:\*\*|__)[:.]?\s*$/u;
const item = /^\s*(?:[-*+•–▪‣◦]|\(?\d{1,3}[.)]|\(?\p{L}\))\s+/u;
const indented = /^(?: {4,}|\t)/u;

/** The blocks of a text in which its writer may speak, in order. */
export function splitBlocks(text: string): readonly Block[] {
  const reader = new Reader();
  for (const line of linesOf(text)) reader.take(line);
  return reader.blocks();
}

function* linesOf(text: string): Generator<Line> {
  for (const line of text.matchAll(/[^\n]*\n?/gu)) {
    if (line[0] !== "") yield { from: line.index, text: line[0] };
  }
}

class Reader {
  private readonly found: Block[] = [];
  private open: { kind: BlockKind; from: number; lines: string[] } | undefined;
  private fence = "";
  private afterBlank = true;

  take(line: Line): void {
    if (this.inFence(line.text)) return;
    if (line.text.trim() === "") {
      this.close();
      this.afterBlank = true;
      return;
    }
    this.place(line);
    this.afterBlank = false;
  }

  blocks(): readonly Block[] {
    this.close();
    return this.found;
  }

  /** A fence closes at a fence of its kind that is as long; an open one reaches to the end. */
  private inFence(text: string): boolean {
    const mark = fence.exec(text)?.[1];
    if (this.fence !== "") {
      if (mark?.startsWith(this.fence) && text.trim() === mark) this.fence = "";
      return true;
    }
    if (mark === undefined || text.trim().slice(mark.length).includes("`")) return false;
    this.skip();
    this.fence = mark;
    return true;
  }

  private place(line: Line): void {
    const { text } = line;
    if (blockQuote.test(text) || table.test(text) || ruler.test(text) || this.isIndentedCode(text)) this.skip();
    else if (heading.test(text)) this.alone("heading", line);
    else if (this.open === undefined && boldLine.test(text)) this.alone("bold", line);
    else if (item.test(text)) this.begin("item", line);
    else if (this.open === undefined) this.begin("prose", line);
    else this.open.lines.push(text);
  }

  /** Four spaces after a blank line are code, unless they go on with a list. */
  private isIndentedCode(text: string): boolean {
    return this.afterBlank && indented.test(text) && !item.test(text) && this.found.at(-1)?.kind !== "item";
  }

  private alone(kind: BlockKind, line: Line): void {
    this.begin(kind, line);
    this.close();
  }

  private skip(): void {
    this.close();
    if (this.found.at(-1)?.kind !== "reported") this.found.push({ kind: "reported", from: 0, text: "" });
  }

  private begin(kind: BlockKind, line: Line): void {
    this.close();
    this.open = { kind, from: line.from, lines: [line.text] };
  }

  private close(): void {
    if (this.open !== undefined) {
      this.found.push({ kind: this.open.kind, from: this.open.from, text: this.open.lines.join("") });
    }
    this.open = undefined;
  }
}
