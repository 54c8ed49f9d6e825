import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ToolResult } from "../../../src/core/index.ts";
import { eventually, Room } from "./room.ts";
import type { Expected, Row, Step } from "./row.ts";

/** A text longer than this is a flood that went through. */
const mostText = 256 * 1024;
/** A file of spilled output that is longer than this has no cap. */
const mostSpilled = 128 * 1024 * 1024;
/** What this process may grow by while a hundred megabytes and more go through. */
const mostGrowth = 128 * 1024 * 1024;
const programs = join(import.meta.dirname, "programs");

/** Tries one row and says what was not as expected; in the end nothing of it is left. */
export async function tryRow(row: Row): Promise<readonly string[]> {
  const room = new Room(row.attended);
  const failures: string[] = [];
  const texts: string[] = [];
  const memory = row.floods ? watchMemory() : null;
  try {
    for (const [index, step] of row.steps.entries()) {
      const found = await tryStep(room, step, texts);
      failures.push(...found.map((failure) => `step ${index + 1}: ${failure}`));
    }
  } catch (error) {
    failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  failures.push(...(memory?.() ?? []), ...unsaid(room, texts));
  const closing = room.close({ escapes: row.escapes === true });
  return [...failures, ...(await closing)];
}

async function tryStep(room: Room, step: Step, texts: string[]): Promise<readonly string[]> {
  switch (step.type) {
    case "terminal": {
      const result = await callTerminal(room, step);
      texts.push(result.text);
      return [...check(room, result, step.expected), ...(await checkLeft(room, step.expected))];
    }
    case "process":
      return askProcess(room, step);
    case "told": {
      const { state } = step;
      const isTold = () => room.facts.some((fact) => fact.type === "process" && fact.state === state);
      return (await eventually(isTold)) ? [] : [`expected to be told of a process that ${state}, came no such fact`];
    }
    default:
      return step satisfies never;
  }
}

async function callTerminal(room: Room, step: Extract<Step, { type: "terminal" }>): Promise<ToolResult> {
  const { type: _type, expected: _expected, stop, cwd, command, ...flags } = step;
  const controller = new AbortController();
  if (stop === "before") controller.abort("stopped");
  const given = { ...(command === undefined ? {} : { command: fill(room, command) }), ...flags };
  const where = cwd === undefined ? {} : { cwd: fill(room, cwd) };
  const pending = room.call("terminal", given, { signal: controller.signal, ...where });
  if (stop === "ready" || stop === "told") {
    const isSo = await Promise.race([
      eventually(() => existsSync(join(room.here, stop))),
      pending.then(
        () => false,
        () => false,
      ),
    ]);
    controller.abort("stopped");
    const { text } = await pending;
    if (!isSo) throw new Error(`expected that the program says ${stop} before it ends, came ${shorten(text)}`);
  }
  return pending;
}

async function askProcess(room: Room, step: Extract<Step, { type: "process" }>): Promise<readonly string[]> {
  const { type: _type, expected, process: which, ...rest } = step;
  const given = { ...rest, ...(which === undefined ? {} : { process: room.newest() }) };
  let failures: readonly string[] = [];
  for (let tries = 0; tries < 100; tries++) {
    failures = check(room, await room.call("process", given), expected);
    if (failures.length === 0 || step.operation === "kill") break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return failures;
}

function check(room: Room, result: ToolResult, expected: Expected): readonly string[] {
  const { text } = result;
  const came = `came ${shorten(JSON.stringify(result))}`;
  const wrong: string[] = [];
  const must = (holds: boolean, what: string) => holds || wrong.push(`expected ${what}, ${came}`);
  must(expected.type === undefined || result.type === expected.type, `type ${expected.type}`);
  must(isExit(result.exit, expected.exit), `exit ${String(expected.exit)}`);
  must(expected.signal === undefined || result.signal === expected.signal, `signal ${expected.signal}`);
  must(expected.cwd === undefined || result.cwd === fill(room, expected.cwd), `cwd ${expected.cwd}`);
  for (const part of expected.says ?? []) must(has(room, text, part), `a text with ${part}`);
  for (const part of expected.lacks ?? []) must(!has(room, text, part), `a text without ${part}`);
  must(text.isWellFormed(), "a well-formed text");
  must(text.length <= mostText, `a text of at most ${mostText}, of ${text.length}`);
  for (const name of expected.untouched ?? []) must(!existsSync(join(room.here, name)), `no file ${name}`);
  if (expected.spills) wrong.push(...spillFaults(room, text));
  if (expected.background)
    must(isTold(room, text), `to be told of one of ${room.pids()} in the background, and a text that says so`);
  return wrong;
}

async function checkLeft(room: Room, { nothingLeft }: Expected): Promise<readonly string[]> {
  // What was killed may take a moment to be gone, but no other call and no closing.
  if (!nothingLeft || (await eventually(() => room.reported().length === 0, 3_000))) return [];
  return [`expected nothing left when it returned, came ${room.reported().length} of ${room.pids().length}`];
}

/** A shell that is not the one of before is told of in words (TERM-4). */
function unsaid(room: Room, texts: readonly string[]): readonly string[] {
  const opened = room.facts.filter((fact) => fact.type === "terminal" && fact.state === "opened");
  if (opened.length <= 1 || texts.some((text) => /shell/i.test(text))) return [];
  return ["expected a text that says that the shell was opened again, came none"];
}

function isTold(room: Room, text: string): boolean {
  const pids = room.pids();
  const isKnown = room.facts.some(
    (fact) => fact.type === "process" && fact.state === "started" && pids.includes(fact.pid),
  );
  return isKnown && /background/i.test(text);
}

function isExit(exit: number | undefined, expected: Expected["exit"]): boolean {
  if (expected === undefined) return true;
  if (expected === "none") return exit === undefined;
  return typeof expected === "number" ? exit === expected : exit !== undefined && expected.includes(exit);
}

/** All output is in a file for the agent alone, which the text names and which has an end (TERM-3). */
function spillFaults({ spilled }: Room, text: string): readonly string[] {
  const files = readdirSync(spilled, { recursive: true, encoding: "utf8" })
    .map((name) => join(spilled, name))
    .filter((file) => statSync(file).isFile());
  if (!files.some((file) => text.includes(file)))
    return [`expected a text that names one of the files ${files}, came none`];
  return files.flatMap((file) => {
    const { mode, size } = statSync(file);
    const wrong =
      (mode & 0o777) === 0o600 ? [] : [`expected ${file} with mode 600, came ${(mode & 0o777).toString(8)}`];
    return size <= mostSpilled ? wrong : [...wrong, `expected ${file} with at most ${mostSpilled} bytes, came ${size}`];
  });
}

/** Looks at memory until it is asked what it saw. */
function watchMemory(): () => readonly string[] {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  return () => {
    clearInterval(timer);
    const growth = most - before;
    return growth <= mostGrowth ? [] : [`expected memory to grow by at most ${mostGrowth} bytes, came ${growth}`];
  };
}

function has(room: Room, text: string, part: string | RegExp): boolean {
  return typeof part === "string" ? text.includes(fill(room, part)) : part.test(text);
}

function fill(room: Room, text: string): string {
  return text
    .replaceAll("@here", room.here)
    .replaceAll("@programs", programs)
    .replaceAll("@node", process.execPath)
    .replaceAll("@session", room.session);
}

function shorten(text: string): string {
  return text.length <= 600 ? text : `${text.slice(0, 400)} … ${text.slice(-200)}`;
}
