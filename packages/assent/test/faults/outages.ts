import type { Expected } from "./case.ts";
import {
  by,
  completing,
  type FaultCase,
  fails,
  fine,
  goesWell,
  hello,
  once,
  opening,
  ran,
  retried,
  running,
  twice,
} from "./case.ts";

// A model that goes away in the middle of the work, and a person who does.

const sel10 = ["SEL-10"];
const opened = ["model.replied", "run.started", "call.finished", "turn.closed"];

const completed: Pick<Expected, "exit" | "stdout"> = { exit: 0, stdout: "The file is marked.\n" };

/** A stop by a signal, in an exchange without calls. */
function stopped(exit: number, more: Partial<Expected> = {}): Expected {
  return {
    exit,
    shown: [/^system {2}stop requested by /m, /^system {2}ended: stopped$/m],
    unseen: [/the model failed/],
    stdout: "",
    events: ["exchange.started", "stop.requested", "model.abandoned", "exchange.ended stopped"],
    executed: "",
    requests: 1,
    ...more,
  };
}

export const outages: readonly FaultCase[] = [
  {
    title: "an outage in the middle of a run is told, and resume goes on without running anything again",
    proves: sel10,
    env: twice,
    script: [opening, running(), { fault: { status: 500 } }, { fault: { status: 500 } }, completing],
    expected: fails("server-error", /HTTP 500 .*; tried 2 times/, {
      ...{ requests: 4, executed: "x" },
      events: [
        ...["exchange.started", ...opened, ...ran],
        ...["model.failed server-error end", "run.ended failed", "exchange.ended failed model"],
      ],
      next: [{ request: 4, called: [/^agentic /, /^terminal /], results: [/^run opened$/, /no output/] }],
    }),
    resumed: {
      ...completed,
      shown: [
        /^prompt {2}do it$/m,
        /\(server-error\): HTTP 500 .*; the fault is the server's: wait a while, then assent resume s1$/m,
        /^system {2}going on where it failed$/m,
      ],
      events: [
        ...["exchange.started", "run.started", "model.replied", "call.finished", "turn.closed"],
        ...["run.ended completed", "exchange.ended completed"],
      ],
      executed: "x",
      requests: 5,
      next: [
        {
          request: 5,
          called: [/^agentic /, /^terminal .*echo x/],
          results: [/^run opened$/, /no output/],
          tools: "offered",
        },
      ],
    },
  },
  {
    title: "a kept connection that turns out to be closed is replaced without a word",
    proves: sel10,
    env: once,
    script: [running(), { fault: { close: "before-answer" } }, fine],
    expected: goesWell({
      ...{ requests: 3, executed: "x", before: ran, unseen: [/the model failed/] },
      next: [{ request: 3, results: [/no output/] }],
    }),
  },
  {
    title: "a server that is gone after a command is told, and resume goes on from its result",
    proves: sel10,
    env: once,
    script: [running(), { fault: { close: "before-answer" } }, { fault: { close: "before-answer" } }, fine],
    expected: fails("half-stream", /broke the connection off before it answered/, {
      ...{ requests: 3, executed: "x", before: ran },
    }),
    resumed: goesWell({
      ...{ requests: 4, executed: "x" },
      shown: [/^prompt {2}do it$/m, /\(half-stream\): .*; check the network/, /^system {2}going on where it failed$/m],
      next: [{ request: 4, called: [/^terminal .*echo x/], results: [/no output/] }],
    }),
  },
  {
    title: "an outage that lasts is told again at each resume, and nothing runs again",
    proves: sel10,
    env: once,
    script: [running(), { fault: { status: 401 }, repeat: true }],
    expected: fails("unauthorised", /HTTP 401/, { requests: 2, executed: "x", before: ran }),
    resumed: fails("unauthorised", /HTTP 401/, {
      ...{ requests: 3, executed: "x" },
      shown: [
        /\(unauthorised\)/,
        /^system {2}going on where it failed$/m,
        /\(unauthorised\): HTTP 401 .*; check the key in /,
      ],
      next: [{ request: 3, results: [/no output/] }],
    }),
  },
  {
    title: "a text that broke off is not the model's own when it goes on",
    proves: sel10,
    env: once,
    script: (format) => [{ text: hello, fault: { cut: by(3, 6, 5)(format) } }, fine],
    expected: fails("half-stream", /the reply broke off before its end/, {
      shown: [/^agent {3}Hello there, f$/m, /\(half-stream\)/],
      stdout: "Hello there, f\n",
    }),
    resumed: goesWell({
      requests: 2,
      shown: [/^agent {3}Hello there, f$/m, /\(half-stream\)/, /^system {2}going on where it failed$/m],
      next: [{ request: 2, called: [], results: [], said: /do it/ }],
    }),
  },
  {
    title: "a kill while a retry is waited for loses nothing and runs nothing again",
    proves: sel10,
    script: [opening, running(), { fault: { status: 429, headers: { "retry-after": "40" } } }, completing],
    signal: { name: "SIGKILL", requests: 3, shown: /try 2 of 4 in 40\.0 s/ },
    expected: {
      exit: -9,
      shown: [retried("rate-limited", /HTTP 429/)],
      stdout: "",
      events: ["exchange.started", ...opened, ...ran],
      executed: "x",
      requests: 3,
    },
    resumed: {
      ...completed,
      shown: [/^prompt {2}do it$/m, /^system {2}ended: completed/m],
      unseen: [/the model failed|outcome unknown/],
      events: ["model.replied", "call.finished", "turn.closed", "run.ended completed", "exchange.ended completed"],
      executed: "x",
      requests: 4,
      next: [{ request: 4, called: [/^agentic /, /^terminal .*echo x/], results: [/^run opened$/, /no output/] }],
    },
  },
  {
    title: "a kill while a call streams runs nothing of it, and resume asks again",
    proves: sel10,
    script: (format) => [{ ...running(), fault: { hang: by(5, 8, 8)(format) } }, running(), fine],
    signal: { name: "SIGKILL", requests: 1 },
    expected: { exit: -9, shown: [], stdout: "", events: ["exchange.started"], executed: "", requests: 1 },
    resumed: goesWell({
      ...{ requests: 3, executed: "x", unseen: [/outcome unknown/] },
      events: [...ran, "model.replied", "turn.closed", "exchange.ended answered"],
      next: [
        { request: 2, same: 1 },
        { request: 3, results: [/no output/] },
      ],
    }),
  },
  {
    title: "Ctrl-C while a reply streams ends it",
    proves: sel10,
    script: (format) => [{ text: hello, fault: { pings: by(3, 6, 5)(format) } }],
    signal: { name: "SIGINT", requests: 1 },
    // The signal may be faster than the text.
    expected: stopped(130, { stdout: /^(?:Hello[\w ,]*\n)?$/ }),
  },
  {
    title: "Ctrl-C while an answer is waited for ends it",
    proves: sel10,
    script: [{ fault: { hang: "answer" } }],
    signal: { name: "SIGINT", requests: 1 },
    expected: stopped(130),
  },
  {
    title: "Ctrl-C while a retry is waited for ends it",
    proves: sel10,
    script: [{ fault: { status: 429, headers: { "retry-after": "40" } } }],
    signal: { name: "SIGINT", requests: 1, shown: /try 2 of 4 in 40\.0 s/ },
    expected: stopped(130, { unseen: [/tried/] }),
  },
  {
    title: "a call that is half there when it is told to end does not run",
    proves: ["SEL-10", "SEL-3b"],
    script: (format) => [{ ...running(), fault: { hang: by(5, 8, 8)(format) } }],
    signal: { name: "SIGTERM", requests: 1 },
    expected: stopped(143),
  },
];
