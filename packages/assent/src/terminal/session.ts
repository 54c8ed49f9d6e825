import type { BackgroundProcess } from "../core/index.ts";
import type { Fact, ShellFacts, WatchedCall } from "../runtime/ports.ts";
import type { Redacting } from "../runtime/redacting.ts";
import { messageOf } from "../wire/index.ts";
import { Background, type BackgroundEntry, type Change, type Left } from "./background.ts";
import { type Command, type Ended, type Leftover, runCommand, whyNot } from "./ephemeral.ts";
import { factsHidden, factsOfNew } from "./facts.ts";
import { leaveWithCode, terminalLeader } from "./keeper.ts";
import { fixedGrace, type Killed, killFamily, killNow, stopProcess } from "./kill.ts";
import { type LentEnded, runLent } from "./lent.ts";
import { Shell, type ShellFinished } from "./persistent.ts";
import { isRunning, processOf } from "./processes.ts";
import { finishSpawner, leaveSpawner, spawnerSettled, wantSpawner } from "./spawner.ts";
import { openSpill, sweepSpills, touchSpills } from "./spill.ts";
import { TypedSecrets } from "./typed-secrets.ts";

/** How many that have ended can still be read. */
const mostEnded = 16;

export type TerminalOptions = {
  /** What runs a command that has a shell of its own. */
  readonly shell: string;
  /** The variable that names it, if one does: who has to mend it should know. */
  readonly shellVariable?: string;
  /** Where outputs go that are too long. */
  readonly folder: string;
  /** Variables that commands do not get: they hold secrets of Assent. */
  readonly hidden: readonly string[];
  /** Whether people can type to commands. */
  readonly pty: boolean;
  /** What must not be seen is in no output (INTG-4). */
  readonly redacting: Redacting;
};

export type Running = {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly watched: WatchedCall;
};

export type ShellEnded =
  | { readonly type: "not-started"; readonly reason: string }
  | ({ readonly type: "ended"; readonly opened: boolean } & ShellFinished);

/** All that the calls of one session run and have left running. */
export class SessionTerminal {
  readonly #session: string;
  readonly #options: TerminalOptions;
  readonly #backgrounds = new Map<string, Background>();
  /** For the whole session: a shell keeps what was typed to one command. */
  readonly secrets: TypedSecrets;
  #shell: Shell | null = null;
  #newFacts: ShellFacts | null = null;
  #tell: (fact: Fact) => void = () => {};
  #begun = false;
  /** Nobody waits any longer for what was asked to end. */
  #hurried = false;
  #env: NodeJS.ProcessEnv | null = null;

  constructor(session: string, options: TerminalOptions) {
    this.#session = session;
    this.#options = options;
    this.secrets = new TypedSecrets(options.redacting);
    openTerminals.add(this);
  }

  /** The persistent shell, while it is there. */
  get shell(): Pick<Shell, "cwd" | "generation"> | null {
    return this.#shell;
  }

  /** What the persistent shell has defined, or will have when it is opened. */
  get shellFacts(): ShellFacts | null {
    const facts = this.#shell === null ? this.newShellFacts : this.#shell.facts;
    return facts === null ? null : factsHidden(facts, (text) => this.secrets.hide(text));
  }

  /** What the person's environment defines in any new shell. */
  get newShellFacts(): ShellFacts {
    this.#newFacts ??= factsOfNew(this.#environment());
    return this.#newFacts;
  }

  /** On the terminal of the person, who has lent it. */
  async runOnLent({ command, cwd, watched }: Omit<Running, "timeoutMs">): Promise<LentEnded> {
    const { grace } = this.#command(command, 0, watched);
    const marker = this.#marker(watched);
    const env = this.#environment();
    const ended = await runLent({ command, cwd, env, marker, grace, signal: watched.signal }, this.#options.shell);
    if (ended.type === "ended" && ended.processes.length > 0) {
      const { processes } = ended;
      const ways = { end: () => {}, leave: () => {} };
      this.#leave({ family: { marker, seen: processes }, processes, streams: null, ...ways });
    }
    return ended.type === "ended" ? ended : this.#unstarted(ended);
  }

  async runOnce({ command, cwd, timeoutMs, watched }: Running): Promise<Ended> {
    const ended = await runCommand(
      { ...this.#command(command, timeoutMs, watched), cwd, env: this.#environment(), marker: this.#marker(watched) },
      this.#options.shell,
    );
    if (ended.type === "ended" && ended.left !== null) this.#leave(ended.left);
    // There may be more.
    if (openTerminals.has(this)) wantSpawner(this.#environment());
    return ended.type === "ended" ? ended : this.#unstarted(ended);
  }

  #unstarted<T extends { readonly reason: string }>(ended: T): T {
    const { shell, shellVariable } = this.#options;
    if (shellVariable === undefined || !ended.reason.includes(shell)) return ended;
    return { ...ended, reason: `${ended.reason}; ${shellVariable} names this shell` };
  }

  /** In the persistent shell, which is opened for it when there is none. `home` is where that goes when its folder is gone. */
  async runInShell({ command, cwd, timeoutMs, watched }: Running, home: string): Promise<ShellEnded> {
    this.#tell = watched.tell;
    const opened = this.#shell === null;
    const reason = whyNot({ cwd: opened ? cwd : home, watched });
    if (reason !== null) return { type: "not-started", reason };
    const shell = this.#shell ?? (await this.#open(cwd, watched));
    if ("reason" in shell) return { type: "not-started", reason: shell.reason };
    const finished = await shell.run(this.#command(command, timeoutMs, watched), home);
    if (finished.left !== null) this.#leave(finished.left);
    if (!finished.alive) this.#lose(shell);
    return { type: "ended", opened, ...finished };
  }

  /** Closes the shell; where it was, or `null` when there is none. */
  async closeShell(): Promise<{ readonly cwd: string; readonly killed: Killed } | null> {
    const shell = this.#shell;
    if (shell === null) return null;
    this.#shell = null;
    const killed = await shell.close();
    this.#tell({ type: "terminal", state: "closed", cwd: shell.cwd });
    for (const each of this.#backgrounds.values()) each.look();
    return { cwd: shell.cwd, killed };
  }

  /** What runs in the background, by pid. */
  get entries(): readonly BackgroundEntry[] {
    const all = new Set(this.#backgrounds.values());
    for (const each of all) each.look();
    return [...all].flatMap(({ entries }) => entries);
  }

  background(pid: string): Background | null {
    return this.#backgrounds.get(pid) ?? null;
  }

  /** What another process left running in this session: it can be seen and ended, its output is gone. */
  adopt(left: readonly BackgroundProcess[], tell: (fact: Fact) => void): void {
    this.#tell = tell;
    for (const { process, pid, since } of left) {
      const found = processOf(pid);
      if (found === null || !isRunning({ pid, started: since })) {
        // Since it was seen to run.
        tell({ type: "process", state: "ended", process });
        continue;
      }
      const family = { marker: null, seen: [found] };
      // Of the process itself the session knows.
      const onChange = (change: Change, background: Background) => this.#change(change, background, found.pid);
      const ways = { onEnd: () => {}, onLeave: () => {}, onChange };
      new Background({ family, processes: [found], streams: null, secrets: this.secrets, ...ways });
    }
  }

  /** The session is closed: nothing of it runs on but what a person keeps, by its pid. */
  async close(pids: readonly string[] = []): Promise<Killed> {
    this.#hurried = true;
    const shell = this.#shell;
    this.#shell = null;
    if (shell !== null) this.#tell({ type: "terminal", state: "lost", cwd: shell.cwd });
    const seen = this.entries;
    const kept = seen.filter(({ pid }) => pids.includes(String(pid)));
    const leaders = new Set(kept.flatMap((each) => terminalLeader(each) ?? []));
    // What it still has to do, it does not begin.
    for (const leader of leaders) stopProcess(leader);
    await Promise.all(kept.map((each) => this.#backgrounds.get(String(each.pid))?.keep(each)));
    await spawnerSettled();
    const spare = ({ pid }: { readonly pid: number }) => kept.some((each) => each.pid === pid);
    const killed = await killFamily({ marker: `${this.#session}/`, seen, leaders, spare });
    for (const each of this.#backgrounds.values()) each.look();
    for (const { pid } of kept) this.#backgrounds.get(String(pid))?.letGo();
    if (shell !== null && leaders.has(shell.pid)) shell.leave();
    if (leaders.size > 0) leaveWithCode();
    touchSpills(this.#options.folder, this.#session);
    openTerminals.delete(this);
    if (openTerminals.size === 0) await finishSpawner();
    return killed;
  }

  /** This process ends, for whatever reason: so does all that it has started. */
  killNow(): void {
    const seen = [...this.#backgrounds.values()].flatMap(({ entries }) => entries);
    killNow({ marker: `${this.#session}/`, seen });
  }

  async #open(cwd: string, watched: WatchedCall): Promise<Shell | { readonly reason: string }> {
    const attended = watched.attended && this.#options.pty;
    let shell: Shell;
    try {
      shell = await Shell.open({ cwd, env: this.#environment(), marker: this.#marker(watched), attended });
    } catch (error) {
      return { reason: `the command was not started: ${messageOf(error)}` };
    }
    // Meanwhile the call may have been stopped, or the session closed.
    if (this.#hurried || watched.signal.aborted) {
      await shell.close();
      return { reason: "the command was not started: it was stopped before" };
    }
    this.#shell = shell;
    this.#tell({ type: "terminal", state: "opened", cwd });
    // It may end between two commands, too.
    void shell.exited.then(() => this.#lose(shell));
    return shell;
  }

  #lose(shell: Shell): void {
    if (this.#shell !== shell) return;
    this.#shell = null;
    this.#tell({ type: "terminal", state: "lost", cwd: shell.cwd });
  }

  #command(command: string, timeoutMs: number, watched: WatchedCall): Omit<Command, "cwd" | "env" | "marker"> {
    const { folder, pty } = this.#options;
    this.#tell = watched.tell;
    if (!this.#begun) {
      this.#begun = true;
      // What belongs to a session that goes on is not old.
      touchSpills(folder, this.#session);
      sweepOnce(folder);
    }
    return {
      ...{ command, timeoutMs, onOutput: watched.onOutput, secrets: this.secrets },
      watched: { signal: watched.signal, ask: watched.ask, attended: watched.attended && pty },
      spill: (stream) => openSpill({ folder, session: this.#session, name: `${watched.call}.${stream}.txt` }),
      grace: (ms) => {
        const left = fixedGrace(ms);
        return () => (this.#hurried ? 0 : left());
      },
    };
  }

  #leave({ family, processes, streams, end, leave }: Omit<Leftover, "streams"> & Pick<Left, "streams">): void {
    const onChange = (change: Change, background: Background) => this.#change(change, background);
    new Background({ family, processes, streams, secrets: this.secrets, onEnd: end, onLeave: leave, onChange });
    const ended = [...this.#backgrounds].filter(([, each]) => each.entries.length === 0);
    for (const [pid] of ended.slice(0, -mostEnded)) this.#backgrounds.delete(pid);
  }

  #change(change: Change, background: Background, known?: number): void {
    if (change.state === "ended") {
      this.#tell({ type: "process", state: "ended", process: String(change.pid) });
      return;
    }
    const { pid, started, command } = change.entry;
    this.#backgrounds.set(String(pid), background);
    if (pid === known) return;
    this.#tell({ type: "process", state: "started", process: String(pid), pid, since: started, command });
  }

  #marker({ call }: WatchedCall): string {
    return `${this.#session}/${call}`;
  }

  #environment(): NodeJS.ProcessEnv {
    this.#env ??= environmentWithout(this.#options.hidden);
    return this.#env;
  }
}

const environments = new Map<string, NodeJS.ProcessEnv>();
let inherited: NodeJS.ProcessEnv | undefined;

/**
 * The person's own, but for what holds secrets (TERM-7). Copied once: reading it takes a tenth of a millisecond. Sessions that hide
 * the same have the same one, and so can have their commands started by the same spawner.
 */
function environmentWithout(hidden: readonly string[]): NodeJS.ProcessEnv {
  inherited ??= { ...process.env };
  const left = Object.keys(inherited).filter((name) => !hidden.includes(name));
  const key = left.join("\n");
  const known = environments.get(key) ?? Object.fromEntries(left.map((name) => [name, inherited?.[name]]));
  environments.set(key, known);
  return known;
}

const openTerminals = new Set<SessionTerminal>();
// However this process ends by itself, in order or by an error: what it has started does not outlive it.
process.on("exit", () => {
  leaveSpawner();
  for (const each of openTerminals) each.killNow();
});

const swept = new Set<string>();

function sweepOnce(folder: string): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  setImmediate(() => sweepSpills(folder)).unref();
}
