import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { onTestFinished } from "vitest";
import { command, inAscii, smallest } from "../../scripts/bundle.ts";

const source = join(import.meta.dirname, "..", "..");
/** What gives a process a terminal of its own. */
const scriptCommand = "/usr/bin/script";

export const noTerminal = process.platform !== "linux" || !existsSync(scriptCommand);
export const needsTerminal = noTerminal ? " (skipped: needs /usr/bin/script of Linux)" : "";

let built: string | undefined;
/** In the folder of what was built: what its processes have compiled, kept for the next ones. */
export const compiled = "compiled";

/** The bundle as the build makes it, with a file that starts it as the launcher does. */
export function buildInto(folder: string): string {
  // No file of the terminal's library is beside it, so there is none: tests that want it put it there.
  buildSync({ ...command, ...smallest, absWorkingDir: source, outdir: folder, logLevel: "error" });
  const program = join(folder, "cli.cjs");
  writeFileSync(program, inAscii(readFileSync(program, "utf8")));
  const start = join(folder, "start.cjs");
  const launched = { root: source, cache: join(folder, compiled) };
  mkdirSync(launched.cache);
  writeFileSync(
    start,
    `require(${JSON.stringify(join(source, "bin", "program.cjs"))}).run(${JSON.stringify(program)}, ${JSON.stringify(launched)});`,
  );
  return start;
}

/** The command as it is published, made once from the source of now: a bundle that lies about would hide it. */
function entry(): string {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), "assent-e2e-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  built = buildInto(folder);
  return built;
}

export type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** A reply of a scripted model. */
export type Scripted = {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly arguments: object | string; readonly id?: string }[];
  readonly failure?: { readonly class: string; readonly detail: string };
  readonly overflow?: string;
  readonly delay_ms?: number;
};

/** Is asked about for its first command, and shows by its second how often it has run. */
export const counting = "rm -rf none; echo x >> count";

export function terminal(command: string, id = "call_A"): Scripted {
  return { calls: [{ tool: "terminal", arguments: { command }, id }] };
}

/** A home, a folder to work in and a script for one test, or for all of a file by `afterAll`; gone with it. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), "assent-place-"));
  readonly home = join(this.folder, "home");
  readonly script = join(this.folder, "script.jsonl");
  readonly env: NodeJS.ProcessEnv;
  /** What is started: unless a test has one of its own, what all share. */
  program: string | null = null;
  readonly #children: ChildProcess[] = [];

  constructor(
    replies: readonly Scripted[],
    env: NodeJS.ProcessEnv = {},
    atEnd: (then: () => void) => void = onTestFinished,
  ) {
    writeFileSync(this.script, replies.map((reply) => JSON.stringify(reply)).join("\n"));
    const { ASSENT_RUN: _marker, ...inherited } = process.env;
    const own = {
      ASSENT_HOME: this.home,
      ASSENT_MODEL: `scripted:${this.script}`,
      ASSENT_SCRIPT_LOG: this.file("log"),
    };
    this.env = { ...inherited, ...own, ...env };
    atEnd(() => {
      for (const child of this.#children) if (child.exitCode === null) child.kill("SIGKILL");
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  read(name: string): string {
    return existsSync(this.file(name)) ? readFileSync(this.file(name), "utf8") : "";
  }

  /** Runs the command to its end, without a terminal. */
  assent(argv: readonly string[], input = "", through: readonly string[] = []): Ran {
    const { folder: cwd, env } = this;
    // In a session of its own there is no terminal that could be asked on, whoever runs these tests.
    const whole = ["-w", ...through, process.execPath, this.program ?? entry(), ...argv];
    const ran = spawnSync("setsid", whole, { cwd, env, input, encoding: "utf8", maxBuffer: 64 * 1_048_576 });
    return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
  }

  /** The command as a line for a shell. */
  line(...argv: readonly string[]): string {
    return [process.execPath, this.program ?? entry(), ...argv].map(quoted).join(" ");
  }

  /** Starts it in the background, without a terminal. */
  start(argv: readonly string[]): Running {
    const { folder: cwd, env } = this;
    return this.#running(
      spawn("setsid", [process.execPath, this.program ?? entry(), ...argv], { cwd, env, stdio: "pipe" }),
    );
  }

  /** Starts it in a terminal of its own, in the foreground; what is written to the process is typed there. */
  startInTerminal(argv: readonly string[], { stdin }: { readonly stdin?: string } = {}): Running {
    const { folder: cwd, env } = this;
    const line = this.line(...argv);
    const command = stdin === undefined ? `exec ${line}` : `printf %s ${quoted(stdin)} | ${line}`;
    return this.#running(spawn(scriptCommand, ["-qfec", command, "/dev/null"], { cwd, env, stdio: "pipe" }));
  }

  /** What the model was asked, in order. */
  requests(): readonly Asked[] {
    return jsonLines(this.read("log"));
  }

  sessions(): readonly {
    readonly session: string;
    readonly holder: { readonly pid: number } | null;
    readonly asks: boolean;
  }[] {
    return jsonLines(this.assent(["sessions", "--json"]).stdout);
  }

  pending(): readonly { readonly session: string; readonly request: { readonly interaction_id: string } }[] {
    return jsonLines(this.assent(["pending", "--json"]).stdout);
  }

  /** The id of the one question that waits, once there is one. */
  async question(): Promise<string> {
    return until("a question waits", () => this.pending()[0]?.request.interaction_id);
  }

  /** The process that works on the only session, once there is one. */
  async holder(): Promise<number> {
    return until("a process holds the session", () => this.sessions()[0]?.holder?.pid);
  }

  #running(child: ChildProcess): Running {
    this.#children.push(child);
    return new Running(child);
  }
}

export type Asked = {
  readonly number: number;
  readonly request: {
    readonly closing: string;
    readonly messages: readonly { readonly role: string; readonly original?: string; readonly text: string }[];
  };
};

export class Running {
  /** All that it wrote. */
  output = "";
  /** Of that, what went to stdout and what went to stderr. */
  printed = "";
  errors = "";
  readonly ended: Promise<number>;
  readonly #child: ChildProcess;
  #done = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    const add = (part: Buffer) => {
      this.output += part.toString("utf8").replaceAll("\r\n", "\n");
    };
    child.stdout?.on("data", (part: Buffer) => {
      add(part);
      this.printed += part.toString("utf8");
    });
    child.stderr?.on("data", (part: Buffer) => {
      add(part);
      this.errors += part.toString("utf8");
    });
    this.ended = new Promise((resolve) => {
      child.once("close", (code, signal) => {
        this.#done = true;
        resolve(signal === null ? (code ?? -1) : -2);
      });
    });
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  endInput(): void {
    this.#child.stdin?.end();
  }

  /** Types a line until it is taken: keys do not count in the first moment of a question (ANS-6). */
  async answer(line: string): Promise<void> {
    const shown = this.output.length;
    for (let tries = 0; tries < 30; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 600));
      if (/answered by|declined by|stop requested/.test(this.output.slice(shown)) || this.#done) return;
      this.type(line === "\u0003" ? line : `${line}\n`);
    }
  }

  /** As a reader does that has seen enough. */
  closeOutput(): void {
    this.#child.stdout?.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  shows(text: string): Promise<true> {
    return until(
      `it shows ${JSON.stringify(text)}`,
      () => this.output.includes(text) || undefined,
      () => this.output,
    );
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Waits for something that is bound to happen; a test that waits in vain says what for. */
export async function until<T>(what: string, look: () => T | undefined, seen = () => ""): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`waited in vain until ${what}\n${seen()}`);
}

export function jsonLines<T>(text: string): readonly T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
