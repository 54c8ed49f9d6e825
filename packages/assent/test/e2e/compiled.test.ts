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
  const all = (start = "") =>
    fs.readdirSync(folder).filter((name) => name.startsWith(start) && fs.statSync(join(folder, name)).isFile());
  /** The only file of a command. */
  const kept = (start = "run-"): string => {
    const [name = "none", ...more] = all(start);
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
  expect(await start()).toBe("another");
});

test("Bundles, and ways in which V8 is told to work, take nothing from each other: none is made anew in turns.", async () => {
  const { folder, start, all, change } = keeping();
  const inTurns = async () => {
    const said: string[] = [];
    for (const name of ["bundle", "another"]) {
      change(named(name));
      for (const NODE_OPTIONS of [undefined, "--interpreted-frames-native-stack"])
        said.push(await start(["run"], { NODE_OPTIONS }));
    }
    expect(said).toEqual(["bundle", "bundle", "another", "another"]);
    return all().map((name) => [name, fs.statSync(join(folder, name), { bigint: true }).mtimeNs]);
  };
  const first = await inTurns();
  expect(first).toHaveLength(4);
  expect(await inTurns()).toEqual(first);
});

/** Compiles much more when it is given a second word; `settle` says that it has come to a call. */
const growing = (settle: string) => `
  ${settle}
  function more() { return [${"() => [1, 2, 3].map((each) => each + 1),".repeat(2_000)}].map((each) => each()).length; }
  exports.main = ([, word]) => { console.log(word ? more() : "little"); return 0; };`;

test("What a process has compiled beyond what was kept is added, when that is much.", async () => {
  const { start, kept } = keeping(growing("exports.settle = () => true;"));
  const madeMs = async (...argv: string[]) => {
    await start(["run", ...argv]);
    return fs.statSync(kept(), { bigint: true }).mtimeNs;
  };
  const little = await madeMs();
  expect(await madeMs()).toBe(little);
  const more = await madeMs("more");
  expect(more).not.toBe(little);
  expect([await madeMs("more"), await madeMs()]).toEqual([more, more]);
});

test("One that is over soon seldom looks, but one of them does.", async () => {
  const { start, kept } = keeping(growing(""));
  await start();
  const { size } = fs.statSync(kept());
  const sizes: number[] = [];
  // One in eight: that none of a hundred does happens once in half a million times.
  while (sizes.length < 100 && !sizes.some((each) => each > size)) {
    await start(["run", "more"]);
    sizes.push(fs.statSync(kept()).size);
  }
  expect(sizes.at(-1)).toBeGreaterThan(size);
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

test("What was not used for a month goes when something is kept, what was left half written after an hour, and beyond some the oldest.", async () => {
  const { folder, start, kept, all } = keeping();
  await start();
  const name = basename(kept());
  fs.rmSync(kept());
  const [hour, day] = [3_600, 86_400];
  const put = (old: string, seconds: number) => {
    fs.writeFileSync(join(folder, old), "old");
    fs.utimesSync(join(folder, old), new Date(), new Date(Date.now() - seconds * 1_000));
  };
  const young = { "run-v24.0.0-x64-0": 29 * day, "sessions-v26.10.0-x64-1": day, ".draft-a": hour / 2 };
  const old = { "run-v24.0.0-x64-2": 31 * day, "policy-v24.0.0-x64": 31 * day, ".draft-b": 2 * hour };
  for (const [each, seconds] of Object.entries({ ...young, ...old })) put(each, seconds);
  await start();
  expect(all()).toEqual([...Object.keys(young), name].sort());
  fs.rmSync(kept(name));
  const many = Array.from({ length: 40 }, (_, index) => `help-v26.10.0-x64-${index}`);
  for (const [index, each] of many.entries()) put(each, 60 + index);
  await start();
  // The newest of them, beside what was just made.
  expect(all().sort()).toEqual([...many.slice(0, 31), name].sort());
});

test("So does a folder of another Node to which nothing was added for a month, and never the one in use or what is no such folder.", async () => {
  const { root, folder, start, kept } = keeping();
  await start();
  const [inUse = "none", ...others] = fs.readdirSync(folder).filter((name) => name.startsWith("v"));
  expect(others).toEqual([]);
  const put = (name: string, days: number) => {
    fs.mkdirSync(join(folder, name), { recursive: true });
    fs.writeFileSync(join(folder, name, "1a2b3c4d"), "compiled");
    fs.utimesSync(join(folder, name), new Date(), new Date(Date.now() - days * 86_400_000));
  };
  put(inUse, 31);
  put("v24.0.0-x64-11111111-0", 31);
  put("v24.0.0-x64-22222222-0", 29);
  put("mine", 31);
  const elsewhere = join(root, "elsewhere");
  fs.mkdirSync(elsewhere);
  fs.writeFileSync(join(elsewhere, "1a2b3c4d"), "theirs");
  fs.utimesSync(elsewhere, 1, 1);
  if (!windows) fs.symlinkSync(elsewhere, join(folder, "v24.0.0-x64-33333333-0"));
  const link = windows ? [] : ["v24.0.0-x64-33333333-0"];
  fs.rmSync(kept());
  await start();
  const left = [inUse, "v24.0.0-x64-22222222-0", "mine", ...link, basename(kept())];
  expect(fs.readdirSync(folder).sort()).toEqual(left.sort());
  expect(fs.readdirSync(elsewhere)).toEqual(["1a2b3c4d"]);
});

test("The time of what is kept is that of its last use, to the day.", async () => {
  const { start, kept } = keeping();
  await start();
  const file = kept();
  const daysOld = (): number => Math.round((Date.now() - fs.statSync(file).mtimeMs) / 86_400_000);
  const whole = fs.readFileSync(file);
  for (const [days, then] of [
    [0.9, 1],
    [20, 0],
  ] as const) {
    fs.utimesSync(file, new Date(), new Date(Date.now() - days * 86_400_000));
    await start();
    expect([days, daysOld()]).toEqual([days, then]);
  }
  expect(fs.readFileSync(file)).toEqual(whole);
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

/** In this process, for what is hard to bring about with a whole one. */
const here = createRequire(import.meta.url)(join(bin, "compiled.cjs"));

function openedHere(folder: string) {
  const createCachedData = vi.fn(() => Buffer.from("code"));
  const open = () => here.openCompiled(folder, { command: "run", bytes: Buffer.from("text") });
  const keep = () => open().keep({ createCachedData }, { looks: true });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return { open, keep, createCachedData };
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
  fs.rmSync(place.kept());
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

test.skipIf(windows)(`What belongs to another user is neither run nor added to, as by sudo.${needsOwners}`, () => {
  const { folder, home } = keeping();
  const { compiledFolder } = here;
  vi.stubEnv("HOME", home);
  vi.stubEnv("NODE_DISABLE_COMPILE_CACHE", undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const another = <T>(look: () => T): T => {
    const user = vi.spyOn(process, "geteuid").mockReturnValue((process.geteuid?.() ?? 0) + 1);
    const seen = look();
    user.mockRestore();
    return seen;
  };
  expect([another(compiledFolder), fs.readdirSync(home)]).toEqual([undefined, []]);
  expect([compiledFolder(), another(compiledFolder)]).toEqual([folder, undefined]);
  const { open, keep } = openedHere(folder);
  keep();
  expect([open().code, another(open).code]).toEqual([Buffer.from("code"), undefined]);
});
