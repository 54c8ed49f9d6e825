import { spawn } from "node:child_process";
import { constants } from "node:os";
import { markerName } from "../runtime/ports.ts";
import { Channel, orUndo } from "./channel.ts";
import type { Moment } from "./processes.ts";

export type Starting = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What it carries beside that, to be known by. */
  readonly marker: string;
  readonly stdout: Channel | null;
  readonly stderr: Channel | null;
};

/** A process in a session of its own: it leads a group, and has no terminal but the one it is given. */
export type Started = {
  readonly pid: number;
  /** When it was begun, where it was there before that; `null` where both are the same. */
  readonly begun: Moment | null;
  readonly exited: Promise<Exit>;
  /** Its terminal, when a person can type there. */
  readonly tty: Tty | null;
  /** It does nothing any more, until it is ended. */
  stop(): void;
  /** Nothing of it is wanted any more. */
  end(): void;
  /** It stays, and its terminal is somebody else's to hold. */
  leave(): void;
};

export type Exit = { readonly exit: number | null; readonly signal: string | null };

export type Tty = {
  type(keys: string): void;
  /** What it has shown since something was last typed, without that. */
  shown(): string;
  /** Resolved when its first process is gone. */
  readonly closed: Promise<unknown>;
};

/** The part of node-pty that is used here. */
export type Pty = {
  spawn(
    file: string,
    argv: string[],
    options: { cols: number; rows: number; cwd: string; env: NodeJS.ProcessEnv },
  ): {
    readonly pid: number;
    write(text: string): void;
    onData(listener: (part: string) => void): void;
    onExit(listener: (exit: { exitCode: number; signal?: number }) => void): void;
    /** Its type does not tell of it. */
    destroy?(): void;
  };
};

/** How much of what a terminal shows is kept for whoever is asked to type there. */
const mostShown = 4_096;

let pty: Promise<Pty | null> | undefined;

/** Not on every machine; loaded when it is first wanted. */
export function findPty(): Promise<Pty | null> {
  pty ??= import("@lydell/node-pty").then(
    (found) => found,
    () => null,
  );
  return pty;
}

/** Without input and without a terminal. Fails when there is no such folder or program. */
export function startPlain({ argv, cwd, env, marker, stdout, stderr }: Starting): Promise<Started> {
  const [file, ...more] = argv;
  return new Promise((resolve, reject) => {
    const output = [stdout?.writer ?? "ignore", stderr?.writer ?? "ignore"] as const;
    const child = spawn(file, more, {
      ...{ cwd, env: { ...env, [markerName]: marker }, detached: true },
      stdio: ["ignore", ...output],
    });
    child.once("error", reject);
    const { pid } = child;
    if (pid === undefined) return;
    const { exited, ...ways } = signalling(pid, (done) => {
      child.once("exit", (exit, signal) => done({ exit, signal }));
    });
    resolve({ pid, begun: null, exited, tty: null, ...ways, leave: () => child.unref() });
  });
}

/**
 * With a terminal as its input and to open as /dev/tty; its output goes where it would without one. When a terminal's first
 * process ends, the system hangs up on all the others: so the first is a shell that stays, stopped, until it is ended.
 */
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash, and has no variables of its own that a command could inherit
const leader = '"${@:4}" >"$1" 2>"$2"; printf %s "$?" >"$3"; kill -STOP $$';

export function startOnTty(starting: Starting, pty: Pty): Started {
  let report: (exit: Exit) => void = () => {};
  const reported = new Promise<Exit>((resolve) => {
    report = resolve;
  });
  const channel = Channel.open((part) => report({ exit: Number(part.toString()), signal: null }));
  const paths = [starting.stdout?.path ?? "/dev/null", starting.stderr?.path ?? "/dev/null", channel.path];
  const argv = ["bash", "-c", leader, "bash", ...paths, ...starting.argv] as const;
  const started = orUndo(
    () => startLeader({ ...starting, argv: [...argv] }, pty),
    () => channel.close(),
  );
  void started.exited.then(() => channel.close());
  const leave = () => {
    channel.close();
    started.leave();
  };
  return { ...started, exited: Promise.race([reported, started.exited]), leave };
}

/** The process itself leads the terminal. */
export function startLeader({ argv, cwd, env, marker }: Omit<Starting, "stdout" | "stderr">, pty: Pty): Started {
  const [file, ...more] = argv;
  const terminal = pty.spawn(file, more, { cols: 80, rows: 24, cwd, env: { ...env, [markerName]: marker } });
  let shown = "";
  terminal.onData((part) => {
    shown = (shown + part).slice(-mostShown);
  });
  const { exited, ...ways } = signalling(terminal.pid, (done) => {
    terminal.onExit(({ exitCode, signal = 0 }) =>
      done(signal > 0 ? { exit: null, signal: signalName(signal) } : { exit: exitCode, signal: null }),
    );
  });
  let echo = "";
  const tty: Tty = {
    type(keys) {
      shown = "";
      echo = keys.replace(/\r$/, "\r\n");
      terminal.write(keys);
    },
    shown: () => (shown.startsWith(echo) ? shown.slice(echo.length) : shown),
    closed: exited,
  };
  return { pid: terminal.pid, begun: null, exited, tty, ...ways, leave: () => terminal.destroy?.() };
}

/** How a process is stopped and ended until it has exited: from then on its pid may be another's. Of nobody's, 0, nothing is. */
export function signalling(
  pid: number,
  onExit: (done: (exit: Exit) => void) => void,
): Pick<Started, "exited" | "stop" | "end"> {
  let running = pid > 0;
  const exited = new Promise<Exit>((resolve) => {
    onExit((exit) => {
      running = false;
      resolve(exit);
    });
  });
  const send = (signal: NodeJS.Signals) => () => {
    if (running) kill(pid, signal);
  };
  return { exited, stop: send("SIGSTOP"), end: send("SIGKILL") };
}

export function signalName(number: number): string {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already, or has become what this process may not signal.
  }
}
