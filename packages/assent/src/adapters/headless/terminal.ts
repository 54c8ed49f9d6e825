import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { ReadStream } from "node:tty";
import { visibleText } from "../../core/interaction/index.ts";
import { isForeground } from "../../runtime/index.ts";

/** Keys pressed before this much quiet after a question appeared were not meant for it (ANS-6). */
const quietMs = 250;
const device = "/dev/tty";

/** A question that stands on the terminal. */
export type Asked = {
  /** Takes the question away, with a line that says why. */
  close(notice: string): void;
};

/** The controlling terminal, when this process is in its foreground; only there a person can be asked (APPR-9). */
export function findTerminal(): PersonTerminal | null {
  // Where the system does not tell about the foreground, a terminal as input is the best sign there is.
  if (!(isForeground() ?? process.stdin.isTTY)) return null;
  try {
    return new PersonTerminal(openSync(device, "w"));
  } catch {
    return null;
  }
}

export class PersonTerminal {
  readonly #output: number;

  constructor(output: number) {
    this.#output = output;
  }

  /** Nothing in it is obeyed. */
  write(text: string): void {
    try {
      writeSync(this.#output, visibleText(text));
    } catch {
      // The terminal is gone. Its hang-up arrives as a signal.
    }
  }

  /** `hidden`: what is typed is not seen on the screen. */
  ask({ text, hidden }: { readonly text: string; readonly hidden: boolean }, onLine: (line: string) => void): Asked {
    this.write(`${text}\n`);
    const lines = new TypedLines(hidden ? this.#afterEnter(onLine) : onLine, hidden);
    return {
      close: (notice) => {
        lines.close();
        this.write(notice);
      },
    };
  }

  close(): void {
    closeSync(this.#output);
  }

  /** The line end that nobody saw. */
  #afterEnter(onLine: (line: string) => void): (line: string) => void {
    return (line) => {
      this.write("\n");
      onLine(line);
    };
  }
}

/**
 * Lines that a person types from now on. What was typed or pasted before is thrown away: it was meant for something
 * else. The terminal itself edits the line, and Ctrl-C stays a signal. An end of input is no answer, and no end.
 */
class TypedLines {
  readonly #onLine: (line: string) => void;
  readonly #hidden: boolean;
  #input: ReadStream | null = null;
  #typed = "";
  #armed = false;
  #quiet: NodeJS.Timeout | undefined;

  constructor(onLine: (line: string) => void, hidden: boolean) {
    this.#onLine = onLine;
    this.#hidden = hidden;
    this.#open();
  }

  close(): void {
    clearTimeout(this.#quiet);
    this.#release();
  }

  #open(): void {
    let input: ReadStream;
    try {
      input = new ReadStream(openSync(device, "r"));
    } catch {
      return; // The terminal is gone; the question stays open.
    }
    this.#input = input;
    // A character may come in two parts.
    const decoder = new StringDecoder("utf8");
    input.on("data", (part: Buffer) => this.#take(decoder.write(part)));
    input.on("error", () => this.#release());
    input.on("end", () => {
      this.#release();
      this.#open();
    });
    this.#disarm();
  }

  /** Raw, so that an unfinished line of before can be read, and thrown away. */
  #disarm(): void {
    this.#armed = false;
    this.#typed = "";
    this.#input?.setRawMode(true);
    this.#waitForQuiet();
  }

  #waitForQuiet(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      // A terminal that edits the line shows it, too: what is to stay unseen is edited here.
      this.#input?.setRawMode(this.#hidden);
      this.#armed = true;
    }, quietMs);
  }

  #take(part: string): void {
    // In raw mode Ctrl-C is a key like any other.
    if (part.includes("\u0003")) process.kill(process.pid, "SIGINT");
    if (!this.#armed) {
      this.#waitForQuiet();
      return;
    }
    this.#typed = this.#hidden ? edited(this.#typed, part) : this.#typed + part;
    const [line, ...rest] = this.#typed.split("\n");
    // One line is one answer. What follows it in the same breath was not written with its effect in view.
    if (line === undefined || rest.length === 0) return;
    this.#disarm();
    this.#onLine(line);
  }

  #release(): void {
    const input = this.#input;
    this.#input = null;
    if (input === null) return;
    input.removeAllListeners("end");
    try {
      // A line half typed was meant for the question, and must not become a command of the shell behind this.
      input.setRawMode(true);
      throwAway();
      input.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
    input.destroy();
  }
}

/** What a line is after these keys: Enter ends it, Backspace and Ctrl-U take away, arrows and the like do nothing. */
function edited(line: string, keys: string): string {
  let typed = [...line];
  for (const key of withoutSequences(keys)) {
    if (key === "\u007f" || key === "\b") typed.pop();
    else if (key === "\u0015") typed = [];
    else if (key === "\r" || key === "\n") typed.push("\n");
    else if (!/\p{Cc}/u.test(key)) typed.push(key);
  }
  return typed.join("");
}

/** Without what an arrow or a function key sends: escape, then more. */
function withoutSequences(keys: string): string {
  const [first = "", ...rest] = keys.split("\u001b");
  return [first, ...rest.map((part) => part.replace(/^(?:\[[0-9;?]*[@-~]|O.|.)?/u, ""))].join("");
}

/** Reads what the terminal has, without waiting for more. */
function throwAway(): void {
  const terminal = openSync(device, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const part = Buffer.alloc(4_096);
    while (readSync(terminal, part) > 0);
  } catch {
    // It has no more.
  } finally {
    closeSync(terminal);
  }
}
