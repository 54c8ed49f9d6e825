import { expect, test } from "vitest";
import { runInteractive } from "../../src/tools/run-interactive.ts";
import { planFor, runFor, watchedBy } from "./connected.ts";

const command = "/integrations setup sentry";
const launcher = runInteractive(() => null);
const plan = planFor(launcher, { command });

test("without a shell but with somebody who can be asked, the set-up begins after the exchange", async () => {
  const result = await runFor(launcher, plan, { ...watchedBy(), attended: true });
  expect(result).toEqual({ type: "output", text: `begins when this exchange ends: ${command}`, launch: command });
});

test("with nobody there, the model is told to name the command", async () => {
  const result = await runFor(launcher, plan);
  const text = `there is no shell here; tell the person to type in theirs: ${command}, or to run assent ${command.slice(1)}`;
  expect(result).toEqual({ type: "output", text });
});

test("a set-up that cannot begin is told to the model, and not launched", () => {
  const knowing = runInteractive(() => "no service is named that");
  const read = (line: string) => knowing.read(JSON.stringify({ command: line }));
  expect(read(command)).toEqual({ type: "invalid", reason: "no service is named that" });
});

test.each([
  ["/mcp connect files", "tool"],
  ["/integrations setup sentry-io", "tool"],
  ["/mcp connect https://evil.example/mcp", "invalid"],
  ["/mcp connect evil.example/mcp", "invalid"],
  ["/mcp connect evil:x", "invalid"],
  ["/mcp connect files npx evil", "invalid"],
  ["/mcp mark files write safe", "invalid"],
])("a model can begin %s: %s", (line, type) => {
  expect(runInteractive(() => null).read(JSON.stringify({ command: line })).type).toBe(type);
});
