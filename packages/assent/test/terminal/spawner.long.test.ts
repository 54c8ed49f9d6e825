import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Channel } from "../../src/terminal/channel.ts";
import { membersOf } from "../../src/terminal/kill.ts";
import { processOf } from "../../src/terminal/processes.ts";
import { Spawner } from "../../src/terminal/spawner.ts";
import { type Exit, type Started, type Starting, startPlain } from "../../src/terminal/start.ts";
import { until } from "../e2e/product.ts";
import { waitingChild } from "./waiting-child.ts";

const folder = mkdtempSync(join(tmpdir(), "assent-spawner-"));
const env = { ...process.env };
const open: Spawner[] = [];

async function opened(perl?: string, given: NodeJS.ProcessEnv = env): Promise<Spawner> {
  const spawner = new Spawner(given, perl);
  open.push(spawner);
  await until("the spawner is there", () => spawner.idle || !spawner.open || undefined);
  return spawner;
}

let spawner: Spawner;
beforeAll(async () => {
  spawner = await opened();
});
afterAll(() => {
  for (const each of open) each.end();
  rmSync(folder, { recursive: true, force: true });
});

type Way = (starting: Starting) => Promise<Started | null>;
type Ran = { readonly exit: Exit; readonly stdout: string; readonly stderr: string };

function outputs() {
  const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const stdout = Channel.open((part) => parts.stdout.push(Buffer.from(part)));
  const stderr = Channel.open((part) => parts.stderr.push(Buffer.from(part)));
  const text = (name: "stdout" | "stderr") => Buffer.concat(parts[name]).toString("latin1");
  return { stdout, stderr, text };
}

async function started(way: Way, argv: Starting["argv"], more: Partial<Starting> = {}) {
  const { stdout, stderr, text } = outputs();
  const found = await way({ argv, cwd: folder, env, marker: "s/c", stdout, stderr, ...more });
  if (found === null) throw new Error("it was not started this way");
  stdout.closeWriter();
  stderr.closeWriter();
  const ended = found.exited.then(async (exit): Promise<Ran> => {
    await Promise.all([stdout.drained(), stderr.drained()]);
    stdout.close();
    stderr.close();
    return { exit, stdout: text("stdout"), stderr: text("stderr") };
  });
  return { ...found, ended };
}

async function ran(way: Way, argv: Starting["argv"], more: Partial<Starting> = {}): Promise<Ran> {
  return (await started(way, argv, more)).ended;
}

const ways: Readonly<Record<string, Way>> = {
  "the ordinary way": startPlain,
  "the spawner": (starting) => spawner.start(starting),
};

describe.each(Object.entries(ways))("a command that is started by %s", (_, way) => {
  test("ends with its exit code and both outputs", async () => {
    const found = await ran(way, ["bash", "-c", "echo out; echo err >&2; exit 7"]);
    expect(found).toEqual({ exit: { exit: 7, signal: null }, stdout: "out\n", stderr: "err\n" });
  });

  test("tells its signal by its name", async () => {
    for (const [name, number] of Object.entries(constants.signals)) {
      if (["SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH"].includes(name) || /STOP|TSTP|TTIN|TTOU/.test(name)) continue;
      const { pid, ended } = await started(way, ["sleep", "600"]);
      process.kill(pid, number);
      const { exit } = await ended;
      expect([constants.signals[exit.signal as "SIGHUP"], exit.exit], name).toEqual([number, null]);
    }
  });

  test("gets its words as they are, whatever bytes they have", async () => {
    const words = ["", " ", "a\nb", "\u0001\u007f\\'\"$`", "ä €", "=", "-e", "\r\n"];
    const { stdout } = await ran(way, ["printf", "%s|", ...words]);
    expect(Buffer.from(stdout, "latin1").toString("utf8")).toBe(words.map((word) => `${word}|`).join(""));
  });

  test("writes as much as it likes", async () => {
    const { stdout, exit } = await ran(way, ["bash", "-c", "head -c 5000000 /dev/zero | tr '\\0' x"]);
    expect([stdout.length, exit]).toEqual([5_000_000, { exit: 0, signal: null }]);
  });

  test("leads a session and a group without a terminal, reads nothing, and can open its outputs by name", async () => {
    const { stdout, stderr } = await ran(way, [
      "bash",
      "-c",
      "cat; cut -d' ' -f5-7 /proc/$$/stat; echo $$; echo x >/dev/stderr",
    ]);
    const [ids = "", pid = ""] = stdout.split("\n");
    expect([ids, stderr]).toEqual([`${pid} ${pid} 0`, "x\n"]);
  });

  test("can be ended, and what is left of it afterwards cannot", async () => {
    const { pid, end, ended } = await started(way, ["sleep", "600"]);
    expect(processOf(pid)?.name).toBe("sleep");
    end();
    expect((await ended).exit).toEqual({ exit: null, signal: "SIGKILL" });
    end();
  });
});

describe("by the spawner a command gets the same as the ordinary way", () => {
  const same = async (argv: Starting["argv"], more: Partial<Starting> = {}) => {
    const other = more.env === undefined ? spawner : await opened(undefined, more.env);
    const ordinary = await ran(startPlain, argv, more);
    expect(await ran((starting) => other.start(starting), argv, more)).toEqual(ordinary);
    return ordinary.stdout;
  };
  const status = "^(Umask|Uid|Gid|Groups|Sig(Blk|Ign|Cgt)|Shd|Cap|NoNew|Seccomp|Speculation|Cpus_allowed|Mems)";

  test("environment, to the byte and in its order", async () => {
    const odd = { "BASH_FUNC_f%%": "() { echo hi\n}", "no-name": "1", "a b": "2", EMPTY: "", TWO: "a=b\nc", ü: "€" };
    const given = { ...process.env, ...odd, PERL5OPT: "-w", LD_BIND_NOW: "0", GONE: undefined };
    expect(await same(["cat", "/proc/self/environ"], { env: given, marker: "s/1" })).toContain("\0TWO=a=b\nc\0");
    // A marker of another run, in its place, is replaced.
    expect(
      await same(["cat", "/proc/self/environ"], { env: { ASSENT_RUN: "x", PATH: "/bin:/usr/bin" }, marker: "s/2" }),
    ).toBe("ASSENT_RUN=s/2\0PATH=/bin:/usr/bin\0");
  });

  test.each<[string, Starting["argv"]]>([
    ["signals, rights and processors", ["grep", "-E", status, "/proc/self/status"]],
    ["limits", ["cat", "/proc/self/limits"]],
    ["descriptors", ["ls", "/proc/self/fd"]],
    ["how they are open", ["grep", "^flags", "/proc/self/fdinfo/0", "/proc/self/fdinfo/1", "/proc/self/fdinfo/2"]],
    ["input", ["readlink", "/proc/self/fd/0"]],
    ["folder", ["readlink", "/proc/self/cwd"]],
    ["priority", ["nice"]],
    ["command line", ["cat", "/proc/self/cmdline"]],
  ])("%s", async (_, argv) => {
    expect(await same(argv)).not.toBe("");
  });
});

describe("what the spawner does not start", () => {
  test.each<[string, Starting["argv"], Partial<Starting>]>([
    ["a program that is not there", ["/no/such/program"], {}],
    ["one in a folder that is not there", ["true"], { cwd: join(folder, "none") }],
  ])("%s is tried the ordinary way, which says why", async (_, argv, more) => {
    const failing = await opened();
    const { stdout, stderr } = outputs();
    const starting = { argv, cwd: folder, env, marker: "s/c", stdout, stderr, ...more };
    expect(await failing.start(starting)).toBeNull();
    await expect(startPlain(starting)).rejects.toThrow("ENOENT");
    stdout.close();
    stderr.close();
  });

  test.each<[string, Starting["argv"], Partial<Starting>]>([
    ["words that no process can be given", ["echo", "a\0b"], {}],
    ["what is too long for it", ["echo", "x".repeat(40_000)], {}],
    ["a folder that depends on where this process is", ["true"], { cwd: "." }],
    ["what is to have another environment", ["true"], { env: { ...env } }],
  ])("%s", async (_, argv, more) => {
    const { stdout, stderr } = outputs();
    expect(await spawner.start({ argv, cwd: folder, env, marker: "s/c", stdout, stderr, ...more })).toBeNull();
    stdout.close();
    stderr.close();
    expect(spawner.idle).toBe(true);
  });

  test("a second one beside the first", async () => {
    const { end, ended } = await started(ways["the spawner"] as Way, ["sleep", "600"]);
    await expect(ran(ways["the spawner"] as Way, ["true"])).rejects.toThrow("not started this way");
    end();
    await ended;
  });

  test("anything, where there is no perl", async () => {
    const none = await opened("/no/such/perl");
    expect(none.open).toBe(false);
    await expect(ran((starting) => none.start(starting), ["true"])).rejects.toThrow("not started this way");
  });

  test.each<[string, NodeJS.ProcessEnv]>([
    ["a name that is none", { "": "x" }],
    ["more than it takes", { LONG: "x".repeat(40_000) }],
  ])("anything, where the environment has %s: no process is started for that", (_, given) => {
    expect(() => new Spawner(given)).toThrow("cannot be given this environment");
  });

  test("anything, where there is no pipe for its answers; the one for its requests does not stay open", () => {
    const count = () => readdirSync("/proc/self/fd").length;
    const opening = vi.spyOn(Channel, "open").mockImplementation(() => {
      throw new Error("too many open files");
    });
    const before = count();
    for (let tries = 0; tries < 32; tries++) expect(() => new Spawner(env)).toThrow("too many open files");
    opening.mockRestore();
    // Eight are made at once.
    expect(count() - before).toBeLessThanOrEqual(8);
  });

  test("anything, once this process hands on something else", async () => {
    const other = await opened();
    const mask = process.umask(0o77);
    await expect(ran((starting) => other.start(starting), ["true"])).rejects.toThrow("not started this way");
    process.umask(mask);
    await until("it has ended", () => !other.open || undefined);
  });
});

describe("a spawner that is killed", () => {
  test("while its command runs: that runs on to its end, of which nobody knows how it was", async () => {
    const killed = await opened();
    const command = await started((starting) => killed.start(starting), ["bash", "-c", "read -t 0.3 <> <(:); echo on"]);
    process.kill(killed.pid ?? 0, "SIGKILL");
    expect(await command.ended).toEqual({ exit: { exit: null, signal: null }, stdout: "on\n", stderr: "" });
    expect(killed.open).toBe(false);
  });

  test("before it has answered: its command may have been started, and is not started again", async () => {
    const perl = join(folder, "perl");
    // Takes the environment, says that it is there, takes a request and dies.
    const take = "dd bs=65536 count=1 of=/dev/null";
    writeFileSync(perl, `#!/bin/bash\n${take}; printf '\\0\\0\\0\\0'; ${take}; kill -9 $$`, { mode: 0o700 });
    const killed = await opened(perl);
    const command = await started((each) => killed.start(each), ["true"]);
    expect([command.pid, (await command.ended).exit]).toEqual([0, { exit: null, signal: null }]);
  });

  test("before its child has taken the request: it has not started anything", async () => {
    const killed = await opened();
    const child = await waitingChild(killed.pid ?? 0);
    process.kill(child, "SIGSTOP");
    const starting = started((each) => killed.start(each), ["true"]);
    process.kill(killed.pid ?? 0, "SIGKILL");
    await expect(starting).rejects.toThrow("not started this way");
    await until("its child is gone with it", () => (processOf(child)?.state ?? "Z") === "Z" || undefined);
  });

  test("after that: its command runs, and is found", async () => {
    const killed = await opened();
    process.kill(killed.pid ?? 0, "SIGSTOP");
    const starting = started((each) => killed.start(each), ["sleep", "600"], { marker: "s/found" });
    await until("it runs", () => membersOf({ marker: "s/found", seen: [] })[0]);
    process.kill(killed.pid ?? 0, "SIGKILL");
    const { pid, end, ended } = await starting;
    expect(processOf(pid)?.name).toBe("sleep");
    end();
    expect((await ended).exit).toEqual({ exit: null, signal: null });
  });

  test("while it rests: the next command is not given to it", async () => {
    const killed = await opened();
    process.kill(killed.pid ?? 0, "SIGKILL");
    // What its child has taken in that moment may have been started: it is not tried again.
    await until("it is known to be gone", () => !killed.open || undefined);
    await expect(ran((starting) => killed.start(starting), ["true"])).rejects.toThrow("not started this way");
  });
});

describe("a child that is killed before it has taken its request", () => {
  const dead = async (child: number) =>
    until("it is dead", () => ["Z", undefined].includes(processOf(child)?.state) || undefined);

  test("has run nothing, and no other child takes that request", async () => {
    const orphaned = await opened();
    const pid = orphaned.pid ?? 0;
    const child = await waitingChild(pid);
    process.kill(pid, "SIGSTOP");
    process.kill(child, "SIGKILL");
    await dead(child);
    const file = join(folder, "taken-by-another");
    const starting = started((each) => orphaned.start(each), ["touch", file]);
    process.kill(pid, "SIGCONT");
    await expect(starting).rejects.toThrow("not started this way");
    await until("the spawner is gone", () => !orphaned.open || undefined);
    expect(existsSync(file)).toBe(false);
  });

  test("while nothing is wanted: the spawner goes with it, and the next command is not given to it", async () => {
    const orphaned = await opened();
    process.kill(await waitingChild(orphaned.pid ?? 0), "SIGKILL");
    await until("the spawner is gone", () => !orphaned.open || undefined);
    await expect(ran((starting) => orphaned.start(starting), ["true"])).rejects.toThrow("not started this way");
  });
});

describe("a process with a spawner", () => {
  const child = fileURLToPath(new URL("./spawner-child.ts", import.meta.url));
  const isThere = (pid: number) => existsSync(`/proc/${pid}`) && processOf(pid)?.state !== "Z";
  const play = async (...how: readonly string[]) => {
    const running = spawn(process.execPath, [child, ...how], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    running.stdout.on("data", (part) => {
      said += part;
    });
    const ended = new Promise((resolve) => running.once("exit", (code, signal) => resolve(signal ?? code)));
    const pids = await until("it tells the pids", () =>
      said.endsWith("\n") ? said.trim().split(" ").map(Number) : undefined,
    );
    return { running, ended, pids };
  };

  test("ends by itself, for all that an idle one does, and leaves none", async () => {
    const { ended, pids } = await play("idle");
    expect(await ended).toBe(0);
    await until("the spawner is gone", () => !pids.some(isThere) || undefined);
  });

  test("leaves none when it is killed, also while a command runs; that runs on", async () => {
    const { running, ended, pids } = await play("running");
    const [own = 0, command = 0] = pids;
    expect(readFileSync(`/proc/${own}/environ`, "latin1")).not.toContain("ASSENT_RUN");
    running.kill("SIGKILL");
    await ended;
    await until("the spawner is gone", () => !isThere(own) || undefined);
    expect(processOf(command)?.name).toBe("sleep");
    process.kill(command, "SIGKILL");
  });

  test("that exits while a command is about to be started leaves nothing of it", async () => {
    for (let trial = 0; trial < 10; trial++) {
      const { ended, pids } = await play("exiting", String(trial * 100));
      expect(await ended).toBe(0);
      // What was killed is gone in a moment; what was missed would stay.
      const left = () => membersOf({ marker: `spawning-${pids[1]}/c`, seen: [] });
      await until("all of it is gone", () => (left().length === 0 && !pids.some(isThere)) || undefined);
    }
  });
});
