import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { scriptedProvider } from "../../src/providers/index.ts";
import { runPlan } from "../../src/runtime/hands.ts";
import {
  type Fact,
  memoryStore,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  type Place,
  type Ports,
  isRunning as runs,
  type SessionHost,
  systemClock,
  type WatchedCall,
} from "../../src/runtime/index.ts";
import { openRedacting } from "../../src/runtime/redaction.ts";
import { openTools } from "../../src/tools/index.ts";
import { until } from "../e2e/product.ts";
import { nobodyAnswers } from "../fixtures/nobody.ts";
import { policy } from "../policy/cautious.ts";
import { verifies } from "../requirements/verifies.ts";
import { type ActingTool, actingTool, eagerTools } from "../tools/eager.ts";

const redacting = openRedacting(() => []);
const top = mkdtempSync(join(tmpdir(), "assent-terminal-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** One session and the tools it has, as a driver would use them. */
class Room {
  readonly id = `session-${Math.random()}`;
  readonly folder = mkdtempSync(join(top, "folder-"));
  readonly facts: Fact[] = [];
  readonly terminal: ActingTool;
  readonly process: ActingTool;
  #place: Place;
  #calls = 0;

  constructor(id?: string) {
    if (id !== undefined) this.id = id;
    const tools = eagerTools({ folder: join(top, "spilled") });
    this.terminal = actingTool(tools, "terminal");
    this.process = actingTool(tools, "process");
    this.#place = { session: this.id, cwd: this.folder, terminal: { state: "never" }, seen: [] };
  }

  plan(given: object, tool = this.terminal) {
    return tool.hands.plan(JSON.stringify(given), this.#place);
  }

  run(plan: ReturnType<Room["plan"]>, tool = this.terminal, signal = new AbortController().signal) {
    return runPlan(plan, tool.hands, this.#watched(signal));
  }

  keep(command: string) {
    return this.run(this.plan({ command, persistent: true }));
  }

  tell(fact: Fact): void {
    this.facts.push(fact);
    if (fact.type !== "terminal") return;
    const { state, cwd } = fact;
    const terminal =
      state === "opened"
        ? ({ state: "open", cwd } as const)
        : ({ state: "closed", cwd, lost: state === "lost" } as const);
    this.#place = { ...this.#place, terminal };
  }

  close(...kept: readonly string[]) {
    return this.terminal.hands.close?.(this.id, kept);
  }

  #watched(signal: AbortSignal): WatchedCall {
    this.#calls += 1;
    return {
      ...{ session: this.id, call: `c${this.#calls}`, signal, attended: false },
      onOutput: () => {},
      tell: (fact) => this.tell(fact),
      ...nobodyAnswers,
      lend: null,
    };
  }
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("what is judged", () => {
  verifies("APPR-6a", "for one persistent shell does not run in another", async () => {
    const room = new Room();
    await room.keep("cd /; mark=first");
    const judged = room.plan({ command: "echo $mark", persistent: true });
    expect(judged).toMatchObject({ cwd: "/", more: { shell: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
    await room.keep("exit");
    await room.keep("mark=second");
    expect(room.plan({ command: "echo $mark", persistent: true })).not.toEqual(judged);
    expect(await room.run(judged)).toEqual({
      type: "error",
      text: "the persistent shell has ended since this was judged; send the command again",
    });
    await room.close();
  });

  verifies("APPR-6a", "names the folder that the persistent shell is in, wherever it has gone", async () => {
    const room = new Room();
    await room.keep("mkdir -p a/b; cd a/b");
    expect(room.plan({ command: "pwd", persistent: true }).cwd).toBe(join(room.folder, "a/b"));
    expect(await room.keep("pwd")).toMatchObject({ text: `${join(room.folder, "a/b")}\n`, exit: 0 });
    await room.close();
  });
});

describe("a persistent shell that is lost", () => {
  verifies("TERM-4", "opens again where it was, and one that was closed where the session is", async () => {
    const room = new Room();
    await room.keep("mkdir there; cd there; kill -9 $$");
    expect(room.facts.at(-1)).toEqual({ type: "terminal", state: "lost", cwd: room.folder });
    await room.keep("cd there");
    await room.keep("exit 3");
    expect(room.facts.at(-1)).toEqual({ type: "terminal", state: "lost", cwd: join(room.folder, "there") });
    expect(await room.keep("pwd")).toMatchObject({ cwd: join(room.folder, "there") });
    await room.run(room.plan({ close: true }));
    expect(await room.keep("pwd")).toMatchObject({ cwd: room.folder });
    await room.close();
  });

  test("opens where the session is when its folder is gone, too", async () => {
    const room = new Room();
    await room.keep("mkdir there; cd there");
    await room.keep("exit");
    rmSync(join(room.folder, "there"), { recursive: true });
    expect(await room.keep("pwd")).toMatchObject({ cwd: room.folder, exit: 0 });
    await room.close();
  });
});

describe("files that a command changes", () => {
  verifies("STATE-4b", "are found, also those of a shell that has gone elsewhere, and old ones are not", async () => {
    const room = new Room();
    writeFileSync(join(room.folder, "old"), "");
    const elsewhere = mkdtempSync(join(top, "elsewhere-"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const made = await room.run(room.plan({ command: "mkdir -p d; echo > d/new; echo > 'with space'" }));
    expect(made.files).toEqual(["d/new", "with space"]);
    await room.keep(`cd '${elsewhere}'`);
    expect(await room.keep("echo > there; ls")).toMatchObject({
      files: expect.arrayContaining([join(elsewhere, "there")]),
    });
    await room.close();
  });

  verifies("STATE-4b", "are not all looked for where there are too many, and that is said", async () => {
    const room = new Room();
    const result = await room.run(room.plan({ command: "mkdir many; cd many; touch $(seq 1 5000)" }));
    expect(result).toMatchObject({ more_files: true, exit: 0 });
    expect(result.files?.length).toBeLessThanOrEqual(200);
    await room.close();
  });
});

/** A session whose process died while a call ran, and a host that may take it over. */
async function crashed(id: string): Promise<SessionHost> {
  let dead = false;
  const store = memoryStore(({ pid }) => pid === 2 || !dead);
  const reply = { calls: [{ tool: "terminal", arguments: { command: "echo a" }, id: "c1" }] };
  const open = (pid: number, tools: Ports["tools"]) =>
    openHost({
      ...{
        journal: openMemoryJournal(store),
        secrets: openVolatileSecrets(),
        grants: openVolatileGrants(),
        policy,
        clock: systemClock,
        tools,
        runs,
      },
      ...{ holder: { pid, started: "1", boot: "", host: String(pid) }, newId: () => id, context: () => "" },
      ...{ expiryMs: null, softOffers: "off" },
      provider: scriptedProvider({ replies: [reply], name: "test", clock: systemClock }),
    });
  const { hands, ...terminal } = actingTool(eagerTools(), "terminal");
  let started = false;
  const run = () => {
    started = true;
    return new Promise<never>(() => {});
  };
  const first = open(1, [{ ...terminal, hands: { plan: hands.plan, run } }]);
  first.create({ cwd: top, limits: {} });
  const acting = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;
  first.submit(id, { type: "prompt", text: "go", delivery: "now", entry: "submitted", ...acting });
  first.hold(id, { unattended: () => null });
  await until("its command runs", () => started || undefined);
  dead = true;
  return open(2, openTools({ shell: "bash", folder: join(top, "spilled"), hidden: [], pty: false, redacting }));
}

describe("what a process that died left running", () => {
  verifies("TERM-5", "is known to the next one, which can end it", async () => {
    const first = new Room();
    await first.run(first.plan({ command: "setsid sleep 300 >/dev/null 2>&1 & echo $!" }));
    const started = first.facts.find((fact) => fact.type === "process" && fact.state === "started");
    if (started?.type !== "process" || started.state !== "started") throw new Error("nothing was told");
    const next = new Room(first.id);
    const { process, pid, since, command } = started;
    const gone = { process: "1234567", pid: 1_234_567, since: 1, command: "gone" };
    const another = { process: "1", pid: 1, since: 1, command: "another with that pid" };
    const left = { process, pid, since, command };
    expect([left, gone, another].filter(runs)).toEqual([left]);
    next.terminal.hands.adopt?.({ session: next.id, processes: [left], tell: (fact) => next.tell(fact) });
    const list = await next.run(next.plan({ operation: "list" }, next.process), next.process);
    expect(list.text).toMatch(new RegExp(`^${pid} .*sleep 300`));
    expect((await next.run(next.plan({ operation: "read", process }, next.process), next.process)).text).toContain(
      "lost",
    );
    await next.run(next.plan({ operation: "kill", process }, next.process), next.process);
    expect(isRunning(pid)).toBe(false);
    expect(next.facts).toEqual([{ type: "process", state: "ended", process }]);
    await Promise.all([first.close(), next.close()]);
  });

  test("in a call that nobody saw end goes with the session", async () => {
    const id = `session-${Math.random()}`;
    const orphan = spawn("sleep", ["300"], { env: { ...process.env, ASSENT_RUN: `${id}/c1` }, detached: true });
    const room = new Room(id);
    room.terminal.hands.adopt?.({ session: id, processes: [], tell: () => {} });
    await room.close();
    await until("it is gone", () => orphan.signalCode ?? undefined);
  });

  test("in a call that nobody saw end goes with the session, though whoever took it over did nothing else", async () => {
    const id = `session-${Math.random()}`;
    const orphan = spawn("sleep", ["300"], { env: { ...process.env, ASSENT_RUN: `${id}/c1` }, detached: true });
    const host = await crashed(id);
    const hold = host.hold(id, { unattended: () => null });
    await hold.release();
    await until("it is gone", () => orphan.signalCode ?? undefined);
  });

  test("and has ended before it could be adopted is told of as ended", async () => {
    const room = new Room();
    const gone = { process: "1234567", pid: 1_234_567, since: 1, command: "gone" };
    room.terminal.hands.adopt?.({ session: room.id, processes: [gone], tell: (fact) => room.tell(fact) });
    expect(room.facts).toEqual([{ type: "process", state: "ended", process: "1234567" }]);
    await room.close();
  });
});

test("a process that ends by an error takes with it what it has started", async () => {
  const program = join(top, "ends.mjs");
  const [tools, redaction] = ["tools/index.ts", "runtime/redaction.ts"].map((file) =>
    join(import.meta.dirname, "../../src", file),
  );
  writeFileSync(
    program,
    `import { openRedacting } from ${JSON.stringify(redaction)};
     import { openTools } from ${JSON.stringify(tools)};
     const redacting = openRedacting(() => []);
     const tools = openTools({ shell: "bash", folder: ${JSON.stringify(top)}, hidden: [], pty: false, redacting });
     const place = { session: "ends", cwd: ${JSON.stringify(top)}, terminal: { state: "never" }, seen: [] };
     const hands = await tools.find(({ name }) => name === "terminal").hands();
     const plan = hands.plan(JSON.stringify({ command: "trap '' TERM; echo $$ > left; sleep 301 & wait" }), place);
     hands.run(plan, { session: "ends", call: "c1", signal: new AbortController().signal, onOutput() {},
       attended: false, tell() {}, ask: async () => null });
     process.on("message", () => { throw new Error("on purpose"); });`,
  );
  const child = spawn(process.execPath, ["--conditions=assent-source", program], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const file = join(top, "left");
  const pid = await until("it runs", () =>
    existsSync(file) ? Number(readFileSync(file, "utf8")) || undefined : undefined,
  );
  child.send("now");
  await until("it is gone", () => child.exitCode ?? undefined);
  await until("so is what it has started", () => !isRunning(pid) || undefined);
});

test("a bystander that holds what a command holds, too, is none of its processes", async () => {
  const bystander = spawn("bash", ["-c", "exec 3</proc/loadavg 4</dev/null; sleep 999 & wait"], {
    detached: true,
    stdio: "ignore",
  });
  const room = new Room();
  const result = await room.run(room.plan({ command: "sleep 300 >/dev/null & echo done" }));
  expect(result.text).toMatch(/^done\n\[runs on in the background: (?:sleep|bash) \(\d+\);/);
  await room.close();
  expect(isRunning(bystander.pid ?? 0)).toBe(true);
  process.kill(-(bystander.pid ?? 0), "SIGKILL");
});
