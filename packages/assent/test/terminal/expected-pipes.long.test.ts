import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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

async function ran(when: string, path = process.env["PATH"]) {
  const temporary = mkdtempSync(join(folder, "tmp-"));
  const env = { ...process.env, TMPDIR: temporary, PATH: path };
  const { stdout } = await promisify(execFile)(process.execPath, [child, when], { env });
  return { stdout, left: () => readdirSync(temporary) };
}

const skipped = onLinux ? "" : " (skipped: needs /proc of Linux)";
const fine = { asked: 1, twice: 1, text: "heard\n", isPipe: true, left: [] };

test.skipIf(!onLinux).each([
  ["a command that comes before they are there waits for them", "now", undefined],
  ["one that comes later finds them, and nothing is left of their names before", "later", undefined],
  ["where they cannot be made, they are made once more", "now", "exit 1"],
  ["where they take too long, they are made once more", "now", "sleep 0.3"],
])(`pipes that are expected: %s${skipped}`, async (name, when, first) => {
  const { stdout } = await ran(when, first === undefined ? undefined : pathWith(name.replaceAll(/\W/g, ""), first));
  expect(JSON.parse(stdout)).toEqual(fine);
});

test.skipIf(!onLinux).each([
  ["a process that ends while they are made leaves nothing of them", undefined],
  ["nor one that ends before they are made", "sleep 0.3"],
])(`pipes that are expected: %s${skipped}`, async (name, first) => {
  const { left } = await ran("never", first === undefined ? undefined : pathWith(name.replaceAll(/\W/g, ""), first));
  expect(left()).toEqual([]);
  // Whoever was to make them does not do so later.
  await sleep(500);
  expect(left()).toEqual([]);
});
