import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Capture } from "../../src/terminal/capture.ts";
import type { Spill } from "../../src/terminal/spill.ts";

const cap = 32 * 1024;
const hide = (text: string) => text;
const path = "/out/c1.stdout.txt";

/** A file in which everything arrives, or only so much. */
function file(most = Number.POSITIVE_INFINITY, why: "capped" | "failed" = "capped") {
  const parts: Buffer[] = [];
  const told = { opened: 0, ended: 0 };
  let state: Spill["state"] = "whole";
  let bytes = 0;
  const written = () => Buffer.concat(parts);
  const spill: Spill = {
    path,
    get bytes() {
      return bytes;
    },
    get state() {
      return state;
    },
    get reason() {
      return state === "failed" ? "ENOSPC: the disk is full" : null;
    },
    write(part) {
      const room = Math.max(0, most - bytes);
      if (part.length > room) state = why;
      parts.push(Buffer.from(part.subarray(0, room)));
      bytes += Math.min(part.length, room);
    },
    end() {
      told.ended += 1;
    },
  };
  const open = () => {
    told.opened += 1;
    return spill;
  };
  return { open, told, written };
}

/** Through one buffer, which is used again for every part. */
function addAll(capture: Capture, data: Buffer, size: number): void {
  const buffer = Buffer.alloc(size);
  for (let at = 0; at < data.length; at += size) {
    const length = data.copy(buffer, 0, at, at + size);
    capture.add(buffer.subarray(0, length));
    buffer.fill("#");
  }
}

function captured(text: string | Buffer, size = 64 * 1024, spill: (() => Spill) | null = null) {
  const capture = new Capture({ spill, hide });
  addAll(capture, Buffer.from(text), size);
  return capture.end();
}

/** Lines of 16 bytes. */
const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `line ${String(from + index).padStart(10, "0")}\n`).join("");

const none = { left_out: 0, file: null, binary: false };

describe("an output that is short", () => {
  test("is all there, and no file is made", () => {
    const { open, told } = file();
    expect(captured("", 1, open)).toEqual({ ...none, text: "", bytes: 0 });
    expect(captured("one\ntwo", 1, open)).toEqual({ ...none, text: "one\ntwo", bytes: 7 });
    const text = numbered(cap / 16);
    expect(captured(text, 1_000, open)).toEqual({ ...none, text, bytes: cap });
    expect(told).toEqual({ opened: 0, ended: 0 });
  });

  test("is read as text", () => {
    expect(captured("\u001b[31mgrün\u001b[0m\r\n", 1).text).toBe("grün\n");
    expect(captured(Buffer.from([...Buffer.from("a long line of text "), 0xc3])).text).toBe(
      "a long line of text \ufffd",
    );
  });
});

describe("an output that is long", () => {
  const text = numbered(10_000);
  const head = numbered(1_024);
  const tail = numbered(1_023, 8_977);
  const left_out = 160_000 - head.length - tail.length;

  test.each([1, 7, 1_000, 16 * 1024, 64 * 1024, 200_000])("keeps head and tail, in parts of %i bytes", (size) => {
    const { open, told, written } = file();
    expect(captured(text, size, open)).toEqual({
      text: `${head}[… ${left_out} bytes left out; all of it is in ${path} …]\n${tail}`,
      bytes: 160_000,
      left_out,
      file: path,
      binary: false,
    });
    expect(written().toString() === text).toBe(true);
    expect(told).toEqual({ opened: 1, ended: 1 });
  });

  test("keeps what any ring would keep", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(sizes, (all) => {
        const { open, written } = file();
        const capture = new Capture({ spill: open, hide });
        const whole = numbered(Math.ceil(all.reduce((sum, size) => sum + size, 0) / 16));
        let at = 0;
        for (const size of all) {
          capture.add(Buffer.from(whole.slice(at, at + size)));
          at += size;
        }
        const came = whole.slice(0, at);
        const { text: shown, bytes, left_out: left } = capture.end();
        expect(bytes).toBe(at);
        const [first = "", last = ""] = shown.split(/\[… .* …\]\n/);
        expect(came.startsWith(first) && came.endsWith(last)).toBe(true);
        expect(first.length + last.length + left).toBe(at);
        expect(left === 0).toBe(at <= cap);
        expect(left).toBeLessThanOrEqual(Math.max(0, at - cap + 32));
        expect(written().toString() === (at > cap ? came : "")).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test("says what is true of a file that is not whole", () => {
    const note = (spill: (() => Spill) | null) =>
      /\[… \d+ bytes left out(.*) …\]/.exec(captured(text, 999, spill).text)?.[1];
    expect(note(null)).toBe("");
    expect(note(file(50_000).open)).toBe(`; only the first 50000 bytes are in ${path}`);
    expect(note(file(50_000, "failed").open)).toBe(
      `; only the first 50000 bytes are in ${path}, for the rest could not be saved: ENOSPC: the disk is full`,
    );
    expect(note(file(0, "failed").open)).toBe("; it could not be saved: ENOSPC: the disk is full");
    expect(captured(text, 999, null).file).toBe(null);
    expect(captured(text, 999, file(0, "failed").open).file).toBe(null);
  });

  test("of one line is cut between characters", () => {
    const { text: shown, left_out: left } = captured(`x${"世".repeat(20_000)}`);
    const [first = "", last = ""] = shown.split(/\n\[… .* …\]\n/);
    expect(first).toBe(`x${"世".repeat((16 * 1024 - 1) / 3)}`);
    expect(/^世+$/.test(last)).toBe(true);
    expect(Buffer.byteLength(first + last) + left).toBe(60_001);
  });

  test("of one line is cut between escape sequences", () => {
    for (let shift = 0; shift < 24; shift += 1) {
      const { text: shown } = captured("x".repeat(shift) + "\u001b[38;5;123mwort\u001b[0m ".repeat(5_000));
      const [first = "", last = ""] = shown.split(/\n\[… .* …\]\n/);
      expect(first).toMatch(/^x*(?:wort )*w?o?r?t?$/);
      expect(last).toMatch(/^w?o?r?t? ?(?:wort )*$/);
    }
  });

  test("of one line that is written again and again is cut where it is", () => {
    const updates = Array.from({ length: 10_000 }, (_, index) => `\rupdate ${index} of 10000`).join("");
    expect(captured(updates).text).toMatch(/^update \d+ of 10000\n\[… .* …\]\nupdate 9999 of 10000$/);
  });
});

describe("binary output", () => {
  test("is not shown, and goes to a file at any length", () => {
    const { open, told, written } = file();
    const data = Buffer.alloc(256, Buffer.from([1, 2, 0, 3]));
    expect(captured(data, 1, open)).toEqual({
      text: `[binary output, 256 bytes; all of it is in ${path}]`,
      bytes: 256,
      left_out: 256,
      file: path,
      binary: true,
    });
    expect(written()).toEqual(data);
    expect(told).toEqual({ opened: 1, ended: 1 });
    expect(captured(data)).toEqual({
      text: "[binary output, 256 bytes]",
      bytes: 256,
      left_out: 256,
      file: null,
      binary: true,
    });
  });

  test("that is long is in the file once", () => {
    const { open, written } = file();
    const data = Buffer.alloc(100_000, Buffer.from([0, 255, 7]));
    expect(captured(data, 999, open).text).toBe(`[binary output, 100000 bytes; all of it is in ${path}]`);
    expect(written().equals(data)).toBe(true);
  });

  test("of several takes is in the file once", () => {
    const { open, written } = file();
    const capture = new Capture({ spill: open, hide });
    const parts = [
      [0, 0xc3],
      [0, 0x1b],
      [0, 1],
    ].map((part) => Buffer.alloc(512, Buffer.from(part)));
    for (const part of parts) {
      capture.add(part);
      capture.take();
    }
    capture.end();
    expect(written().equals(Buffer.concat(parts))).toBe(true);
  });
});

describe("takes", () => {
  test("give what came since the one before, and begin anew", () => {
    const capture = new Capture({ spill: null, hide });
    capture.add(Buffer.from("one"));
    expect(capture.take()).toEqual({ ...none, text: "one", bytes: 3 });
    expect(capture.take()).toEqual({ ...none, text: "", bytes: 0 });
    capture.add(Buffer.from(numbered(10_000)));
    expect(capture.take()).toMatchObject({ bytes: 160_000 });
    capture.add(Buffer.from("two"));
    expect(capture.end()).toEqual({ ...none, text: "two", bytes: 3 });
    expect(capture.end()).toEqual({ ...none, text: "", bytes: 0 });
  });

  test("go on with the file once it is there", () => {
    const { open, told, written } = file();
    const capture = new Capture({ spill: open, hide });
    const parts = ["short\n", numbered(3_000), "short again\n", numbered(4_000)];
    const files = parts.map((part) => {
      capture.add(Buffer.from(part));
      return capture.take().file;
    });
    expect(files).toEqual([null, path, path, path]);
    expect(capture.end().text).toBe("");
    expect(written().toString() === parts.slice(1).join("")).toBe(true);
    expect(told).toEqual({ opened: 1, ended: 1 });
  });

  test.each([
    ["a character", Buffer.from("text 😀 text"), "text 😀 text"],
    ["an escape sequence", Buffer.from("text \u001b[38;5;12mtext\u001b]0;t\u001b\\"), "text text"],
  ])("do not cut %s in two", (_, data, text) => {
    for (let at = 0; at <= data.length; at += 1) {
      const { open, written } = file();
      const capture = new Capture({ spill: open, hide });
      capture.add(data.subarray(0, at));
      const first = capture.take();
      capture.add(data.subarray(at));
      const second = capture.end();
      expect(first.text + second.text).toBe(text);
      expect(first.bytes + second.bytes).toBe(data.length);
      expect(written()).toHaveLength(0);
    }
  });

  test("lose no byte of the file when they come within a character", () => {
    const { open, written } = file();
    const capture = new Capture({ spill: open, hide });
    const data = Buffer.from("世".repeat(20_000));
    for (let at = 0; at < data.length; at += 10_000) {
      capture.add(data.subarray(at, at + 10_000));
      expect(capture.take().text).toMatch(/^世*$/);
    }
    capture.add(data);
    capture.take();
    expect(written().equals(data)).toBe(true);
  });
});

test("a secret that is whole only as a text is hidden there", () => {
  const capture = new Capture({ spill: null, hide: (text) => text.replaceAll("hunter2", "[secret]") });
  capture.add(Buffer.from("hun\u001b[1mter2 and "));
  expect(capture.take().text).toBe("[secret] and ");
  capture.add(Buffer.from(`${numbered(3_000)}hunt\u001b[0mer2`));
  expect(capture.end().text.endsWith("\n[secret]")).toBe(true);
});
