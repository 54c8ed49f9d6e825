import { type IPty, spawn } from "@lydell/node-pty";
import { Terminal } from "@xterm/headless";
import { onTestFinished } from "vitest";
import { seenRows, wholeLines } from "../adapters/shell/rows-of.ts";
import { counting, terminal } from "./product.ts";
import { TerminalPlace } from "./terminal-product.ts";

/** What is said last of something that goes on. */
const underWay = / s (?:·|\|).*Ctrl-C (?:stops|again kills)$/m;
/** What the terminal of these tests tells of itself, whatever the one is that they are started in. */
const thisWindow = { LANG: "C.UTF-8", LC_ALL: "", NO_COLOR: "", TERM_PROGRAM: "vscode", TMUX: "", XTERM_VERSION: "" };
/** How long a test waits for what is bound to happen. */
const patienceMs = 45_000;

const enter = "\r";
export const ctrlC = "\x03";
export const ctrlD = "\x04";
export const ctrlZ = "\x1a";

export function pasted(text: string): string {
  return `\x1b[200~${text}\x1b[201~`;
}

export type Opening = {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: NodeJS.ProcessEnv;
};

/** A place whose product is used by somebody at a screen. */
export class ShellPlace extends TerminalPlace {
  /** The shell, in a terminal of its own. */
  window(argv: readonly string[] = [], opening: Opening = {}): ShellWindow {
    return this.windowOf(`exec ${this.line(...argv)}`, opening);
  }

  /** A line of a shell's, in a terminal of its own. */
  windowOf(line: string, { columns = 100, rows = 30, env = {} }: Opening = {}): ShellWindow {
    const pty = spawn("/bin/sh", ["-c", line], {
      ...{ cols: columns, rows, cwd: this.folder, encoding: null, name: "xterm-256color" },
      env: { ...this.env, ...thisWindow, ...env },
    });
    const window = new ShellWindow(pty, { columns, rows });
    onTestFinished(() => window.kill());
    return window;
  }
}

type Waiting = { readonly look: () => boolean; readonly done: () => void };

/** A pseudo-terminal, what is typed there and what is seen on its screen. */
export class ShellWindow {
  /** The exit code, or 128 and the number of the signal. */
  readonly ended: Promise<number>;
  readonly #pty: IPty;
  readonly #terminal: Terminal;
  readonly #chunks: Buffer[] = [];
  readonly #waiting = new Set<Waiting>();
  #isEnded = false;

  constructor(pty: IPty, { columns, rows }: { readonly columns: number; readonly rows: number }) {
    this.#pty = pty;
    this.#terminal = new Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
    // What a terminal answers when it is asked.
    this.#terminal.onData((answer) => this.type(answer));
    pty.onData((data: string | Buffer) => {
      const bytes = typeof data === "string" ? Buffer.from(data) : data;
      this.#chunks.push(bytes);
      this.#terminal.write(bytes, () => this.#look());
    });
    this.ended = new Promise((resolve) => {
      pty.onExit(({ exitCode, signal }) => {
        this.#isEnded = true;
        // What came before is only seen once the terminal has taken it in.
        this.#terminal.write("", () => {
          this.#look();
          resolve(signal ? 128 + signal : exitCode);
        });
      });
    });
  }

  /** All that was written to the terminal. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get pid(): number {
    return this.#pty.pid;
  }

  type(keys: string): void {
    if (!this.#isEnded) this.#pty.write(keys);
  }

  /** A line, sent. */
  enter(line: string): void {
    this.type(`${line}${enter}`);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    if (this.#isEnded) return;
    try {
      this.#pty.kill(signal);
    } catch {
      // It has ended meanwhile.
    }
  }

  /** The terminal is closed, as a connection that breaks does it. */
  hangUp(): void {
    if ("destroy" in this.#pty && typeof this.#pty.destroy === "function") this.#pty.destroy();
  }

  /** The rows that are seen now. */
  rows(): readonly string[] {
    return seenRows(this.#terminal);
  }

  /** Every line that there is, also those that have scrolled away; what the terminal has broken is whole again. */
  lines(): readonly string[] {
    return wholeLines(this.#terminal);
  }

  text(): string {
    return this.lines().join("\n");
  }

  /** How often something is to be read, in all that there is. */
  count(pattern: string | RegExp): number {
    const text = this.text();
    if (typeof pattern === "string") return text.split(pattern).length - 1;
    return [...text.matchAll(new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`))].length;
  }

  /** The row that is typed in, from its mark on. */
  row(): string {
    const { active } = this.#terminal.buffer;
    return active.getLine(active.baseY + active.cursorY)?.translateToString(true) ?? "";
  }

  /** Until it can be read, so often, anywhere in what was written. */
  until(pattern: string | RegExp, times = 1): Promise<void> {
    return this.when(`it shows ${String(pattern)} ${times} times`, () => this.count(pattern) >= times);
  }

  /** Until the row that is typed in is so. */
  untilRow(pattern: string | RegExp): Promise<void> {
    const fits = (row: string) => (typeof pattern === "string" ? row === pattern : pattern.test(row));
    return this.when(`the row is ${String(pattern)}`, () => fits(this.row()));
  }

  /** Until what is typed is an answer to the open question. */
  armed(): Promise<void> {
    return this.untilRow(/^\? ?$/);
  }

  /** Until a prompt can be typed, and nothing is under way. */
  idle(): Promise<void> {
    const isIdle = () => /^❯ ?$/.test(this.row()) && !underWay.test(this.rows().join("\n"));
    return this.when("nothing is under way", isIdle);
  }

  when(what: string, look: () => boolean): Promise<void> {
    if (look()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiting = { look, done: () => finish(resolve) };
      const give = () => finish(() => reject(new Error(`waited in vain until ${what}\n${this.text()}`)));
      const timer = setTimeout(give, patienceMs);
      const finish = (then: () => void) => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        then();
      };
      this.#waiting.add(waiting);
    });
  }

  #look(): void {
    for (const { look, done } of this.#waiting) if (look()) done();
  }
}

/** A shell of the person's, in which Assent asks about a command and was put into the background. */
export async function suspendedAtQuestion(): Promise<{ place: ShellPlace; window: ShellWindow }> {
  const place = new ShellPlace([terminal(counting), { text: "Done." }]);
  const window = place.windowOf("exec bash --norc -i", { env: { PS1: "bash> " } });
  await window.untilRow(/^bash> ?$/);
  window.enter(place.line());
  await window.idle();
  window.enter("clean");
  await window.armed();
  window.type(ctrlZ);
  await window.until(/Stopped/);
  await window.untilRow(/^bash> ?$/);
  return { place, window };
}
