import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const child = fileURLToPath(new URL("expected-child.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "assent-expected-"));
const onLinux = process.platform === "linux";
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In place of mkfifo: what it does the first time it is called. */
function pathWith(name: string, first: string): string {
  const bin = join(folder, name);
  mkdirSync(bin);
  const script = `#!/bin/sh\nif mkdir ${bin}/called 2>/dev/null; then ${first}; fi\nexec /usr/bin/mkfifo "$@"\n`;
  writeFileSync(join(bin, "mkfifo"), script);
  chmodSync(join(bin, "mkfifo"), 0o755);
  return `${bin}:${process.env["PATH"]}`;
}

async function told(when: string, path = process.env["PATH"]): Promise<unknown> {
  const temporary = mkdtempSync(join(folder, "tmp-"));
  const env = { ...process.env, TMPDIR: temporary, PATH: path };
  const { stdout } = await promisify(execFile)(process.execPath, [child, when], { env });
  return JSON.parse(stdout);
}

const fine = { asked: 1, twice: 1, text: "heard\n", isPipe: true, left: [] };

test.skipIf(!onLinux).each([
  ["a command that comes before they are there waits for them", "now", undefined],
  ["one that comes later finds them, and nothing is left of their names before", "later", undefined],
  ["where they cannot be made, they are made once more", "now", "exit 1"],
  ["where they take too long, they are made once more", "now", "sleep 0.5; exit 1"],
])(`pipes that are expected: %s${onLinux ? "" : " (skipped: needs /proc of Linux)"}`, async (name, when, first) => {
  expect(await told(when, first === undefined ? undefined : pathWith(name.replaceAll(/\W/g, ""), first))).toEqual(fine);
});
