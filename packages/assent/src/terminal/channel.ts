import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmdirSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileOf } from "./processes.ts";

/** How many named pipes are made at once: each round costs a process. */
const pipesMade = 8;
/** How long those that are being made are waited for. */
const mostMakingMs = 50;
const makingLookMs = 0.1;
const pause = new Int32Array(new SharedArrayBuffer(4));
/** How many are opened before they are needed: the two outputs of a command. */
const pipesPrepared = 2;
const partBytes = 64 * 1024;
/** As much as a pipe holds: what comes after this much was not in it when the command ended. */
const mostDrainBytes = 1024 * 1024;
/** Linux has it; Node has no name for it: a descriptor that only stands for the file. */
const O_PATH = 0o10000000;

/**
 * One stream of output, a real pipe. Node's own are sockets, which cannot be opened again by their name: `> /dev/stderr`
 * would fail. Its writing end can be given to a process as a descriptor or by name, and whoever holds it, holds it open.
 */
export class Channel {
  readonly path: string;
  readonly writer: number;
  /** Resolved when nobody holds the writing end any more. */
  readonly ended: Promise<void>;
  readonly #reader: number;
  readonly #socket: Socket;
  #onPart: (part: Buffer) => void;
  #bytes = 0;
  #open = true;
  #written = true;

  private constructor(onPart: (part: Buffer) => void) {
    this.#onPart = onPart;
    const path = takePipe();
    const reader = orUndo(
      () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
      () => givePipe(path),
    );
    this.writer = orUndo(
      () => openSync(path, constants.O_WRONLY),
      () => {
        closeSync(reader);
        givePipe(path);
      },
    );
    this.path = path;
    this.#reader = reader;
    const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(partBytes);
    const callback = (length: number) => {
      this.#bytes += length;
      this.#onPart(buffer.subarray(0, length));
      return true;
    };
    this.#socket = new Socket({ fd: reader, readable: true, writable: false, onread: { buffer, callback } });
    this.ended = new Promise((resolve) => {
      this.#socket.once("close", () => {
        this.#open = false;
        this.closeWriter();
        // Who still holds it must not write into the output of another command.
        if (this.#socket.readableEnded) givePipe(path);
        else dropPipe(path);
        if (buffers.length < pipesMade) buffers.push(buffer);
        resolve();
      });
    });
    // What follows the end, closing, comes a round later.
    this.#socket.once("end", () => {
      this.#open = false;
    });
    this.#socket.on("error", () => this.#socket.destroy());
  }

  /** `onPart` gets a buffer that is used again as soon as it returns. */
  static open(onPart: (part: Buffer) => void): Channel {
    const ready = prepared.pop();
    if (ready === undefined) return new Channel(onPart);
    ready.#onPart = onPart;
    ready.ref();
    return ready;
  }

  /** Opens those of the next command, while this one starts or runs and there is nothing else to do. */
  static prepare(): void {
    try {
      while (prepared.length < pipesPrepared) {
        const channel = new Channel(() => {});
        channel.unref();
        prepared.push(channel);
      }
    } catch {
      // It only saves time: what keeps it from being done is told when it must be.
    }
  }

  /** While it is open, this process goes on. */
  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  /** What the system calls it. */
  get file(): string {
    // Once it is closed, its number is another's.
    return this.#open ? fileOf(process.pid, this.#reader) : "";
  }

  get open(): boolean {
    return this.#open;
  }

  /** From here on only others hold the writing end. */
  closeWriter(): void {
    if (!this.#written) return;
    this.#written = false;
    closeSync(this.writer);
  }

  /**
   * Until all that was written before has been read: a round of reading that brings nothing, or as much as a pipe holds,
   * for one who floods it from the background brings something in each.
   */
  async drained(): Promise<void> {
    const end = this.#bytes + mostDrainBytes;
    for (let before = -1; this.#open && before !== this.#bytes && this.#bytes < end; ) {
      before = this.#bytes;
      // The second round begins after one in which the system was asked for what there is.
      await nextRound();
      if (this.#open) await nextRound();
    }
  }

  /** Nobody wants the rest. Its end, when it has one, comes by itself. */
  close(): void {
    this.closeWriter();
    void this.drained().then(() => this.#socket.destroy());
  }
}

/** Opens something; where that fails, what was opened before for the same end goes, too. */
export function orUndo<T>(open: () => T, undo: () => void): T {
  try {
    return open();
  } catch (error) {
    undo();
    throw error;
  }
}

/** Channels that nobody has written to yet. */
const prepared: Channel[] = [];

/** To be used again: they are large, and wanted for each command. */
const buffers: Buffer[] = [];

/** Pipes that nobody holds, by a name under which they can be opened. */
const free: string[] = [];

/** A pipe that nobody holds. */
export function takePipe(): string {
  if (free.length === 0) takeExpected();
  if (free.length === 0) free.push(...makePipes());
  return free.pop() ?? "";
}

/** It is free again: all that held it have let go. */
function givePipe(pipe: string): void {
  if (free.length < pipesMade) free.push(pipe);
  else dropPipe(pipe);
}

/** Whoever may still hold it holds it alone. */
export function dropPipe(pipe: string): void {
  if (process.platform === "linux") closeSync(Number(pipe.slice(pipe.lastIndexOf("/") + 1)));
}

/** Files by their names, in a folder that has no others. */
type Named = { readonly folder: string; readonly paths: readonly string[] };

/** Those that are expected, and who makes them. */
type Expected = { readonly making: Named; readonly maker: ChildProcess };

let expected: Expected | null = null;
let isLeftInOrder = false;

/** A command may come soon: what its outputs need is made by another process meanwhile, where there is none left. */
export function expectPipes(): void {
  if (process.platform !== "linux" || expected !== null || free.length + prepared.length > 0) return;
  try {
    const making = newPipes();
    // No Ctrl-C that is meant for this process reaches it.
    const maker = spawn("mkfifo", mkfifoWords(making), { stdio: "ignore", detached: true });
    maker.unref();
    const mine = { making, maker };
    expected = mine;
    for (const end of ["exit", "error"]) maker.once(end, () => takeMade(mine));
    if (!isLeftInOrder) process.once("exit", () => expected !== null && giveUp(expected));
    isLeftInOrder = true;
  } catch {
    // It only saves time: what keeps it from being done is told when it must be.
  }
}

/** Those that are expected are there within moments; or they are given up, and made once more by whoever needs them. */
function takeExpected(): void {
  if (expected === null) return;
  const mine = expected;
  const end = performance.now() + mostMakingMs;
  while (!areMade(mine) && performance.now() < end) Atomics.wait(pause, 0, 0, makingLookMs);
  takeMade(mine);
}

/** They are not left by their names, however long the command is waited for. */
function takeMade(mine: Expected): void {
  if (expected !== mine) return;
  expected = null;
  try {
    if (areMade(mine)) free.push(...standingIn(mine.making));
    else giveUp(mine);
  } catch {
    // As above.
  }
}

function areMade({ making }: Expected): boolean {
  return existsSync(making.paths.at(-1) ?? "");
}

/** Whoever makes them makes no more, and there is nothing left of them. */
function giveUp({ making, maker }: Expected): void {
  if (!existsSync(making.folder)) return;
  maker.kill("SIGKILL");
  // It may have been just about to make one more.
  rmSync(making.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 1 });
}

function makePipes(): readonly string[] {
  const making = newPipes();
  const isLinux = process.platform === "linux";
  if (!isLinux) process.once("exit", () => rmSync(making.folder, { recursive: true, force: true }));
  try {
    execFileSync("mkfifo", mkfifoWords(making), { stdio: "ignore" });
  } catch (error) {
    if (isLinux) removeFiles(making);
    throw error;
  }
  return isLinux ? standingIn(making) : making.paths;
}

function newPipes(): Named {
  const folder = mkdtempSync(join(tmpdir(), "assent-"));
  return { folder, paths: Array.from({ length: pipesMade }, (_, index) => join(folder, String(index))) };
}

function mkfifoWords({ paths }: Named): string[] {
  return ["-m", "600", ...paths];
}

/** One by one: to look what is in a folder takes a descriptor, and there may be none. */
export function removeFiles({ paths, folder }: Named): void {
  for (const path of paths) rmSync(path, { force: true });
  rmdirSync(folder);
}

/**
 * By descriptors of this process, by which they can be opened as well. With one that stands for it a pipe needs no name: nothing
 * is left behind, however this process ends.
 */
function standingIn(making: Named): readonly string[] {
  const files: number[] = [];
  try {
    for (const path of making.paths) files.push(openSync(path, O_PATH));
  } catch (error) {
    for (const file of files) closeSync(file);
    throw error;
  } finally {
    removeFiles(making);
  }
  return files.map((file) => `/proc/${process.pid}/fd/${file}`);
}

function nextRound(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
