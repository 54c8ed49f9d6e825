/** What a stretch of lines is to a reader. Of code, block quotes and tables only the place is kept. */
export type BlockKind = "prose" | "item" | "heading" | "bold" | "reported";

export type Block = { readonly kind: BlockKind; readonly text: string };

const fence = /^ {0,8}(`{3,}|~{3,})/;
const blockQuote = /^\s{0,8}(?:[-*+]\s|\d{1,3}[.)]\s)?\s{0,3}>/;
/** Begins with a word, so that it is nothing special. */
const plainLine = /^[A-Za-zА-я]{2}/;
const table = /^\s*\||^\s*:?-{3,}:?\s*\|/;
const ruler = /^\s{0,3}(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/;
const heading = /^\s{0,3}#{1,6}\s/;
const boldLine = /^\s{0,3}(?:\*\*|__)[^*_]{1,200}(?:\*\*|__)[:.]?\s*$/;
const item = /^\s*(?:[-*+•–▪‣◦]|\(?\d{1,3}[.)]|\(?[A-Za-zА-я]\))\s+/;
const indented = /^(?: {4,}|\t)/;

/** The blocks of a text in which its writer may speak, in order. */
export function splitBlocks(text: string): readonly Block[] {
  const reader = new Reader();
  for (const line of linesOf(text)) reader.take(line);
  return reader.blocks();
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end + 1;
    yield text.slice(from, to);
    from = to;
  }
}

/** What cannot match is not tried: a pattern's first use is dear. */
function isReported(text: string): boolean {
  if (text.includes(">") && blockQuote.test(text)) return true;
  if (text.includes("|") && table.test(text)) return true;
  return !text.includes(" ", 4) && ruler.test(text);
}

function isBold(text: string): boolean {
  return (text.includes("**") || text.includes("__")) && boldLine.test(text);
}

class Reader {
  readonly #found: Block[] = [];
  #open: { kind: BlockKind; lines: string[] } | undefined;
  #fence = "";
  #afterBlank = true;

  take(line: string): void {
    if (this.#inFence(line)) return;
    if (line.trim() === "") {
      this.#close();
      this.#afterBlank = true;
      return;
    }
    this.#place(line);
    this.#afterBlank = false;
  }

  blocks(): readonly Block[] {
    this.#close();
    return this.#found;
  }

  /** A fence closes at a fence of its kind that is as long; an open one reaches to the end. */
  #inFence(text: string): boolean {
    const mark = text.includes("```") || text.includes("~~~") ? fence.exec(text)?.[1] : undefined;
    if (this.#fence !== "") {
      if (mark?.startsWith(this.#fence) && text.trim() === mark) this.#fence = "";
      return true;
    }
    if (mark === undefined || text.trim().slice(mark.length).includes("`")) return false;
    this.#skip();
    this.#fence = mark;
    return true;
  }

  #place(line: string): void {
    if (plainLine.test(line)) this.#speak(line);
    else if (isReported(line) || this.#isIndentedCode(line)) this.#skip();
    else if (line.includes("#") && heading.test(line)) this.#alone("heading", line);
    else if (this.#open === undefined && isBold(line)) this.#alone("bold", line);
    else if (item.test(line)) this.#begin("item", line);
    else this.#speak(line);
  }

  #speak(line: string): void {
    if (this.#open === undefined) this.#begin("prose", line);
    else this.#open.lines.push(line);
  }

  /** Four spaces after a blank line are code, unless they go on with a list. */
  #isIndentedCode(text: string): boolean {
    return (
      this.#afterBlank &&
      (text.startsWith(" ") || text.startsWith("\t")) &&
      indented.test(text) &&
      !item.test(text) &&
      this.#found.at(-1)?.kind !== "item"
    );
  }

  #alone(kind: BlockKind, line: string): void {
    this.#begin(kind, line);
    this.#close();
  }

  #skip(): void {
    this.#close();
    if (this.#found.at(-1)?.kind !== "reported") this.#found.push({ kind: "reported", text: "" });
  }

  #begin(kind: BlockKind, line: string): void {
    this.#close();
    this.#open = { kind, lines: [line] };
  }

  #close(): void {
    if (this.#open !== undefined) this.#found.push({ kind: this.#open.kind, text: this.#open.lines.join("") });
    this.#open = undefined;
  }
}
