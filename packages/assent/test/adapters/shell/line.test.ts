import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Interrupts } from "../../../src/adapters/shell/interrupting.ts";
import type { KeyName } from "../../../src/adapters/shell/key-names.ts";
import type { Key } from "../../../src/adapters/shell/keys.ts";
import { Line } from "../../../src/adapters/shell/line.ts";
import type { InteractionRequest } from "../../../src/core/index.ts";
import { verifies } from "../../requirements/verifies.ts";

const around = { past: () => [], complete: (_: string, cursor: number) => ({ start: cursor, words: [] }) };
const request: InteractionRequest = {
  interaction_id: "s1-i1",
  kind: "confirmation",
  question: "Approve command: rm -r a? (yes/no)",
  options: [
    { id: "yes", label: "Yes" },
    { id: "no", label: "No" },
  ],
  allow_free_text: true,
  allow_cancel: true,
};

const key = (name: KeyName): Key => ({ type: "key", name });
const text = (typed: string): Key => ({ type: "text", text: typed });

function lineWith(begun: string): Line {
  const line = new Line({ onArmed: () => {}, isTyped: () => false, onBegun: () => {} });
  line.set(begun);
  return line;
}

/** What is told of answers that were begun. */
function tellingLine(): { readonly line: Line; readonly begun: readonly string[] } {
  const begun: string[] = [];
  const onBegun = (answer: string) => void begun.push(answer);
  return { line: new Line({ onArmed: () => {}, isTyped: () => false, onBegun }), begun };
}

/** What each key led to. */
function press(line: Line, ...keys: readonly Key[]): readonly (string | undefined)[] {
  return keys.map((each) => line.key(each, around).done);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the line while a question comes", () => {
  verifies("ANS-6", "what is typed before a moment of quiet answers nothing and is kept for afterwards", () => {
    const line = lineWith("");
    press(line, text("half a "));
    line.ask(request);
    expect(press(line, text("1"), key("enter"), text("1"), key("enter"))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([line.isAnswer, line.text]).toEqual([false, "half a 1\n1\n"]);
    vi.advanceTimersByTime(249);
    press(line, text("1"));
    vi.advanceTimersByTime(249);
    expect(line.isAnswer).toBe(false);
    vi.advanceTimersByTime(2);
    expect([line.isAnswer, line.text]).toEqual([true, ""]);
    expect(press(line, text("2"), key("enter"))).toEqual([undefined, "submit"]);
    line.close();
    expect([line.asked, line.text]).toEqual([null, "half a 1\n1\n1"]);
  });

  verifies(
    "ANS-6",
    "a paste with line ends submits nothing, and an end of input before the quiet means nothing",
    () => {
      const line = lineWith("");
      line.ask(request);
      expect(press(line, { type: "paste", text: "1\n1\n" }, key("eof"))).toEqual([undefined, undefined]);
      vi.advanceTimersByTime(251);
      expect(press(line, { type: "paste", text: "1\n" })).toEqual([undefined]);
      expect(line.text).toBe("1\n");
    },
  );

  test("an answer that was begun is told, and no line of its own, when somebody else has answered", () => {
    const { line, begun } = tellingLine();
    line.set("a draft");
    line.ask(request);
    vi.advanceTimersByTime(251);
    press(line, text("ye"));
    line.close();
    expect([line.text, begun]).toEqual(["a draft", ["ye"]]);
    line.close();
    expect(begun).toEqual(["ye"]);
  });

  test("it is told, too, when the question is shown once more", () => {
    const { line, begun } = tellingLine();
    line.ask(request);
    vi.advanceTimersByTime(251);
    press(line, text("no because"));
    line.again();
    expect([line.text, begun]).toEqual(["", ["no because"]]);
  });

  test("of a secret, of a blank, of what was sent and of what was no answer yet nothing is told", () => {
    const { line, begun } = tellingLine();
    line.ask({ ...request, kind: "question", sensitive: true });
    vi.advanceTimersByTime(251);
    press(line, text("hunter2"));
    line.close();
    line.ask(request);
    vi.advanceTimersByTime(251);
    press(line, text("  "));
    line.close();
    line.ask(request);
    vi.advanceTimersByTime(251);
    press(line, text("yes"), key("enter"));
    line.close();
    line.set("");
    line.ask(request);
    press(line, text("early"));
    line.close();
    expect([line.text, begun]).toEqual(["early", []]);
  });

  verifies("ANS-6", "while a paste is on its way there is no quiet", () => {
    let pasting = true;
    const line = new Line({ onArmed: () => {}, isTyped: () => pasting, onBegun: () => {} });
    line.ask(request);
    vi.advanceTimersByTime(1_000);
    expect(line.isAnswer).toBe(false);
    pasting = false;
    vi.advanceTimersByTime(251);
    expect(line.isAnswer).toBe(true);
  });

  verifies("ANS-6", "when the question is shown once more, what was typed meanwhile answers nothing", () => {
    const line = lineWith("");
    line.ask(request);
    vi.advanceTimersByTime(251);
    line.again();
    expect(press(line, text("yes"), key("enter"))).toEqual([undefined, undefined]);
    expect([line.isAnswer, line.text]).toEqual([false, "yes\n"]);
  });

  test("after a question that somebody else has closed, Enter is heard again, whatever else is closed meanwhile", () => {
    const line = lineWith("");
    line.ask(request);
    vi.advanceTimersByTime(1_000);
    line.close();
    line.close();
    vi.advanceTimersByTime(1_000);
    expect(press(line, text("next"), key("enter"))).toEqual([undefined, "submit"]);
  });

  test("the rest of an answer that somebody else has made useless is no line of its own", () => {
    const line = lineWith("delete all");
    line.ask(request);
    vi.advanceTimersByTime(251);
    press(line, text("ye"));
    line.close();
    expect(press(line, text("s"), key("enter"))).toEqual([undefined, undefined]);
    vi.advanceTimersByTime(251);
    expect(press(line, key("enter"))).toEqual(["submit"]);
  });

  test("of a secret that nobody wants any more nothing is seen", () => {
    const line = lineWith("");
    line.ask({ ...request, kind: "question", sensitive: true });
    vi.advanceTimersByTime(251);
    press(line, text("hunt"));
    line.close();
    press(line, text("er2"), key("enter"));
    expect(line.text).toBe("");
    vi.advanceTimersByTime(251);
    press(line, text("hello"));
    expect(line.text).toBe("hello");
  });

  test("one's own answer closes the question, and the next line can be sent at once", () => {
    const line = lineWith("");
    line.ask(request);
    vi.advanceTimersByTime(251);
    expect(press(line, text("1"), key("enter"))).toEqual([undefined, "submit"]);
    line.set("");
    line.close();
    expect(press(line, text("more"), key("enter"))).toEqual([undefined, "submit"]);
  });

  test("a line that is offered is sent by Enter, and goes with the first letter", () => {
    const line = lineWith("");
    line.offer("/demo");
    expect([line.text, press(line, key("enter"))]).toEqual(["/demo", ["submit"]]);
    line.offer("/demo");
    press(line, text("h"), text("i"));
    expect(line.text).toBe("hi");
  });

  test("Ctrl-C counts at once", () => {
    const line = lineWith("");
    line.ask(request);
    expect(press(line, key("interrupt"))).toEqual(["interrupt"]);
  });
});

describe("Ctrl-C", () => {
  verifies("STOP-3c", "stops, then kills, then leaves; a new exchange begins anew", () => {
    const interrupts = new Interrupts();
    const press = () => interrupts.press({ exchange: true, text: true, now: 0 });
    expect([press(), press(), press()]).toEqual(["stop", "kill", "leave"]);
    interrupts.reset();
    expect(press()).toBe("stop");
  });

  test("clears the line where nothing runs, and leaves when it is pressed twice on an empty one", () => {
    const interrupts = new Interrupts();
    expect(interrupts.press({ exchange: false, text: true, now: 0 })).toBe("clear");
    expect(interrupts.press({ exchange: false, text: false, now: 10 })).toBe("tell");
    expect(interrupts.press({ exchange: false, text: false, now: 1_000 })).toBe("quit");
    expect(interrupts.press({ exchange: false, text: false, now: 9_000 })).toBe("tell");
  });
});
