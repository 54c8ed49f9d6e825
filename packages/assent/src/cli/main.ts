import manifest from "../../package.json" with { type: "json" };
import { readFlags, UsageError } from "./flags.ts";

/** For the launcher, when the command has ended. */
export { settle } from "./tuning.ts";

/** Where the package lies, told by the launcher. */
export type Installed = { readonly root: string };

type Command = (argv: readonly string[], root: string) => number | Promise<number>;

/** What the scripts of `assent completion` ask; nobody types it, and it is listed nowhere. */
const completing = "__complete";

/** Each command loads what it needs, when it is asked for; what it understands is in specs/. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  shell: async () => (await import("./shell.ts")).shell,
  run: async () => (await import("./run.ts")).run,
  resume: async () => (await import("./resume.ts")).resume,
  sessions: async () => (await import("./list.ts")).sessions,
  pending: async () => (await import("./list.ts")).questions,
  answer: async () => (await import("./answer.ts")).answer,
  audit: async () => (await import("./audit.ts")).audit,
  fork: async () => (await import("./fork.ts")).fork,
  stop: async () => (await import("./stop.ts")).stop,
  serve: async () => (await import("./serve.ts")).serve,
  token: async () => (await import("./token.ts")).token,
  flow: async () => (await import("./flow.ts")).runFlow,
  integrations: async () => (await import("./integrations.ts")).integrations,
  policy: async () => (await import("./policy.ts")).policy,
  doctor: async () => (await import("./doctor.ts")).doctor,
  interaction: async () => (await import("./interaction.ts")).interaction,
  replay: async () => (await import("./replay.ts")).replaySessions,
  scenario: async () => (await import("./scenario.ts")).scenario,
  schema: async () => (await import("./schema.ts")).printSchema,
  demo: async () => (await import("./demo.ts")).demo,
  completion: async () => (await import("./completion.ts")).printCompletion,
  help: async () => (await import("./help.ts")).printHelp,
  version: async () => printVersion,
  [completing]: async () => (await import("./complete.ts")).printCompletions,
};

/** The launcher has them too, and knows as well what is the shell: what a command has compiled is kept under its name. */
const otherNames: Readonly<Record<string, string>> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version",
};

export async function main(argv: readonly string[], { root }: Installed): Promise<number> {
  // Without a command, and with flags alone, it is the shell.
  const isShell = argv[0] === undefined || (argv[0].startsWith("--") && !["--help", "--version"].includes(argv[0]));
  const [command = "shell", ...rest] = isShell ? ["shell", ...argv] : argv;
  // What follows an exchange has work to end first.
  const isSetUp = command === "integrations" && rest[0] === "setup";
  const follows = ["shell", "run", "resume", "flow", "demo"].includes(command) || isSetUp;
  if (!follows) process.stdout.on("error", outputFailed);
  try {
    return await start(command, rest, root);
  } catch (error) {
    const [problem, code] = await told(error);
    if (problem === null) throw error;
    // A message may name what others have written; what shows it safely is only loaded for that.
    const { stderr } = await import("./output.ts");
    stderr.write(`assent: ${problem}\n`);
    return code;
  }
}

async function start(typed: string, rest: readonly string[], root: string): Promise<number> {
  const command = Object.hasOwn(otherNames, typed) ? (otherNames[typed] ?? typed) : typed;
  const load = Object.hasOwn(commands, command) ? commands[command] : undefined;
  // Only what does not know its command, or is asked to tell of it, loads what is known of all of them.
  if (load === undefined) throw (await import("./help.ts")).unknownCommand(command);
  const options = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  const asksHelp = command !== completing && (options.includes("--help") || options.includes("-h"));
  if (asksHelp) return print((await import("./help.ts")).helpForLine(command, rest));
  return (await load())(rest, root);
}

async function printVersion(argv: readonly string[]): Promise<number> {
  if (argv.length > 0) readFlags(argv, (await import("./specs/others.ts")).versionSpec);
  return print(`${manifest.version}\n`);
}

/** What is nobody's fault in here, in one line, with its exit code; anything else is a bug, and is shown whole. */
async function told(error: unknown): Promise<readonly [problem: string | null, code: number]> {
  if (!(error instanceof Error)) return [null, 1];
  if (error instanceof UsageError) return [error.message, 2];
  if (error.name === "JournalError") return [(await import("../show/index.ts")).failureFor(error), 1];
  if (["GrantsError", "OutputError"].includes(error.name)) return [error.message, 1];
  const noFolder = "syscall" in error && error.syscall === "uv_cwd";
  return noFolder ? ["the folder you are in does not exist any more", 1] : [null, 1];
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** A reader that has seen enough ends the program as it ends others; anything else is told in a line. */
function outputFailed(error: Error): never {
  if ("code" in error && error.code === "EPIPE") process.exit(141);
  process.stderr.write(`assent: cannot write the output: ${error.message}\n`);
  process.exit(1);
}
