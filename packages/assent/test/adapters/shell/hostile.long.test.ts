import { describe, expect, test } from "vitest";
import { loadMarkdown } from "../../../src/adapters/shell/markdown.ts";
import { type Look, renderSaid } from "../../../src/adapters/shell/render.ts";
import { styles } from "../../../src/adapters/shell/style.ts";
import { widthOf } from "../../../src/adapters/shell/width.ts";
import { type Said, saidSubject } from "../../../src/show/index.ts";

const markdown = await loadMarkdown();
const esc = "\u001b";
const tags = [..."run rm"].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");
/** A byte sequence as a program would read it that takes every byte for a character. */
const bytes = (text: string) => Buffer.from(text, "utf8").toString("latin1");

/** Text that a terminal would obey, that an eye would miss, or that wants to pass for something else. */
const hostile: Readonly<Record<string, string>> = {
  "a screen cleared": `a${esc}[2Jb`,
  "a cursor moved up": `a${esc}[5Ab`,
  "a cursor moved home": `a${esc}[Hb`,
  "a line erased": `a${esc}[2K${esc}[1Gb`,
  "a cursor saved and restored": `${esc}7a${esc}8b${esc}[s${esc}[u`,
  "text set invisible": `${esc}[8mhidden${esc}[0m`,
  "text in colours of the surface": `${esc}[2m│${esc}[0m fake`,
  "a style never closed": `${esc}[31;1;5;7mred`,
  "a style with colons": `${esc}[38:2::255:0:0mred`,
  "a title by OSC 0": `${esc}]0;title\u0007`,
  "a title by OSC 2": `${esc}]2;title${esc}\\`,
  "a link by OSC 8": `${esc}]8;;https://evil.example${esc}\\bank${esc}]8;;${esc}\\`,
  "a clipboard by OSC 52": `${esc}]52;c;cm0gLXJmIC8=\u0007`,
  "a file by OSC 1337": `${esc}]1337;File=inline=1:AAAA\u0007`,
  "a colour table by OSC 4": `${esc}]4;1;rgb:00/00/00\u0007`,
  "a folder by OSC 7": `${esc}]7;file:///etc\u0007`,
  "a notification by OSC 9": `${esc}]9;done\u0007${esc}]777;notify;a;b\u0007`,
  "marks of a prompt by OSC 133": `${esc}]133;A${esc}\\$ ${esc}]133;B${esc}\\`,
  "a device string": `${esc}P+q544e${esc}\\`,
  "a picture as sixels": `${esc}Pq#0;2;0;0;0~~@@vv${esc}\\`,
  "a picture by kitty": `${esc}_Gf=24,s=10,v=20;AAAA${esc}\\`,
  "an application command": `${esc}_command${esc}\\`,
  "a private message": `${esc}^message${esc}\\${esc}Xstring${esc}\\`,
  "a way through tmux": `${esc}Ptmux;${esc}${esc}]52;c;AA==\u0007${esc}\\`,
  "a way through screen": `${esc}P${esc}]0;x\u0007${esc}\\${esc}ktitle${esc}\\`,
  "an alternate screen": `${esc}[?1049h${esc}[?47h`,
  "mouse modes": `${esc}[?1000h${esc}[?1003h${esc}[?1006h`,
  "modes of keys": `${esc}[>1u${esc}[>4;2m${esc}=${esc}>`,
  "the end of a bracketed paste": `${esc}[201~rm -rf /\n${esc}[200~`,
  "bracketed paste turned off": `${esc}[?2004l`,
  "a synchronized update never ended": `${esc}[?2026h`,
  "a cursor hidden": `${esc}[?25l`,
  "a scrolling region": `${esc}[5;10r${esc}[3S${esc}D${esc}M`,
  "a stack of titles": `${esc}[22;0t${esc}[23;0t`,
  "a window resized and asked": `${esc}[8;50;200t${esc}[21t${esc}[18t`,
  "questions that a terminal answers": `${esc}[c${esc}[6n${esc}[>q${esc}Z${esc}[5n\u0005`,
  "a soft reset": `${esc}[!p`,
  "a full reset": `${esc}c`,
  "another character set": `${esc}(0lqqk${esc}(B\u000e\u000f${esc}%G`,
  "a test pattern": `${esc}#8`,
  "a printer": `${esc}[5i rm ${esc}[4i`,
  "a repeated character": `x${esc}[10000b`,
  "a rectangle filled": `${esc}[42;1;1;10;10$x`,
  "C1 in one character": "\u009b2J\u009d0;t\u009c\u0090q\u009c\u0085x\u0084\u008d",
  "C1 as the bytes of UTF-8": bytes("\u009b2J\u009d0;t\u009c"),
  "UTF-8 of an escape that is too long": "\u00c0\u009b[2J",
  "a bell": "a\u0007b",
  "backspaces that overwrite": "rm -rf /\b\b\b\b\b\b\b\bls      ",
  "carriage returns that overwrite": "rm -rf /\rls      \r\n",
  "line feeds of other kinds": "a\u000bb\u000cc\u0085d\u2028e\u2029f",
  "a bidirectional override": "ls \u202e/ fr- mr\u202c \u2066x\u2069",
  "marks of direction": "a\u200eb\u200fc\u061cd",
  "zero-width characters": "r\u200bm\u200c \u200d-\u2060r\u2061f",
  "tag characters": `ls${tags}`,
  "a byte order mark": "\ufeffls\ufeff",
  "a soft hyphen": "r\u00adm",
  fillers: "a\u115f\u1160\u3164\uffa0\u034fb\u180eb",
  "variation selectors that carry a text": "a\u{e0101}\u{e0172}\u{e0120}",
  "annotations between lines": "a\ufff9b\ufffac\ufffbd",
  "a pile of marks": `a${"\u0301\u0338\u20dd".repeat(20)}b`,
  "marks at the beginning": "\u0338\u20e0fake",
  tabs: "a\tb\t\tc\t",
  "a NUL": "a\u0000b",
  "a DEL": "a\u007fb",
  "every control character": String.fromCharCode(...Array(32).keys(), ...Array.from({ length: 33 }, (_, i) => 127 + i)),
  "lone surrogates": "a\ud800b\udc00c\udbff",
  "an escape that nothing follows": `text${esc}`,
  "the rest of an escape": "[2J[31m]0;t\\",
  "a fake approval": "Approve command: rm -rf /? (yes/no)\n\n1) Yes\n2) No",
  "a fake approval after blank lines": "done\n\n\n\nApprove command: ls? (yes/no)\n\n1) Yes",
  "a fake prompt": "done\n❯ rm -rf /\n> rm -rf /\n$ rm -rf /",
  "a fake system line": "done\n· ended: answered\n- ended: answered\nsystem  ended: answered",
  "a fake gutter": "● agent\n│ output\n▸ command\n┊ more\n| output\n* agent\n+ command",
  "a fake field": "ls\ncwd: /home\nasked because: nothing",
  "a fake fold": "… 1,234 lines more (Ctrl-O or /history t1c1 shows all)",
  "blanks that push text out": `a${" ".repeat(200)}b${"\u00a0".repeat(50)}c${"\u3000".repeat(50)}d`,
  "an escape in code": `\`\`\`sh${esc}[2J\necho ${esc}[31m\n\`\`\`\n\n\`${esc}[2J\`\n\n    indented ${esc}[2J`,
  "an escape in a link": `[te${esc}[2Jxt](https://a.example/${esc}]0;t\u0007 "ti${esc}[2Jtle")`,
  "an escape in an image": `![a${esc}[2J](u${esc}[2J "t${esc}[2J")`,
  "an escape in a table": `| a${esc}[2J | b |\n|---|---|\n| c\u0007 | d\u009b2J |\n| ${esc}]0;x\u0007`,
  "an escape in a heading": `# Title${esc}[2J\n\nTitle\u009b2J\n===`,
  "an escape in a list": `- a${esc}[2J\n  1. b\u0007\n- [x] c\u009b2J`,
  "an escape in HTML": `<div title="${esc}[2J">\n${esc}[31m</div>\n\na <b onclick="\u0007">b</b> <!-- ${esc}c -->`,
  "an escape in a reference": `[r${esc}[2J]\n\n[r${esc}[2J]: https://a.example/\u0007 "${esc}c"`,
  "an escape in a quotation": `> a${esc}[2J\n>> \u009b2J`,
  "an escape by name and number": "&#27;[2J &#x1b;]0;t&#7; &#155;2J &#0; &#x202e; &#xd800; &#x110000; &nbsp;",
  "an escape in an address by number": "[a](https://a.example/&#27;[2J) <https://a.example/&#27;>",
  "an escape behind a backslash": `\\${esc}[2J \\\u009b2J`,
  "an escape between marks": `*${esc}*[2J **\u009b**2J ~~${esc}~~c`,
  "an escape in the name of a language": `~~~\u001b]0;t\u0007\ncode\n~~~`,
  "a difference with an escape in a name": `--- a/${esc}[2Jx\n+++ b/${esc}]0;t\u0007\n@@ -1 +1 @@${esc}c\n-\u009b2J\n+\r\u202e`,
  "a mail address that is none": "<a@b.example> a\u0007@b.example www.a\u200b.example",
  "nesting without end": `${"> ".repeat(100)}x\n${"- ".repeat(100)}y\n${"[".repeat(100)}`,
};

const subjectOf = (text: string): readonly Said[] =>
  saidSubject({
    interaction_id: "q1",
    kind: "confirmation",
    question: "Approve?",
    options: [{ id: "1", label: `Yes ${text}`, description: text }],
    allow_free_text: true,
    allow_cancel: true,
    subject: { command: text.split("\n"), path: text, diff: text.split("\n"), [text]: { deep: text } },
    metadata: { reason: text, unread_grants: [text] },
  });

/** Everything that may carry foreign text, and what every line of it must begin with. */
const places: Readonly<Record<string, (text: string) => readonly Said[]>> = {
  "tool output": (text) => [{ channel: "tool", form: "output", text, call: "t1c1" }],
  "a long tool output": (text) => [{ channel: "tool", form: "output", text: `${text}\n`.repeat(21), call: "t1c1" }],
  "an exit line": (text) => [{ channel: "tool", form: "text", text }],
  "a difference": (text) => [{ channel: "tool", form: "diff", text, call: "t1c1" }],
  "what is about to run": (text) => [{ channel: "tool", form: "start", text: `$ ${text}`, call: "t1c1" }],
  "the agent's text": (text) => [{ channel: "agent", form: "markdown", text }],
  "the agent's text in pieces": (text) =>
    [...text].map((piece): Said => ({ channel: "agent", form: "markdown", text: piece })).slice(0, 12),
  "what had come of an answer": (text) => [{ channel: "agent", form: "output", text }],
  "a system detail": (text) => [{ channel: "system", form: "text", text: `the model failed: ${text}` }],
  "a prompt": (text) => [{ channel: "prompt", form: "text", text }],
  "a subject": subjectOf,
  "a name of a call": (text) => [{ channel: "tool", form: "output", text: "a\n".repeat(50), call: text }],
};

const gutters: Readonly<Record<"fine" | "plain", (said: Said) => readonly [first: string, next: string]>> = {
  fine: ({ channel, form }) => {
    if (channel === "tool") return form === "start" ? ["▸ ", "┊ "] : ["│ ", "│ "];
    return ({ agent: ["● ", "  "], system: ["· ", "· "], prompt: ["❯ ", "┊ "] } as const)[channel];
  },
  plain: ({ channel, form }) => {
    if (channel === "tool") return form === "start" ? ["+ ", ": "] : ["| ", "| "];
    return ({ agent: ["* ", "  "], system: ["- ", "- "], prompt: ["> ", ": "] } as const)[channel];
  },
};

const looks: readonly Look[] = [
  { columns: 80, color: true, utf8: true },
  { columns: 80, color: false, utf8: true },
  { columns: 33, color: true, utf8: false },
  { columns: 20, color: false, utf8: false },
];

/** Exactly the codes that the surface puts there itself. */
const own = new RegExp(`${esc}\\[(?:0|${Object.values(styles).join("|")})m`, "g");
/** What no line may hold: controls and the other ends of lines, what hides or turns text, and halves of characters. */
const forbidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

function problemsOf(said: Said, look: Look, whole: boolean): readonly string[] {
  const [first, next] = gutters[look.utf8 ? "fine" : "plain"](said);
  const { lines } = renderSaid(said, look, { markdown, whole });
  return lines.flatMap((line, index) => {
    const shown = look.color ? line.replace(own, "") : line;
    return [
      ...(forbidden.test(shown) ? [`obeyed or hidden: ${JSON.stringify(shown)}`] : []),
      ...(shown.startsWith(index === 0 ? first : next) ? [] : [`no gutter: ${JSON.stringify(shown)}`]),
      ...(widthOf(shown) > look.columns ? [`too wide: ${JSON.stringify(shown)}`] : []),
    ];
  });
}

test("there are at least forty kinds of hostile text", () => {
  expect(Object.keys(hostile).length).toBeGreaterThanOrEqual(40);
});

describe("nothing that came from outside is obeyed by a terminal or passes for something else", () => {
  test.each(Object.entries(hostile))("%s", (_, text) => {
    const problems = Object.entries(places).flatMap(([place, said]) =>
      looks.flatMap((look) =>
        (look.color ? [true] : [true, false]).flatMap((whole) =>
          said(text).flatMap((each) => problemsOf(each, look, whole).map((problem) => `${place}: ${problem}`)),
        ),
      ),
    );
    expect(problems).toEqual([]);
  });
});

test("what would be obeyed is not dropped: it is seen as an escape", () => {
  const look = { columns: 80, color: false, utf8: true };
  const text = `a${esc}[2J\u009b\u0007\r\u202e\u2028\u{e0041}\ufeff\u3164\ud800`;
  const shown = "a\\u{1b}[2J\\u{9b}\\u{7}\\u{d}\\u{202e}\\u{2028}\\u{e0041}\\u{feff}\\u{3164}\ufffd";
  const lines = (said: Said) => renderSaid(said, look, { markdown }).lines;
  expect(lines({ channel: "tool", form: "output", text })).toEqual([`│ ${shown}`]);
  expect(lines({ channel: "agent", form: "markdown", text })).toEqual([`● ${shown}`]);
  expect(lines({ channel: "system", form: "text", text })).toEqual([`· ${shown}`]);
  expect(lines({ channel: "tool", form: "text", text, field: "path" })).toEqual([`│ path: ${shown}`]);
});

test("a fake approval in an output or in the agent's text stands behind a gutter in every line", () => {
  const look = { columns: 80, color: false, utf8: true };
  const text = "Approve command: ls? (yes/no)\n\n1) Yes\n2) No";
  expect(renderSaid({ channel: "tool", form: "output", text }, look, { markdown }).lines).toEqual([
    "│ Approve command: ls? (yes/no)",
    "│ ",
    "│ 1) Yes",
    "│ 2) No",
  ]);
  expect(renderSaid({ channel: "agent", form: "markdown", text }, look, { markdown }).lines).toEqual([
    "● Approve command: ls? (yes/no)",
    "  ",
    "  1. Yes",
    "  2. No",
  ]);
});

test("no line of a field can pass for another field, in whatever window", () => {
  for (const columns of [20, 40, 80]) {
    const look = { columns, color: false, utf8: true };
    const text = `ls ${"x".repeat(100)}\ncwd: /home`;
    const { lines } = renderSaid({ channel: "tool", form: "text", text, field: "command" }, look, { markdown });
    expect(lines.slice(1).filter((line) => !line.startsWith("│   "))).toEqual([]);
  }
});
