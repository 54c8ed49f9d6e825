import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SessionEvent } from "../../src/core/index.ts";
import { decodeEvent } from "../../src/wire/index.ts";
import { Running } from "../e2e/product.ts";
import { secretFlow } from "./kinds.ts";

/** An event as it stands in the journal, to the byte. */
export type Line = {
  readonly session: string;
  readonly seq: number;
  readonly line: string;
  /** `null` where nobody can read it. */
  readonly event: SessionEvent | null;
};

type HomeOptions = {
  /** The command as it is shipped. */
  readonly command: string;
  /** Where a process finds what any user has. */
  readonly user: string;
  readonly url: string;
  readonly format: string;
};

/** A process of the product, with the id of the one that does the work. */
export type Process = { readonly running: Running; readonly pid: number };

/** A home of the product and a project beside it, for one play. */
export class Home {
  readonly folder = mkdtempSync(join(tmpdir(), "assent-crash-"));
  readonly project = join(this.folder, "project");
  readonly journal = join(this.folder, "home", "journal.db");
  /** Where commands leave bytes. */
  readonly files = join(this.project, "ran");
  readonly #command: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #children: ChildProcess[] = [];

  constructor({ command, user, url, format }: HomeOptions) {
    this.#command = command;
    const { PATH, LANG, TMPDIR } = process.env;
    this.#env = {
      ...{ PATH, HOME: user, ...(LANG && { LANG }), ...(TMPDIR && { TMPDIR }) },
      ...{ ASSENT_HOME: join(this.folder, "home"), ASSENT_MODEL: `${format}:m`, ASSENT_MODEL_RETRIES: "0" },
      ...{ OPENAI_API_KEY: "sk-test", ANTHROPIC_API_KEY: "sk-ant-test" },
      ...{ OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url },
    };
    // Who ends the campaign in the middle of it leaves no server behind.
    process.once("exit", this.#atExit);
    mkdirSync(this.files, { recursive: true });
    writeFileSync(join(this.project, "notes.txt"), "a note\n");
    writeFileSync(join(this.project, "flow.json"), JSON.stringify(secretFlow));
  }

  /** Starts the command in a session of its own: no terminal is there to be asked on. */
  start(argv: readonly string[]): Process {
    const { project: cwd } = this;
    const all = [this.#command, ...argv];
    const child = spawn(process.execPath, all, { cwd, env: this.#env, stdio: "pipe", detached: true });
    return { running: this.#taken(child), pid: child.pid ?? 0 };
  }

  /** Starts it in a terminal of its own. */
  async startInTerminal(argv: readonly string[]): Promise<Process> {
    const named = join(this.folder, "pid");
    rmSync(named, { force: true });
    const words = [process.execPath, this.#command, ...argv].map((word) => `'${word}'`).join(" ");
    const line = `echo $$ > '${named}'; exec ${words}`;
    const { project: cwd } = this;
    const child = spawn("/usr/bin/script", ["-qfec", line, "/dev/null"], { cwd, env: this.#env, stdio: "pipe" });
    const running = this.#taken(child);
    while (!(existsSync(named) && readFileSync(named, "utf8").endsWith("\n"))) await pause(2);
    return { running, pid: Number(readFileSync(named, "utf8")) };
  }

  #taken(child: ChildProcess): Running {
    // Who is killed reads no more.
    child.stdin?.on("error", () => undefined);
    this.#children.push(child);
    return new Running(child);
  }

  /** All events of all sessions, read by a stranger who leaves no trace. */
  lines(): readonly Line[] {
    if (!existsSync(`${this.journal}-wal`)) return [];
    const database = new DatabaseSync(this.journal, { readOnly: true, timeout: 5_000 });
    try {
      const rows = database
        .prepare("SELECT id, seq, line FROM events JOIN sessions ON number = session ORDER BY number, seq")
        .all();
      return rows.map(({ id, seq, line }) => {
        const text = String(line);
        const decoded = decodeEvent(text);
        const event = decoded.type === "event" ? decoded.event : null;
        return { session: String(id), seq: Number(seq), line: text, event };
      });
    } catch (error) {
      // Killed before there was a place for events.
      if (error instanceof Error && error.message.includes("no such table")) return [];
      throw error;
    } finally {
      database.close();
    }
  }

  /** How many bytes the commands have left, by file. */
  ran(): ReadonlyMap<string, number> {
    return new Map(readdirSync(this.files).map((name) => [name, readFileSync(join(this.files, name)).length]));
  }

  /** What of the product's own files holds a text. */
  holds(text: string): readonly string[] {
    const home = join(this.folder, "home");
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => readFileSync(file).includes(text));
  }

  /** As if what is kept there had been for minutes. */
  age(folder: string): void {
    const place = join(this.folder, "home", folder);
    const before = Date.now() / 1_000 - 300;
    for (const name of existsSync(place) ? readdirSync(place) : []) utimesSync(join(place, name), before, before);
  }

  client(): { readonly token: string; readonly pid: number } {
    return JSON.parse(readFileSync(join(this.folder, "home", "client.json"), "utf8"));
  }

  readonly #atExit = () => {
    for (const child of this.#children) if (child.exitCode === null) child.kill("SIGKILL");
  };

  /** Nothing of it runs any more. */
  close(): void {
    this.#atExit();
    process.off("exit", this.#atExit);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
