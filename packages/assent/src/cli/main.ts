import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { suggestion, UsageError } from "./flags.ts";
import { commandNames, helpFor, overview } from "./help.ts";

/** Where the package lies, told by the launcher. */
export type Launch = { readonly root: string };

type Command = (argv: readonly string[]) => Promise<number>;

/** Each command loads what it needs, when it is asked for. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import("./run.ts")).run,
  resume: async () => (await import("./resume.ts")).resume,
  sessions: async () => (await import("./list.ts")).sessions,
  pending: async () => (await import("./list.ts")).questions,
  answer: async () => (await import("./answer.ts")).answer,
  stop: async () => (await import("./stop.ts")).stop,
  flow: async () => (await import("./flow.ts")).runFlow,
  policy: async () => (await import("./policy.ts")).policy,
  doctor: async () => (await import("./doctor.ts")).doctor,
  interaction: async () => (await import("./interaction.ts")).interaction,
  schema: async () => (await import("./schema.ts")).printSchema,
};

export async function main(argv: readonly string[], { root }: Launch): Promise<number> {
  const [command = "help", ...rest] = argv;
  // What follows an exchange has work to end first.
  if (!["run", "resume", "flow", "demo"].includes(command)) process.stdout.on("error", outputFailed);
  try {
    return await start(command, rest, root);
  } catch (error) {
    const [problem, code] = told(error);
    if (problem === null) throw error;
    // A message may name what others have written; what shows it safely is only loaded for that.
    const { stderr } = await import("./output.ts");
    stderr.write(`assent: ${problem}\n`);
    return code;
  }
}

async function start(command: string, rest: readonly string[], root: string): Promise<number> {
  const options = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  const known = Object.hasOwn(commands, command) || command === "demo";
  if (known && (options.includes("--help") || options.includes("-h"))) return print(helpFor(command));
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
      return print(rest[0] === undefined ? overview : helpFor(rest[0]));
    case "version":
    case "--version":
    case "-v":
      return print(`${manifest.version}\n`);
    default:
      // As JSON: what was typed may hold characters that a terminal obeys.
      throw new UsageError(`unknown command ${JSON.stringify(command)}${suggestion(command, commandNames)}`);
  }
}

/** What is nobody's fault in here, in one line, with its exit code; anything else is a bug, and is shown whole. */
function told(error: unknown): readonly [problem: string | null, code: number] {
  if (!(error instanceof Error)) return [null, 1];
  if (error instanceof UsageError) return [error.message, 2];
  if (["JournalError", "GrantsError", "OutputError"].includes(error.name)) return [error.message, 1];
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
