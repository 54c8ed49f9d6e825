import type { Fault, FormatName, ScriptEntry } from "../../src/testing/index.ts";
import {
  by,
  type Expected,
  type FaultCase,
  fails,
  fine,
  goesWell,
  hello,
  once,
  ran,
  retried,
  running,
  twice,
} from "./case.ts";

// Streams that break off and streams that are none. Nothing of a reply runs before all of it has come.

const both = ["SEL-10", "SEL-3b"];
const sel10 = ["SEL-10"];

/** How many events of a reply with one call come before its arguments are whole, and before its end is said. */
const inArguments = by(3, 4, 5);
const afterCall = by(5, 8, 8);
const inText = by(3, 6, 5);

const brokeOff = /the reply broke off before its end: the connection was lost/;
const closed = /the reply broke off before its end: the server closed the stream/;

function error(
  fault: Extract<Fault, { error: unknown }>["error"],
  failed = false,
): (format: FormatName) => readonly ScriptEntry[] {
  return (format) => [{ text: hello, fault: { error: fault, after: inText(format), failed } }];
}

/** What had come of the text is shown before what went wrong. */
function partly(kind: string, detail: RegExp): Expected {
  const shown = [/^agent {3}Hello there, f$/m, new RegExp(`\\(${kind}\\): .*${detail.source}`)];
  return fails(kind, detail, { shown, stdout: "Hello there, f\n" });
}

const invalid = ["model.replied", "call.invalid", "turn.closed"];

export const streams: readonly FaultCase[] = [
  {
    title: "a connection that ends before the answer is told as one",
    proves: sel10,
    env: twice,
    script: [{ fault: { close: "before-answer" }, repeat: true }],
    expected: fails("half-stream", /127\.0\.0\.1:\d+ broke the connection off before it answered; tried 2 times/, {
      requests: 2,
    }),
  },
  {
    title: "a connection that ends after the headers is half a reply",
    proves: sel10,
    env: once,
    script: [{ fault: { close: "after-headers" } }],
    expected: fails("half-stream", brokeOff),
  },
  {
    title: "a connection that ends before the first event passes",
    proves: sel10,
    script: [running(), { ...fine, fault: { cut: 0 } }, fine],
    expected: goesWell({ requests: 3, executed: "x", before: ran, shown: [retried("half-stream", brokeOff)] }),
  },
  {
    title: "a connection that ends in a text leaves what was said",
    proves: sel10,
    env: once,
    script: (format) => [{ text: hello, fault: { cut: inText(format) } }],
    expected: partly("half-stream", brokeOff),
  },
  {
    title: "a text that broke off and came again is shown once",
    proves: sel10,
    script: (format) => [{ text: hello, fault: { cut: inText(format) } }, { text: hello }],
    expected: goesWell({
      requests: 2,
      stdout: `${hello}\n`,
      unseen: [/^agent/m],
      shown: [retried("half-stream", brokeOff)],
    }),
  },
  {
    title: "a connection that ends in the arguments of a call runs nothing",
    proves: both,
    env: once,
    script: (format) => [{ ...running(), fault: { cut: inArguments(format) } }],
    expected: fails("half-stream", brokeOff),
  },
  {
    title: "a connection that ends after a whole call, before the end, runs nothing",
    proves: both,
    env: once,
    script: (format) => [{ ...running(), fault: { cut: afterCall(format) } }],
    expected: fails("half-stream", brokeOff),
  },
  {
    title: "a call that broke off and came again runs once",
    proves: both,
    script: (format) => [{ ...running(), fault: { cut: afterCall(format) } }, running(), fine],
    expected: goesWell({
      ...{ requests: 3, executed: "x", before: ran },
      shown: [retried("half-stream", brokeOff), /^tool {4}\$ echo x >> count$/m],
      next: [
        { request: 2, same: 1 },
        { request: 3, called: [/^terminal /], results: [/no output/] },
      ],
    }),
  },
  {
    title: "a body that ends in order in the arguments of a call runs nothing",
    proves: both,
    env: once,
    script: (format) => [{ ...running(), fault: { end: inArguments(format) } }],
    expected: fails("half-stream", closed),
  },
  {
    title: "a body that ends in order after a whole call, without its end, runs nothing",
    proves: both,
    env: once,
    script: (format) => [{ ...running(), fault: { end: afterCall(format) } }],
    expected: fails("half-stream", closed),
  },
  {
    title: "a body that says why it ends and lacks only its last mark is whole",
    proves: ["SEL-3b"],
    formats: ["openai-chat", "anthropic"],
    env: once,
    script: (format) => [{ ...running(), fault: { end: afterCall(format) + 1 } }, fine],
    expected: goesWell({ requests: 2, executed: "x", before: ran, next: [{ request: 2, results: [/no output/] }] }),
  },
  {
    title: "half a line of JSON is no event",
    proves: both,
    env: once,
    script: [{ ...running(), fault: { malformed: "json" } }],
    expected: fails("malformed-stream", /expected a JSON object in the stream, came \{/),
  },
  {
    title: "half a line of JSON is asked for again, and the call runs once",
    proves: both,
    script: [{ ...running(), fault: { malformed: "json" } }, running(), fine],
    expected: goesWell({
      ...{ requests: 3, executed: "x", before: ran },
      shown: [retried("malformed-stream", /expected a JSON object in the stream/)],
    }),
  },
  {
    title: "JSON of another shape is no event",
    proves: both,
    env: once,
    script: [{ ...running(), fault: { malformed: "type" } }],
    expected: fails("malformed-stream", /expected a JSON object in the stream, came \[1,"two"/),
  },
  {
    title: "a byte that no character has, in a text, is a mark in it",
    proves: sel10,
    env: once,
    script: [{ text: hello, fault: { malformed: "utf8" } }],
    expected: goesWell({ stdout: /^\ufffd?Hello t\ufffd?here, friend\.\n$/ }),
  },
  {
    title: "a byte that no character has, in the arguments of a call, makes them invalid",
    proves: ["SEL-3b"],
    env: once,
    script: [{ ...running(), fault: { malformed: "utf8" } }, fine],
    expected: goesWell({
      ...{ requests: 2, before: invalid },
      shown: [/^system {2}the model's call is invalid: (?:the arguments are not JSON|the pieces of the call differ)/m],
      next: [{ request: 2, results: [/^error: /] }],
    }),
  },
  {
    title: "an event that nobody knows is passed over",
    proves: sel10,
    env: once,
    script: [
      { ...running(), fault: { malformed: "unknown" } },
      { ...fine, fault: { malformed: "unknown" } },
    ],
    expected: goesWell({ requests: 2, executed: "x", before: ran, unseen: [/the model failed|invalid/] }),
  },
  {
    title: "a call whose events come backwards does not run",
    proves: ["SEL-3b"],
    env: once,
    script: [{ ...running(), fault: { malformed: "order" } }, fine],
    expected: by(
      goesWell({ requests: 2, before: invalid, shown: [/call is invalid: the arguments are not JSON/] }),
      goesWell({ requests: 2, before: invalid, shown: [/call is invalid: the call went on after its end/] }),
      fails("malformed-stream", /expected the beginning of a block, came its end/),
    ),
  },
  {
    title: "a page in the place of a stream is told as what it is",
    proves: sel10,
    env: once,
    script: [{ fault: { contentType: "text/html; charset=utf-8", body: "<html>Sign in to the network</html>" } }],
    expected: fails("malformed-stream", /expected an event stream, found text\/html; charset=utf-8: <html>Sign in/),
  },
  {
    title: "an error that comes with status 200 is one",
    proves: sel10,
    env: twice,
    script: [
      {
        fault: {
          contentType: "application/json",
          body: '{"error":{"message":"Overloaded","type":"overloaded_error"}}',
        },
      },
      fine,
    ],
    expected: goesWell({ requests: 2, shown: [retried("overloaded", /overloaded_error: Overloaded/, "2 of 2")] }),
  },
  {
    title: "a page that calls itself an event stream is told as what it is",
    proves: sel10,
    env: once,
    script: [{ fault: { raw: "<html>Sign in to the network</html>" } }],
    expected: fails("malformed-stream", /expected an event stream, found other text: <html>Sign in/),
  },
  {
    title: "an empty body is half a reply",
    proves: sel10,
    env: once,
    script: [{ fault: { raw: "" } }],
    expected: fails("half-stream", closed),
  },
  {
    title: "a stream with nothing but its end mark",
    proves: sel10,
    formats: ["openai-responses", "anthropic"],
    env: once,
    script: [{ fault: { raw: "data: [DONE]\n\n" } }],
    expected: fails("half-stream", closed),
  },
  {
    title: "a body that is compressed against all asking is not guessed at",
    proves: sel10,
    env: once,
    script: [
      {
        fault: { status: 200, body: "…", headers: { "content-type": "text/event-stream", "content-encoding": "gzip" } },
      },
    ],
    expected: fails("malformed-stream", /expected an event stream as it is, found it in gzip/),
  },
  {
    title: "an overload in the middle of a text is told with what was said",
    proves: sel10,
    env: once,
    script: error({ message: "Overloaded", type: "overloaded_error" }),
    expected: partly("overloaded", /overloaded_error: Overloaded/),
  },
  {
    title: "a crash in the middle of a text is told with what was said",
    proves: sel10,
    env: once,
    script: error({ message: "The server had an error", type: "server_error" }),
    expected: partly("server-error", /server_error: The server had an error/),
  },
  {
    title: "a rate limit in the middle of a text is told with what was said",
    proves: sel10,
    env: once,
    script: error({ message: "Slow down", type: "rate_limit_error" }),
    expected: partly("rate-limited", /rate_limit_error: Slow down/),
  },
  {
    title: "a refused request in the middle of a text is not sent again",
    proves: sel10,
    script: error({ message: "field x is unknown", type: "invalid_request_error" }),
    expected: partly("rejected", /invalid_request_error: field x is unknown/),
  },
  {
    title: "a response that failed is told as such",
    proves: sel10,
    formats: ["openai-responses"],
    env: once,
    script: error({ message: "Something went wrong", code: "server_error" }, true),
    expected: partly("server-error", /server_error: Something went wrong/),
  },
  {
    title: "an error after a whole call runs nothing of it",
    proves: both,
    env: once,
    script: (format) => [
      { ...running(), fault: { error: { message: "Overloaded", type: "overloaded_error" }, after: afterCall(format) } },
    ],
    expected: fails("overloaded", /overloaded_error: Overloaded/),
  },
];
