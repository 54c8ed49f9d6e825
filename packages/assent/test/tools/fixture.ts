import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import type { SeenFile, ToolResult } from "../../src/core/index.ts";
import { runPlan as runIt } from "../../src/runtime/hands.ts";
import type { Hands, Place, Plan, Tool, WatchedCall } from "../../src/runtime/ports.ts";
import { filesHands } from "../../src/tools/files/hands.ts";
import { filesTools } from "../../src/tools/files/index.ts";
import { nobodyAnswers } from "../fixtures/nobody.ts";

const made: string[] = [];

/** A folder of the test's own, with these files in it; gone afterwards. */
export function folderWith(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "assent-files-")));
  made.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export function makeFifo(...path: string[]): void {
  execFileSync("env", ["mkfifo", join(...path)]);
}

export function removeFolders(): void {
  afterAll(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
}

export function toolNamed(name: string): Tool {
  const tool = filesTools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

function handsOf(tool: string | Hands): Hands {
  if (typeof tool !== "string") return tool;
  const hands = new Map<string, Hands>(Object.entries(filesHands)).get(tool);
  if (hands === undefined) throw new Error(`${tool} has no hands`);
  return hands;
}

export function placeAt(cwd: string, more: Partial<Place> = {}): Place {
  return { session: "s1", cwd, terminal: { state: "never" }, seen: [], ...more } satisfies Place;
}

function watchedBy(signal: AbortSignal = new AbortController().signal): WatchedCall {
  const nobody = { attended: false, tell: () => {}, ...nobodyAnswers, lend: null };
  return { session: "s1", call: "c1", signal, onOutput: () => {}, ...nobody };
}

export function planOf(tool: string | Hands, given: unknown, place: Place): Plan {
  return handsOf(tool).plan(JSON.stringify(given), place);
}

export async function runPlan(tool: string | Hands, plan: Plan, signal?: AbortSignal): Promise<ToolResult> {
  return runIt(plan, handsOf(tool), watchedBy(signal));
}

/** What a call of the tool in this folder gives, planned and run. */
export async function use(
  tool: string | Hands,
  given: unknown,
  cwd: string,
  seen: readonly SeenFile[] = [],
): Promise<ToolResult> {
  return runPlan(tool, planOf(tool, given, placeAt(cwd, { seen })));
}
