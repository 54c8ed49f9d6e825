import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Key, KeyDecoder } from "../../../src/adapters/shell/keys.ts";

function decode(...chunks: (string | Buffer)[]): readonly Key[] {
  const decoder = new KeyDecoder();
  return [...chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk))), ...decoder.flush()];
}

const key = (name: string) => ({ type: "key", name });
const text = (typed: string) => ({ type: "text", text: typed });

/** Keys that are told one after the other in any chunks, joined where text was cut. */
function joined(keys: readonly Key[]): readonly Key[] {
  const all: Key[] = [];
  for (const each of keys) {
    const last = all.at(-1);
    if (last?.type === "text" && each.type === "text")
      all[all.length - 1] = { type: "text", text: last.text + each.text };
    else all.push(each);
  }
  return all;
}

describe("keys by their bytes", () => {
  test.each([
    ["\r", "enter"],
    ["\n", "newline"],
    ["\t", "tab"],
    ["\x7f", "backspace"],
    ["\b", "backspace"],
    ["\x01", "home"],
    ["\x02", "left"],
    ["\x03", "interrupt"],
    ["\x04", "eof"],
    ["\x05", "end"],
    ["\x06", "right"],
    ["\x07", "escape"],
    ["\x0b", "kill-to-end"],
    ["\x0c", "clear"],
    ["\x0e", "down"],
    ["\x0f", "unfold"],
    ["\x10", "up"],
    ["\x12", "search"],
    ["\x14", "transpose"],
    ["\x15", "kill-line"],
    ["\x17", "kill-word"],
    ["\x19", "yank"],
    ["\x1a", "suspend"],
    ["\x1f", "undo"],
    ["\x1b", "escape"],
    ["\x1bb", "word-left"],
    ["\x1bB", "word-left"],
    ["\x1bf", "word-right"],
    ["\x1bd", "kill-word-right"],
    ["\x1b\x7f", "kill-word-left"],
    ["\x1b\b", "kill-word-left"],
    ["\x1b\r", "newline"],
    ["\x1b\n", "newline"],
    ["\x1b[A", "up"],
    ["\x1b[B", "down"],
    ["\x1b[C", "right"],
    ["\x1b[D", "left"],
    ["\x1bOA", "up"],
    ["\x1bOB", "down"],
    ["\x1bOC", "right"],
    ["\x1bOD", "left"],
    ["\x1b[1;5C", "word-right"],
    ["\x1b[1;5D", "word-left"],
    ["\x1b[1;3C", "word-right"],
    ["\x1b[1;3D", "word-left"],
    ["\x1b[1;2C", "right"],
    ["\x1b[1;5A", "up"],
    ["\x1bO5C", "word-right"],
    ["\x1bO1;5D", "word-left"],
    ["\x1b[5C", "right"],
    ["\x1bOc", "word-right"],
    ["\x1bOd", "word-left"],
    ["\x1b[c", "right"],
    ["\x1b\x1b[D", "word-left"],
    ["\x1b\x1bOC", "word-right"],
    ["\x1b[H", "home"],
    ["\x1b[F", "end"],
    ["\x1bOH", "home"],
    ["\x1bOF", "end"],
    ["\x1b[1~", "home"],
    ["\x1b[4~", "end"],
    ["\x1b[7~", "home"],
    ["\x1b[8~", "end"],
    ["\x1b[7$", "home"],
    ["\x1b[8^", "end"],
    ["\x1b[1;5H", "home"],
    ["\x1b[1;2F", "end"],
    ["\x1b[3~", "delete"],
    ["\x1b[3$", "delete"],
    ["\x1b[3;5~", "kill-word-right"],
    ["\x1b[3^", "kill-word-right"],
    ["\x1b[5~", "page-up"],
    ["\x1b[6~", "page-down"],
    ["\x1b[Z", "backtab"],
    ["\x1bOM", "enter"],
    ["\x1b[27;2;13~", "newline"],
    ["\x1b[27;3;13~", "newline"],
    ["\x1b[27;5;13~", "newline"],
    ["\x1b[13;2u", "newline"],
    ["\x1b[13;3u", "newline"],
    ["\x1b[13u", "enter"],
    ["\x1b[27u", "escape"],
    ["\x1b[9;2u", "backtab"],
    ["\x1b[99;5u", "interrupt"],
    ["\x1b[99;5:1u", "interrupt"],
    ["\x1b[27;5;122~", "suspend"],
    ["\x1b[47;5u", "undo"],
    ["\x1b[98;3u", "word-left"],
    ["\x1b[127;3u", "kill-word-left"],
    ["\x1b[127;5u", "kill-word-left"],
  ])("%j is %s", (bytes, name) => {
    expect(decode(bytes)).toEqual([key(name)]);
  });

  test.each([
    "\x1b[15~",
    "\x1b[1;2P",
    "\x1bOP",
    "\x1b[[A",
    "\x1b[I",
    "\x1b[2~",
    "\x1b[201~",
    "\x1b[24;80R",
    "\x1b[?2026;2$y",
    "\x1b[?62;22c",
    "\x1b[99;5:3u",
    "\x1b[57344;2u",
    "\x1b]11;rgb:0000/0000/0000\x07",
    "\x1b]11;rgb:0000/0000/0000\x1b\\",
    "\x1bP1$r0m\x1b\\",
    "\x1bx",
    "\x1bé",
    "\x1b日",
    "\x00",
    "\x1c",
  ])("%j is dropped whole", (bytes) => {
    expect(decode(`a${bytes}b`)).toEqual([text("a"), text("b")]);
    expect(decode(bytes)).toEqual([]);
  });

  test("a key told by its character is that character", () => {
    expect(decode("\x1b[97u\x1b[27;2;65~")).toEqual([text("a"), text("A")]);
  });

  test("a sequence that breaks off leaves what interrupts it", () => {
    expect(decode("\x1b[1;\x03")).toEqual([key("interrupt")]);
    expect(decode("\x1b[1\x1b[A")).toEqual([key("up")]);
    expect(decode("\x1bO\r")).toEqual([key("enter")]);
    expect(decode("\x1b]0;title\x1b[A")).toEqual([key("up")]);
  });

  test("escape and another key typed at once are both", () => {
    expect(decode("\x1b\x03")).toEqual([key("escape"), key("interrupt")]);
    expect(decode("\x1b\x1b")).toEqual([key("escape"), key("escape")]);
    expect(decode("\x1b\x1bx")).toEqual([key("escape")]);
  });

  test("a sequence without an end does not hold back what is typed for ever", () => {
    expect(decode(`\x1b[${"1".repeat(255)}x`)).toEqual([text("1x")]);
  });
});

describe("a lone escape", () => {
  test("waits, and is one after a moment", () => {
    const decoder = new KeyDecoder();
    expect(decoder.push(Buffer.from("\x1b"))).toEqual([]);
    expect(decoder.waiting).toBe(true);
    expect(decoder.flush()).toEqual([key("escape")]);
    expect(decoder.waiting).toBe(false);
    expect(decoder.flush()).toEqual([]);
  });

  test("is the beginning of what follows in time", () => {
    const decoder = new KeyDecoder();
    decoder.push(Buffer.from("\x1b"));
    expect(decoder.push(Buffer.from("[A"))).toEqual([key("up")]);
    expect(decoder.waiting).toBe(false);
  });

  test("half a sequence is dropped after a moment", () => {
    const decoder = new KeyDecoder();
    decoder.push(Buffer.from("\x1b[1;"));
    expect(decoder.flush()).toEqual([]);
    expect(decoder.push(Buffer.from("a"))).toEqual([text("a")]);
  });
});

describe("text", () => {
  test("comes in one piece, whatever its letters", () => {
    expect(decode("héllo 日本 👍🏽")).toEqual([text("héllo 日本 👍🏽")]);
  });

  test("half a character waits for its other bytes, and no moment ends it", () => {
    const decoder = new KeyDecoder();
    const bytes = Buffer.from("👍");
    expect(decoder.push(bytes.subarray(0, 3))).toEqual([]);
    expect(decoder.waiting).toBe(false);
    expect(decoder.flush()).toEqual([]);
    expect(decoder.push(bytes.subarray(3))).toEqual([text("👍")]);
  });

  test("invalid bytes are shown as such", () => {
    expect(decode(Buffer.from([0x61, 0xff, 0x62]))).toEqual([text("a\ufffdb")]);
    expect(decode(Buffer.from([0xe6, 0x0d]))).toEqual([text("\ufffd"), key("enter")]);
  });
});

describe("a paste", () => {
  const paste = (pasted: string) => `\x1b[200~${pasted}\x1b[201~`;

  test("is one key, and its line ends are line ends", () => {
    expect(decode(`a${paste("one\r\ntwo\rthree\n\tfour\x03")}b`)).toEqual([
      text("a"),
      { type: "paste", text: "one\ntwo\nthree\n\tfour\x03" },
      text("b"),
    ]);
  });

  test("may hold escapes of its own", () => {
    expect(decode(paste("\x1b[A \x1b[20"))).toEqual([{ type: "paste", text: "\x1b[A \x1b[20" }]);
  });

  test("no moment ends it", () => {
    const decoder = new KeyDecoder();
    decoder.push(Buffer.from("\x1b[200~abc\x1b"));
    expect(decoder.waiting).toBe(false);
    expect(decoder.flush()).toEqual([]);
    expect(decoder.push(Buffer.from("[201~"))).toEqual([{ type: "paste", text: "abc" }]);
  });

  test("what the terminal wrote over its buffer does not change it", () => {
    const decoder = new KeyDecoder();
    const buffer = Buffer.from("\x1b[200~first");
    decoder.push(buffer);
    buffer.fill("x");
    expect(decoder.push(Buffer.from("\x1b[201~"))).toEqual([{ type: "paste", text: "first" }]);
  });
});

test("chunks may end anywhere", () => {
  const pieces = fc.constantFrom(
    "a",
    "é",
    "日本",
    "👍🏽",
    "\r",
    "\x03",
    "\x1b[A",
    "\x1b[1;5C",
    "\x1bOH",
    "\x1bb",
    "\x1b[200~p\r\né\x1b[201~",
    "\x1b]0;t\x07",
    "\x1b[3~",
    "\x1b[27;2;13~",
  );
  fc.assert(
    fc.property(fc.array(pieces), fc.array(fc.nat(200)), (typed, cuts) => {
      const bytes = Buffer.from(typed.join(""));
      const borders = [
        0,
        ...cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other),
        bytes.length,
      ];
      const chunks = borders.slice(1).map((end, index) => bytes.subarray(borders[index], end));
      expect(joined(decode(...chunks))).toEqual(joined(decode(bytes)));
    }),
  );
});

test("no bytes are too strange", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
      decode(...chunks.map((chunk) => Buffer.from(chunk)));
    }),
  );
});

test("a paste whose end never comes is ended by Ctrl-C, and what came of it is kept", () => {
  const decoder = new KeyDecoder();
  expect(decoder.push(Buffer.from("\x1b[200~half\r\n\x1b[20"))).toEqual([]);
  expect(decoder.push(Buffer.from("\x03"))).toEqual([
    { type: "paste", text: "half\n\x1b[20" },
    { type: "key", name: "interrupt" },
  ]);
  expect(decoder.push(Buffer.from("a"))).toEqual([{ type: "text", text: "a" }]);
});
