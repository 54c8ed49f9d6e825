import { setImmediate as turn } from "node:timers/promises";
import { Terminal } from "@xterm/headless";
import type { Reflow } from "../../../src/adapters/shell/reflow.ts";
import type { Bottom, Out } from "../../../src/adapters/shell/screen.ts";
import { Screen } from "../../../src/adapters/shell/screen.ts";
import { seenRows, wholeLines } from "./rows-of.ts";

export type WindowOptions = { readonly columns?: number; readonly rows?: number; readonly reflow?: Reflow };

/** A real terminal's emulation with a screen that writes to it. */
export class Window implements Out {
  readonly screen: Screen;
  readonly writes: string[] = [];
  readonly #terminal: Terminal;
  /** What who writes still takes for its size. */
  #heard: { readonly columns: number; readonly rows: number } | null = null;

  constructor({ columns = 20, rows = 10, reflow = "counted" }: WindowOptions = {}) {
    this.#terminal = new Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
    this.screen = new Screen(this, reflow);
  }

  get columns(): number {
    return this.#heard?.columns ?? this.#terminal.cols;
  }

  get rows(): number {
    return this.#heard?.rows ?? this.#terminal.rows;
  }

  write(text: string): boolean {
    this.writes.push(text);
    this.#terminal.write(text);
    return true;
  }

  /** What somebody else writes. */
  foreign(text: string): void {
    this.#terminal.write(text);
  }

  /** All that was asked of the screen is seen. */
  async settled(): Promise<void> {
    await turn();
    await new Promise<void>((resolve) => this.#terminal.write("", resolve));
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.settled();
    this.#terminal.resize(columns, rows);
    this.screen.resized();
    await this.settled();
  }

  /** The terminal has its new size, and the news of that are on their way: what is written meanwhile is so for the old one. */
  async resizeUnheard(columns: number, rows: number): Promise<void> {
    await this.settled();
    this.#heard = { columns: this.columns, rows: this.rows };
    this.#terminal.resize(columns, rows);
  }

  async hear(): Promise<void> {
    await this.settled();
    this.#heard = null;
    this.screen.resized();
    await this.settled();
  }

  /** The rows that are seen, without blank ones at the end. */
  async seen(): Promise<readonly string[]> {
    await this.settled();
    return seenRows(this.#terminal);
  }

  /** Every line that there is, also those that have scrolled away; what the terminal has broken is whole again. */
  async all(): Promise<readonly string[]> {
    await this.settled();
    return wholeLines(this.#terminal);
  }

  /** Row and column in what is seen. */
  async cursor(): Promise<readonly [row: number, column: number]> {
    await this.settled();
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return [cursorY, cursorX];
  }
}

export function bottom(parts: Partial<Bottom>): Bottom {
  return { above: [], prompt: "> ", editing: null, hidden: false, status: null, ...parts };
}
