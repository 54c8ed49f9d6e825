import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { SessionEvent } from "../../src/core/index.ts";
import { openSqliteJournal } from "../../src/runtime/index.ts";
import { buildInto, Place, type Ran, Running, type Scripted, until } from "./product.ts";

let built: string | undefined;

/** As product.ts has it, with the terminal's library beside it. */
function entry(): string {
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), "assent-e2e-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const library = "@lydell/node-pty";
  const packages = dirname(dirname(dirname(createRequire(import.meta.url).resolve(`${library}/package.json`))));
  symlinkSync(packages, join(folder, "node_modules"));
  built = buildInto(folder);
  return built;
}

type TerminalArguments = {
  readonly command?: string;
  readonly persistent?: boolean;
  readonly close?: boolean;
  readonly timeout_s?: number;
};

let calls = 0;

export function call(given: TerminalArguments): Scripted {
  calls += 1;
  return { calls: [{ tool: "terminal", arguments: given, id: `call_${calls}` }] };
}

export function once(command: string): Scripted {
  return call({ command });
}

export function kept(command: string): Scripted {
  return call({ command, persistent: true });
}

type ProcessArguments = {
  readonly operation: "list" | "read" | "wait" | "kill";
  readonly process?: string | number;
  readonly timeout_s?: number;
};

export function processes(given: ProcessArguments): Scripted {
  calls += 1;
  return { calls: [{ tool: "process", arguments: given, id: `call_${calls}` }] };
}

/** A place whose commands get real terminals, and of which nothing is left, not even a process. */
export class TerminalPlace extends Place {
  readonly cache = this.file("cache");
  readonly #started: ChildProcess[] = [];

  constructor(replies: readonly Scripted[], env: NodeJS.ProcessEnv = {}) {
    super(replies, env);
    this.env["XDG_CACHE_HOME"] = this.cache;
    onTestFinished(() => {
      for (const child of this.#started) if (child.exitCode === null) child.kill("SIGKILL");
      for (let looks = 0; looks < 50 && this.#carriers("").length > 0; looks++) {
        for (const pid of this.#carriers("")) tryKill(pid);
      }
    });
  }

  override assent(argv: readonly string[], input = "", through: readonly string[] = []): Ran {
    const { folder: cwd, env } = this;
    const whole = ["-w", ...through, process.execPath, entry(), ...argv];
    const ran = spawnSync("setsid", whole, { cwd, env, input, encoding: "utf8", maxBuffer: 64 * 1_048_576 });
    return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
  }

  override start(argv: readonly string[]): Talk {
    const { folder: cwd, env } = this;
    return this.#talk(spawn("setsid", [process.execPath, entry(), ...argv], { cwd, env, stdio: "pipe" }));
  }

  override line(...argv: readonly string[]): string {
    return [process.execPath, entry(), ...argv].map(quoted).join(" ");
  }

  override startInTerminal(
    argv: readonly string[],
    { to }: { readonly stdin?: string; readonly to?: string } = {},
  ): Talk {
    const { folder: cwd, env } = this;
    const line = this.line(...argv);
    const command = to === undefined ? `exec ${line}` : `exec ${line} >${quoted(to)}`;
    return this.#talk(spawn("/usr/bin/script", ["-qfec", command, "/dev/null"], { cwd, env, stdio: "pipe" }));
  }

  #talk(child: ChildProcess): Talk {
    this.#started.push(child);
    return new Talk(child, this);
  }

  /** Everything that is recorded of the only session. */
  events(): readonly SessionEvent[] {
    const file = join(this.home, "journal.db");
    if (!existsSync(file)) return [];
    const journal = openSqliteJournal(file);
    try {
      const { sessions } = journal.outline();
      return sessions.flatMap(({ session }) => journal.read(session, 0).events.map(({ event }) => event));
    } finally {
      journal.close();
    }
  }

  eventsOf<T extends SessionEvent["type"]>(type: T): readonly Extract<SessionEvent, { readonly type: T }>[] {
    return this.events().filter((event): event is Extract<SessionEvent, { readonly type: T }> => event.type === type);
  }

  /** The results of the calls, in their order. */
  results() {
    return this.eventsOf("call.finished").map(({ result }) => result);
  }

  /** The id of the question that is open and that was asked by the command itself, or for its approval. */
  open(): string | undefined {
    const closed = new Set(
      this.events().flatMap((event) =>
        event.type === "interaction.resolved" || event.type === "interaction.expired" ? [event.interaction] : [],
      ),
    );
    return this.eventsOf("interaction.requested").find(({ request }) => !closed.has(request.interaction_id))?.request
      .interaction_id;
  }

  sessionId(): string {
    const [first] = this.eventsOf("session.created");
    return first?.session ?? "";
  }

  /** What the model was told in its last request. */
  lastTold(): string {
    return this.requests().at(-1)?.request.messages.at(-1)?.text ?? "";
  }

  /** The processes that carry the mark of a run of this place. */
  marked(): readonly string[] {
    return this.#carriers("ASSENT_RUN=").map((pid) => `${pid} ${readOr(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`);
  }

  /** Until a command of this place has become this program. */
  runs(program: string): Promise<true> {
    return until(
      `${program} runs`,
      () => this.marked().some((line) => line.trim().endsWith(` ${program}`) && !line.includes(" -c ")) || undefined,
      () => this.marked().join("\n"),
    );
  }

  /** Until nothing that a command of this place has started is alive. */
  nothingRuns(): Promise<true> {
    return until(
      "nothing with the run marker is alive",
      () => this.marked().length === 0 || undefined,
      () => this.marked().join("\n"),
    );
  }

  async killHolder(): Promise<void> {
    process.kill(await this.holder(), "SIGKILL");
    await until("nobody holds it", () => (this.sessions()[0]?.holder === null ? true : undefined));
  }

  /** Where in all files of this place, but for those that are named, these bytes are. */
  filesWith(text: string, except: readonly string[] = []): readonly string[] {
    return filesUnder(this.folder).filter((file) => !except.includes(file) && readFileSync(file).includes(text));
  }

  #carriers(more: string): readonly number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter((pid) => {
        const variables = readOr(`/proc/${pid}/environ`).split("\0");
        return variables.includes(`ASSENT_HOME=${this.home}`) && variables.some((each) => each.startsWith(more));
      })
      .map(Number);
  }
}

/** Keys do not count in the first moment of a question (ANS-6). */
const quietMs = 320;
/** After so long a line that nothing came of is typed again. */
const retypeMs = 4_000;

/** A product that runs, and the person at its terminal. */
export class Talk extends Running {
  /** All bytes that it wrote. */
  raw: Buffer = Buffer.alloc(0);
  readonly #place: TerminalPlace;
  /** The questions that were answered here. */
  readonly #answered = new Set<string>();

  constructor(child: ChildProcess, place: TerminalPlace) {
    super(child);
    this.#place = place;
    child.stdout?.on("data", (part: Buffer) => {
      this.raw = Buffer.concat([this.raw, part]);
    });
  }

  /** Until a question stands on the screen that was not yet answered here; its id. */
  async asked(question: string): Promise<string> {
    const id = await until(
      `a question is open: ${question}`,
      () => {
        const open = this.#place.open();
        return open === undefined || this.#answered.has(open) ? undefined : open;
      },
      () => this.output,
    );
    await this.shows(question);
    return id;
  }

  /** Types a line at that question, and waits until something came of it. */
  async reply(question: string, line: string): Promise<string> {
    const id = await this.asked(question);
    const about = () =>
      this.#place.events().filter((event) => "interaction" in event && event.interaction === id).length;
    const before = about();
    for (let tries = 0; tries < 5 && about() === before; tries++) {
      await new Promise((resolve) => setTimeout(resolve, quietMs));
      this.type(`${line}\n`);
      for (let waited = 0; waited < retypeMs && about() === before; waited += 25) {
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    }
    if (this.#place.open() !== id) this.#answered.add(id);
    return id;
  }
}

export function filesUnder(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
