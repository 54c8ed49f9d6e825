import { expect, test } from "vitest";
import { bottomOf } from "../../../src/adapters/shell/below.ts";
import { compose } from "../../../src/adapters/shell/bottom-rows.ts";
import { Line } from "../../../src/adapters/shell/line.ts";
import { Picking, pickedFrom } from "../../../src/adapters/shell/picking.ts";
import { Progress } from "../../../src/adapters/shell/progress.ts";
import { widthOf } from "../../../src/adapters/shell/width.ts";
import { newSession, type Session } from "../../../src/core/index.ts";
import { saidSystem } from "../../../src/show/index.ts";
import { verifies } from "../../requirements/verifies.ts";
import { TestPlace } from "../../slash/place.ts";

function statusOf(name: string, utf8: boolean): string {
  const { limits, ...empty } = newSession();
  const session = { ...empty, id: "s1", name, cwd: "/work", limits: { ...limits, turns: "unlimited" } as const };
  const look = { columns: 200, utf8, color: false } as const;
  const line = new Line({ onArmed: () => {}, isTyped: () => false, onBegun: () => {} });
  const drawn = { session, look, line, model: null, picking: false, progress: new Progress() };
  return bottomOf(drawn).status ?? "";
}

verifies("PROG-3", "what a session is called cannot command the terminal from the last line", () => {
  expect(statusOf("\x1b]0;owned\x07\x1b[2J", true)).toBe(
    "no model · \\u{1b}]0;owned\\u{7}\\u{1b}[2J (s1) · turns 0/∞ · /work",
  );
});

test("where a terminal shows plain characters only, the last line has no others", () => {
  expect(statusOf("plain", false)).toBe("no model | plain (s1) | turns 0/unlimited | /work");
});

/** What stands above the line while a command runs for 18 s, with a prompt that waits. */
function aboveOf(command: string, columns: number, stop: "graceful" | null = null): readonly string[] {
  const { limits, ...empty } = newSession();
  const asks = { type: "tool", command } as const;
  const calls = [{ id: "c1", tool: "terminal", asks, status: { type: "started" } }];
  const exchange = { stop, phase: { type: "turn", calls } };
  const waiting = [{ id: "w1", type: "steering", text: command, held: false }];
  const session = { ...empty, limits, exchange, waiting } as unknown as Session;
  const progress = new Progress();
  progress.settle(session, Date.now() - 18_500);
  const line = new Line({ onArmed: () => {}, isTyped: () => false, onBegun: () => {} });
  const look = { columns, utf8: true, color: false } as const;
  const drawn = bottomOf({ session, look, line, progress, model: null, picking: false });
  return compose(drawn, { columns, rows: 30 }, 0).lines.slice(0, 2);
}

const commands = {
  long: "for i in 1 2 3; do echo step; sleep 5; done; ".repeat(20),
  Cyrillic: "echo Привет, мир; ".repeat(20),
  wide: "echo 世界; ".repeat(30),
  "somewhat long": `echo ${"é".repeat(44)}${"a".repeat(70)}`,
};

for (const [kind, command] of Object.entries(commands)) {
  for (const columns of [90, 101, 120]) {
    test(`a command that is ${kind} leaves room for the time and the hint in ${columns} columns`, () => {
      const [waiting = "", running = ""] = aboveOf(command, columns);
      expect(running).toMatch(/^\S echo .*… 18 s · Ctrl-C stops$|^\S for .*… 18 s · Ctrl-C stops$/);
      expect(waiting).toMatch(/^· waiting: .*… \(goes with the next turn; \/queue drop w1 takes it back\)$/);
      expect(aboveOf(command, columns, "graceful")[1]).toMatch(/^\S stopping: \w+ .*… 18 s · Ctrl-C again kills$/);
      for (const row of [waiting, running]) expect(widthOf(row)).toBeLessThan(columns);
    });
  }
}

test("in a narrow window what waits is named, and how it is taken back; a command gives way to time and hint", () => {
  expect(aboveOf("sleep 600; echo done and gone", 50)[0]).toBe("· waiting: sleep 600; echo don… (/queue drop w1)");
  expect(aboveOf("sleep 600; echo done", 24)[1]).toMatch(/^\S 18 s · Ctrl-C stops$/);
  expect(aboveOf("sleep 600; echo done", 12)[1]).toMatch(/^\S 18 s ·…$/);
});

test("a number picks only what the list has shown", () => {
  const { place, host } = new TestPlace();
  for (let made = 1; made < 30; made++) host.create({ cwd: "/work", limits: {} });
  const { sessions } = place.host.sessions();
  expect(pickedFrom("20", sessions)).toEqual(sessions[19]);
  expect(pickedFrom("25", sessions)).toMatchObject({ problem: expect.stringContaining('found "25"') });
});

test("a wrong entry leaves the list open and says what is expected; Enter alone closes it", () => {
  const { place, host } = new TestPlace();
  host.create({ cwd: "/work", limits: {} });
  const { sessions } = place.host.sessions();
  const picking = new Picking();
  picking.open(sessions);
  const wrong = 'expected a number of the list, an id or a name, found "9"; Enter alone stays here';
  expect([picking.take("9"), picking.isOpen]).toEqual([{ said: saidSystem(wrong) }, true]);
  expect([picking.take("2"), picking.isOpen]).toEqual([sessions[1], false]);
  picking.open(sessions);
  expect([picking.take(" "), picking.isOpen]).toEqual([{ said: saidSystem("stayed here") }, false]);
});
