import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openJudge } from "../../src/cli/policy-judged.ts";
import type { Policy } from "../../src/policy/index.ts";
import { openMachinePolicy } from "../../src/runtime/index.ts";
import { machinePolicy } from "../../src/runtime/machine-policy.ts";
import { ownFolders } from "../../src/runtime/own-folders.ts";
import { verifies } from "../requirements/verifies.ts";

const asked = { verdict: "ask", rule: "self-approval", grantable: null };

/** A folder of the test's own: `real/` in it, and `link`, which leads there. */
function linked(): { readonly top: string; readonly real: string; readonly link: string } {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "assent-linked-")));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(top, { recursive: true });
  });
  const [real, link] = [join(top, "real"), join(top, "link")];
  for (const folder of [real, join(top, "work")]) mkdirSync(folder);
  symlinkSync(real, link);
  return { top, real, link };
}

async function verdictOn(policy: Policy, command: string, cwd: string) {
  const judge = await openJudge();
  return judge(policy, command, cwd);
}

describe("what is Assent's own behind a link", () => {
  verifies("APPR-10b", "is asked about by each of its paths, in a command that knows either", async () => {
    const { top, real, link } = linked();
    vi.stubEnv("ASSENT_HOME", link);
    for (const policy of [machinePolicy(), await openMachinePolicy()]) {
      for (const home of ["$ASSENT_HOME", link, real, "../link", "../real"]) {
        for (const command of [
          `cat ${home}/client.json`,
          `cp x.json ${home}/grants/x.json`,
          `echo > ${home}/journal.db`,
        ])
          expect([command, await verdictOn(policy, command, join(top, "work"))]).toMatchObject([command, asked]);
      }
      expect(await verdictOn(policy, "cat x.json", join(top, "work"))).toMatchObject({ verdict: "allow" });
    }
  });

  verifies("APPR-10b", "is known before it is made, also when a link leads to it", async () => {
    const { top, real, link } = linked();
    symlinkSync("real/later", join(top, "ahead"));
    for (const [given, ...paths] of [
      [join(link, "data"), join(link, "data"), join(real, "data")],
      [
        join(top, "ahead", "data"),
        join(top, "ahead", "data"),
        join(real, "later", "data"),
        join(link, "later", "data"),
      ],
    ] as const) {
      vi.stubEnv("ASSENT_HOME", given);
      for (const path of paths) {
        const command = `mkdir -p ${path}/grants`;
        expect([command, await verdictOn(machinePolicy(), command, top)]).toMatchObject([command, asked]);
      }
    }
  });

  verifies("APPR-10b", "is asked about by its own path where links lead nowhere", async () => {
    const { top } = linked();
    const round = join(top, "round");
    symlinkSync("round", round);
    expect(await verdictOn(machinePolicy({ own: [round] }), `mkdir -p ${round}/grants`, top)).toMatchObject(asked);
  });

  verifies("APPR-10b", "may be read where its outputs are, by each of their paths", async () => {
    const { top, real, link } = linked();
    vi.stubEnv("XDG_CACHE_HOME", link);
    for (const cache of [link, real]) {
      const cat = (path: string) => verdictOn(machinePolicy(), `cat ${cache}/assent/${path}`, join(top, "work"));
      expect(await cat("output/s1/c1.stdout.txt")).toMatchObject({ verdict: "allow" });
      expect(await cat("code/x.js")).toMatchObject(asked);
    }
  });

  verifies("APPR-10b", "counts for a program's own folder, which may be told by a relative path", async () => {
    const { top, real, link } = linked();
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(top);
    const opening = [openMachinePolicy({ own: [link] }), openMachinePolicy({ own: ["link"] })];
    process.chdir(before);
    for (const policy of await Promise.all(opening)) {
      for (const folder of [link, real])
        expect(await verdictOn(policy, `cat ${folder}/journal.db`, join(top, "work"))).toMatchObject(asked);
    }
  });
});

verifies("APPR-10b", "a program's policy knows what the command line keeps as its own, too", async () => {
  const { top, real } = linked();
  vi.stubEnv("ASSENT_HOME", undefined);
  vi.stubEnv("XDG_DATA_HOME", real);
  const policy = await openMachinePolicy({ own: [join(top, "data")] });
  for (const command of [
    `cat ${real}/assent/client.json`,
    `cp x.json ${real}/assent/grants/x.json`,
    `sqlite3 ${real}/assent/journal.db 'DELETE FROM events'`,
    "cat $ASSENT_HOME/client.json",
  ]) {
    expect([command, await verdictOn(policy, command, join(top, "work"))]).toMatchObject([command, asked]);
  }
});

describe("the usual places of Assent", () => {
  const elsewhere = ["ASSENT_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] as const;

  /** A home and a folder to work in, and variables that send Assent into that. */
  function sent(...variables: readonly string[]) {
    const { top, real } = linked();
    const work = join(top, "work");
    for (const name of ["NODE_DISABLE_COMPILE_CACHE", ...elsewhere]) vi.stubEnv(name, undefined);
    vi.stubEnv("HOME", real);
    for (const name of variables) vi.stubEnv(name, join(work, name));
    return { home: real, work };
  }

  verifies(
    "APPR-10b",
    "are asked about wherever variables send this process: the next one may have others",
    async () => {
      const { home, work } = sent(...elsewhere);
      const known = userInfo().homedir;
      for (const policy of [machinePolicy(), await openMachinePolicy()]) {
        for (const command of [
          "cp a ~/.cache/assent/compiled/run-v26.10.0-x64",
          `cp a ${home}/.cache/assent/compiled/run-v26.10.0-x64`,
          `cp a ${known}/.cache/assent/compiled/run-v26.10.0-x64`,
          "mv evil ~/.cache/assent",
          "cp -r evil ~/.cache",
          "ln -s /tmp/q ~/.cache",
          "ln -sfn $PWD/q ~/.cache",
          "ln -s /tmp/q ~/.local/share",
          "ln -s /tmp/q/.cache ~",
          "cp -P q/.cache ~/",
          "cp -d q/.cache ~/",
          "rm ~/.cache",
          "unlink ~/.local/share",
          "cp g.json ~/.local/share/assent/grants/g.json",
          `cp g.json ${known}/.local/share/assent/grants/g.json`,
        ])
          expect([command, await verdictOn(policy, command, work)]).toMatchObject([command, asked]);
        for (const command of [
          "cp a ~/.cache/other/a",
          "cp q/.cache ~/",
          "ln -s ../x node_modules/y",
          "ln -s $PWD/tool ~/.local/bin/tool",
          "ln -s $PWD/tool ~",
          "ln -sf a b",
          "rm ~/.cache/other/a",
        ])
          expect([command, await verdictOn(policy, command, work)]).toMatchObject([command, { verdict: "allow" }]);
      }
    },
  );

  verifies("APPR-10b", "hold the compiled code that the launcher runs, which no variable but the home's moves", () => {
    const { compiledFolder } = createRequire(import.meta.url)("../../bin/compiled.cjs");
    for (const variables of [[], ["XDG_CACHE_HOME"], elsewhere, [...elsewhere, "LOCALAPPDATA"]]) {
      const { home } = sent(...variables);
      const cache = join(home, ".cache", "assent");
      expect(compiledFolder()).toBe(join(cache, "compiled"));
      expect(ownFolders()).toContain(cache);
    }
  });
});

describe("a home behind a link", () => {
  const changes = [
    "echo evil >> ~/.bashrc",
    "cp /dev/null ~/.config/systemd/user/x.service",
    "ln -sfn q ~/.ssh",
    "ln -s q ~/.config",
    "mv q ~/.config",
    "cp -P q/.ssh ~/",
  ];

  test("has the same start files as any other", async () => {
    const { top, real, link } = linked();
    vi.stubEnv("HOME", link);
    for (const policy of [machinePolicy(), await openMachinePolicy(), machinePolicy({ home: link })]) {
      for (const command of [...changes, ...changes.map((each) => each.replace("~", real))])
        expect([command, await verdictOn(policy, command, join(top, "work"))]).toMatchObject([
          command,
          { verdict: "ask", rule: "overwrite-startup" },
        ]);
      expect(await verdictOn(policy, "echo hello >> ~/notes.txt", join(top, "work"))).toMatchObject({
        verdict: "allow",
      });
    }
  });

  test("that is told with where it led is taken to lead there", async () => {
    const { top, link } = linked();
    const policy = machinePolicy({ home: link, realHome: join(top, "then") });
    expect(policy).toMatchObject({ home: link, realHome: join(top, "then") });
    const plan = { tool: "terminal", cwd: join(top, "work"), command: "touch ~/.bashrc" };
    const led = { [join(link, ".bashrc")]: join(top, "then", ".bashrc") };
    expect(policy.judge({ ...plan, links: led }).rule).toBe("overwrite-startup");
  });
});
