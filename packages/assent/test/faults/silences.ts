import { by, type FaultCase, fails, fine, goesWell, hello, once, retried, running, twice } from "./case.ts";

// What takes longer than it may, and what is slow and may be.

const sel10 = ["SEL-10"];
const quick = { ASSENT_MODEL_FIRST_EVENT_TIMEOUT_MS: "250", ...once };
const brief = { ASSENT_MODEL_IDLE_TIMEOUT_MS: "300", ...once };

export const silences: readonly FaultCase[] = [
  {
    title: "a server that does not answer is left after the time that it has",
    proves: sel10,
    env: quick,
    script: [{ ...fine, fault: { hang: "answer" } }],
    expected: fails("timeout", /no first event within 250 ms/),
  },
  {
    title: "a server that does not answer is tried again, and no longer than that",
    proves: sel10,
    env: { ...quick, ...twice },
    script: [{ ...fine, fault: { hang: "answer" }, repeat: true }],
    expected: fails("timeout", /no first event within 250 ms; tried 2 times/, { requests: 2 }),
  },
  {
    title: "a silence at first passes",
    proves: sel10,
    // Long enough for the answer that comes, on a busy machine too.
    env: { ASSENT_MODEL_FIRST_EVENT_TIMEOUT_MS: "2000", ...twice },
    script: [{ ...fine, fault: { hang: "answer" } }, fine],
    expected: goesWell({ requests: 2, shown: [retried("timeout", /no first event within 2 s/, "2 of 2")] }),
  },
  {
    title: "headers alone are no answer",
    proves: sel10,
    env: quick,
    script: [{ ...fine, fault: { hang: 0 } }],
    expected: fails("timeout", /no first event within 250 ms/),
  },
  {
    title: "comments are signs of life and nothing else",
    proves: sel10,
    formats: ["openai-chat", "openai-responses"],
    env: quick,
    script: [{ ...fine, fault: { pings: 0 } }],
    expected: fails("timeout", /no first event within 250 ms/),
  },
  {
    title: "pings are signs of life and nothing else",
    proves: sel10,
    formats: ["anthropic"],
    env: quick,
    script: [{ ...fine, fault: { pings: 0 } }],
    expected: fails("timeout", /no first event within 250 ms/),
  },
  {
    title: "pings after a text do not keep a reply alive, and what was said is shown",
    proves: sel10,
    env: brief,
    script: (format) => [{ text: hello, fault: { pings: by(2, 5, 4)(format) } }],
    expected: fails("timeout", /no next event within 300 ms/, {
      shown: [/^agent {3}Hello t$/m, /\(timeout\): no next event within 300 ms; check the server and the network/],
      stdout: "Hello t\n",
    }),
  },
  {
    title: "a silence after a text fails, and what was said is shown",
    proves: sel10,
    env: brief,
    script: (format) => [{ text: hello, fault: { hang: by(3, 6, 5)(format) } }],
    expected: fails("timeout", /no next event within 300 ms/, {
      shown: [
        /^agent {3}Hello there, f$/m,
        /\(timeout\): no next event within 300 ms; check the server and the network/,
      ],
      stdout: "Hello there, f\n",
    }),
  },
  {
    title: "a silence in the middle of a call runs nothing of it",
    proves: [...sel10, "SEL-3b"],
    env: brief,
    script: (format) => [{ ...running(), fault: { hang: by(3, 4, 5)(format) } }],
    expected: fails("timeout", /no next event within 300 ms/),
  },
  {
    title: "a silence after a call that is whole, before the end, runs nothing of it",
    proves: [...sel10, "SEL-3b"],
    env: brief,
    script: (format) => [{ ...running(), fault: { hang: by(5, 8, 8)(format) } }],
    expected: fails("timeout", /no next event within 300 ms/),
  },
  {
    title: "a slow stream that goes on is waited for",
    proves: sel10,
    env: { ASSENT_MODEL_IDLE_TIMEOUT_MS: "5000", ...once },
    script: [
      { ...running(), fault: { slow: 30 } },
      { ...fine, fault: { slow: 30 } },
    ],
    expected: goesWell({
      ...{ requests: 2, executed: "x" },
      before: ["model.replied", "call.started", "call.finished", "turn.closed"],
      unseen: [/the model failed/],
      next: [{ request: 2, results: [/no output/] }],
    }),
  },
  {
    title: "a stream in packets of seven bytes is the same reply",
    proves: ["SEL-3b"],
    env: once,
    script: [
      { ...running("ä"), fault: { bytes: 7 } },
      { text: "Schön – 漢字 🙂.", fault: { bytes: 7 } },
    ],
    expected: goesWell({
      ...{ requests: 2, executed: "ä", stdout: "Schön – 漢字 🙂.\n" },
      before: ["model.replied", "call.started", "call.finished", "turn.closed"],
      unseen: [/the model failed/],
    }),
  },
];
