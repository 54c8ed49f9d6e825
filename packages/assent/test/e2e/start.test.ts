import { expect, test } from "vitest";
import { loaded } from "./loaded.ts";
import { Place, type Scripted, terminal } from "./product.ts";

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
