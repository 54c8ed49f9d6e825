import { Writable } from "node:stream";
import { type Asked, PersonTerminal } from "../adapters/headless/index.ts";
import { outputLine } from "./scenario.ts";

/** All that came, in order: what the real adapter shows, and between it what the stand-ins for the world did. */
export class PlayScreen {
  #text = "";
  /** A line that is not at its end yet. */
  #line = "";

  /** A line in the form in which a file has it. */
  form(line: string): void {
    this.#endLine();
    this.#text += `${line}\n`;
  }

  show(text: string): void {
    const lines = `${this.#line}${text}`.split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.#text += `${outputLine(line)}\n`;
  }

  came(): readonly string[] {
    this.#endLine();
    return this.#text.split("\n").slice(0, -1);
  }

  /** As a terminal is, so that nothing in a text is obeyed. */
  stream(): Writable & { readonly isTTY: true } {
    const stream = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        this.show(text);
        done();
      },
    });
    return Object.assign(stream, { isTTY: true } as const);
  }

  #endLine(): void {
    if (this.#line !== "") this.show("\n");
  }
}

/** The terminal of a person who types only what the scenario says. */
export class TypingTerminal extends PersonTerminal {
  readonly #screen: PlayScreen;
  #onLine: ((line: string) => void) | null = null;

  constructor(screen: PlayScreen) {
    super(-1);
    this.#screen = screen;
  }

  /** Whether a question took the line. */
  type(line: string): boolean {
    const onLine = this.#onLine;
    onLine?.(line);
    return onLine !== null;
  }

  override write(text: string): void {
    this.#screen.show(text);
  }

  override ask({ text }: { readonly text: string }, onLine: (line: string) => void): Asked {
    this.write(`${text}\n`);
    this.#onLine = onLine;
    return {
      close: (notice) => {
        this.#onLine = null;
        this.write(notice);
      },
    };
  }
}
