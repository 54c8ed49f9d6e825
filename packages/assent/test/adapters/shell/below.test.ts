import { expect, test } from "vitest";
import { bottomOf } from "../../../src/adapters/shell/below.ts";
import { Line } from "../../../src/adapters/shell/line.ts";
import { Picking, pickedFrom } from "../../../src/adapters/shell/picking.ts";
import { Progress } from "../../../src/adapters/shell/progress.ts";
import { newSession } from "../../../src/core/index.ts";
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
