import type { ScriptEntry } from "../../src/testing/index.ts";
import { by, type FaultCase, fails, fine, goesWell, hello, once, running } from "./case.ts";

// What a provider or a model will not say.

const sel10 = ["SEL-10"];
const filtered = /a filter of the provider ended the reply/;
const refusal = "I cannot help with that. Would you like something else instead?";
const managed = "The response was filtered due to the prompt triggering content management policy.";
const policy = "Output blocked by content filtering policy";

function openAi(message: string, code: string): readonly ScriptEntry[] {
  return [{ fault: { status: 400, body: { error: { message, type: "invalid_request_error", param: null, code } } } }];
}

export const contents: readonly FaultCase[] = [
  {
    title: "a filter that ends a reply before its first word is told",
    proves: sel10,
    script: [{ finish: "filter" }],
    expected: fails("content-refused", filtered),
  },
  {
    title: "a filter that ends a reply in its middle is told with what was said, and that is not sent back",
    proves: sel10,
    script: [{ text: hello, finish: "filter" }, fine],
    expected: fails("content-refused", filtered, {
      shown: [
        /^agent {3}Hello there, friend\.$/m,
        /\(content-refused\): a filter .*; the provider's filter refused this/,
      ],
      stdout: `${hello}\n`,
    }),
    resumed: goesWell({
      requests: 2,
      shown: [/\(content-refused\)/, /^system {2}going on where it failed$/m],
      next: [{ request: 2, said: /do it/, unsaid: /Hello there/ }],
    }),
  },
  {
    title: "a call that a filter ended does not run",
    proves: [...sel10, "SEL-3b"],
    script: [{ ...running(), finish: "filter" }],
    expected: fails("content-refused", filtered),
  },
  {
    title: "a call after a text that a filter ended does not run",
    proves: [...sel10, "SEL-3b"],
    script: [{ text: hello, ...running(), finish: "filter" }],
    expected: fails("content-refused", filtered, {
      shown: [
        /^agent {3}Hello there, friend\.$/m,
        /\(content-refused\): a filter .*; the provider's filter refused this/,
      ],
      stdout: `${hello}\n`,
    }),
  },
  {
    title: "a model's own refusal is shown as it is, whatever it offers",
    proves: sel10,
    // Anthropic's Messages have no sign of their own for it: there it is a text like any other.
    formats: ["openai-chat", "openai-responses"],
    script: [{ refusal }],
    expected: goesWell({ stdout: `${refusal}\n`, unseen: [/the model failed|asks or offers/] }),
  },
  {
    title: "a prompt that the provider's policy refuses is told at once",
    proves: sel10,
    script: by(openAi(managed, "content_filter"), openAi("Flagged by our safety system", "content_policy_violation"), [
      { fault: { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: policy } } } },
    ]),
    expected: fails("content-refused", /HTTP 400 .*(?:policy|safety system)/),
  },
  {
    title: "a text that the output limit ended is shown, and that it was cut off",
    proves: ["SEL-3b"],
    env: once,
    script: [{ ...fine, finish: "length" }],
    expected: goesWell({ shown: [/^system {2}the reply was cut off at its output limit/m] }),
  },
  {
    title: "a reply without a word is an answer without a word",
    proves: sel10,
    env: once,
    script: [{ text: "" }],
    expected: goesWell({ stdout: "" }),
  },
];
