import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loaded } from "./loaded.ts";
import { buildInto, compiled, needsTerminal, noTerminal, Place, type Scripted, terminal } from "./product.ts";

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

/** A program that nobody else has started, and when that was made which is kept of what its processes have compiled. */
function fresh() {
  const folder = mkdtempSync(join(tmpdir(), "assent-fresh-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = buildInto(folder);
  const place = (...replies: readonly Scripted[]) => Object.assign(new Place(replies), { program });
  const keptOf = (command: string): bigint => {
    const [file = "nothing is kept"] = readdirSync(join(folder, compiled)).filter((each) =>
      each.startsWith(`${command}-`),
    );
    return statSync(join(folder, compiled, file), { bigint: true }).mtimeNs;
  };
  return { place, keptOf };
}

test("A run uses what earlier ones have compiled; the first that comes to a command adds what that needs.", () => {
  const { place, keptOf } = fresh();
  /** Until nothing is added: what a run compiles depends a little on what is loaded while it waits. */
  const settled = (...replies: readonly Scripted[]): bigint => {
    let kept = 0n;
    for (let runs = 0; runs < 8; runs++) {
      const before = kept;
      expect(place(...replies).assent(["run", "hi"]).status).toBe(0);
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

test("A command that only told of itself at first keeps what its work compiles, after a while.", () => {
  const { place, keptOf } = fresh();
  const here = place();
  const made = (...argv: string[]): bigint => {
    expect(here.assent(["policy", ...argv]).status).toBe(0);
    return keptOf("policy");
  };
  const first = made("--help");
  // One in eight looks (bin/program.cjs).
  const later = Array.from({ length: 100 }).some(() => made("explain", "ls -la") !== first);
  expect(later).toBe(true);
});

test.skipIf(noTerminal)(
  `A shell that is left as people leave it keeps what it has compiled.${needsTerminal}`,
  async () => {
    const { place, keptOf } = fresh();
    const shell = place().startInTerminal([]);
    await shell.shows("\u276f");
    shell.type("\x04");
    expect(await shell.ended).toBe(0);
    expect(keptOf("shell")).toBeGreaterThan(0n);
  },
);
