import { existsSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ShellFacts } from "../runtime/ports.ts";
import { orUndo } from "./channel.ts";
import { type Command, type Finished, type Leftover, leftOf } from "./ephemeral.ts";
import { type Family, graceMs, type Killed, killFamily, mostKillingMs } from "./kill.ts";
import { oversee } from "./oversee.ts";
import { beganBefore, folderOf, type Moment, momentNow } from "./processes.ts";
import { type Exit, findPty, type Started, startLeader, startPlain } from "./start.ts";
import { Streams } from "./streams.ts";
import { quoted, script, Wires } from "./wires.ts";

export type Opening = {
  readonly cwd: string;
  readonly marker: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether a person can type to its commands. */
  readonly attended: boolean;
};

export type ShellFinished = Finished & {
  /** Where the shell is, or was when it ended. */
  readonly cwd: string;
  /** The folder it was in is gone; it has left it. */
  readonly deleted: string | null;
  /** It goes on. */
  readonly alive: boolean;
};

/** One bash that keeps its folder, its variables and its functions from command to command. */
export class Shell {
  /** Tells this shell from any other: an approval given for one does not hold for the next (APPR-6). */
  readonly generation: string = crypto.randomUUID();
  readonly #opening: Opening;
  readonly #started: Started;
  readonly #wires: Wires;
  /** Resolved when all that it said is known. */
  readonly exited: Promise<Exit>;
  #exit: Exit | null = null;
  #onExit: (exit: Exit) => void = () => {};

  private constructor(opening: Opening, started: Started, wires: Wires) {
    this.#opening = opening;
    this.#started = started;
    this.#wires = wires;
    this.exited = started.exited.then(async (exit) => {
      await wires.report.drained();
      this.#over(exit);
      return exit;
    });
  }

  static async open(opening: Opening): Promise<Shell> {
    const wires = new Wires();
    const argv: [string, ...string[]] = ["bash", "--noprofile", "--norc", "-c", script(wires)];
    const pty = opening.attended ? await findPty() : null;
    const { cwd, env, marker } = opening;
    const starting = { argv, cwd, env, marker, stdout: null, stderr: null };
    try {
      const started = pty === null ? await startPlain(starting) : startLeader(starting, pty);
      return new Shell(opening, started, wires);
    } catch (error) {
      wires.close();
      throw error;
    }
  }

  get cwd(): string {
    return this.#wires.cwd || this.#opening.cwd;
  }

  /** What it has defined, as it says after each command; `null` when that is not known. */
  get facts(): ShellFacts | null {
    return this.alive ? this.#wires.facts() : null;
  }

  get alive(): boolean {
    return this.#exit === null;
  }

  /** One at a time. `home` is where it goes when its folder is gone. */
  async run(command: Omit<Command, "cwd" | "env" | "marker">, home: string): Promise<ShellFinished> {
    const { timeoutMs, watched } = command;
    const streams = new Streams(command);
    const before = momentNow();
    const since = performance.now();
    const reported = orUndo(
      () => this.#wires.send(command.command, streams),
      () => streams.end(),
    );
    const end = await oversee({
      ...{ started: this.#started, timeoutMs, signal: watched.signal, ask: watched.ask },
      ended: this.#endOf(reported),
      ...{ streams, secrets: command.secrets },
      kill: (seen) => this.#kill(this.#family([...seen], before), command.grace(graceMs)),
    });
    const durationMs = Math.round(performance.now() - since);
    streams.closeWriters();
    await streams.drained();
    const deleted = await this.#whereabouts(home);
    const { why, exit, killed } = end;
    const found =
      killed === null
        ? leftOf(this.#family(end.seen, before), { before, last: before.pid, ranMs: durationMs }, streams)
        : null;
    const left = found === null ? null : leftBehind(found);
    const output = left === null ? streams.end() : streams.taken();
    const typed = this.#started.tty !== null;
    const place = { cwd: this.cwd, deleted, alive: this.alive };
    return { why, exit, killed, durationMs, left, output, typed, ...place };
  }

  /** Ends it with all that it has started; of itself is no word, unless it cannot be ended. */
  async close(): Promise<Killed> {
    const { marker } = this.#opening;
    const killed = await killFamily({ marker, seen: [], keep: this.#started.pid });
    return (await this.#end()) ? killed : { ...killed, left: [...killed.left, itself] };
  }

  /** Of the command, or of the shell with it. */
  #endOf(reported: Promise<number>): Promise<Exit> {
    return new Promise((resolve) => {
      if (this.#exit !== null) resolve(this.#exit);
      this.#onExit = resolve;
      void reported.then((status) => resolve({ exit: status, signal: null }));
    });
  }

  /** It is stopped, and stays for what was started in it. */
  leave(): void {
    this.#started.leave();
    this.#wires.close();
  }

  get pid(): number {
    return this.#started.pid;
  }

  /** What the command has started: not the shell, and not what ran before. */
  #family(seen: Family["seen"], before: Moment): Family {
    const { marker } = this.#opening;
    return { marker, seen, keep: this.#started.pid, spare: (found) => beganBefore(found, before) };
  }

  /**
   * The shell goes with its command: it would begin the next one of the list, or the next turn of the loop. So it is stopped
   * first, and where it was is remembered.
   */
  async #kill(family: Family, grace: () => number): Promise<Killed> {
    this.#started.stop();
    this.#wires.moved(folderOf(this.#started.pid));
    const killed = await killFamily(family, grace);
    if (await this.#end()) return { ...killed, ended: [...killed.ended, itself] };
    return { ...killed, left: [...killed.left, itself] };
  }

  /** Whether it has ended. One that cannot be, such as what it became by `exec sudo`, is given up. */
  async #end(): Promise<boolean> {
    this.#started.end();
    await Promise.race([this.exited, sleep(mostKillingMs, null, { ref: false })]);
    if (this.#exit !== null) return true;
    this.#over({ exit: null, signal: null });
    return false;
  }

  #over(exit: Exit): void {
    this.#exit ??= exit;
    this.#wires.close();
    this.#onExit(this.#exit);
  }

  /** Leaves a folder that is gone, and tells which that was. */
  async #whereabouts(home: string): Promise<string | null> {
    if (!this.alive) return null;
    const real = folderOf(this.#started.pid);
    // PWD is a variable like any other.
    if (real !== "" && real !== this.cwd && !isSameFolder(real, this.cwd)) this.#wires.moved(real);
    const gone = this.cwd;
    if (existsSync(gone)) return null;
    await this.#endOf(this.#wires.send(`builtin cd -- ${quoted(home)}`, null));
    return gone;
  }
}

/** What it is called where it is told what was ended. */
const itself = "the shell";

/** Later commands of the shell carry the same marker: from here on these are known by themselves. */
function leftBehind({ processes, streams }: Omit<Leftover, "end" | "leave">): Leftover {
  return { family: { marker: null, seen: processes }, processes, streams, end: () => {}, leave: () => {} };
}

function isSameFolder(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}
