// Copies of the launcher that are started, for tests.
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export const bin = join(import.meta.dirname, "..", "..", "bin");
export const windows = process.platform === "win32";

/** Prints what it was given, and ends with the code in its first argument. */
export const echo = (name: string, exported = "exports.main = ", types = { argv: "", launch: "" }) => `
  ${exported}function main(argv${types.argv}, launch${types.launch}) {
    const { execPath } = process;
    process.stdout.write(JSON.stringify({ name: "${name}", argv, root: launch.root, execPath }));
    return Number(argv[0]);
  }`;

/** A copy of the launcher with these files beside it, two folders deep as in the checkout. */
export function checkout(files: Record<string, string>): string {
  const top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "assent-launcher-")));
  onTestFinished(() => fs.rmSync(top, { recursive: true, force: true }));
  const root = join(top, "packages", "assent");
  fs.cpSync(bin, join(root, "bin"), { recursive: true });
  for (const [name, text] of Object.entries({ "package.json": `{ "type": "module" }`, ...files })) {
    fs.mkdirSync(dirname(join(root, name)), { recursive: true });
    fs.writeFileSync(join(root, name), text);
  }
  return root;
}

export function launch(node: string, root: string, argv: string[] = [], env: NodeJS.ProcessEnv = {}) {
  return run(node, [join(root, "bin", "assent.cjs"), ...argv], env);
}

export function run(file: string, argv: string[], env: NodeJS.ProcessEnv = {}) {
  const cache = { NODE_DISABLE_COMPILE_CACHE: "1", NODE_COMPILE_CACHE: undefined };
  const clean = { ...cache, NODE_OPTIONS: undefined, NODE_V8_COVERAGE: undefined };
  // In a session of its own it has no terminal, whoever runs the tests, and it can be ended together with its children.
  const child = spawn(file, argv, { detached: !windows, env: { ...process.env, ...clean, ...env } });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} did not start`);
  let [stdout, stderr] = ["", ""];
  const ready = new Promise<number>((resolve) => {
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      const said = /^ready (\d+)/m.exec(stdout);
      if (said) resolve(Number(said[1]));
    });
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  let over = false;
  const ended = new Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>(
    (resolve) => {
      child.on("close", (code, signal) => {
        over = true;
        resolve({ code, signal, stdout, stderr });
      });
    },
  );
  onTestFinished(() => {
    if (!over) process.kill(windows ? pid : -pid, "SIGKILL");
  });
  return { pid, ready, ended, type: (keys: string) => child.stdin.write(keys) };
}
