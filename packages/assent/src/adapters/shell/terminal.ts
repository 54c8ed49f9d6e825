import type { ReadStream, WriteStream } from "node:tty";
import { type Key, KeyDecoder } from "./keys.ts";

/** After an escape that nothing follows for so long, it was the key and no beginning. */
const escapeMs = 40;
/** A process that is to be stopped is so after this long. */
const stoppedMs = 50;
/** Text that is pasted comes between marks, so that a line end in it submits nothing. */
const pasteMarks = { on: "\x1b[?2004h", off: "\x1b[?2004l" };
/**
 * What a program that ended badly may have left: the other screen, mouse reports, a hidden cursor, colours, its keys. Who
 * leaves the other screen goes back to the place that was kept last, also from this one: so it is kept before.
 */
const cleared = "\x1b7\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?25h\x1b[?1l\x1b>\x1b[0m";

export type Terminal = { readonly input: ReadStream; readonly output: WriteStream };

export type Listener = {
  onKey(key: Key): void;
  onResize(): void;
  /** Nobody can type any more: the terminal is gone, or its input is closed. */
  onEnd(): void;
  /** Back from the background, or from having been lent: what stood on the screen may be gone. */
  onReturn(): void;
};

/**
 * The one reader of what is typed in this process (ANS-0), in raw mode from beginning to end. While it is lent, another
 * program has the terminal as it was found, and gets every key.
 */
export class ShellTerminal {
  readonly #terminal: Terminal;
  readonly #listener: Listener;
  readonly #decoder = new KeyDecoder();
  #escape: NodeJS.Timeout | null = null;
  #state: "reading" | "resting" | "suspended" | "lent" = "resting";

  constructor(terminal: Terminal, listener: Listener) {
    this.#terminal = terminal;
    this.#listener = listener;
  }

  /** Whether a paste has begun whose end has not come. */
  get isPasting(): boolean {
    return this.#decoder.pasting;
  }

  /** Whether somebody else has it. */
  get isLent(): boolean {
    return this.#state === "lent";
  }

  start(): void {
    const { input, output } = this.#terminal;
    input.on("data", this.#onData);
    input.on("end", this.#onEnd);
    input.on("error", this.#onEnd);
    // A terminal that is gone is told by a signal.
    output.on("error", () => {});
    output.on("resize", this.#onResize);
    process.on("SIGCONT", this.#onContinue);
    this.#read();
  }

  /** The terminal as it was found. */
  stop(): void {
    this.#rest("resting");
    const { input, output } = this.#terminal;
    input.off("data", this.#onData);
    input.off("end", this.#onEnd);
    output.off("resize", this.#onResize);
    process.off("SIGCONT", this.#onContinue);
    input.pause();
  }

  /** Puts this process and what belongs to it into the background, as the system's own key would. */
  suspend(): void {
    this.#rest("suspended");
    process.kill(0, "SIGTSTP");
    // Where nobody could bring it back, the system does not stop it: then it goes on at once. That it was stopped is told
    // before the second of these is done.
    setTimeout(() => setImmediate(() => this.#state === "suspended" && this.#onContinue()), stoppedMs);
  }

  /** Somebody else has the terminal until it is done; however it ends, what it changed is undone (HAND-2). */
  async lend<T>(use: () => Promise<T>): Promise<T> {
    const { input, output } = this.#terminal;
    this.#rest("lent");
    // Nothing is read here that is typed for the other.
    input.pause();
    const modes = await keepModes();
    const ignore = () => {};
    // Keys that would stop this process are meant for the other.
    for (const signal of ["SIGINT", "SIGQUIT"] as const) process.on(signal, ignore);
    try {
      return await use();
    } finally {
      for (const signal of ["SIGINT", "SIGQUIT"] as const) process.off(signal, ignore);
      modes.restore();
      output.write(cleared);
      this.#read();
      this.#listener.onReturn();
    }
  }

  #read(): void {
    this.#state = "reading";
    const { input, output } = this.#terminal;
    input.setRawMode(true);
    input.resume();
    output.write(pasteMarks.on);
  }

  #rest(state: "resting" | "suspended" | "lent"): void {
    const was = this.#state;
    this.#state = state;
    if (was !== "reading") return;
    const { input, output } = this.#terminal;
    try {
      output.write(pasteMarks.off);
      input.setRawMode(false);
    } catch {
      // The terminal is gone, and its modes with it.
    }
  }

  readonly #onData = (bytes: Buffer): void => {
    // What was typed meanwhile may come before the news that this process goes on.
    if (this.#state === "suspended") this.#onContinue();
    if (this.#escape !== null) clearTimeout(this.#escape);
    this.#escape = null;
    this.#tell(this.#decoder.push(bytes));
    if (this.#decoder.waiting) this.#escape = setTimeout(() => this.#tell(this.#decoder.flush()), escapeMs);
  };

  #tell(keys: readonly Key[]): void {
    for (const key of keys) this.#listener.onKey(key);
  }

  readonly #onEnd = (): void => {
    if (this.#state === "reading") this.#listener.onEnd();
  };

  readonly #onResize = (): void => this.#listener.onResize();

  readonly #onContinue = (): void => {
    if (this.#state === "lent") return;
    // Whoever had the terminal meanwhile has set it as it likes.
    this.#rest("resting");
    this.#read();
    this.#listener.onReturn();
  };
}

/** The terminal's modes as they are now, to be given back to it; nothing where nothing can tell them. */
export async function keepModes(): Promise<{ readonly restore: () => void }> {
  const { spawnSync } = await import("node:child_process");
  const told = spawnSync("stty", ["-g"], { stdio: ["inherit", "pipe", "ignore"], encoding: "utf8" });
  const modes = told.status === 0 ? told.stdout.trim() : null;
  return {
    restore: () => {
      if (modes !== null) spawnSync("stty", [modes], { stdio: ["inherit", "ignore", "ignore"] });
    },
  };
}

/** A program that has the terminal, which must be lent for it. */
export async function runChild([file, ...argv]: readonly [string, ...string[]], cwd: string): Promise<void> {
  const { spawn } = await import("node:child_process");
  return new Promise((resolve, reject) => {
    const child = spawn(file, argv, { cwd, stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", () => resolve());
  });
}
