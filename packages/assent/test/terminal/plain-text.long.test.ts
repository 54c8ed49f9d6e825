import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBinary, plainText } from "../../src/terminal/plain-text.ts";

const esc = "\u001b";
const plain = (text: string) => plainText(Buffer.from(text));

describe("what a terminal would obey is removed", () => {
  test.each([
    ["colours", `${esc}[1;31mred${esc}[0m and ${esc}[38:2::1:2:3mmore${esc}[m`, "red and more"],
    ["modes and cursor keys", `${esc}[?25l${esc}[?2004ha${esc}[>4;1mb${esc}[!pc${esc}[2 q`, "abc"],
    ["titles ended by bell", `${esc}]0;title\u0007text`, "text"],
    ["links ended by ST", `${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\`, "link"],
    [
      "strings of devices and programs",
      `a${esc}Pq#0~${esc}\\b${esc}_G1;${esc}\\c${esc}^x${esc}\\d${esc}Xy${esc}\\e`,
      "abcde",
    ],
    ["a bell inside a string that it does not end", `a${esc}Pq\u0007x${esc}\\b`, "ab"],
    ["sequences of two characters", `${esc}7a${esc}8${esc}=b${esc}Mc`, "abc"],
    ["two characters that look like an erasing one", `abc\r${esc}Kd`, "dbc"],
    ["a string that looks like an erasing one", `abc\r\u009d[K\u009cd`, "dbc"],
    ["character sets", `${esc}(Ba${esc}%Gb${esc}#8c`, "abc"],
    ["forms of one character", "\u009b31mred\u009b0m \u009d0;title\u009ctext\u0090q\u009c.\u0085", "red text."],
    ["other controls", "a\u0000b\u0007c\u000b\u000cd\u000ee\u007ff\u0080g", "abcdefg"],
    ["an escape before what it cannot begin", `${esc}${esc}[1ma${esc}é${esc}\n${esc}`, "aé\n"],
  ])("%s", (_, raw, text) => {
    expect(plain(raw)).toBe(text);
  });
});

describe("what has no end does not take away the text after it", () => {
  test.each([
    ["a control sequence at the end", `text${esc}[31;4`, "text"],
    ["a control sequence in the middle", `a${esc}[31\nb`, "a\nb"],
    ["a title up to the end of the line", `a${esc}]0;title\r\nb\nc`, "a\nb\nc"],
    ["a title up to where the line is written again", `a${esc}]0;title\rb`, "b"],
    ["a title up to the next sequence", `a${esc}]0;title${esc}[1mb`, "ab"],
    ["a title that is called off", `a${esc}]0;title\u0018b`, "ab"],
    ["a title of more than 4 KB", `a${esc}]${"t".repeat(4 * 1024)}rest`, "arest"],
    ["a title cut within a character", `a${esc}]${"t".repeat(4 * 1024 - 1)}😀rest`, "arest"],
    ["a string up to the end", `a${esc}Pq`, "a"],
  ])("%s", (_, raw, text) => {
    expect(plain(raw)).toBe(text);
  });

  test("but a long title with an end goes as a whole", () => {
    expect(plain(`a${esc}]${"t".repeat(10_000)}\u0007b`)).toBe("ab");
  });
});

describe("what is left on a line", () => {
  test.each([
    ["line ends of Windows", "a\r\nb\r\n", "a\nb\n"],
    ["a shorter text over a longer one", "abcdef\rXY\n", "XYcdef\n"],
    ["a return without more", "50%\r", "50%"],
    ["blanks that wipe", "Downloading 100%\r                \rDone\n", "Done\n"],
    ["blanks at an end that nobody wrote over", "a  \r\nb  ", "a  \nb  "],
    ["bold and underlined", "N\bNA\bAM\bME\bE _\bx", "NAME x"],
    ["a letter taken back", "passwort\b \bd", "password"],
    ["backspaces before the beginning", "\b\b\ba\b\b\b\bb", "b"],
    ["erased to the end", `Downloading 100%\r${esc}[KDone`, "Done"],
    ["erased as a whole", `Downloading 100%${esc}[2KDone`, "Done"],
    ["the column named", `Downloading 100%${esc}[1G${esc}[0KDone`, "Done"],
    ["moves to the left and the right", `abcdef${esc}[4DX${esc}[2CY`, "abXdeY"],
    ["moves behind the end", `a${esc}[500Cb${esc}[80Gc`, "a b c"],
    ["tabs", "a\tb\n\tc", "a\tb\n\tc"],
    ["a tab over what is there", "abcdefghij\r\tX", "abcdefghXj"],
    ["a tab over what is shorter", "abc\r\tX", "abc\tX"],
    ["characters of two units", "😀😀\rx", "x😀"],
  ])("%s", (_, raw, text) => {
    expect(plain(raw)).toBe(text);
  });

  test("of a progress bar of many updates is one line", () => {
    const updates = Array.from({ length: 10_000 }, (_, index) => `\r${index / 100}% done`);
    expect(plain(`start\n${updates.join("")}\nend`)).toBe("start\n99.99% done\nend");
  });
});

test("what only people cannot see stays: a model must be able to write it again", () => {
  const text = "a\u202eb\u200bc\u2028d\u{e0041}e\ufefff\u00ad👨\u200d👩\u200d👧";
  expect(plain(text)).toBe(text);
});

test("invalid bytes are shown as such", () => {
  expect(plainText(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82]))).toBe("a\ufffdb\ufffd");
});

test("plain text stays as it is", () => {
  const readable = fc.string({ unit: "grapheme" }).filter((text) => !/\p{Cc}/u.test(text));
  fc.assert(
    fc.property(fc.array(readable), (parts) => {
      expect(plain(parts.join("\n\t"))).toBe(parts.join("\n\t"));
    }),
  );
});

const controls = fc.constantFrom(
  ...["\r", "\b", "\t", "\n", esc, "[", "]", "K", "5", "\\", "\u0007", "\u009b", "\u202e", "x"],
);

test("nothing but text, tabs and line ends is left of anything, and no line is lost", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(controls).map((all) => all.join("")),
        fc.string({ unit: "binary" }),
      ),
      (text) => {
        const shown = plain(text);
        expect(shown).not.toMatch(/(?![\n\t])\p{Cc}/u);
        expect(shown.split("\n").length).toBe(text.split("\n").length);
      },
    ),
    { numRuns: 200 },
  );
});

test("a little that a terminal obeys does not become much text", () => {
  for (const unit of [`${esc}[9999C`, `${esc}[999Gx\n`, `x${esc}[1K`, "\t\b"]) {
    const text = unit.repeat(1_000);
    expect(plain(text).length).toBeLessThanOrEqual(text.length);
  }
});

describe("whether an output is binary", () => {
  const many = (count: number, byte: number) => Buffer.alloc(count, byte);

  test.each([
    ["nothing", Buffer.alloc(0), false],
    ["text", Buffer.from("Grüße, 世界 😀\n"), false],
    ["coloured text", Buffer.from(`${esc}[1m${esc}[m\r\n\t\b\u0007`), false],
    ["names with a NUL after each", Buffer.from("a-file-name.txt\0".repeat(50)), false],
    ["a tenth invalid", Buffer.concat([many(900, 0x61), many(100, 0xff)]), false],
    ["more than a tenth invalid", Buffer.concat([many(890, 0x61), many(110, 0xff)]), true],
    ["more than a tenth controls", Buffer.concat([many(890, 0x61), many(110, 0x01)]), true],
    ["more than a tenth NUL", Buffer.concat([many(890, 0x61), many(110, 0)]), true],
    ["a few bytes of whatever kind", many(255, 0xff), false],
    ["what is binary only after 8 KB", Buffer.concat([many(8_192, 0x61), many(8_192, 0)]), false],
    ["text that has the sign for invalid bytes in it", Buffer.from("\ufffd".repeat(20)), false],
    ["text cut within a character", Buffer.from("世".repeat(5_000)), false],
  ])("%s", (_, bytes, is) => {
    expect(isBinary(bytes)).toBe(is);
  });
});
