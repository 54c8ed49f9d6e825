import { closeSync, constants, openSync, readSync } from "node:fs";
import type { ShellFacts } from "../runtime/ports.ts";
import { dropPipe, orUndo, takePipe } from "./channel.ts";
import { factsSince, type Known, mostBodies, readTold, steering } from "./facts.ts";

/** A shell that has more to say of itself is one of which nothing is known. */
const mostSaid = 1024 * 1024;
/** It says it while this process goes on; who asks at once waits for it, so many milliseconds. */
const mostWaits = 100;

/**
 * What a shell says of itself when it begins and after each command. On a pipe of its own, which is read when somebody asks:
 * bash writes line by line, and each would wake this process. Not in a file: how large these may be, a command can limit.
 */
export class Defined {
  readonly path: string = takePipe();
  readonly #reader: number = orUndo(
    () => openSync(this.path, constants.O_RDONLY | constants.O_NONBLOCK),
    () => dropPipe(this.path),
  );
  readonly #mark: string;
  /** What it wants to have done when it ends: that is none of its traps. */
  readonly #ownTrap: string;
  #unread: Buffer = Buffer.alloc(0);
  #isTooMuch = false;
  /** After which command it last spoke, and what it said then. */
  #said: { readonly sent: number; readonly text: string | null } = { sent: -1, text: null };
  #began: Known | null = null;
  #known: { readonly sent: number; readonly text: string | null; readonly facts: ShellFacts | null } | null = null;
  /** It is asked for the bodies of its functions as long as they are short. */
  #bodies = true;
  #timer: NodeJS.Timeout | undefined;
  #open = true;

  constructor(mark: string, ownTrap: string) {
    this.#mark = mark;
    this.#ownTrap = ownTrap;
  }

  get how(): string {
    return this.#bodies ? "whole" : "names";
  }

  /**
   * What the shell does for it: each thing as its own builtins print it. One that is missing breaks the chain, and without an
   * end it is nothing.
   */
  get script(): string {
    const values = steering.map((name) => `"\${${name}+${name}=}\${${name}-}"`).join(" ");
    const parts = [
      ...["builtin declare -F", "builtin alias -p", "builtin trap -p", "builtin declare -xp"],
      "{ [[ $- != *h* ]] || builtin hash -l; }",
      "builtin enable -n",
      `builtin printf "\\0%s" "$BASHOPTS:$SHELLOPTS" ${values} ""`,
      "{ [[ $__assent_how == names ]] || builtin declare -f; }",
    ];
    const end = `builtin printf "\\0%s\\0%s %s\\0" "$__assent_whole" ${this.#mark} "$__assent_sent"`;
    return `__assent_whole=; { { ${parts.join(" && ")}; } && __assent_whole=whole; ${end}; } >&20`;
  }

  /** The same each time it is asked for one command: an approval is bound to it (APPR-6). */
  after(sent: number): ShellFacts | null {
    if (this.#known?.sent === sent) return this.#known.facts;
    this.#read();
    for (let waits = 0; this.#said.sent !== sent && waits < mostWaits; waits += 1) {
      Atomics.wait(pause, 0, 0, 1);
      this.#read();
    }
    const text = this.#said.sent === sent ? this.#said.text : null;
    // Too much to be said in time: the next time without the bodies.
    if (text === null) this.#bodies = false;
    // Most commands define nothing.
    const facts = text !== null && text === this.#known?.text ? this.#known.facts : this.#factsOf(text);
    this.#known = { sent, text, facts };
    return facts;
  }

  /** Reads until it has spoken after that command: a shell whose words nobody reads gets stuck in them, and hears no other. */
  hear(sent: number): void {
    clearTimeout(this.#timer);
    this.#read();
    if (this.#said.sent < sent && this.#open) this.#timer = setTimeout(() => this.hear(sent), 1).unref();
  }

  close(): void {
    this.#open = false;
    clearTimeout(this.#timer);
    closeSync(this.#reader);
    dropPipe(this.path);
  }

  #read(): void {
    if (!this.#open) return;
    for (let length = readSome(this.#reader); length > 0; length = readSome(this.#reader)) {
      this.#unread = Buffer.concat([this.#unread, part.subarray(0, length)]);
      this.#take();
    }
  }

  #take(): void {
    const mark = Buffer.from(`\0${this.#mark} `);
    for (let at = this.#unread.indexOf(mark); at !== -1; at = this.#unread.indexOf(mark)) {
      const end = this.#unread.indexOf(0, at + mark.length);
      if (end === -1) return;
      const sent = Number(this.#unread.toString("latin1", at + mark.length, end));
      this.#said = { sent, text: this.#isTooMuch ? null : this.#unread.toString("utf8", 0, at) };
      this.#unread = this.#unread.subarray(end + 1);
      this.#isTooMuch = false;
      if (sent === 0) this.#began = this.#knownFrom(this.#said.text);
    }
    if (this.#unread.length <= mostSaid) return;
    this.#isTooMuch = true;
    // Its end may have begun.
    this.#unread = this.#unread.subarray(-mark.length - 32);
  }

  #factsOf(text: string | null): ShellFacts | null {
    const now = this.#knownFrom(text);
    return now === null || this.#began === null ? null : factsSince(this.#began, now);
  }

  #knownFrom(text: string | null): Known | null {
    const [listed = "", options = "", ...more] = text?.split("\0") ?? [];
    const [functions = "", whole] = more.slice(-2);
    if (more.length !== steering.length + 2 || whole !== "whole") return null;
    this.#bodies &&= functions.length <= mostBodies;
    const told = { listed, functions: this.#bodies ? functions : "", options, steering: more.slice(0, -2) };
    return readTold(told, this.#ownTrap);
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));
const part: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** How much there was to read at this moment. */
function readSome(file: number): number {
  try {
    return readSync(file, part);
  } catch {
    return 0;
  }
}
