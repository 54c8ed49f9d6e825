// What the launcher keeps of what V8 compiled, with real processes and tiny programs.
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { bin, checkout, launch, windows } from "./launched.ts";

vi.setConfig({ testTimeout: 30_000 });

const needsOwners = windows ? " (skipped: needs POSIX)" : "";
const headerBytes = 128;

/** Says its name. */
const named = (name: string) => `exports.main = () => { console.log("${name}"); return 0; };`;

/** A program, how to start it so that it says its name, and what is kept of its processes, in a home of its own. */
function keeping(text = named("bundle")) {
  const root = checkout({ "dist/cli.cjs": text });
  const home = join(root, "home");
  fs.mkdirSync(home);
  const cache = { HOME: home, USERPROFILE: home, NODE_DISABLE_COMPILE_CACHE: undefined };
  const start = async (argv = ["run"], env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const { stdout, stderr, code } = await launch(process.execPath, root, argv, { ...cache, ...env }).ended;
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    return stdout.trim();
  };
  const folder = join(home, ".cache", "assent", "compiled");
  const all = (command = "") =>
    fs.readdirSync(folder).filter((name) => name.startsWith(command) && fs.statSync(join(folder, name)).isFile());
  /** The only file of a command. */
  const kept = (command = "run"): string => {
    const [name = "none", ...more] = all(`${command}-`);
    expect(more).toEqual([]);
    return join(folder, name);
  };
  const change = (other: string) => fs.writeFileSync(join(root, "dist", "cli.cjs"), other);
  return { root, home, folder, start, all, kept, change };
}

test("Compiled code is kept in the home, wherever variables send caches, unless Node is told not to.", async () => {
  const { root, home, folder, start, all } = keeping();
  const env = { XDG_CACHE_HOME: join(root, "cache"), LOCALAPPDATA: join(root, "local") };
  await start(["run"], { ...env, NODE_DISABLE_COMPILE_CACHE: "1" });
  expect(fs.readdirSync(home)).toEqual([]);
  await start(["run"], env);
  expect(all("run-")).toHaveLength(1);
  expect(fs.readdirSync(folder)).toHaveLength(2);
  expect([env.XDG_CACHE_HOME, env.LOCALAPPDATA].filter((place) => fs.existsSync(place))).toEqual([]);
});

test("What a bundle's process has compiled is kept for the next, for its owner alone, until the bundle changes.", async () => {
  const { start, kept, change } = keeping();
  expect(await start()).toBe("bundle");
  const first = kept();
  if (!windows) expect(fs.statSync(first).mode & 0o777).toBe(0o600);
  const { ino } = fs.statSync(first);
  expect(await start()).toBe("bundle");
  expect(fs.statSync(kept()).ino).toBe(ino);
  change(named("another"));
  expect(await start()).toBe("another");
  expect(fs.statSync(kept()).ino).not.toBe(ino);
  expect(await start()).toBe("another");
});

test("Each command has its own, by whichever of its names it is called; what is no command has none.", async () => {
  const { folder, start, all } = keeping();
  for (const [command, ...lines] of [
    ["shell", [], ["--model", "x"]],
    ["help", ["help"], ["--help"], ["-h"]],
    ["version", ["--version"], ["-v"]],
    ["complete", ["__complete", "run", ""]],
    ["sessions", ["sessions"], ["sessions", "--help"]],
    [null, ["what is here"], [""], ["-x"], ["../run"]],
  ] as const) {
    for (const argv of lines) {
      await start([...argv]);
      const names = all().map((name) => name.split("-")[0]);
      expect([argv, names]).toEqual([argv, command === null ? [] : [command]]);
      for (const name of all()) fs.rmSync(join(folder, name));
    }
  }
});

test("Kept code that was damaged, at any place, is made anew.", async () => {
  const { start, kept } = keeping();
  await start();
  const file = kept();
  const whole = fs.readFileSync(file);
  for (const place of [0, 5, headerBytes - 1, headerBytes, headerBytes + 12, whole.length >> 1, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[place] = (damaged[place] ?? 0) ^ 0x10;
    fs.writeFileSync(file, damaged);
    const { ino } = fs.statSync(file);
    const said = await start();
    expect({ place, said, isNew: fs.statSync(file).ino !== ino }).toEqual({ place, said: "bundle", isNew: true });
  }
  fs.writeFileSync(file, whole.subarray(0, 200));
  expect(await start()).toBe("bundle");
  expect(fs.readFileSync(file).length).toBeGreaterThan(200);
});

test("What other versions of Node kept of a command goes, and what was left half written.", async () => {
  const { folder, start, kept, all } = keeping();
  await start();
  const name = basename(kept());
  fs.rmSync(kept());
  for (const old of ["run-v24.0.0-x64", `${name}.12345`, "sessions-v24.0.0-x64"]) {
    fs.writeFileSync(join(folder, old), "old");
  }
  await start();
  expect(all()).toEqual([name, "sessions-v24.0.0-x64"]);
});

test("Where compiled code cannot be kept, the program runs without.", async () => {
  const { folder, start, kept, all } = keeping();
  await start();
  const file = kept();
  fs.rmSync(file);
  fs.mkdirSync(file);
  expect(await start()).toBe("bundle");
  expect(all()).toEqual([]);
  fs.rmSync(folder, { recursive: true });
  fs.writeFileSync(folder, "a file where the folder should be");
  expect(await start()).toBe("bundle");
});

/** The launcher's own part, in this process, for what is hard to bring about with a whole one. */
function openedHere(folder: string) {
  const { openKept } = createRequire(import.meta.url)(join(bin, "kept.cjs"));
  const createCachedData = vi.fn(() => Buffer.from("code"));
  const keep = () => openKept(folder, { command: "run", bytes: Buffer.from("text") }).keep({ createCachedData }, {});
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return { keep, createCachedData };
}

test("Where nothing can be written, V8 is not asked for what it has compiled.", () => {
  const { folder, home } = keeping();
  const { keep, createCachedData } = openedHere(folder);
  keep();
  expect([createCachedData.mock.calls, fs.readdirSync(home)]).toEqual([[], []]);
  fs.mkdirSync(folder, { recursive: true });
  const full = vi.spyOn(createRequire(import.meta.url)("node:fs"), "writeSync").mockImplementation(() => {
    throw new Error("ENOSPC");
  });
  keep();
  expect([createCachedData.mock.calls, fs.readdirSync(folder)]).toEqual([[], []]);
  full.mockRestore();
  keep();
  expect([createCachedData.mock.calls.length, fs.readdirSync(folder).length]).toEqual([1, 1]);
});

test("Who fails to keep anything takes nothing away that another is writing.", () => {
  const { folder } = keeping();
  const { keep, createCachedData } = openedHere(folder);
  fs.mkdirSync(folder, { recursive: true });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const listed: (readonly string[])[] = [];
  createCachedData.mockImplementationOnce(() => {
    listed.push(fs.readdirSync(folder));
    // Another one, to which chance gives the same name.
    keep();
    listed.push(fs.readdirSync(folder));
    return Buffer.from("code");
  });
  keep();
  expect([createCachedData.mock.calls.length, listed.length, listed[1]]).toEqual([1, 2, listed[0]]);
  const [kept = "none", ...more] = fs.readdirSync(folder);
  expect([fs.readFileSync(join(folder, kept)).subarray(headerBytes).toString(), more]).toEqual(["code", []]);
});

/** Puts code of another program in the place of what is kept; whoever takes it does what that program does. */
async function planting() {
  const place = keeping(named("planet"));
  await place.start();
  const planted = fs.readFileSync(place.kept()).subarray(headerBytes);
  place.change(named("bundle"));
  await place.start();
  const file = place.kept();
  const head = JSON.parse(fs.readFileSync(file, "latin1").slice(0, headerBytes));
  const header = JSON.stringify({ ...head, check: crc32(planted) }).padEnd(headerBytes);
  const plant = () => fs.writeFileSync(file, Buffer.concat([Buffer.from(header), planted]));
  plant();
  return { ...place, file, plant };
}

test.skipIf(windows)(`A file that others may write is not run, but made anew.${needsOwners}`, async () => {
  const { file, plant, start } = await planting();
  expect(await start()).toBe("planet");
  for (const mode of [0o620, 0o602, 0o666]) {
    plant();
    fs.chmodSync(file, mode);
    expect([mode, await start()]).toEqual([mode, "bundle"]);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  }
});

test.skipIf(windows)(`In a folder that others may write nothing is run, and nothing kept.${needsOwners}`, async () => {
  const { folder, plant, start } = await planting();
  const before = () => fs.readdirSync(folder, { recursive: true });
  for (const [open, mode] of [
    [folder, 0o777],
    [folder, 0o770],
    [folder, 0o755],
    [dirname(folder), 0o777],
    [dirname(folder), 0o775],
  ] as const) {
    plant();
    const listed = before();
    fs.chmodSync(open, mode);
    expect([mode, await start(), await start(["sessions"])]).toEqual([mode, "bundle", "bundle"]);
    expect(before()).toEqual(listed);
    fs.chmodSync(open, 0o700);
    expect(await start()).toBe("planet");
  }
});

test.skipIf(windows)(`Behind a link nothing is run, and nothing kept.${needsOwners}`, async () => {
  const { root, folder, start } = await planting();
  for (const link of [folder, dirname(folder)]) {
    const elsewhere = join(root, "elsewhere");
    fs.renameSync(link, elsewhere);
    fs.symlinkSync(elsewhere, link);
    expect([await start(), await start(["sessions"])]).toEqual(["bundle", "bundle"]);
    fs.rmSync(link);
    fs.renameSync(elsewhere, link);
    expect(await start()).toBe("planet");
  }
  expect(fs.readdirSync(folder).filter((name) => name.startsWith("sessions-"))).toEqual([]);
});

test.skipIf(windows)(
  `What belongs to another user is neither run nor added to, as by sudo.${needsOwners}`,
  async () => {
    const { folder, home, start } = keeping();
    const { keptFolder, openKept } = createRequire(import.meta.url)(join(bin, "kept.cjs"));
    vi.stubEnv("HOME", home);
    vi.stubEnv("NODE_DISABLE_COMPILE_CACHE", undefined);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    });
    const other = process.geteuid?.() === 0 ? 1000 : 0;
    const as = <T>(user: "the owner" | "another", look: () => T): T => {
      if (user === "another") vi.spyOn(process, "geteuid").mockReturnValue(other);
      const seen = look();
      vi.restoreAllMocks();
      return seen;
    };
    expect(as("another", keptFolder)).toBeUndefined();
    expect(fs.readdirSync(home)).toEqual([]);
    await start();
    const bytes = Buffer.from(`(function (exports, require, module, __filename, __dirname) { ${named("bundle")}\n})`);
    const code = () => openKept(folder, { command: "run", bytes }).code;
    expect([as("the owner", keptFolder), as("another", keptFolder)]).toEqual([folder, undefined]);
    expect([as("the owner", code), as("another", code)]).toEqual([expect.any(Buffer), undefined]);
  },
);
