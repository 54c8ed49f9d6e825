import type { Fault, ScriptEntry } from "../../src/testing/index.ts";
import { type Expected, type FaultCase, fails, fine, goesWell, hello, once, opening, ran, running } from "./case.ts";
import { openAi, type Wording, wordings } from "./wordings.ts";

// Requests that do not fit, and what only looks so.

const sel9 = ["SEL-9"];
const summary: ScriptEntry = { text: "A person wants it done." };

const summarised = ["model.failed overflow compact", "history.compacted summary"];
const told = [
  /^system {2}the model failed \(overflow\): .*; the history is being summarised$/m,
  /^system {2}the history was summarised$/m,
];

function onceTooLong({ provider, format, fault }: Wording): FaultCase {
  return {
    title: `a request that does not fit, in the words of ${provider}, is summarised once`,
    proves: sel9,
    formats: [format],
    script: [{ text: hello, fault }, summary, fine],
    expected: goesWell({
      ...{ requests: 3, before: summarised, shown: told, unseen: [/; try \d of/] },
      next: [
        { request: 2, tools: "none" },
        { request: 3, said: /A person wants it done\.[\s\S]*do it/, tools: "offered" },
      ],
    }),
  };
}

const tooLong: Fault = { error: { message: "context_length_exceeded: it does not fit", status: 400 }, after: 0 };

/** Old results are there to be cut: the first is long, and more than is kept whole comes after it. */
const long: readonly ScriptEntry[] = [
  { calls: [{ tool: "terminal", arguments: { command: "seq 1000 3000 && echo a >> count" } }] },
  running("b"),
  running("c"),
  running("d"),
];
const ranLong = [...ran, ...ran, ...ran, ...ran];

const withoutEnd: Expected = {
  exit: 1,
  shown: [
    /\(overflow\): .*; the history is being summarised$/m,
    /\(overflow\): .*; a reply without tools is asked for$/m,
    /\(overflow\): .*; shorten the prompt, start a new session, or go on with a model that takes more: assent resume s1 --model <provider:model>$/m,
    /^system {2}ended: failed/m,
  ],
  stdout: "",
  events: [
    "exchange.started",
    "model.failed overflow compact",
    "model.failed overflow converse",
    "model.failed overflow end",
    "exchange.ended failed overflow",
  ],
  executed: "",
  requests: 3,
  next: [
    { request: 1, tools: "offered" },
    { request: 2, tools: "none" },
    { request: 3, tools: "none" },
  ],
};

/** Said of something else than the length of the request. */
const lookAlikes: readonly FaultCase[] = [
  {
    title: "more output than a model has is a wrong setting, not a long request",
    proves: sel9,
    script: [
      {
        fault: {
          status: 400,
          body: openAi("max_tokens is too large: 100000. This model supports at most 16384 completion tokens"),
        },
      },
    ],
    expected: fails("rejected", /HTTP 400 .*supports at most 16384 completion tokens/),
  },
  {
    title: "a minute's share that is too small is a rate limit, and hopeless",
    proves: [...sel9, "SEL-10"],
    script: [
      {
        fault: {
          status: 429,
          body: openAi(
            "Request too large for m in organization o on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced in order to run successfully.",
            "rate_limit_exceeded",
            "tokens",
          ),
        },
      },
    ],
    expected: fails("rate-limited", /HTTP 429 .*Request too large for m .*TPM/),
  },
  {
    title: "a minute's share that is too small is a rate limit, also where it is called too large a request",
    proves: [...sel9, "SEL-10"],
    formats: ["openai-chat"],
    script: [
      {
        fault: {
          status: 413,
          body: openAi(
            "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.",
            "rate_limit_exceeded",
            "tokens",
          ),
        },
      },
    ],
    expected: fails("rate-limited", /HTTP 413 .*Request too large for model .*TPM/),
  },
  {
    title: "a server that gives up on the context of its own is no long request",
    proves: sel9,
    env: once,
    script: [{ fault: { status: 500, body: openAi("context deadline exceeded", null, "server_error") } }],
    expected: fails("timeout", /HTTP 500 .*context deadline exceeded/),
  },
];

export const overflows: readonly FaultCase[] = [
  ...wordings.map(onceTooLong),
  {
    title: "a summary is asked for without tools, and what was done before it is not done again",
    proves: sel9,
    script: [running(), { ...fine, fault: tooLong }, summary, fine],
    expected: goesWell({
      ...{ requests: 4, executed: "x", before: [...ran, ...summarised], shown: told },
      next: [{ request: 4, called: [], results: [], said: /A person wants it done\.[\s\S]*do it/ }],
    }),
  },
  {
    title: "old results are shortened first, without asking the model",
    proves: sel9,
    script: [...long, { ...fine, fault: tooLong }, fine],
    expected: goesWell({
      ...{ requests: 6, executed: "abcd" },
      before: [...ranLong, "model.failed overflow shorten", "history.compacted shortened"],
      shown: [/\(overflow\): .*; old results of tools are being shortened$/m, /^system {2}old results were shortened/m],
      next: [
        { request: 5, results: [/^1000\n[\s\S]{3000}/, /no output/, /no output/, /no output/] },
        { request: 6, results: [/^1000\n[\s\S]{100,700}$/, /no output/, /no output/, /no output/], tools: "offered" },
      ],
    }),
  },
  {
    title: "a request that never fits ends, after one summary and one reply without tools",
    proves: sel9,
    script: [{ ...fine, fault: tooLong, repeat: true }],
    expected: withoutEnd,
  },
  {
    title: "a request that never fits ends, also where a summary was made",
    proves: sel9,
    script: [{ fault: tooLong }, summary, { fault: tooLong, repeat: true }],
    expected: {
      ...withoutEnd,
      events: withoutEnd.events.toSpliced(2, 0, "history.compacted summary"),
      requests: 4,
      next: [
        { request: 2, tools: "none" },
        { request: 3, tools: "offered" },
        { request: 4, tools: "none" },
      ],
    },
  },
  {
    title: "a request that never fits ends after five requests at most",
    proves: sel9,
    script: [...long, { fault: tooLong }, { fault: tooLong }, summary, { fault: tooLong, repeat: true }],
    expected: {
      ...withoutEnd,
      shown: [/; old results of tools are being shortened$/m, ...withoutEnd.shown],
      events: [
        "exchange.started",
        ...ranLong,
        ...["model.failed overflow shorten", "history.compacted shortened"],
        ...summarised,
        ...["model.failed overflow converse", "model.failed overflow end", "exchange.ended failed overflow"],
      ],
      executed: "abcd",
      requests: 4 + 5,
      next: [
        { request: 6, tools: "offered" },
        { request: 7, tools: "none" },
        { request: 8, tools: "offered" },
        { request: 9, tools: "none" },
      ],
    },
  },
  {
    title: "a reply without tools is an answer, and a call in it does not run",
    proves: sel9,
    script: [{ fault: tooLong }, summary, { fault: tooLong }, { ...fine, ...running() }],
    expected: {
      ...goesWell(),
      requests: 4,
      shown: [
        /; a reply without tools is asked for$/m,
        /call is invalid: no tool was offered$/m,
        /^system {2}ended: answered without tools: the history does not fit the model$/m,
      ],
      events: [
        "exchange.started",
        ...summarised,
        "model.failed overflow converse",
        ...["model.replied", "call.invalid", "turn.closed", "exchange.ended answered overflow"],
      ],
      next: [{ request: 4, tools: "none" }],
    },
  },
  {
    title: "a call in a summary does not run",
    proves: sel9,
    script: [{ fault: tooLong }, { ...summary, ...running() }, fine],
    expected: goesWell({ requests: 3, before: summarised, shown: told }),
  },
  ...[
    { title: "a summary without a word", reply: { text: "" } },
    { title: "a call in the place of a summary", reply: running("y") },
  ].map(
    ({ title, reply }): FaultCase => ({
      title: `${title} leads to the reply without tools: nothing would be left of the history`,
      proves: sel9,
      script: [running(), { fault: tooLong }, reply, fine],
      expected: {
        ...goesWell(),
        ...{ requests: 4, executed: "x" },
        shown: [
          /\(no-summary\): the history does not fit, and the model gave no summary of it; a reply without tools is asked for$/m,
          /^system {2}ended: answered without tools: the history does not fit the model$/m,
        ],
        events: [
          ...["exchange.started", ...ran, "model.failed overflow compact", "model.failed no-summary converse"],
          ...["model.replied", "turn.closed", "exchange.ended answered overflow"],
        ],
        next: [{ request: 4, called: [], results: [], said: /do it/, tools: "none" }],
      },
    }),
  ),
  {
    title: "one new result that does not fit is shortened, and the model sees both ends of it",
    proves: sel9,
    script: [long[0] ?? fine, { ...fine, fault: tooLong }, fine],
    expected: goesWell({
      ...{ requests: 3, executed: "a" },
      before: [...ran, "model.failed overflow shorten", "history.compacted shortened"],
      shown: [/\(overflow\): .*; results of tools are being shortened$/m, /^system {2}results were shortened/m],
      next: [
        { request: 2, results: [/^1000\n[\s\S]{9000}/] },
        { request: 3, results: [/^1000\n[\s\S]{2000,4000}\n3000\s*$/], tools: "offered" },
      ],
    }),
  },
  {
    title: "an outage while a summary is made is told, and resume goes on with all of the history",
    proves: [...sel9, "SEL-10"],
    env: once,
    script: [running(), { fault: tooLong }, { fault: { status: 500 } }, fine],
    expected: fails("server-error", /HTTP 500/, {
      ...{ requests: 3, executed: "x", before: [...ran, "model.failed overflow compact"] },
    }),
    resumed: goesWell({
      ...{ requests: 4, executed: "x", shown: [/\(server-error\)/, /^system {2}going on where it failed$/m] },
      next: [{ request: 4, results: [/no output/], tools: "offered" }],
    }),
  },
  {
    title: "a run that no longer fits ends with what could still be said",
    proves: sel9,
    script: [opening, { fault: tooLong }, summary, { fault: tooLong }, fine],
    expected: {
      exit: 1,
      shown: [/^system {2}run opened/m, ...told, /; a reply without tools is asked for$/m, /^system {2}ended: failed/m],
      stdout: `${fine.text}\n`,
      events: [
        ...["exchange.started", "model.replied", "run.started", "call.finished", "turn.closed", ...summarised],
        ...["model.failed overflow converse", "model.replied", "turn.closed"],
        ...["run.ended failed", "exchange.ended failed overflow"],
      ],
      executed: "",
      requests: 5,
      next: [{ request: 5, tools: "none" }],
    },
  },
  ...lookAlikes,
];
