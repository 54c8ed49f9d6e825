import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { markerName } from "../runtime/ports.ts";
import { Channel, dropPipe, orUndo, takePipe } from "./channel.ts";
import { killNow, membersOf } from "./kill.ts";
import { actsAs, isRunning, type Moment, momentNow, type Process, processOf } from "./processes.ts";
import { spawnerText } from "./spawner-text.ts";
import { type Exit, type Started, type Starting, signalling, signalName } from "./start.ts";

/** The system's own, whatever comes before it on the person's path. */
const systemPerl = "/usr/bin/perl";
/** The numbers of setsid and prctl, by the kind of machine. Elsewhere there is no spawner. */
const calls: Readonly<Record<string, readonly [string, string]>> = { x64: ["112", "157"], arm64: ["157", "167"] };
/** All names are looked up at its start, and not by each of its children anew. */
const ownEnv = { LD_BIND_NOW: "1" };
/** Less than a pipe holds: a request is written at once, or not at all. */
const mostRequest = 32 * 1024;
const wordBytes = 4;
/** Until then whoever ran a command has gone on, and waits for the model. */
const startDelayMs = 10;
/** Those that end again and again, and have started nothing, are not wanted. */
const mostLost = 3;
/** One that somebody has stopped says nothing; nor does it tell of what has ended. */
const mostAnswerMs = 2_000;
const stuckLookMs = 1_000;
const mostLeavingMs = 1_000;
const mostEndingMs = 100;
const lookMs = 50;

/** Nobody knows how it ended. */
const unknown: Exit = { exit: null, signal: null };

type State =
  /** Not there yet, or not any more. */
  | { readonly type: "away" }
  | { readonly type: "idle" }
  | {
      readonly type: "starting";
      readonly marker: string;
      readonly begun: Moment;
      readonly settle: (started: Started | null) => void;
    }
  | {
      readonly type: "running";
      readonly pid: number;
      readonly done: (exit: Exit) => void;
      readonly look: NodeJS.Timeout;
    };

/**
 * A small process that starts commands in the place of this one: to start a process the system copies the one that starts it,
 * and this one is large (ADR 19). It starts one, waits for its end, then starts the next. No family has it, for it carries no
 * marker and is in a session of its own; it ends with this process, however that ends.
 */
export class Spawner {
  readonly #child: ChildProcess;
  readonly #pipe: string;
  #requests: number;
  readonly #answers: Channel;
  readonly #actsAs = actsAs();
  #state: State = { type: "away" };
  /** What it hands on, but for the marker. */
  readonly #env: NodeJS.ProcessEnv;
  #open = true;
  #starting: Promise<Started | null> = Promise.resolve(null);

  constructor(env: NodeJS.ProcessEnv, perl = systemPerl) {
    const variables = environmentOf(env);
    if (variables === null) throw new Error("a spawner cannot be given this environment");
    this.#env = env;
    this.#pipe = takePipe();
    this.#answers = orUndo(
      () => Channel.open((part) => this.#take(part)),
      () => dropPipe(this.#pipe),
    );
    this.#answers.unref();
    const opened: number[] = [];
    const open = (flags: number) => {
      opened.push(openSync(this.#pipe, flags));
      return opened.at(-1) ?? -1;
    };
    try {
      // A pipe opens for writing while somebody reads; and the spawner's end is to wait when there is nothing yet.
      open(constants.O_RDONLY | constants.O_NONBLOCK);
      this.#requests = open(constants.O_WRONLY | constants.O_NONBLOCK);
      this.#child = spawned(perl, open(constants.O_RDONLY), this.#answers.writer);
    } catch (error) {
      for (const file of opened) closeSync(file);
      this.#answers.close();
      dropPipe(this.#pipe);
      throw error;
    }
    for (const file of opened) if (file !== this.#requests) closeSync(file);
    this.#answers.closeWriter();
    if (!this.#send(variables)) this.end();
    void this.#answers.ended.then(() => this.#close());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get open(): boolean {
    return this.#open;
  }

  get idle(): boolean {
    return this.#state.type === "idle";
  }

  /** Resolved when nothing is about to be started. */
  get settled(): Promise<unknown> {
    return this.#starting;
  }

  /** `null` when it has not started it, and will not. */
  start(starting: Starting, signal?: AbortSignal): Promise<Started | null> {
    if (this.#state.type !== "idle" || starting.env !== this.#env) return Promise.resolve(null);
    const request = requestOf(starting);
    if (request === null) return Promise.resolve(null);
    const begun = momentNow();
    if (actsAs() !== this.#actsAs || !this.#send(request)) {
      this.#state = { type: "away" };
      this.end();
      return Promise.resolve(null);
    }
    this.#answers.ref();
    this.#starting = new Promise((resolve) => {
      // Without it, it is soon known whether there is anything to stop.
      const giveUp = () => this.end();
      // Counted in looks: in time that this process did not get, the spawner may have got none either, or has answered unheard.
      let waitedMs = 0;
      const timer = setInterval(() => {
        waitedMs += lookMs;
        if (waitedMs >= mostAnswerMs) giveUp();
      }, lookMs);
      signal?.addEventListener("abort", giveUp);
      const settle = (started: Started | null) => {
        clearInterval(timer);
        signal?.removeEventListener("abort", giveUp);
        resolve(started);
      };
      this.#state = { type: "starting", marker: starting.marker, begun, settle };
    });
    // It has all it needs, and this process nothing to do until it answers.
    Channel.prepare();
    return this.#starting;
  }

  /** This process ends, and what is about to be started with it. */
  leave(): void {
    const state = this.#state;
    if (state.type !== "starting") return;
    const pause = new Int32Array(new SharedArrayBuffer(wordBytes));
    const end = performance.now() + mostLeavingMs;
    // Once it has answered, or is not there to do so, there is something to be known by its marker, or nothing at all.
    while (!this.#hasAnswered() && performance.now() < end) Atomics.wait(pause, 0, 0, 1);
    this.end();
    killNow({ marker: state.marker, seen: [] });
  }

  end(): void {
    if (this.#open) this.#child.kill("SIGKILL");
  }

  /** Ended and collected: what this process leaves uncollected is shown as a dead process where nobody else does that. */
  async finish(): Promise<void> {
    // What ran has been ended, and it is about to say so. Should it not be: that runs on without it.
    const end = performance.now() + mostEndingMs;
    while (this.#state.type === "running" && performance.now() < end) await sleep(1);
    this.#child.ref();
    if (this.#state.type === "idle") this.#closeRequests();
    else this.end();
    await this.#ended();
    this.end();
    await this.#ended();
    this.#child.unref();
  }

  async #ended(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const { promise: exited, resolve } = Promise.withResolvers<void>();
    this.#child.once("exit", () => resolve());
    const timer = setTimeout(resolve, mostEndingMs);
    await exited;
    clearTimeout(timer);
  }

  /** Nobody can ask any more: it collects its child, and ends. */
  #closeRequests(): void {
    if (this.#requests >= 0) closeSync(this.#requests);
    this.#requests = -1;
  }

  #send(request: Buffer): boolean {
    try {
      return writeSync(this.#requests, request) === request.length;
    } catch {
      // It has ended, and that is not yet known here.
      return false;
    }
  }

  /** The first word says that it is there. Then comes for each request a pid and a status, or zero when nothing was started. */
  #take(part: Buffer): void {
    for (let at = 0; at + wordBytes <= part.length; at += wordBytes) this.#hear(part.readInt32LE(at));
  }

  #hear(word: number): void {
    const state = this.#state;
    if (state.type === "starting" && word !== 0) {
      const { started, done } = runningAs(word, state.begun);
      this.#state = { type: "running", pid: word, done, look: this.#lookFor(word) };
      state.settle(started);
      return;
    }
    this.#answers.unref();
    this.#state = { type: state.type === "starting" ? "away" : "idle" };
    if (state.type === "running") {
      clearInterval(state.look);
      state.done(exitOf(word));
      lost = 0;
    }
    if (state.type !== "starting") return;
    // Should the same go well the ordinary way, something is wrong with this one.
    this.end();
    state.settle(null);
  }

  /** One that says nothing of what has ended, not by the next look either, will not: it may have been stopped on its way. */
  #lookFor(pid: number): NodeJS.Timeout {
    let known: Process | null | undefined;
    let ended = false;
    const look = () => {
      const before = ended;
      known ??= processOf(pid);
      ended = known === null || !isRunning(known);
      if (before && ended) this.end();
    };
    return setInterval(look, stuckLookMs).unref();
  }

  /** Whatever ended it: what it had started runs on, and so may what it was about to start. */
  #close(): void {
    const state = this.#state;
    this.#state = { type: "away" };
    this.#open = false;
    if (state.type === "running") {
      clearInterval(state.look);
      void endOf(state.pid).then(() => state.done(unknown));
    }
    if (state.type === "starting" && this.#isUnread()) state.settle(null);
    else if (state.type === "starting") state.settle(foundBy(state.marker, state.begun));
    this.#closeRequests();
    // A part of a request may be left in it.
    dropPipe(this.#pipe);
  }

  #hasAnswered(): boolean {
    // Without anybody who could write there the end is read, and that is no error.
    return readFrom(this.#answers.path) !== null;
  }

  /** It ended before it had taken all of the request. */
  #isUnread(): boolean {
    return readFrom(this.#pipe) === "some";
  }
}

/** What a pipe has now; `null` while it has nothing and somebody may still write. */
function readFrom(pipe: string): "some" | "end" | null {
  let reader = -1;
  try {
    reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    return readSync(reader, Buffer.alloc(wordBytes)) > 0 ? "some" : "end";
  } catch {
    return null;
  } finally {
    if (reader >= 0) closeSync(reader);
  }
}

/** Whoever gets it lets it read requests, and write answers. */
function spawned(perl: string, reader: number, writer: number): ChildProcess {
  const argv = ["-e", spawnerText, ...(calls[process.arch] ?? [])];
  const child = spawn(perl, argv, { ...{ cwd: "/", env: ownEnv }, stdio: [reader, writer, "ignore"] });
  child.unref();
  // Its answers end, too, and that says all.
  child.once("error", () => {});
  return child;
}

/** One that runs, and what tells of its end. */
function runningAs(pid: number, begun: Moment): { readonly started: Started; readonly done: (exit: Exit) => void } {
  let done: (exit: Exit) => void = () => {};
  const ways = signalling(pid, (exited) => {
    done = exited;
  });
  return { started: { pid, begun, tty: null, ...ways, leave: () => {} }, done };
}

/** What was taken and not told of: when it runs, its marker tells; when not, it has ended or never began, and has no pid. */
function foundBy(marker: string, begun: Moment): Started {
  const leader = membersOf({ marker, seen: [] }).find(({ pid, session }) => pid === session);
  const { started, done } = runningAs(leader?.pid ?? 0, begun);
  void endOf(started.pid).then(() => done(unknown));
  return started;
}

let spawner: Spawner | null = null;
let lost = 0;
let due = false;

/** By the spawner, when there is one that has nothing else to do; `null` when that has not started it, and will not. */
export function startBySpawner(starting: Starting, signal: AbortSignal): Promise<Started | null> {
  return spawner?.start(starting, signal) ?? Promise.resolve(null);
}

/** A command has been run: there may be more. */
export function wantSpawner(env: NodeJS.ProcessEnv): void {
  if (due || spawner?.open === true || lost === mostLost) return;
  if (process.platform !== "linux" || calls[process.arch] === undefined) return;
  due = true;
  setTimeout(() => {
    if (!due) return;
    due = false;
    if (spawner !== null) lost += 1;
    try {
      spawner = new Spawner(env);
    } catch {
      // No process or descriptor is to be had, or it cannot be given the environment: then commands are started the ordinary way, and say so.
      lost += 1;
    }
  }, startDelayMs).unref();
}

/** Until what was about to be started can be known by its marker. */
export async function spawnerSettled(): Promise<void> {
  await spawner?.settled;
}

/** Nobody is there any more who could run a command. */
export async function finishSpawner(): Promise<void> {
  due = false;
  const last = spawner;
  if (last?.open !== true) return;
  spawner = null;
  await last.finish();
}

/** This process ends, and what is about to be started with it. */
export function leaveSpawner(): void {
  spawner?.leave();
}

/** `null` for what it cannot be asked: too long, or not to be said in its words. */
function requestOf({ argv, cwd, marker, stdout, stderr }: Starting): Buffer | null {
  if (stdout === null || stderr === null || !cwd.startsWith("/")) return null;
  return saidOf([marker, cwd, stdout.path, stderr.path, ...argv]);
}

function environmentOf(env: NodeJS.ProcessEnv): Buffer | null {
  const variables = Object.entries(env).filter(([, value]) => value !== undefined);
  if (variables.some(([name]) => name === "")) return null;
  return saidOf([markerName, ...variables.map(([name, value]) => `${name}=${value}`)]);
}

function saidOf(words: readonly string[]): Buffer | null {
  if (words.some((word) => word.includes("\0"))) return null;
  const text = words.join("\0");
  const size = Buffer.byteLength(text);
  if (wordBytes + size > mostRequest) return null;
  const said = Buffer.allocUnsafe(wordBytes + size);
  said.writeUInt32LE(size);
  said.write(text, wordBytes);
  return said;
}

function exitOf(status: number): Exit {
  const signal = status & 0x7f;
  return signal === 0 ? { exit: status >> 8, signal: null } : { exit: null, signal: signalName(signal) };
}

async function endOf(pid: number): Promise<void> {
  const found = processOf(pid);
  while (found !== null && isRunning(found)) await sleep(lookMs);
}
