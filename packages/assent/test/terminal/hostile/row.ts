import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/**
 * One hostile thing and what must come of it. In commands and folders `@here` is the row's own folder (where the session
 * works unless a step says otherwise), `@programs` the folder of programs, `@node` this Node. A program writes the ids of
 * its processes into `pids` there, one a line, and the file `ready` once there is something to kill.
 */
export type Row = {
  /** A sentence. */
  readonly name: string;
  readonly requirement: string;
  readonly steps: readonly Step[];
  /** A program that not every machine has. */
  readonly needs?: string;
  /** What the person's terminal would be: commands get one when there is a person to answer. */
  readonly attended?: readonly Reaction[];
  /** Nothing can find what it leaves behind: it must not hang, and is cleared away by the test. */
  readonly escapes?: true;
  /** However much it writes, memory stays bounded. */
  readonly floods?: true;
};

/** What the person does at each request for input, in order, the last again and again; of none, nothing ever comes. */
export type Reaction = { readonly text: string; readonly secret: boolean } | null;

export type Step =
  | {
      readonly type: "terminal";
      readonly command?: string;
      readonly persistent?: true;
      readonly close?: true;
      readonly timeout_s?: number;
      readonly cwd?: string;
      /**
       * `before`: it is stopped before it starts; `ready`: once the program says that it is; `told`: once the program
       * says that it was told to end, so in the middle of being killed.
       */
      readonly stop?: "before" | "ready" | "told";
      readonly expected: Expected;
    }
  /** Asks until it says so: what it tells of comes in its own time. `@process` is the newest that was told of. */
  | {
      readonly type: "process";
      readonly operation: "list" | "read" | "wait" | "kill";
      readonly process?: string;
      readonly timeout_s?: number;
      readonly expected: Expected;
    }
  | { readonly type: "told"; readonly state: "started" | "ended" };

export type Expected = {
  readonly type?: "output" | "error";
  /** One of these; `none`: it has none. */
  readonly exit?: number | "none" | readonly number[];
  readonly signal?: string;
  readonly says?: readonly (string | RegExp)[];
  readonly lacks?: readonly (string | RegExp)[];
  /** Where the persistent shell is afterwards. */
  readonly cwd?: string;
  /** Of more output than is shown, all is in a file that the text names. */
  readonly spills?: true;
  /** It was told that a process runs on, which the program wrote down, and the text says so. */
  readonly background?: true;
  /** When it returns, nothing that it started is alive. */
  readonly nothingLeft?: true;
  /** These files are not there afterwards. */
  readonly untouched?: readonly string[];
};

export type Command = Omit<Extract<Step, { readonly type: "terminal" }>, "type" | "command" | "expected">;

export function run(command: string, expected: Expected, more: Command = {}): Step {
  return { type: "terminal", command, ...more, expected };
}

/** In the persistent shell. */
export function keep(command: string, expected: Expected, more: Command = {}): Step {
  return { type: "terminal", command, persistent: true, ...more, expected };
}

export const worked = { type: "output", exit: 0 } as const;
export const timedOut: Expected = { type: "error", says: [/time|too long/i, /kill/i], nothingLeft: true };
export const stopped: Expected = { says: [/kill/i], nothingLeft: true };
/** The next call of a persistent shell, whatever became of the one before. */
export const goesOn: Step = keep("echo goes-$((40 + 2)); (exit 3)", { type: "output", exit: 3, says: ["goes-42"] });

/** Why this machine cannot try it, if so. */
export function lacking({ needs }: Row): string | null {
  if (needs === undefined || (process.env["PATH"] ?? "").split(":").some((folder) => canRun(folder, needs)))
    return null;
  return `needs ${needs}, which is not on the path`;
}

function canRun(folder: string, name: string): boolean {
  try {
    accessSync(join(folder, name), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
