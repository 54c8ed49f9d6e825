import { keepRunning } from "./keeper.ts";
import { type Family, type Killed, killFamily, membersOf } from "./kill.ts";
import { commandLine, isRunning, type Known, type Process, processOf } from "./processes.ts";
import type { Streams } from "./streams.ts";
import type { TypedSecrets } from "./typed-secrets.ts";

/** How often what runs is looked at. */
const lookMs = 500;

export type Left = {
  readonly family: Family;
  readonly processes: readonly Process[];
  readonly secrets: TypedSecrets;
  /** `null` when its output went with the process that read it. */
  readonly streams: Streams | null;
  /** It is all over. */
  readonly onEnd: () => void;
  /** It runs on without this process. */
  readonly onLeave: () => void;
  readonly onChange: (change: Change, background: Background) => void;
};

export type BackgroundEntry = Known & { readonly command: string };
export type Change =
  | { readonly state: "started"; readonly entry: BackgroundEntry }
  | { readonly state: "ended"; readonly pid: number };

/** What a command has left running: one or more processes that share its outputs. */
export class Background {
  readonly #left: Left;
  #entries: readonly BackgroundEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #ended: Promise<void>;
  #end: () => void = () => {};
  #over = false;
  /** What was written before its end and is not yet read. */
  #last = "";

  constructor(left: Left) {
    this.#left = left;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#change(left.processes);
    this.#lookLater();
    void left.streams?.stdout.ended.then(() => this.look());
  }

  /** Those that run, as they are called now: one that has just begun still has its parent's name. */
  get entries(): readonly BackgroundEntry[] {
    return this.#entries.map((entry) => {
      const found = processOf(entry.pid);
      return found === null ? entry : { ...entry, command: this.#left.secrets.hide(commandLine(found)) };
    });
  }

  /** What was written since the last time. */
  read(): string {
    const { streams } = this.#left;
    if (streams === null) return "[its output was lost with the process that read it]";
    const last = this.#last;
    this.#last = "";
    return this.#over ? last : textOf(streams.taken());
  }

  /** Until nothing of it runs. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  async kill(): Promise<Killed> {
    const killed = await killFamily(this.#left.family);
    this.look();
    if (this.#over) await this.#ended;
    return killed;
  }

  /** Has somebody else hold what this one of them needs to run on, without this process. */
  async keep(kept: Known): Promise<void> {
    const { streams } = this.#left;
    // One that was taken over has had somebody since it was kept.
    if (streams === null) return;
    const { stdout, stderr } = streams;
    await keepRunning(kept, [stdout.open ? stdout.path : "/dev/null", stderr.open ? stderr.path : "/dev/null"]);
  }

  /** It is nobody's here from now on: whether it ends is not looked for. */
  letGo(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#left.streams?.end();
    this.#left.onLeave();
    this.#end();
  }

  /** Takes note of what has ended, and of what has come in its place. */
  look(): void {
    if (this.#over || this.#entries.every(isRunning)) return;
    this.#change(membersOf(this.#left.family));
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => {
      this.look();
      if (!this.#over) this.#lookLater();
    }, lookMs).unref();
  }

  /** Those whose parents run, too, are theirs. */
  #change(members: readonly Process[]): void {
    const pids = new Set(members.map(({ pid }) => pid));
    const roots = members.filter(({ parent }) => !pids.has(parent));
    const before = this.#entries;
    this.#entries = roots.map((each) => ({
      pid: each.pid,
      started: each.started,
      command: this.#left.secrets.hide(commandLine(each)),
    }));
    for (const { pid } of before) {
      if (!roots.some((root) => root.pid === pid)) this.#left.onChange({ state: "ended", pid }, this);
    }
    for (const entry of this.#entries) {
      if (!before.some(({ pid }) => pid === entry.pid)) this.#left.onChange({ state: "started", entry }, this);
    }
    if (roots.length === 0) this.#finish();
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    void this.#close();
  }

  /** What it wrote last may still be on its way. */
  async #close(): Promise<void> {
    const { streams, onEnd } = this.#left;
    await streams?.drained();
    this.#last = streams === null ? "" : textOf(streams.end());
    onEnd();
    this.#end();
  }
}

function textOf({ stdout, stderr }: ReturnType<Streams["taken"]>): string {
  return [stdout.text, stderr.text === "" ? "" : `stderr:\n${stderr.text}`].filter((text) => text !== "").join("\n");
}
