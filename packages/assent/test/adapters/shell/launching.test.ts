import { afterEach, beforeEach, expect, vi } from "vitest";
import { Launching } from "../../../src/adapters/shell/launching.ts";
import { Line } from "../../../src/adapters/shell/line.ts";
import { newSession } from "../../../src/core/index.ts";
import { verifies } from "../../requirements/verifies.ts";

const around = { past: () => [], complete: (_: string, cursor: number) => ({ start: cursor, words: [] }) };
const launch = { call: "c1", command: "/integrations setup one" };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A line in which a command of the model stands, and what became of the command. */
function prepared(): { line: Line; launching: Launching; done: string[] } {
  const line = new Line({ onArmed: () => {}, isTyped: () => false, onBegun: () => {} });
  const done: string[] = [];
  let waiting = [launch];
  const launching = new Launching({
    line,
    view: () => ({ ...newSession(), launches: waiting }),
    isBusy: () => false,
    taken: (call) => {
      waiting = [];
      done.push(`taken ${call}`);
    },
    send: (command) => done.push(command),
    dropped: (command) => done.push(`dropped ${command}`),
  });
  launching.look();
  expect(line.text).toBe(launch.command);
  return { line, launching, done };
}

verifies("HAND-2a", "a command that stood in the line untouched for a moment is taken and sent", () => {
  const { line, done } = prepared();
  vi.advanceTimersByTime(1_000);
  expect([line.text, done]).toEqual(["", ["taken c1", launch.command]]);
});

verifies("HAND-2a", "who types while it stands there has a line of their own, and it comes when that is done", () => {
  const { line, launching, done } = prepared();
  line.key({ type: "text", text: "half a li" }, around);
  vi.advanceTimersByTime(1_000);
  expect([line.text, done]).toEqual(["half a li", []]);
  line.set("");
  launching.look();
  vi.advanceTimersByTime(1_000);
  expect(done).toEqual(["taken c1", launch.command]);
});

verifies("HAND-2a", "a command that somebody has begun to change is theirs", () => {
  const { line, done } = prepared();
  line.key({ type: "key", name: "backspace" }, around);
  vi.advanceTimersByTime(1_000);
  expect([line.text, done]).toEqual(["/integrations setup on", ["taken c1"]]);
});

verifies("HAND-2a", "who sends it before it is sent has sent it: it does not come a second time", () => {
  for (const keys of [["enter"], ["backspace", "enter"]] as const) {
    const { line, launching, done } = prepared();
    for (const name of keys) {
      if (line.key({ type: "key", name }, around).done !== "submit") continue;
      launching.sent();
      line.set("");
    }
    expect(done).toEqual(["taken c1"]);
    launching.look();
    vi.advanceTimersByTime(1_000);
    expect([line.text, done]).toEqual(["", ["taken c1"]]);
  }
});

verifies("HAND-2a", "a line of one's own that is sent meanwhile leaves it waiting", () => {
  const { line, launching, done } = prepared();
  line.key({ type: "text", text: "hello" }, around);
  launching.sent();
  line.set("");
  vi.advanceTimersByTime(500);
  expect([line.text, done]).toEqual([launch.command, []]);
});

verifies("HAND-2a", "who empties the line does not want it, and is told that it was not entered", () => {
  const { line, done } = prepared();
  line.key({ type: "key", name: "kill-line" }, around);
  vi.advanceTimersByTime(1_000);
  expect([line.text, done]).toEqual(["", ["taken c1", `dropped ${launch.command}`]]);
});
