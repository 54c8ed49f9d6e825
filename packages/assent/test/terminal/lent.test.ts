import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Lend, Place, WatchedCall } from "../../src/runtime/index.ts";
import { enteredCommand } from "../../src/tools/index.ts";
import { until } from "../e2e/product.ts";
import { nobodyAnswers } from "../fixtures/nobody.ts";
import { actingTool, eagerTools } from "../tools/eager.ts";

const folder = mkdtempSync(join(tmpdir(), "assent-lent-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { hands, read } = actingTool(eagerTools({ folder: join(folder, "spilled"), hidden: ["HIDDEN_KEY"] }), "terminal");
const place: Place = { session: "lent", cwd: folder, terminal: { state: "never" }, seen: [] };
const note = "[it had the terminal for itself; its output is not kept]";
/** Only then what was begun last is called so. */
const begun = "until grep -q sleep /proc/$!/comm; do :; done";

/** Runs a person's command that wants the terminal, and says when it had it. */
async function lent(command: string, change: Partial<WatchedCall> = {}) {
  const said: string[] = [];
  const lend: Lend = async (use) => {
    said.push("given");
    const result = await use();
    said.push("taken back");
    return result;
  };
  const { arguments: given } = enteredCommand(command, { tty: true });
  const result = await hands.run(hands.plan(given, place), {
    ...{ session: "lent", call: "e1", signal: new AbortController().signal, attended: true },
    ...{ onOutput: () => {}, tell: () => {}, ...nobodyAnswers, lend },
    ...change,
  });
  const { duration_ms: _duration, ...rest } = result;
  return { result: rest, said };
}

test("a command that has the terminal runs while it is lent, with the marker and without secrets of Assent", async () => {
  process.env["HIDDEN_KEY"] = "unmistakable";
  const { result, said } = await lent('printf "%s %s" "$ASSENT_RUN" "$HIDDEN_KEY" >seen');
  delete process.env["HIDDEN_KEY"];
  expect(result).toEqual({ type: "output", text: note, exit: 0, files: ["seen"] });
  expect(said).toEqual(["given", "taken back"]);
  expect(readFileSync(join(folder, "seen"), "utf8")).toBe("lent/e1 ");
});

test("how it ended is told: its own exit or the signal that ended it", async () => {
  expect((await lent("exit 3")).result).toMatchObject({ type: "output", text: note, exit: 3 });
  expect((await lent("kill -TERM $$")).result).toMatchObject({ type: "output", text: note, signal: "SIGTERM" });
});

test("it is ended with all that it started when it is stopped", async () => {
  const stopping = new AbortController();
  const running = lent(`sleep 60 & ${begun}; echo >begun; wait`, { signal: stopping.signal });
  await until("it runs", () => existsSync(join(folder, "begun")) || undefined);
  stopping.abort("stopped");
  const { result, said } = await running;
  expect(result).toMatchObject({ type: "output", signal: "SIGTERM" });
  expect(result.text).toMatch(/^\[it had the terminal.*\]\n\[stopped; killed: .*sleep \(\d+\).*\]$/s);
  expect(said).toEqual(["given", "taken back"]);
});

test("what it left running is a background process of the session", async () => {
  const facts: object[] = [];
  const { result } = await lent(`sleep 60 & ${begun}`, { tell: (fact) => void facts.push(fact) });
  expect(result.text).toMatch(/\[runs on in the background: sleep \(\d+\); the tool process reads/);
  expect(facts).toMatchObject([{ type: "process", state: "started", command: "sleep 60" }]);
  await hands.close?.("lent", []);
});

test("without a terminal to lend, and in a folder that is gone, it does not run", async () => {
  expect((await lent("touch never", { lend: null })).result).toEqual({
    type: "error",
    text: "there is no terminal here that this command could have",
  });
  const plan = hands.plan(enteredCommand("touch never", { tty: true }).arguments, { ...place, cwd: "/no/such" });
  expect(plan).toMatchObject({ tool: "terminal", cwd: "/no/such", command: "touch never", more: { tty: true } });
  expect(existsSync(join(folder, "never"))).toBe(false);
});

test("a model has no terminal to give: to its calls, tty is an argument that does not exist", () => {
  expect(read(JSON.stringify({ command: "vim x", tty: true }))).toMatchObject({
    type: "invalid",
    reason: expect.stringContaining("tty"),
  });
});

test("what a person enters is a call of the terminal with these words", () => {
  const asks = { type: "tool", parallel: false, command: "ls -la" };
  expect(enteredCommand("ls -la")).toEqual({ tool: "terminal", arguments: '{"command":"ls -la"}', asks });
  expect(enteredCommand("ls -la", { persistent: true }).arguments).toBe('{"command":"ls -la","persistent":true}');
  expect(enteredCommand("ls -la", { tty: true, persistent: true }).arguments).toBe('{"command":"ls -la","tty":true}');
  expect(enteredCommand("")).toMatchObject({ asks: { type: "invalid" } });
});
