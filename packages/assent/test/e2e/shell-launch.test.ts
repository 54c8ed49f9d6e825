import { join } from "node:path";
import { expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import type { Scripted } from "./product.ts";
import { ShellPlace, type ShellWindow } from "./shell-window.ts";

const fixture = join(import.meta.dirname, "..", "fixtures", "set-up-shell.ts");

function launches(command: string): Scripted {
  return { calls: [{ tool: "run_interactive", arguments: { command } }] };
}

/** A shell whose set-ups want nothing but what these tests give them. */
async function open(replies: readonly Scripted[]): Promise<{ place: ShellPlace; window: ShellWindow }> {
  const place = new ShellPlace(replies);
  const window = place.windowOf(`exec ${process.execPath} --conditions=assent-source ${fixture}`);
  await window.idle();
  return { place, window };
}

verifies(
  ["HAND-1a", "HAND-1b"],
  "a set-up that the model launches is entered by itself, without a question whether it may",
  async () => {
    const place = new ShellPlace([launches("/integrations setup sentry"), { text: "It is open." }]);
    const window = place.window();
    await window.idle();
    window.enter("can you configure sentry?");
    await window.until("What is its auth token?");
    expect(place.eventsOf("interaction.requested")).toHaveLength(1);
    expect(place.eventsOf("call.judged")).toMatchObject([{ verdict: "allow" }]);
    expect(window.lines()).toContain("❯ /integrations setup sentry");
    await window.armed();
    window.enter("cancel");
    await window.idle();
    expect(place.eventsOf("flow.ended")).toMatchObject([{ end: "cancelled" }]);
    expect(place.eventsOf("command.launched")).toHaveLength(1);
  },
);

verifies("HAND-2a", "what was launched waits while somebody types, and comes in its order", async () => {
  const both = [launches("/integrations setup github"), launches("/mcp connect two")];
  const calls = both.flatMap((reply) => reply.calls ?? []);
  const { place, window } = await open([{ calls }, { text: "Both are open." }]);
  window.type("connect both\rhalf a li");
  await window.until("● Both are open.");
  await window.untilRow("❯ half a li");
  expect(place.eventsOf("command.launched")).toEqual([]);
  window.type("\x15");
  await window.until("Which region?");
  expect(place.eventsOf("command.launched")).toHaveLength(1);
  await window.armed();
  window.enter("cancel");
  await window.until("the child has the terminal");
  expect(place.eventsOf("command.launched")).toHaveLength(2);
  window.type("q");
  await window.idle();
});

for (const [key, how] of [
  ["q", "ends"],
  ["x", "is killed with the terminal's modes changed"],
] as const) {
  verifies("HAND-2b", `a child that wants the terminal has it alone, and when it ${how} all is as before`, async () => {
    const { window } = await open([{ text: "Never asked." }]);
    window.enter("/mcp connect fs");
    await window.until("the child has the terminal");
    window.type("a");
    await window.until("it was given a");
    window.type(key);
    await window.idle();
    // Lines are edited here again, and nothing of what the child was given has come here.
    window.type("typed\x01un");
    await window.untilRow("❯ untyped");
    const since = window.bytes.toString().split("the child has the terminal")[1] ?? "";
    for (const mode of ["?1049l", "?1000l", "?25h"]) expect(since).toContain(`\x1b[${mode}`);
  });
}
