import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import type { Clock } from "../../runtime/ports.ts";
import { codeOf, looseRecord, parseJson } from "../../wire/index.ts";
import type { ServerAddress } from "../types.ts";
import { endFamily, keepGroup, newFamily, signalGroup } from "./family.ts";
import { Gate, isId, malformed, tooMuch } from "./gate.ts";
import type { McpLimits } from "./limits.ts";
import { Lines } from "./lines.ts";
import { outsideLine } from "./words.ts";

export type StdioOptions = {
  readonly address: Extract<ServerAddress, { readonly type: "command" }>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly limits: McpLimits;
  readonly log: (text: string) => void;
};

/** How a line that says what went wrong usually sounds. */
const isError = /\b(?:error|cannot|could not|failed|not found|no such|denied|missing|fatal|panic)\b|Error:/i;
/** What a server gets of the person's environment: nothing in which a secret would be. */
const passedOn =
  /^(?:PATH|HOME|LANG|LC_[A-Z_]+|TERM|USER|SHELL|TMPDIR|LOGNAME|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/;
/** How an end begins that came before a beginning. */
export const notStarted = "could not be started";
const mostErrorLine = 4_096;
const mostLogLinesPerSecond = 50;
/** So many lines in a second are read and judged; then the server waits at its own pipe until the second is over. */
const linesPerNotice = 200;
const messagesPerSecond = 8;

/** A server as a process of its own, in a group of its own, that says a message a line. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The client knows by these two members that this is a process: one that is silent at its probe is an older server. */
  readonly stderr = null;
  readonly #options: StdioOptions;
  readonly #gate: Gate;
  readonly #family = newFamily();
  #child: ChildProcessByStdio<Writable, Readable, Readable> | null = null;
  #ended: Promise<void> = Promise.resolve();
  #end = "";
  #isOver = false;
  #closing: Promise<void> | null = null;
  #lastError = "";
  #second = 0;
  #lines = 0;
  #bytes = 0;
  #logged = 0;

  constructor(options: StdioOptions) {
    this.#options = options;
    this.#gate = new Gate(options.clock, options.limits);
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** How it ended, and the last that it said; empty while it runs. */
  get end(): string {
    if (this.#end === "") return "";
    return this.#lastError === "" ? this.#end : `${this.#end}: ${this.#lastError}`;
  }

  start(): Promise<void> {
    const { address } = this.#options;
    const cwd = address.cwd ?? this.#options.cwd;
    const [program, ...rest] = address.command;
    const own = Object.entries(process.env).filter(([name]) => passedOn.test(name));
    const env = { ...Object.fromEntries(own), ...address.env, [this.#family.name]: this.#family.value };
    return new Promise((resolve, reject) => {
      const child = spawn(program, rest, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
      this.#child = child;
      this.#ended = new Promise((over) => child.once("close", () => over()));
      child.once("spawn", () => {
        if (child.pid !== undefined) keepGroup(child.pid, this.#family);
        resolve();
      });
      child.once("error", (error) => {
        this.#end = `${notStarted}: ${startFault(error, program, cwd)}`;
        reject(error);
      });
      child.once("exit", (code, signal) => this.#exited(code, signal));
      child.once("close", () => this.#over());
      // A server that does not hear or speak any more is of no use, even if it lives.
      child.stdin.once("error", () => this.#giveUp("closed its input"));
      child.stdin.on("error", () => undefined);
      child.stdout.once("end", () => this.#giveUp("closed its output"));
      this.#listen(child);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (child === null || !child.stdin.writable) return Promise.reject(new Error("it has ended"));
    // What it does not read is held here: there is no more of that than one message may have.
    if (child.stdin.writableLength > this.#options.limits.messageBytes) {
      this.#cutOff("does not read what it is sent");
      return Promise.reject(new Error("it does not read what it is sent"));
    }
    this.#gate.sent(message);
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    const { closeMs, killMs } = this.#options.limits;
    child.stdin.end();
    // Whoever is asked to end has nothing to say any more; a full pipe would keep it from ending.
    child.stdout.removeAllListeners("data").resume();
    if (!(await this.#endsWithin(closeMs))) {
      signalGroup(child.pid, "SIGTERM");
      await this.#endsWithin(killMs);
    }
    endFamily(child.pid, this.#family);
    await this.#endsWithin(killMs);
    letGo(child);
  }

  /** It is told of once, whichever way it is seen. */
  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onclose?.();
  }

  /** At the end of a process its pipes close first: that it ended says more. */
  #giveUp(why: string): void {
    const { clock, limits } = this.#options;
    const stop = clock.after(Math.min(limits.closeMs, 200), () => this.#cutOff(why));
    void this.#ended.then(stop);
  }

  #cutOff(why: string): void {
    if (this.#end === "") this.#end = why;
    this.#over();
    void this.close();
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#end === "") this.#end = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    const child = this.#child;
    if (child?.pid === undefined) return;
    // What it left in its group would hold the pipes, and the end would never be seen.
    endFamily(child.pid, this.#family);
    const stop = this.#options.clock.after(this.#options.limits.killMs, () => letGo(child));
    child.once("close", stop);
  }

  #endsWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = this.#options.clock.after(ms, () => resolve(false));
      this.#ended.then(() => {
        stop();
        resolve(true);
      });
    });
  }

  #listen(child: ChildProcessByStdio<Writable, Readable, Readable>): void {
    const { messageBytes } = this.#options.limits;
    const lines = new Lines(
      messageBytes,
      (line) => this.#line(line),
      () => this.#discard(),
    );
    child.stdout.on("data", (chunk: Buffer) => {
      lines.take(chunk);
      if (this.#isFlooded()) this.#rest(child.stdout);
    });
    const errors = new Lines(
      mostErrorLine,
      (line) => this.#errorLine(line.toString("utf8")),
      () => this.#errorLine("(a line that is too long)"),
    );
    child.stderr.on("data", (chunk: Buffer) => errors.take(chunk));
  }

  #line(line: Buffer): void {
    this.#lines += 1;
    this.#bytes += line.length;
    const parsed = parseJson(line.toString("utf8"));
    // Servers that print beside the protocol are many; what they print is no message.
    if (parsed.type === "broken" || !this.#gate.admits(parsed.value)) return;
    const message = readMessage(parsed.value);
    if (message === null) this.onerror?.(new Error("a message was not of the protocol"));
    else this.onmessage?.(message);
  }

  /** Nobody can tell whose answer it was, so everyone's that waits. */
  #discard(): void {
    for (const id of this.#gate.giveUp()) this.onmessage?.(tooMuch(id, this.#options.limits));
  }

  #isFlooded(): boolean {
    const { noticesPerSecond, messageBytes } = this.#options.limits;
    this.#tick();
    return this.#lines > noticesPerSecond * linesPerNotice || this.#bytes > messageBytes * messagesPerSecond;
  }

  #rest(stdout: Readable): void {
    stdout.pause();
    this.#options.clock.after(1_000 - (this.#options.clock.now() % 1_000), () => stdout.resume());
  }

  #tick(): void {
    const second = Math.floor(this.#options.clock.now() / 1000);
    if (second === this.#second) return;
    this.#second = second;
    this.#lines = 0;
    this.#bytes = 0;
    this.#logged = 0;
  }

  #errorLine(text: string): void {
    const line = outsideLine(text, 200);
    if (line === "") return;
    // What comes after an error is often a stack and the name of what ran it.
    if (!isError.test(this.#lastError) || isError.test(line)) this.#lastError = line;
    this.#tick();
    this.#logged += 1;
    if (this.#logged <= mostLogLinesPerSecond) this.#options.log(line);
  }
}

/** A pipe that a stranger holds open is not waited for. */
function letGo(child: ChildProcessByStdio<Writable, Readable, Readable>): void {
  child.stdout.destroy();
  child.stderr.destroy();
}

function startFault(error: Error, program: string, cwd: string): string {
  if (codeOf(error) !== "ENOENT") return outsideLine(error.message, 200);
  // The system says the same of both.
  if (!existsSync(cwd)) return `the folder that it is started in is gone: ${outsideLine(cwd, 200)}`;
  return `there is no such command: ${outsideLine(program, 200)}`;
}

/** An answer that is not of the protocol becomes one that says so, for its call waits. */
function readMessage(value: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    const { id, method } = looseRecord(value);
    return method === undefined && isId(id) ? malformed(id) : null;
  }
}
