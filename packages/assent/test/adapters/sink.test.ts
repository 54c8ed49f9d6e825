import { Writable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openSink } from "../../src/adapters/headless/sink.ts";
import { TextPieces, visibleText } from "../../src/core/interaction/index.ts";

/** A stream and the bytes that were written to it. */
function stream(isTTY: boolean, { slow = false } = {}) {
  const parts: Buffer[] = [];
  const writable = new Writable({
    highWaterMark: slow ? 4 : 1024 * 1024,
    write(part: Buffer, _, done) {
      parts.push(part);
      if (!slow) done();
    },
  });
  return { stream: Object.assign(writable, { isTTY }), written: () => Buffer.concat(parts) };
}

/** What is written of these pieces. */
function writtenOf(pieces: readonly string[], isTTY: boolean): Buffer {
  const { stream: to, written } = stream(isTTY);
  const sink = openSink(to);
  for (const piece of pieces) sink.write(piece);
  sink.end();
  return written();
}

/** Texts with much that must not pass, halves of characters among it, each cut anywhere. */
const nasty = fc.constantFrom("\r", "\n", "\r\n", "\t", "\u001b[2J", "\u009b", "\u0000", "\u202e", "\u2066", "\u061c");
const halves = fc.constantFrom("\ud83d", "\ude00", "\udb40", "\udc41", "\ud834", "\udd73", "\u{e0041}");
const unit = fc.oneof(nasty, halves, fc.string({ unit: "binary" }));
const pieces = fc.array(unit).chain((units) => {
  const text = units.join("");
  return fc.array(fc.nat(text.length)).map((cuts) => {
    const ends = [...cuts.sort((one, other) => one - other), text.length];
    return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
  });
});

test("text in pieces is shown as the whole would be (APPR-6)", () => {
  fc.assert(
    fc.property(pieces, (all) => {
      const shown = new TextPieces();
      expect(all.map((piece) => shown.next(piece)).join("") + shown.end()).toBe(visibleText(all.join("")));
    }),
    { numRuns: 500 },
  );
});

test("any split of any text is written as the whole would be, to a terminal and to a file", () => {
  fc.assert(
    fc.property(pieces, (all) => {
      const text = all.join("");
      expect(writtenOf(all, true).toString()).toBe(Buffer.from(visibleText(text)).toString());
      expect(writtenOf(all, false)).toEqual(Buffer.from(text));
    }),
    { numRuns: 500 },
  );
});

test("a terminal gets no control but line ends and tabs, and nothing that turns the direction of text (APPR-6)", () => {
  fc.assert(
    fc.property(pieces, (all) => {
      const written = writtenOf(all, true);
      expect(written.filter((byte) => byte < 0x20 && byte !== 0x0a && byte !== 0x09)).toHaveLength(0);
      expect(written.toString()).not.toMatch(/[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
    }),
    { numRuns: 500 },
  );
});

test("a terminal gets what it would obey as escapes, a file gets it as it is", () => {
  const text = "a\u001b[31mb\r\n\tc\u202e";
  expect(writtenOf([text], true).toString()).toBe("a\\u{1b}[31mb\\u{d}\n\tc\\u{202e}");
  expect(writtenOf([text], false).toString()).toBe(text);
});

test("a half character waits for its other half, and at the end no longer", () => {
  const { stream: to, written } = stream(true);
  const sink = openSink(to);
  sink.write("a\ud83d");
  expect(written().toString()).toBe("a");
  sink.write("\ude00b\ud83d");
  expect(written().toString()).toBe("a😀b");
  sink.end();
  expect(written().toString()).toBe("a😀b\ufffd");
  sink.write("c");
  expect(written().toString()).toBe("a😀b\ufffdc");
});

test("a stream that wants no more says so, also when there is nothing to write", () => {
  const { stream: to } = stream(false, { slow: true });
  const sink = openSink(to);
  expect(sink.write("")).toBe(true);
  expect(sink.write("abcdef")).toBe(false);
  expect(sink.write("")).toBe(false);
});

test("a stream that is gone gets nothing, and nobody waits until it takes more", () => {
  const { stream: to, written } = stream(true);
  to.destroy();
  expect(openSink(to).write("text")).toBe(true);
  expect(written()).toHaveLength(0);
});
