import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

/** Where the package lies, told by the launcher. */
export type Launch = { readonly root: string };

const usage = `usage: assent <command>

  demo        plays a recorded example session: a run, an approval, its end
  help        this text (also --help, -h)
  version     the version (also --version, -v)

The shell, \`assent run\` and the other commands are not built yet; see CHANGELOG.md.
`;

export async function main(argv: readonly string[], { root }: Launch): Promise<number> {
  process.stdout.on("error", outputFailed);
  const [command = "help", ...rest] = argv;
  if (rest.includes("--help") || rest.includes("-h")) return print(usage);
  switch (command) {
    case "demo": {
      if (rest.length > 0) return misused(`demo takes no arguments, found ${rest.join(" ")}`);
      // Each command loads what it needs, when it is asked for.
      const { demo } = await import("./demo.ts");
      return demo(join(root, "demo", "session.jsonl"), process);
    }
    case "help":
    case "--help":
    case "-h":
      return print(usage);
    case "version":
    case "--version":
    case "-v":
      return print(`${manifest.version}\n`);
    default:
      // As JSON: what was typed may hold characters that a terminal obeys.
      return misused(`unknown command ${JSON.stringify(command)}`);
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function misused(problem: string): number {
  process.stderr.write(`assent: ${problem}\n${usage}`);
  return 2;
}

/** A reader that has seen enough ends the program as it ends others; anything else is told in a line. */
function outputFailed(error: Error): never {
  if ("code" in error && error.code === "EPIPE") process.exit(141);
  process.stderr.write(`assent: cannot write the output: ${error.message}\n`);
  process.exit(1);
}
