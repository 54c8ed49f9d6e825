import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { suggestion, UsageError } from "./flags.ts";

/** Where the package lies, told by the launcher. */
export type Launch = { readonly root: string };

const usage = `usage: assent <command>

  run [prompt]           does one exchange and exits; without a prompt, reads it from stdin
  resume <session>       goes on with an exchange that was interrupted, or watches one that another process works on
  sessions               lists all sessions
  pending                lists all questions that wait for an answer
  answer <id> <reply>    answers one of them
  stop <session>         ends the open exchange of a session; --kill also ends what runs
  demo                   plays a scripted model against real tools in a temporary folder
  help                   this text (also --help, -h)
  version                the version (also --version, -v)

run and resume:
  --model <model>        the model; so far only scripted:<file>, or ASSENT_MODEL
  --json                 prints every recorded event as a line of JSON, and nothing else, on stdout
  --unattended <what>    what becomes of a question: deny (told to the model), park (exit 4, answer later) or abort;
                         deny when there is no terminal to ask on
run:
  --session <session>    goes on in that session; --continue in the newest one of this folder
  --max-turns <n>        model replies before you are asked whether to go on: a number or "unlimited" (25)
  --max-iterations <n>   iterations of a run (25)
  --cwd <folder>         the folder to work in
  --expire <seconds>     how long a question stays open; as long as it takes unless given (also for resume)

--json also works with sessions and pending. A session is named by its id, the beginning of its id, or its name.

Exit codes, the first that fits: 2 wrong usage; 4 parked, a question waits; 130 stopped (143, 129 by signal);
5 a limit was reached; 1 failed; 3 cancelled, or something was refused or unanswered; 0 done.
Sessions are kept in ASSENT_HOME, or in the folder for your data (~/.local/share/assent).
`;

type Command = (argv: readonly string[]) => Promise<number>;

/** Each command loads what it needs, when it is asked for. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import("./run.ts")).run,
  resume: async () => (await import("./resume.ts")).resume,
  sessions: async () => (await import("./list.ts")).sessions,
  pending: async () => (await import("./list.ts")).questions,
  answer: async () => (await import("./answer.ts")).answer,
  stop: async () => (await import("./stop.ts")).stop,
};

export async function main(argv: readonly string[], { root }: Launch): Promise<number> {
  const [command = "help", ...rest] = argv;
  // What follows an exchange has work to end first.
  if (!["run", "resume", "demo"].includes(command)) process.stdout.on("error", outputFailed);
  const options = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (options.includes("--help") || options.includes("-h")) return print(usage);
  try {
    return await start(command, rest, root);
  } catch (error) {
    if (error instanceof UsageError) return misused(error.message);
    if (error instanceof Error && error.name === "JournalError") return failed(error.message);
    throw error;
  }
}

async function start(command: string, rest: readonly string[], root: string): Promise<number> {
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (load !== undefined) return (await load())(rest);
  switch (command) {
    case "demo": {
      const { demo } = await import("./demo.ts");
      return demo(join(root, "demo", "script.jsonl"), rest);
    }
    case "help":
    case "--help":
    case "-h":
      return print(usage);
    case "version":
    case "--version":
    case "-v":
      return print(`${manifest.version}\n`);
    default: {
      const known = [...Object.keys(commands), "demo", "help", "version"];
      // As JSON: what was typed may hold characters that a terminal obeys.
      throw new UsageError(`unknown command ${JSON.stringify(command)}${suggestion(command, known)}`);
    }
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function misused(problem: string): number {
  process.stderr.write(`assent: ${problem}\nassent help tells how it is used\n`);
  return 2;
}

function failed(problem: string): number {
  process.stderr.write(`assent: ${problem}\n`);
  return 1;
}

/** A reader that has seen enough ends the program as it ends others; anything else is told in a line. */
function outputFailed(error: Error): never {
  if ("code" in error && error.code === "EPIPE") process.exit(141);
  process.stderr.write(`assent: cannot write the output: ${error.message}\n`);
  process.exit(1);
}
