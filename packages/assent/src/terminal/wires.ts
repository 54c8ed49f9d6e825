import { closeSync, constants, openSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { ShellFacts } from "../runtime/ports.ts";
import { Channel, dropPipe, orUndo, takePipe } from "./channel.ts";
import { CommandFile } from "./command-file.ts";
import { Defined } from "./defined.ts";
import type { Streams } from "./streams.ts";

/** Where pipes are, on Linux. */
const pipes = `/proc/${process.pid}/fd/`;
/** Of what comes without an end, this much may be the beginning of something. */
const mostMessage = 64 * 1024;

/** How this process and the shell talk: beside what commands read and write. */
export class Wires {
  /** Before each of the shell's own words: whatever else gets there, through a trap, is not from it. */
  readonly mark: string = crypto.randomUUID();
  /** What closes all that was opened, in its order. */
  readonly #closing: (() => void)[] = [];
  // A word that nobody has read may be left in it.
  readonly request: string = this.#opened(takePipe, dropPipe);
  readonly file: CommandFile = this.#opened(
    () => new CommandFile(),
    (file) => file.close(),
  );
  readonly report: Channel = this.#opened(
    () => Channel.open((part) => this.#take(part)),
    (report) => report.close(),
  );
  readonly defined: Defined = this.#opened(
    () => new Defined(this.mark, ownTrap(this)),
    (defined) => defined.close(),
  );
  readonly #requests: number = this.#opened(() => openSync(this.request, constants.O_RDWR), closeSync);
  readonly #decoder = new StringDecoder("utf8");
  #received = "";
  #cwd = "";
  #status = 0;
  #sent = 0;
  #answered = 0;
  #done: (status: number) => void = () => {};

  /** Where the shell last said it is. */
  get cwd(): string {
    return this.#cwd;
  }

  /** What it has defined after what was sent last; while that runs, nobody knows. */
  facts(): ShellFacts | null {
    return this.#answered !== this.#sent ? null : this.defined.after(this.#sent);
  }

  /** It was seen to be elsewhere. */
  moved(cwd: string): void {
    if (cwd !== "") this.#cwd = cwd;
  }

  /** The status that it ends with. */
  send(command: string, streams: Streams | null): Promise<number> {
    // It reads up to there: emptying a file first takes longer than all the rest.
    this.file.write(`${command}\0`);
    // A shell that still speaks of itself would not listen.
    this.defined.hear(this.#sent);
    this.#sent += 1;
    // The shell reads one character at a time.
    const short = (path: string) => (path.startsWith(pipes) ? path.slice(pipes.length) : path);
    const paths = [streams?.stdout.path ?? "/dev/null", streams?.stderr.path ?? "/dev/null"].map(short);
    const done = new Promise<number>((resolve) => {
      this.#done = resolve;
    });
    writeSync(this.#requests, `${this.#sent} ${paths.join(" ")} ${this.#status} ${this.defined.how}\n`);
    return done;
  }

  close(): void {
    // Each once: a shell may be left first and end later, and by then its descriptors may be another's.
    for (const each of this.#closing.splice(0).reverse()) each();
  }

  /** Where one thing cannot be had, none is kept. */
  #opened<T>(open: () => T, close: (opened: T) => void): T {
    const opened = orUndo(open, () => this.close());
    this.#closing.push(() => close(opened));
    return opened;
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
      this.#answered = this.#sent;
      this.#status = Number(status);
      this.#done(this.#status);
    }
  }
}

/** Its last word, whatever ends it. */
function ownTrap({ mark, report }: Pick<Wires, "mark" | "report">): string {
  return `${say(mark, "left", "0")} >${quoted(report.path)}`;
}

function say(mark: string, sent: string, status: string): string {
  return `builtin printf "%s %s %s %s\\0" ${mark} ${sent} ${status} "$PWD"`;
}

/**
 * What the shell does: it waits for a word, reads the command from a file, runs it with the outputs that the word names, and
 * says how it ended, where it is and what it has defined. `builtin`, for a command may have given these names to functions of
 * its own; and where it has given that very name away, the shell ends (`sure`).
 */
export function script(wires: Wires): string {
  const { mark, request, report, file, defined } = wires;
  const steps = [
    // A read that fails must not leave the command before.
    "__assent_text=",
    `IFS= builtin read -r -d "" __assent_text <${quoted(file.path)} || builtin :`,
    `[[ $- != *a* ]] || builtin export -n ${ownNames.map((name) => `__assent_${name}`).join(" ")}`,
    `[[ $__assent_out == /* ]] || __assent_out=${pipes}$__assent_out`,
    `[[ $__assent_err == /* ]] || __assent_err=${pipes}$__assent_err`,
    // What the last command ended with is there for the next one, as in any shell.
    'if [[ $- == *e* || $__assent_status == 0 ]]; then builtin :; else (exit "$__assent_status"); fi',
    'builtin eval "$__assent_text" >"$__assent_out" 2>"$__assent_err" 18<&- 19>&- 20>&-',
    "__assent_status=$?",
  ];
  const between = [
    `${say(mark, '"$__assent_sent"', '"$__assent_status"')} >&19`,
    defined.script,
    'IFS=" " builtin read -r -u 18 __assent_sent __assent_out __assent_err __assent_status __assent_how',
  ];
  // In one line: what is wrong in a command's first line is told of line 1.
  return [
    `exec 18<${quoted(request)} 19>${quoted(report.path)} 20>${quoted(defined.path)}`,
    "shopt -s expand_aliases",
    `trap -- ${quoted(ownTrap(wires))} EXIT`,
    ...sure,
    `__assent_sent=0 __assent_status=0 __assent_how=whole`,
    `while ${isSure} && { ${between.join("; ")}; }; do ${steps.join("; ")}; done`,
  ].join("; ");
}

const ownNames = ["sent", "out", "err", "status", "text", "how", "proof", "whole"];

/**
 * Whether `builtin` still is what it was. Inside a function at the deepest level allowed, a function of that name would be one
 * too deep, which ends the shell; a program of that name cannot set a variable.
 */
const sure = [
  '__assent_sure() { [[ $FUNCNEST == 1 ]] && builtin printf -v __assent_proof "%s" sure; }',
  "readonly -f __assent_sure",
];
const isSure = "__assent_proof=; FUNCNEST=1 __assent_sure; [[ $__assent_proof == sure ]]";

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
