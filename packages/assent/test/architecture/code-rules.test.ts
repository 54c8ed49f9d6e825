import { expect, test } from "vitest";
import type { Rules } from "./check.ts";
import { found, rules } from "./fixture.ts";
import { parseGlossary } from "./glossary.ts";

function lines(count: number): string {
  return "//\n".repeat(count);
}

test.each([
  ["Date.now()", "the global Date"],
  ["new Date()", "the global Date"],
  ["({ process })", "the global process"],
  ["[console]", "the global console"],
  ["globalThis.x", "the global globalThis"],
  ["Math.random()", "the global Math.random, or Math handed on whole"],
  ['Math["random"]()', "the global Math.random, or Math handed on whole"],
  ["((m) => m)(Math)", "the global Math.random, or Math handed on whole"],
  ["async () => 1", "an async function"],
  ["({ async run() {} })", "an async function"],
  ["Promise.resolve(1)", "the global Promise"],
  ["setTimeout as () => void", "the global setTimeout"],
  ['require("x")', "the global require"],
  ['import("./b.ts")', "import()"],
  ["import.meta.url", "import.meta"],
])("purity: %s is not pure", (expression, came) => {
  const expected = [`policy/a.ts:1 expected pure code in policy: came ${came}`];
  expect(found("purity", { "policy/a.ts": `const x = ${expression};` })).toEqual(expected);
  expect(found("purity", { "runtime/a.ts": `const x = ${expression};` })).toEqual([]);
});

test("purity: node's modules, awaiting and throwing are not pure", () => {
  const source = `import type { Stats } from "node:fs";
    type Other = import("node:os").CpuInfo;
    await run();
    throw new Error("no");`;
  expect(found("purity", { "core/a.ts": source })).toEqual([
    'core/a.ts:1 expected pure code in core: came an import of "node:fs"',
    'core/a.ts:2 expected pure code in core: came an import of "node:os"',
    "core/a.ts:3 expected pure code in core: came await",
    "core/a.ts:4 expected pure code in core: came throw, where an expected failure is a value",
  ]);
  expect(found("purity", { "policy/a.ts": 'throw new Error("a bug");' })).toEqual([]);
});

test("purity: a name declared in one function is still the global in the next", () => {
  const source = `
    function fine(process: string) { return process; }
    function wrong() { return process; }
    declare const fetch: () => string;
    for (const crypto of list) use(crypto);
    use(crypto);`;
  expect(found("purity", { "core/a.ts": source })).toEqual([
    "core/a.ts:3 expected pure code in core: came the global process",
    "core/a.ts:4 expected pure code in core: came the global fetch",
    "core/a.ts:6 expected pure code in core: came the global crypto",
  ]);
});

test("purity: keys, members, types and names of one's own only look like globals", () => {
  const source = `
    import { crypto } from "./b.ts";
    type Clock = { Date: Date; process: Promise<typeof process>; fetch(): Buffer };
    const look = { date: 1, process: 2, Date: x.Date, fetch() { return this.console; } };
    const { process: other, console = 1 } = look;
    for (const performance of [Math.max(1, 2)]) crypto(performance, console);
    try { x(); } catch (require) { y(require); }
    class Waiting { setTimeout = 1; fetch(): Promise<Date> { return this.fetch(); } }
    const fold = ([fetch, ...Date]: Date[]) => fetch ?? Date;
    const shown = value satisfies Date;`;
  expect(found("purity", { "core/a.ts": source })).toEqual([]);
});

test("sizes: a file of 400 lines is short enough and one of 401 is not", () => {
  expect(found("sizes", { "core/a.ts": lines(400), "core/b.ts": lines(401) })).toEqual([
    "core/b.ts:1 file: expected at most 400 lines, came 401",
  ]);
});

test("sizes: a function of 40 lines is short enough and one of 41 is not, whatever its form", () => {
  const sources = {
    "core/fine.ts": `function fine() {\n${lines(38)}}`,
    "core/a.ts": `\nexport function long() {\n${lines(39)}}`,
    "core/b.ts": `const arrow = () => {\n${lines(39)}};`,
    "core/c.ts": `class A { method() {\n${lines(39)}} }`,
    "core/d.ts": `const wrapped = once(function () {\n${lines(39)}});`,
  };
  expect(found("sizes", sources)).toEqual([
    "core/a.ts:2 function long: expected at most 40 lines, came 41",
    "core/b.ts:1 function arrow: expected at most 40 lines, came 41",
    "core/c.ts:1 function method: expected at most 40 lines, came 41",
    "core/d.ts:1 function wrapped: expected at most 40 lines, came 41",
  ]);
});

test("sizes: an exception excuses the place it names, and one that nothing needs is a violation", () => {
  const sources = { "core/a.ts": `function table() {\n${lines(399)}}`, "core/b.ts": "" };
  const excuse = (...places: string[]): Partial<Rules> => ({
    sizes: { ...rules.sizes, exceptions: Object.fromEntries(places.map((place) => [place, "a table"])) },
  });
  expect(found("sizes", sources, excuse("core/a.ts", "core/a.ts#table"))).toEqual([]);
  expect(found("sizes", sources, excuse("core/a.ts", "core/b.ts#gone"))).toEqual([
    "core/a.ts:1 function table: expected at most 40 lines, came 401",
    'core/b.ts:1 exception "core/b.ts#gone": expected something that needs it, came nothing; remove it from rules.ts',
  ]);
});

test("words: no name that is declared says an avoided word", () => {
  const source = `
    const conversationId = 1;
    function openConversations(tool_uses: number) {}
    type ToolUse = { "conversation-title": string };
    import { x as permission } from "./b.ts";`;
  const expected = (name: string, instead: string, came: string): string =>
    `name "${name}": expected the glossary's word "${instead}", came "${came}"`;
  expect(found("words", { "core/a.ts": source })).toEqual([
    `core/a.ts:2 ${expected("conversationId", "session", "conversation")}`,
    `core/a.ts:3 ${expected("openConversations", "session", "conversation")}`,
    `core/a.ts:3 ${expected("tool_uses", "call", "tool use")}`,
    `core/a.ts:4 ${expected("ToolUse", "call", "tool use")}`,
    `core/a.ts:4 ${expected("conversation-title", "session", "conversation")}`,
    `core/a.ts:5 ${expected("permission", "grant", "permission")}`,
  ]);
});

test("words: names of others, text and longer words are free", () => {
  const source = `
    import { conversation } from "elsewhere";
    const conversational = conversation.permission({ permission: "conversation" });
    const tool = 1, use = 2, toolbox = "useTool";`;
  expect(found("words", { "core/a.ts": source })).toEqual([]);
});

test("words: file and folder names say what is inside, each folder told once", () => {
  const sources = {
    "core/conversation/a.ts": "",
    "core/conversation/b.ts": "",
    "core/text-utils.ts": "",
    "misc/c.ts": "",
  };
  expect(found("words", sources)).toEqual([
    'core/conversation/a.ts:1 name "conversation": expected the glossary\'s word "session", came "conversation"',
    'core/text-utils.ts:1 file or folder: expected a name for what is in it, came "text-utils"',
    'misc/c.ts:1 file or folder: expected a name for what is in it, came "misc"',
  ]);
  expect(found("words", { "core/utilisation.ts": "", "core/common-ground.ts": "" })).toEqual([]);
});

test("words: a folder may say the words of the protocol it speaks, and only those", () => {
  const source = "const permission = 1; const conversation = 2;";
  expect(found("words", { "adapters/acp/index.ts": source })).toEqual([
    'adapters/acp/index.ts:1 name "conversation": expected the glossary\'s word "session", came "conversation"',
  ]);
});

test("the glossary's avoid column is read without its notes, from every table so headed", () => {
  const markdown = `# Words
| word | meaning | avoid |
|---|---|---|
| **session** | a \`journal\` | \`conversation\`, \`chat\` (but \`chat\` in [openai]) |
| call | one \\| of many | \`tool-use\`, \`toolInvocation\` |
| turn | nothing to avoid | |

| word | other | avoid |
|---|---|---|
| x | y | \`z\` |

| Word | Meaning | Avoid |
|---|---|---|
| \`exchange\` | one prompt | \`chat\` |`;
  expect([...parseGlossary(markdown)]).toEqual([
    ["conversation", "session"],
    ["chat", "session or exchange"],
    ["tool use", "call"],
    ["tool invocation", "call"],
  ]);
});

test("casts: as and JSON.parse live in wire", () => {
  const source = `const a = (x as unknown) as Session;
    const load = (text: string) => text.split("\\n").map((line) => JSON.parse(line));
    const { parse } = JSON;`;
  expect(found("casts", { "wire/a.ts": source, "runtime/a.ts": source })).toEqual([
    "runtime/a.ts:1 expected a cast (`as`) only in wire: came one in the module itself",
    "runtime/a.ts:2 expected JSON.parse only in wire: came one in load",
    "runtime/a.ts:3 expected JSON.parse only in wire: came one in the module itself",
  ]);
});

test("casts: as const, satisfies, renaming and other parsers are no casts", () => {
  const source = `import { a as b } from "./b.ts"; import * as c from "./c.ts"; export { b as d };
    const e = ["x"] as const; const f = {} satisfies object;
    const g = JSON.stringify(c.parse(e)); const h = (JSON: typeof c) => JSON.parse(g);
    type I = { [K in keyof E as F<K>]: 1 };`;
  expect(found("casts", { "runtime/a.ts": source })).toEqual([]);
});

test("casts: an exception excuses a file or a function, and one that nothing needs is a violation", () => {
  const sources = { "runtime/a.ts": "function open() { return rows.map((row) => row as Row); }\nconst x = y as Z;" };
  const excuse = (place: string): Partial<Rules> => ({
    casts: { ...rules.casts, exceptions: { [place]: "the driver has no types" } },
  });
  expect(found("casts", sources, excuse("runtime/a.ts"))).toEqual([]);
  expect(found("casts", sources, excuse("runtime/a.ts#open"))).toEqual([
    "runtime/a.ts:2 expected a cast (`as`) only in wire: came one in the module itself",
  ]);
  expect(found("casts", {}, excuse("runtime/a.ts#open"))).toEqual([
    'runtime/a.ts:1 exception "runtime/a.ts#open": expected something that needs it, came nothing; remove it from rules.ts',
  ]);
});
