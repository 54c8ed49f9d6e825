import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loaded } from "./loaded.ts";
import { compiledFolder, needsTerminal, noTerminal, Place, type Scripted, terminal } from "./product.ts";

/** What `assent run` loads. */
function running(replies: readonly Scripted[]): readonly string[] {
  return loaded(new Place(replies), ["run", "hi"]);
}

const heavy = /^(?:terminal|tools)\/|^node:(?:child_process|net)$/;

test("A model that answers at once is answered without what only calls need: only the tools' definitions are loaded.", () => {
  expect(running([{ text: "Hello." }]).filter((each) => heavy.test(each))).toEqual([
    "tools/agentic.ts",
    "tools/ask.ts",
    "tools/complete.ts",
    "tools/connecting.ts",
    "tools/files/arguments.ts",
    "tools/files/index.ts",
    "tools/flow.ts",
    "tools/index.ts",
    "tools/mcp-calls.ts",
    "tools/mcp-resource.ts",
    "tools/model-setup.ts",
    "tools/outside.ts",
    "tools/process.ts",
    "tools/run-interactive.ts",
    "tools/slash.ts",
    "tools/terminal-arguments.ts",
    "tools/terminal.ts",
  ]);
});

test("A call has what it needs.", () => {
  expect(running([terminal("echo a"), { text: "Hello." }])).toEqual(
    expect.arrayContaining(["node:child_process", "terminal/session.ts", "tools/files/hands.ts"]),
  );
});

test("A command that is known loads what it understands itself, not what is known of all of them.", () => {
  expect(running([{ text: "Hello." }]).filter((each) => /^cli\/(?:help|specs\/|complet)/.test(each))).toEqual([
    "cli/specs/following.ts",
    "cli/specs/spec.ts",
  ]);
});

/** When that was made which is kept of what a command of the command line has compiled. */
function keptOf(command: string): bigint {
  const [file = "nothing is kept"] = readdirSync(compiledFolder()).filter((each) => each.startsWith(`${command}-`));
  return statSync(join(compiledFolder(), file), { bigint: true }).mtimeNs;
}

test("A run uses what earlier ones have compiled; the first that comes to a command adds what that needs.", () => {
  /** Until nothing is added: what a run compiles depends a little on what is loaded while it waits. */
  const settled = (...replies: readonly Scripted[]): bigint => {
    let kept = 0n;
    for (let runs = 0; runs < 8; runs++) {
      const before = kept;
      expect(new Place(replies).assent(["run", "hi"]).status).toBe(0);
      kept = keptOf("run");
      if (kept === before) return kept;
    }
    throw new Error("each of eight runs compiled it anew");
  };
  const said = { text: "Hello." };
  const first = settled(said);
  const whole = settled(terminal("echo a"), said);
  expect(whole).not.toBe(first);
  expect(settled(said)).toBe(whole);
});

test.skipIf(noTerminal)(
  `A shell that is left as people leave it keeps what it has compiled.${needsTerminal}`,
  async () => {
    const shell = new Place([]).startInTerminal([]);
    await shell.shows("\u276f");
    shell.type("\x04");
    expect(await shell.ended).toBe(0);
    expect(keptOf("shell")).toBeGreaterThan(0n);
  },
);
