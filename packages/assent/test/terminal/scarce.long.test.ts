import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const child = fileURLToPath(new URL("scarce-child.ts", import.meta.url));
const onLinux = process.platform === "linux";
const script = 'ulimit -n 200; exec "$0" "$@"';

test.skipIf(!onLinux).each([
  ["a command", "once"],
  ["one that is too long for an argument", "long"],
  ["one with a terminal", "tty"],
  ["a persistent shell", "shell"],
])(
  `%s that there are no descriptors for keeps none${onLinux ? "" : " (skipped: needs /proc of Linux)"}`,
  async (_, how) => {
    const { stdout } = await promisify(execFile)("bash", ["-c", script, process.execPath, child, how]);
    const told: unknown = JSON.parse(stdout);
    const open = expect.arrayContaining([expect.any(Number)]);
    expect(told).toEqual({ open, last: "done" });
    const [first, ...others] = Object(told).open;
    expect(others).toEqual(others.map(() => first));
  },
);
