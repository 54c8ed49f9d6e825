import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { Channel, givePipe, takePipe } from "./channel.ts";
import { CommandFile } from "./command-file.ts";
import { type Command, type Finished, type Leftover, leftOf } from "./ephemeral.ts";
import { type Family, fixedGrace, graceMs, type Killed, killFamily } from "./kill.ts";
import { oversee } from "./oversee.ts";
import { beganBefore, folderOf, type Moment, markerName, momentNow } from "./processes.ts";
import { type Exit, findPty, type Started, startLeader, startPlain } from "./start.ts";
import { Streams } from "./streams.ts";

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

/** Where pipes are, on Linux. */
const pipes = `/proc/${process.pid}/fd/`;
/** Of what comes without an end, this much may be the beginning of something. */
const mostMessage = 64 * 1024;

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
      this.#exit = exit;
      wires.close();
      this.#onExit(exit);
      return exit;
    });
  }

  static async open(opening: Opening): Promise<Shell> {
    const wires = new Wires();
    const env = { ...opening.env, [markerName]: opening.marker };
    const argv: [string, ...string[]] = ["bash", "--noprofile", "--norc", "-c", script(wires)];
    const pty = opening.attended ? await findPty() : null;
    const starting = { argv, cwd: opening.cwd, env, stdout: null, stderr: null };
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

  get alive(): boolean {
    return this.#exit === null;
  }

  /** One at a time. `home` is where it goes when its folder is gone. */
  async run(command: Omit<Command, "cwd" | "env" | "marker">, home: string): Promise<ShellFinished> {
    const { timeoutMs, watched } = command;
    const streams = new Streams(command);
    const before = momentNow();
    const since = performance.now();
    const reported = this.#wires.send(command.command, streams);
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
      killed === null ? leftOf(this.#family(end.seen, before), { before, last: before.pid }, streams) : null;
    const left = found === null ? null : leftBehind(found);
    const output = left === null ? streams.end() : streams.taken();
    const typed = this.#started.tty !== null;
    const place = { cwd: this.cwd, deleted, alive: this.alive };
    return { why, exit, killed, durationMs, left, output, typed, ...place };
  }

  /** Ends it with all that it has started; of itself is no word. */
  async close(): Promise<Killed> {
    const { marker } = this.#opening;
    const killed = await killFamily({ marker, seen: [], keep: this.#started.pid }, fixedGrace());
    this.#started.end();
    await this.exited;
    return killed;
  }

  /** Of the command, or of the shell with it. */
  #endOf(reported: Promise<number>): Promise<Exit> {
    return new Promise((resolve) => {
      if (this.#exit !== null) resolve(this.#exit);
      this.#onExit = resolve;
      void reported.then((status) => resolve({ exit: status, signal: null }));
    });
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
    this.#started.end();
    await this.exited;
    return { ...killed, ended: [...killed.ended, "the shell"] };
  }

  /** Leaves a folder that is gone, and tells which that was. */
  async #whereabouts(home: string): Promise<string | null> {
    if (!this.alive) return null;
    const gone = this.cwd;
    if (existsSync(gone)) return null;
    await this.#endOf(this.#wires.send(`builtin cd -- ${quoted(home)}`, null));
    return gone;
  }
}

/** Later commands of the shell carry the same marker: from here on these are known by themselves. */
function leftBehind({ processes, streams }: Omit<Leftover, "end">): Leftover {
  return { family: { marker: null, seen: processes }, processes, streams, end: () => {} };
}

/** How this process and the shell talk: beside what commands read and write. */
class Wires {
  /** Before each of the shell's own words: whatever else gets there, through a trap, is not from it. */
  readonly mark: string = crypto.randomUUID();
  readonly request: string = takePipe();
  readonly file = new CommandFile();
  readonly report: Channel = new Channel((part) => this.#take(part));
  readonly #requests: number = openSync(this.request, constants.O_RDWR);
  readonly #decoder = new StringDecoder("utf8");
  #received = "";
  #cwd = "";
  #status = 0;
  #sent = 0;
  #done: (status: number) => void = () => {};

  /** Where the shell last said it is. */
  get cwd(): string {
    return this.#cwd;
  }

  /** It was seen to be elsewhere. */
  moved(cwd: string): void {
    if (cwd !== "") this.#cwd = cwd;
  }

  /** The status that it ends with. */
  send(command: string, streams: Streams | null): Promise<number> {
    // It reads up to there: emptying a file first takes longer than all the rest.
    this.file.write(`${command}\0`);
    this.#sent += 1;
    // The shell reads one character at a time.
    const short = (path: string) => (path.startsWith(pipes) ? path.slice(pipes.length) : path);
    const paths = [streams?.stdout.path ?? "/dev/null", streams?.stderr.path ?? "/dev/null"].map(short);
    const done = new Promise<number>((resolve) => {
      this.#done = resolve;
    });
    writeSync(this.#requests, `${this.#sent} ${paths.join(" ")} ${this.#status}\n`);
    return done;
  }

  close(): void {
    closeSync(this.#requests);
    givePipe(this.request);
    this.file.close();
    this.report.close();
  }

  #take(part: Buffer): void {
    const messages = (this.#received + this.#decoder.write(part)).split("\0");
    this.#received = (messages.pop() ?? "").slice(-mostMessage);
    for (const message of messages) {
      const said = message.slice(message.lastIndexOf(this.mark));
      const [, sent, status, cwd] = /^\S+ (\S+) (\d+) (.*)$/s.exec(said) ?? [];
      if (cwd === undefined) continue;
      this.#cwd = cwd;
      if (Number(sent) !== this.#sent) continue;
      this.#status = Number(status);
      this.#done(this.#status);
    }
  }
}

/**
 * What the shell does: it waits for a word, reads the command from a file, runs it with the outputs that the word names, and
 * says how it ended and where it is. `builtin`, for a command may have given these names to functions of its own.
 */
function script({ mark, request, report, file }: Wires): string {
  const say = (sent: string, status: string) => `builtin printf "%s %s %s %s\\0" ${mark} ${sent} ${status} "$PWD"`;
  const steps = [
    // A read that fails must not leave the command before.
    "__assent_text=",
    `IFS= builtin read -r -d "" __assent_text <${quoted(file.path)} || builtin :`,
    "[[ $- != *a* ]] || builtin export -n __assent_sent __assent_out __assent_err __assent_status __assent_text",
    `[[ $__assent_out == /* ]] || __assent_out=${pipes}$__assent_out`,
    `[[ $__assent_err == /* ]] || __assent_err=${pipes}$__assent_err`,
    // What the last command ended with is there for the next one, as in any shell.
    'if [[ $- == *e* || $__assent_status == 0 ]]; then builtin :; else (exit "$__assent_status"); fi',
    'builtin eval "$__assent_text" >"$__assent_out" 2>"$__assent_err" 18<&- 19>&-',
    "__assent_status=$?",
    `${say('"$__assent_sent"', '"$__assent_status"')} >&19`,
  ];
  const told = 'IFS=" " builtin read -r -u 18 __assent_sent __assent_out __assent_err __assent_status';
  // In one line: what is wrong in a command's first line is told of line 1.
  return [
    `exec 18<${quoted(request)} 19>${quoted(report.path)}`,
    "shopt -s expand_aliases",
    `trap -- ${quoted(`${say("left", "0")} >${quoted(report.path)}`)} EXIT`,
    `while ${told}; do ${steps.join("; ")}; done`,
  ].join("; ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
