import type { WriteStream } from "node:tty";
import type { InteractionRequest } from "../../core/index.ts";
import { renderBlock } from "../../core/interaction/index.ts";
import { type Said, saidSubject } from "../../show/index.ts";
import { loadMarkdown, type Markdown } from "./markdown.ts";
import { renderSaid } from "./render.ts";
import { type Bottom, Screen } from "./screen.ts";
import { harmless, type Look } from "./style.ts";

/** What stands before a command in its subject. */
const besideCommand = "│ command: ".length;

/** What the person sees: everything that is said, each on its channel, and questions as they are. */
export class Window {
  readonly #screen: Screen;
  readonly #output: WriteStream;
  readonly #look: Omit<Look, "columns">;
  #markdown: Markdown | null;
  /** What was folded last. */
  #folded: Said | null = null;
  /** What came while somebody else has the terminal: it is shown afterwards. */
  #held: string[] | null = null;

  constructor(output: WriteStream, look: Omit<Look, "columns">, markdown: Markdown | null) {
    this.#markdown = markdown;
    this.#screen = new Screen(output);
    this.#output = output;
    this.#look = look;
  }

  get look(): Look {
    return { ...this.#look, columns: this.#output.columns || 80 };
  }

  /** What it takes to show an agent's text is not needed before there is one. */
  async prepare(): Promise<void> {
    this.#markdown ??= await loadMarkdown();
  }

  print(said: readonly Said[], { whole = false }: { readonly whole?: boolean } = {}): void {
    const { look } = this;
    const lines = said.flatMap((each) => {
      const rendered = renderSaid(each, look, { markdown: this.#markdown, whole });
      if (rendered.folded) this.#folded = each;
      return rendered.lines;
    });
    this.#print(lines);
  }

  /** All of what was folded last. */
  unfold(): void {
    if (this.#folded !== null) this.print([this.#folded], { whole: true });
  }

  /** What is decided on, in full, then the question. */
  ask(request: InteractionRequest): void {
    // Marks under a command are of use only where the line above them is not broken.
    this.print(saidSubject(request, this.look.columns - besideCommand));
    this.block(request);
  }

  /** A block stands alone, from the first column on (TXT-1). */
  block(request: InteractionRequest): void {
    this.#print(harmless(renderBlock(request)).split("\n"));
  }

  show(bottom: Bottom): void {
    if (this.#held === null) this.#screen.show(bottom);
  }

  resized(): void {
    if (this.#held === null) this.#screen.resized();
  }

  clear(): void {
    this.#screen.clear();
  }

  /** Nothing stands there any more but what was printed, and nothing is written until it is back. */
  leave(): void {
    this.#screen.leave();
    this.#held ??= [];
  }

  back(): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.#print(held);
    this.#screen.resized();
  }

  #print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    if (this.#held === null) this.#screen.print(lines);
    else this.#held.push(...lines);
  }
}
