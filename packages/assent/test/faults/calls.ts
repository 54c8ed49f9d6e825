import type { ScriptEntry, ScriptedCall } from "../../src/testing/index.ts";
import { by, type FaultCase, fails, fine, goesWell, marking, once, opening, ran, running, twice } from "./case.ts";

// Calls that are not as they should be. What can be read runs as it was written; nothing is mended or guessed (SEL-3).

const sel3 = ["SEL-3b"];
const invalid = ["model.replied", "call.invalid", "turn.closed"];

function calling(...calls: readonly ScriptedCall[]): ScriptEntry {
  return { calls };
}

function terminal(given: ScriptedCall["arguments"], id?: string | null): ScriptedCall {
  return { tool: "terminal", arguments: given, ...(id === undefined ? {} : { id }) };
}

const good = (mark: string, id?: string | null) => terminal({ command: marking(mark) }, id);

/** One call that cannot be taken; the model is told why, and the next request is valid. */
function told(title: string, call: ScriptedCall, why: RegExp, called = /^terminal \{/): FaultCase {
  return {
    title,
    proves: sel3,
    script: [calling(call), fine],
    env: once,
    expected: goesWell({
      ...{ requests: 2, before: invalid },
      shown: [new RegExp(`^system  the model's call is invalid: ${why.source}`, "m")],
      next: [{ request: 2, called: [called], results: [new RegExp(`^error: ${why.source}`)], tools: "offered" }],
    }),
  };
}

export const calls: readonly FaultCase[] = [
  told("half of the arguments is no JSON", terminal('{"command":"echo x >> cou'), /the arguments are not JSON/),
  told(
    "arguments in another notation are no JSON",
    terminal("{command: 'echo x >> count'}"),
    /the arguments are not JSON/,
  ),
  told(
    "arguments with something behind them are no JSON",
    terminal('{"command":"echo x >> count"} ok'),
    /the arguments are not JSON/,
  ),
  told(
    "arguments as a list are none",
    terminal('["echo x >> count"]'),
    /the arguments are wrong: value: expected Object, found /,
  ),
  told(
    "an empty list is not an object without fields",
    { tool: "list_files", arguments: "[]" },
    /the arguments are wrong: value: expected Object, found /,
    /^list_files \{/,
  ),
  told("arguments as a number are none", terminal("7"), /the arguments are wrong: value: expected Object, found 7/),
  told("arguments as null are none", terminal("null"), /the arguments are wrong: value: expected Object, found null/),
  told(
    "arguments as a text in JSON are none",
    terminal('"echo x >> count"'),
    /the arguments are wrong: value: expected Object, found "echo/,
  ),
  told(
    "a name that would move a cursor is told in signs",
    { tool: "\u001b[2Jterminal", arguments: { command: marking() } },
    /no tool is named "\\u001b\[2Jterminal"/,
    /^invalid_name \{/,
  ),
  told(
    "an unknown tool is named, and the ones that are there",
    { tool: "shell", arguments: { command: marking() } },
    /no tool is named "shell"; there are .*terminal/,
    /^shell \{/,
  ),
  told(
    "a name in another case is another name",
    { tool: "Terminal", arguments: { command: marking() } },
    /no tool is named "Terminal"/,
    /^Terminal \{/,
  ),
  told(
    "a name that no API takes is told, and sent back as one that they do",
    { tool: "functions.terminal:0", arguments: { command: marking() } },
    /no tool is named "functions\.terminal:0"/,
    /^invalid_name \{/,
  ),
  told("a field of another type is told by its name", terminal({ command: 7 }), /[\s\S]*command/),
  told("a list in the place of a text is told by its name", terminal({ command: ["echo", "x"] }), /[\s\S]*command/),
  told("a field too many is told by its name", terminal({ command: marking(), shell: "zsh" }), /[\s\S]*shell/),
  told(
    "a required field that is missing is told by its name",
    { tool: "read_file", arguments: {} },
    /[\s\S]*path/,
    /^read_file \{\}/,
  ),
  told(
    "a tool without a name is told",
    { tool: "", arguments: { command: marking() } },
    /no tool is named ""/,
    /^invalid_name \{/,
  ),
  {
    title: "empty arguments are told, and sent back as an object",
    proves: sel3,
    env: once,
    script: [calling(terminal("")), fine],
    // Where a call without arguments has no pieces of them, it is one that gives none.
    expected: goesWell({
      ...{ requests: 2, before: invalid },
      shown: [/^system {2}the model's call is invalid: /m],
      next: [{ request: 2, called: [/^terminal \{/], results: [/^error: /] }],
    }),
  },
  {
    title: "arguments that the output limit ended are told as cut off, not as a mistake",
    proves: sel3,
    env: once,
    script: [{ ...calling(terminal('{"command":"echo x >> count; echo ')), finish: "length" }, fine],
    expected: goesWell({
      ...{ requests: 2, before: invalid },
      shown: [/the reply was cut off at its output limit/m, /call is invalid: .*do it in smaller parts/],
      next: [
        {
          request: 2,
          called: [/^terminal \{/],
          results: [/^error: .*cut off at the output limit: do it in smaller parts/],
        },
      ],
    }),
  },
  {
    title: "a call that is whole when the output limit ends the reply runs",
    proves: sel3,
    env: once,
    script: [{ ...running(), finish: "length" }, fine],
    expected: goesWell({
      ...{ requests: 2, executed: "x", before: ran },
      shown: [/the reply was cut off at its output limit/m, /^tool {4}\$ echo x/m],
    }),
  },
  {
    title: "a call in a reply that says it simply stopped runs",
    proves: sel3,
    env: once,
    script: [{ ...running(), finish: "stop" }, fine],
    expected: goesWell({ requests: 2, executed: "x", before: ran, unseen: [/invalid/] }),
  },
  {
    title: "a call without an id runs, and is sent back with one",
    proves: sel3,
    env: once,
    script: [calling(good("x", null)), fine],
    expected: goesWell({
      requests: 2,
      executed: "x",
      before: ran,
      next: [{ request: 2, called: [/^terminal /], results: [/no output/] }],
    }),
  },
  {
    title: "of calls with one id in one reply the first runs, the later ones may be the same call told twice",
    proves: sel3,
    env: once,
    script: [calling(good("a", "same"), good("a", "same"), good("b", "same"), good("c", "other")), fine],
    expected: goesWell({
      ...{ requests: 2, executed: "ac" },
      before: ["model.replied", ...ran.slice(1, 3), "call.invalid", "call.invalid", ...ran.slice(1)],
      shown: [/call is invalid: an earlier call of this reply has the id "same", too: it was not run/],
      next: [
        {
          request: 2,
          called: [/echo a/, /echo a/, /echo b/, /echo c/],
          results: [/no output/, /^error: an earlier call/, /^error: an earlier call/, /no output/],
        },
      ],
    }),
  },
  {
    title: "calls without an id, or with an empty one, are calls of their own: some servers send none",
    proves: sel3,
    env: once,
    script: [calling(good("a", null), good("b", ""), good("c", "")), fine],
    expected: goesWell({
      ...{ requests: 2, executed: "abc" },
      before: ["model.replied", ...ran.slice(1, 3), ...ran.slice(1, 3), ...ran.slice(1)],
      next: [{ request: 2, called: [/echo a/, /echo b/, /echo c/], results: [/no output/, /no output/, /no output/] }],
    }),
  },
  {
    title: "an id of an earlier reply is another call's",
    proves: sel3,
    env: once,
    script: [running("a", "same"), running("b", "same"), fine],
    expected: goesWell({
      ...{ requests: 3, executed: "ab", before: [...ran, ...ran] },
      next: [{ request: 3, called: [/echo a/, /echo b/], results: [/no output/, /no output/] }],
    }),
  },
  {
    title: "an id that no API takes is sent back as one that they do",
    proves: sel3,
    env: once,
    script: [running("x", `a b\u0000ü/${"z".repeat(90)}`), fine],
    expected: goesWell({ requests: 2, executed: "x", before: ran, next: [{ request: 2, results: [/no output/] }] }),
  },
  {
    title: "a call in another choice, or of a part that never began, does not run",
    proves: sel3,
    env: once,
    script: [{ text: "Let me see.", calls: [good("x")], stray: "choice" }, fine],
    expected: by(
      goesWell({
        requests: 2,
        before: invalid,
        shown: [/call is invalid: the call came in choice 1, and only one reply/],
      }),
      goesWell({
        requests: 2,
        before: invalid,
        shown: [/call is invalid: the arguments of the call came without its beginning/],
      }),
      fails("malformed-stream", /expected the beginning of a block, came a piece of it/, {
        shown: [/^agent {3}Let me see\.$/m, /\(malformed-stream\): expected the beginning of a block/],
        stdout: "Let me see.\n",
      }),
    ),
  },
  {
    title: "a call after the reason to end does not run",
    proves: sel3,
    env: once,
    script: [{ text: "Let me see.", calls: [good("x")], stray: "after-finish" }, fine],
    expected: goesWell({
      ...{ requests: 2, before: invalid },
      shown: [/call is invalid: the call came after the end of the reply/],
      next: [{ request: 2, called: [/^terminal /], results: [/^error: the call came after the end/] }],
    }),
  },
  {
    title: "a call after the end does not run",
    proves: sel3,
    env: once,
    script: [{ text: "Let me see.", calls: [good("x")], stray: "after-end" }, fine],
    expected: goesWell({
      ...{ requests: 2, before: invalid },
      shown: [/call is invalid: the call came after the end of the reply/],
      next: [{ request: 2, called: [/^terminal /], results: [/^error: the call came after the end/] }],
    }),
  },
  {
    title: "of three calls the bad one in the middle is told, and the others run once each in order",
    proves: sel3,
    env: once,
    script: [calling(good("a"), terminal('{"command":'), good("c")), fine],
    expected: goesWell({
      ...{ requests: 2, executed: "ac" },
      before: ["model.replied", ...ran.slice(1, 3), "call.invalid", ...ran.slice(1)],
      shown: [/^tool {4}\$ echo a/m, /call is invalid: the arguments are not JSON/, /^tool {4}\$ echo c/m],
      next: [
        {
          request: 2,
          called: [/echo a/, /unparsed_arguments/, /echo c/],
          results: [/no output/, /^error: the arguments are not JSON/, /no output/],
        },
      ],
    }),
  },
  {
    title: "sixty-four calls are taken, each on its own",
    proves: sel3,
    env: once,
    script: [calling(...Array.from({ length: 64 }, () => ({ tool: "nothing", arguments: {} }))), fine],
    expected: goesWell({
      requests: 2,
      before: ["model.replied", ...Array.from({ length: 64 }, () => "call.invalid"), "turn.closed"],
      next: [{ request: 2, results: Array.from({ length: 64 }, () => /^error: no tool is named "nothing"/) }],
    }),
  },
  {
    title: "seventy calls are more than any reply has, and none runs",
    proves: [...sel3, "SEL-10"],
    env: twice,
    script: [{ ...calling(...Array.from({ length: 70 }, () => good("x"))), repeat: true }],
    expected: fails("malformed-stream", /expected at most 64 calls in a reply, came more; tried 2 times/, {
      requests: 2,
    }),
  },
  {
    title: "bad calls without end stop a run",
    proves: sel3,
    env: once,
    script: [opening, { ...calling(terminal("{")), repeat: true }],
    expected: {
      exit: 1,
      shown: [
        /^system {2}run opened: mark the file$/m,
        /call is invalid: the arguments are not JSON/,
        /^system {2}ended: failed/m,
      ],
      stdout: "",
      events: [
        ...["exchange.started", "model.replied", "run.started", "call.finished", "turn.closed"],
        ...Array.from({ length: 5 }, () => invalid).flat(),
        ...["run.ended failed", "exchange.ended failed failed-calls"],
      ],
      executed: "",
      requests: 6,
    },
  },
];
