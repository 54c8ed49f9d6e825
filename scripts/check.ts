/**
 * `npm run check`: types, lint and dead code beside the fast tests, each on a core of its own. What they say is told when they have
 * ended, one after the other.
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** Real processes, servers and long runs are left to `npm test`. */
const slow = ["**/e2e/**", "**/test/http/**", "**/*.long.test.ts"];

const lanes: readonly (readonly string[])[] = [
  ["tsc -p .", "tsc -p packages/web", "biome check --error-on-warnings .", "knip"],
  [`vitest run --maxWorkers=2 ${slow.map((glob) => `--exclude "${glob}"`).join(" ")}`],
];

/** Stops at the first that fails, as `&&` does. */
async function run(commands: readonly string[]): Promise<{ readonly said: string; readonly failed: boolean }> {
  let said = "";
  for (const command of commands) {
    const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    said += stdout + stderr;
    if (status !== 0) return { said: `${said}${command}: failed\n`, failed: true };
  }
  return { said, failed: false };
}

const results = await Promise.all(lanes.map(run));
for (const { said } of results) process.stdout.write(said);
process.exit(results.some(({ failed }) => failed) ? 1 : 0);
