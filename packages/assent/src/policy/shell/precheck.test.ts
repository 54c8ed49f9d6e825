import { describe, expect, it } from "vitest";
import { looksAlike, precheck } from "./precheck.ts";

function rulesOf(command: string): readonly string[] {
  return [...new Set(precheck(command).map(({ rule }) => rule))];
}

describe("precheck", () => {
  it.each([
    "ls -la",
    "rm\t-rf\tbuild",
    'for f in src/*.ts; do\n  echo "$f"\ndone',
    'echo "\u0645\u0631\u062D\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645"',
    'echo "\u05E9\u05DC\u05D5\u05DD"',
    'echo "\u0141\u00F3d\u017A, na\u00EFve, \u65E5\u672C\u8A9E"',
    'cat "\u00DCbersicht.md"',
    'cat "U\u0308bersicht.md"',
    "printf '%s\\n' \"\u2013 dash \u2014 and \u201Cquotes\u201D \u2026\"",
    'git commit -m "\u2728 feat: add login"',
    'git commit -m "\u{1F468}\u200D\u{1F469}\u200D\u{1F467} family"',
    'git commit -m "\u2714\uFE0F done \u2764\uFE0F\u200D\u{1F525} \u26A0\uFE0F"',
    'git commit -m "1\uFE0F\u20E3 first"',
    'echo "\u{1F9D1}\u{1F3FD}\u200D\u{1F4BB}"',
    'echo "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645"',
    'echo "\u0915\u094D\u200D\u0937"',
    'echo "\u0601 123"',
    "cat > a.py <<'EOF'\nclass A:\n\n\n    def f(self):\n        if x:\n            return 1\n\n\nEOF",
    `ls${"\n".repeat(50)}`,
    `ls${" ".repeat(300)}`,
    `echo a${" ".repeat(40)}b`,
    `echo a${" ".repeat(79)}b`,
    `echo a${"\t".repeat(19)}b`,
    `echo a${"\t".repeat(19)}   b`,
    `echo a${"\t".repeat(19)} b${" ".repeat(79)}c`,
    `ls${"\n".repeat(10)}ls`,
    `ls${"\n".repeat(9)}ls${"\n".repeat(9)}ls`,
    `cat <<E\n${"\t".repeat(12)}deep\nE`,
    `echo '${"\\e[31mred\\033[0m \\x1b[1m".repeat(150)}'`,
    `echo "${"for if while a ".repeat(150)}"`,
    `echo '${"(a)[b]{c}".repeat(2000)}'`,
    `echo ${"a".repeat(60_000)}`,
    "",
  ])("does not ask about %j", (command) => {
    expect(precheck(command)).toEqual([]);
  });

  it.each([
    "echo ok\u001B[2K\u001B[1A",
    "echo start\r\nrm -rf build\r\n",
    "echo a\rrm b",
    "ls\u0000",
    "ls \u0008",
    "ls\u000Bx",
    "ls\u007F",
    "ls\u0085x",
    "ls # x\u2028\nrm -rf build",
    "ls\u2029x",
    "ls\u00A0-la",
    "ls\u3000-la",
    "ls\u2003-la",
    "ls\u1680-la",
    "r\u200Bm -rf build",
    "rm\u200D -rf build",
    "r\u200Cm x",
    "r\u00ADm x",
    'echo "safe\u202Efr- mr"',
    "echo \u2066x\u2069",
    "echo \u200Fx",
    "echo \u061Cx",
    "\uFEFFls",
    "ls\u2060x",
    "ls\uFE0F",
    "a\uFE01b",
    "ls\u{E0100}",
    "ls \u{E0072}\u{E006D}",
    "ls\u3164x",
    "ls\uFFA0x",
    "ls\u115Fx",
    "ls\u034Fx",
    "ls\u180Ex",
    "ls\u2800x",
    "ls\uD800x",
    "ls\uDC00",
    "ls\uFFFE",
    "\u{1F468}\u200Drm",
    "x\u200D\u{1F468}",
    "\u0645\u200Crm",
    `e${"\u0301".repeat(8)}`,
  ])("asks about the hidden characters of %j", (command) => {
    expect(rulesOf(command)).toEqual(["hidden-characters"]);
  });

  it.each([
    `ls src${"\n".repeat(40)}rm -rf build`,
    `ls src${"\n".repeat(11)}rm -rf build`,
    `ls src${"\n  \t".repeat(30)}\nrm -rf build`,
    `ls src${" \\\n".repeat(30)}; rm -rf build`,
    `${"\n".repeat(30)}rm x`,
    `ls${" ".repeat(200)}; rm x`,
    `ls${" ".repeat(80)}; rm x`,
    `ls${"\t".repeat(20)}; rm x`,
    `ls${"\t".repeat(19)}    ; rm x`,
    `ls${" ".repeat(20)} a${" ".repeat(80)}; rm x`,
    `ls${"\t".repeat(40)}; rm x`,
    `${" ".repeat(200)}rm x`,
    `ls\n${" ".repeat(90)}rm x`,
  ])("asks about the layout of %j", (command) => {
    expect(rulesOf(command)).toEqual(["hidden-layout"]);
  });

  it.each([
    ["a long command", "a".repeat(70_000)],
    ["many bytes", "\u65E5".repeat(30_000)],
    ["deep substitutions", "$(".repeat(200)],
    ["deep groups", `${"{ ".repeat(200)}ls${"; }".repeat(200)}`],
    ["deep parameters", `echo ${"$".concat("{a:-").repeat(150)}`],
    ["deep subscripts", "a[".repeat(150)],
    ["deep conditions", "if true; then ".repeat(1200)],
  ])("finds %s too much", (_, command) => {
    expect(rulesOf(command)).toEqual(["too-much"]);
  });

  it("says where and what", () => {
    expect(precheck("a\u200B\u200Bb\u202E")).toEqual([
      { rule: "hidden-characters", reason: "has an invisible character (U+200B)", span: { start: 1, end: 3 } },
      { rule: "hidden-characters", reason: "has a character that reorders text (U+202E)", span: { start: 4, end: 5 } },
    ]);
    expect(precheck(`ls${"\n".repeat(11)}x`)).toEqual([
      { rule: "hidden-layout", reason: "goes on after 10 empty lines", span: { start: 3, end: 13 } },
    ]);
    expect(precheck("a".repeat(70_000))).toEqual([
      { rule: "too-much", reason: "is longer than can be looked through", span: { start: 0, end: 70_000 } },
    ]);
    expect(precheck(`echo a\nls${" ".repeat(90)}x`)).toEqual([
      { rule: "hidden-layout", reason: "goes on after a very long gap in a line", span: { start: 9, end: 99 } },
    ]);
    expect(precheck("(".repeat(200))[0]).toMatchObject({ reason: "is nested deeper than can be looked through" });
    expect(precheck(`ls${" ".repeat(90)}x`)).toEqual([
      { rule: "hidden-layout", reason: "goes on after a very long gap in a line", span: { start: 2, end: 92 } },
    ]);
  });

  it("comes to an end with whatever is repeated", () => {
    for (const each of [
      "\u200B",
      "\u0301",
      "\n",
      " ",
      "\t",
      "[",
      "\\e[",
      "\\",
      "if ",
      "\r",
      "\u{1F468}\u200D",
      " \\\n",
    ]) {
      expect(precheck(each.repeat(Math.floor(60_000 / each.length))).length).toBeLessThan(30);
      expect(precheck(`${each.repeat(5)}x`.repeat(Math.floor(9000 / each.length))).length).toBeLessThan(30);
    }
  });
});

describe("looksAlike", () => {
  it.each([
    ["r\u043C", "Cyrillic"],
    ["\u0433\u043C", "Cyrillic alone"],
    ["\u0455ud\u043E", "Cyrillic"],
    ["\u0441url", "Cyrillic"],
    ["/usr/bin/\u0441url", "Cyrillic, in a path"],
    ["/h\u00F6me/\u0441url", "Cyrillic, in an odd path"],
    ["\u03C1s", "Greek"],
    ["\uFF52\uFF4D", "fullwidth"],
    ["\u{1D42B}\u{1D426}", "mathematical"],
    ["\u{1D5CB}m", "mathematical sans"],
    ["\u24E1\u24DC", "circled"],
    ["\u217F", "a Roman numeral"],
    ["l\u0455", "Cyrillic"],
    ["g\u0456t", "Cyrillic"],
    ["apt\u2010get", "hyphen"],
    ["apt\u2212get", "minus"],
    [".\u2215run", "slash"],
    ["r\u200Bm", "zero width"],
    ["\u1E5Bm", "dot below"],
    ["\u0131d", "dotless i"],
    ["\u017Fudo", "long s"],
  ])("%s imitates a name (%s)", (word) => {
    expect(looksAlike(word)).toBe(true);
  });

  it.each([
    ...[
      "ls",
      "",
      "./run.sh",
      "apt-get",
      "\u00FCbersicht",
      "caf\u00E9",
      "\u65E5\u672C\u8A9E",
      "\u0645\u0631\u062D\u0628\u0627",
    ],
    ...[
      "\u0437\u0430\u043F\u0443\u0441\u043A",
      "gr\u00F6\u00DFe",
      "\u{1F680}",
      "\u30CE\u30FC\u30C8",
      "./\u00DCbung/run.sh",
      "\u05E9\u05DC\u05D5\u05DD",
    ],
    "x".repeat(1000),
  ])("%s does not", (word) => {
    expect(looksAlike(word)).toBe(false);
  });
});
