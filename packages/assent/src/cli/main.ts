import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

/** Where the package lies, told by the launcher. */
export type Launch = { readonly root: string };

const usage = `usage: assent <command>

  demo        plays a recorded example session: a run, an approval, its end
  --help      this text
  --version   the version

The shell, \`assent run\` and the other commands are not built yet; see CHANGELOG.md.
`;

export async function main(argv: readonly string[], { root }: Launch): Promise<number> {
  const [command = "--help", ...rest] = argv;
  if (rest.length > 0) return misused(`${command} takes no arguments, found ${rest.join(" ")}`);
  switch (command) {
    case "demo": {
      // Each command loads what it needs, when it is asked for.
      const { demo } = await import("./demo.ts");
      return demo(join(root, "demo", "session.jsonl"), process.stdout);
    }
    case "--help":
    case "-h":
    case "help":
      process.stdout.write(usage);
      return 0;
    case "--version":
      process.stdout.write(`${manifest.version}\n`);
      return 0;
    default:
      return misused(`unknown command ${command}`);
  }
}

function misused(problem: string): number {
  process.stderr.write(`assent: ${problem}\n${usage}`);
  return 2;
}
