import { type ChildProcess, spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Verdict } from "./main.ts";
import { isAlive, kill, look, marked, now } from "./processes.ts";

const main = join(import.meta.dirname, "main.ts");

/** One process that tries some of it; its verdicts come as they are found. */
export class Lane {
  readonly #folder = mkdtempSync(join(tmpdir(), "assent-lane-"));
  readonly #since = now();
  readonly #child: ChildProcess;
  readonly #verdicts = new Map<string, PromiseWithResolvers<Verdict>>();
  #errors = "";

  constructor(names: readonly string[]) {
    for (const name of names) this.#verdicts.set(name, Promise.withResolvers());
    const { ASSENT_RUN: _marker, ...inherited } = process.env;
    const env = { ...inherited, TMPDIR: this.#folder, HOSTILE_LANE: "1" };
    const argv = ["--conditions=assent-source", "--disable-warning=ExperimentalWarning", main, ...names];
    // A group of its own: what kills its group kills no other's.
    this.#child = spawn(process.execPath, argv, { env, stdio: "pipe", detached: true });
    const { stdout, stderr } = this.#child;
    if (stdout !== null) createInterface(stdout).on("line", (line) => this.#hear(JSON.parse(line)));
    stderr?.on("data", (part: Buffer) => {
      this.#errors = `${this.#errors}${part}`.slice(-4_000);
    });
    this.#child.once("close", (code, signal) => this.#end(`${code ?? signal}`));
  }

  verdict(name: string): Promise<Verdict> {
    const verdict = this.#verdicts.get(name);
    if (verdict === undefined) throw new Error(`expected one of this lane's trials, came ${name}`);
    return verdict.promise;
  }

  /** Leaves nothing, whatever became of it. */
  clear(): void {
    this.#child.kill("SIGKILL");
    for (const pid of [...marked(`hostile-${this.#child.pid}-`), ...this.#reported()]) kill(pid);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #hear(verdict: Verdict): void {
    this.#verdicts.get(verdict.name)?.resolve(verdict);
  }

  #end(how: string): void {
    for (const [name, verdict] of this.#verdicts) {
      verdict.resolve({ name, ms: 0, failures: [`its process ended before it (${how}): ${this.#errors}`] });
    }
  }

  #reported(): readonly number[] {
    const files = globSync("*/here/pids", { cwd: this.#folder }).map((file) => join(this.#folder, file));
    const pids = files.flatMap((file) => readFileSync(file, "utf8").split(/\s+/).filter(Boolean).map(Number));
    return pids.filter((pid) => {
      const seen = look(pid);
      return seen !== null && isAlive(seen) && seen.born >= this.#since;
    });
  }
}
