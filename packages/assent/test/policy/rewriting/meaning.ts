/** Whether a rewrite means the same, seen by running it: a harmless program must be called with the same words. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedOf } from "./form.ts";
import { type Rewritten, rewrite, rewritingOf } from "./index.ts";

/** What needs programs that are not on every machine, ends in another folder, or is written somewhere. */
const notRun = new Set([
  ...[
    "a program by its path",
    "wrapped",
    "wrapped again",
    "by parallel",
    "by a program that starts a shell",
    "by an interpreter",
  ],
  ...[
    "by a wrapped shell",
    "a detour in a path",
    "a detour in a target",
    "decoded",
    "written, then run",
    "in a coprocess",
  ],
  ...[
    "after another command",
    "in a pipe",
    "in a background shell",
    "worked out by a program",
    "opened apart",
    "redirected",
  ],
  ...[
    "substituted in a word",
    "in a branch",
    "comments and blank lines",
    "by a shell",
    "by a shell again",
    "a program by a pattern",
  ],
  ...["printed by a program", "far away", "a script that changes", "after what does not end it"],
  ...["in a place that is overlooked"],
]);

const seeds = [
  "probe -rf build",
  "probe 777 'a b' x",
  "probe -x 'say \"it\" for $5'",
  "echo hi | probe ./f",
  "A=1 probe é",
].map(seedOf);
const expected = ["<-rf><build>", "<777><a b><x>", '<-x><say "it" for $5>', "<./f>", "<é>"];

/** Those of so many rewrites that called the program otherwise, or not at all. */
export function changedMeanings(wanted: number): readonly Rewritten[] {
  const folder = mkdtempSync(join(tmpdir(), "assent-rewriting-"));
  const calls = join(folder, "calls");
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "work"));
  const probe = `#!/bin/bash\nprintf '<%s>' "$@" >> '${calls}'\necho >> '${calls}'\n`;
  writeFileSync(join(folder, "bin", "probe"), probe, { mode: 0o755 });
  const env = { PATH: `${folder}/bin:/usr/bin:/bin`, HOME: folder, USER: "dev", LANG: "C.UTF-8" };
  const changed: Rewritten[] = [];
  for (let number = 0, run = 0; run < wanted; number++) {
    const rewritten = rewrite(rewritingOf(number, seeds));
    if (rewritten.steps.length === 0 || rewritten.steps.some((step) => notRun.has(step))) continue;
    run++;
    writeFileSync(calls, "");
    spawnSync("bash", ["-c", `${rewritten.command}\nwait`], { cwd: join(folder, "work"), env, timeout: 5_000 });
    const called = readFileSync(calls, "utf8").split("\n");
    if (!called.includes(expected[number % seeds.length] ?? "")) changed.push(rewritten);
  }
  rmSync(folder, { recursive: true });
  return changed;
}
