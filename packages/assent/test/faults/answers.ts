import type { Fault, ScriptEntry } from "../../src/testing/index.ts";
import { by, type FaultCase, fails, fine, goesWell, once, ran, retried, running, secretKey, twice } from "./case.ts";

// Refusals, keys, credit, rates and crashes: what a server says in the place of a reply.

const sel10 = ["SEL-10"];

/** The same answer, however often it is asked. */
function always(fault: Fault): readonly ScriptEntry[] {
  return [{ fault, repeat: true }];
}

function openAi(message: string, type: string, code: string | null = null) {
  return { error: { message, type, param: null, code } };
}

function anthropic(message: string, type: string) {
  return { type: "error", error: { type, message }, request_id: "req_1" };
}

const quota = "You exceeded your current quota, please check your plan and billing details.";
const credit = "Your credit balance is too low to access the Anthropic API.";
const unknownModel = "The model `m` does not exist or you do not have access to it.";
const page = "<html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>";
const incorrect = `Incorrect API key provided: ${secretKey}. You can find your key in your account.`;

export const answers: readonly FaultCase[] = [
  {
    title: "nobody listens: it is tried as often as it may be, and the address is named",
    proves: sel10,
    script: [],
    server: "gone",
    env: twice,
    expected: fails("refused", /127\.0\.0\.1:\d+ refused the connection; tried 2 times/, {
      requests: 0,
      shown: [
        retried("refused", /127\.0\.0\.1:\d+ refused the connection/, "2 of 2"),
        /^system {2}the model failed \(refused\): 127\.0\.0\.1:\d+ refused .*; tried 2 times; check the address, /m,
      ],
    }),
  },
  {
    title: "a key that is not accepted is told at once, with the variable that holds it",
    proves: sel10,
    script: [{ fault: { status: 401 } }],
    expected: by(
      fails("unauthorised", /HTTP 401 .*; check the key in OPENAI_API_KEY/, {
        shown: [/check the key in OPENAI_API_KEY, /],
      }),
      fails("unauthorised", /HTTP 401 .*; check the key in OPENAI_API_KEY/, {
        shown: [/check the key in OPENAI_API_KEY, /],
      }),
      fails("unauthorised", /HTTP 401 .*/, {
        shown: [/\(unauthorised\): HTTP 401 .*check the key in ANTHROPIC_API_KEY, /],
      }),
    ),
  },
  {
    title: "a key that may not use the model is told at once",
    proves: sel10,
    script: by(
      [
        {
          fault: {
            status: 403,
            body: openAi("Project does not have access to model m", "invalid_request_error", "model_not_found"),
          },
        },
      ],
      [
        {
          fault: {
            status: 403,
            body: openAi("Project does not have access to model m", "invalid_request_error", "model_not_found"),
          },
        },
      ],
      [
        {
          fault: {
            status: 403,
            body: anthropic("Your API key does not have permission to use this", "permission_error"),
          },
        },
      ],
    ),
    expected: fails("unauthorised", /HTTP 403 .*does not have (?:access|permission)/),
  },
  {
    title: "a payment that is wanted is told at once",
    proves: sel10,
    script: [{ fault: { status: 402 } }],
    expected: fails("no-credit", /HTTP 402/),
  },
  {
    title: "a quota that is used up is no rate limit: waiting would not help",
    proves: sel10,
    formats: ["openai-chat", "openai-responses"],
    script: [
      {
        fault: {
          status: 429,
          body: openAi(quota, "insufficient_quota", "insufficient_quota"),
          headers: { "retry-after": "1" },
        },
      },
    ],
    expected: fails("no-credit", /HTTP 429 .*exceeded your current quota/),
  },
  {
    title: "a credit that is used up comes as a bad request and is none",
    proves: sel10,
    formats: ["anthropic"],
    script: [{ fault: { status: 400, body: anthropic(credit, "invalid_request_error") } }],
    expected: fails("no-credit", /HTTP 400 .*credit balance is too low/),
  },
  {
    title: "a rate limit without a wait is tried again, and no command with it",
    proves: sel10,
    script: [running(), { fault: { status: 429, headers: { "retry-after": "0" } } }, fine],
    expected: goesWell({
      ...{ requests: 3, executed: "x", before: ran },
      shown: [/^tool {4}\$ echo x >> count$/m, retried("rate-limited", /HTTP 429/)],
      next: [
        { request: 2, results: [/no output/] },
        { request: 3, called: [/^terminal .*echo x >> count/], results: [/no output/], same: 2 },
      ],
    }),
  },
  {
    title: "a rate limit that names a second is waited for, and no command runs again",
    proves: sel10,
    script: [running(), { fault: { status: 429, headers: { "retry-after": "1" } } }, fine],
    expected: goesWell({
      ...{ requests: 3, executed: "x", before: ran },
      shown: [/\(rate-limited\): HTTP 429 .*; try 2 of 4 in 1\.0 s$/m],
      next: [{ request: 3, results: [/no output/] }],
    }),
  },
  {
    title: "a rate limit that names milliseconds is waited for so long",
    proves: sel10,
    script: [{ fault: { status: 429, headers: { "retry-after-ms": "120", "retry-after": "9" } } }, fine],
    expected: goesWell({ requests: 2, shown: [/\(rate-limited\): HTTP 429 .*; try 2 of 4 in 0\.1 s$/m] }),
  },
  {
    title: "a rate limit that lasts longer than a minute is not waited for",
    proves: sel10,
    script: [{ fault: { status: 429, headers: { "retry-after": "61" } } }],
    expected: fails("rate-limited", /the server wants to be asked again in 61 s; HTTP 429/),
  },
  {
    title: "a rate limit until a day that is long past is tried again as usual",
    proves: sel10,
    script: [{ fault: { status: 429, headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" } } }, fine],
    expected: goesWell({ requests: 2, shown: [/\(rate-limited\): HTTP 429 .*; try 2 of 4 in 0\.[2-5] s$/m] }),
  },
  {
    title: "a rate limit until a day that is far off is not waited for",
    proves: sel10,
    script: [{ fault: { status: 429, headers: { "retry-after": "Wed, 21 Oct 2099 07:28:00 GMT" } } }],
    expected: fails("rate-limited", /the server wants to be asked again in [\d.]{6,} s; HTTP 429/),
  },
  {
    title: "nobody is asked more than four times unless somebody says so",
    proves: sel10,
    script: always({ status: 429, headers: { "retry-after-ms": "20" } }),
    expected: fails("rate-limited", /HTTP 429 .*; tried 4 times/, { requests: 4 }),
  },
  {
    title: "a rate limit past the retries fails, after a command that ran once",
    proves: sel10,
    env: { ASSENT_MODEL_RETRIES: "2" },
    script: [running(), ...always({ status: 429, headers: { "retry-after-ms": "20" } })],
    expected: fails("rate-limited", /HTTP 429 .*; tried 3 times/, { requests: 4, executed: "x", before: ran }),
  },
  {
    title: "an overload passes",
    proves: sel10,
    script: by(
      [{ fault: { status: 503 } }, fine],
      [{ fault: { status: 503 } }, fine],
      [{ fault: { status: 529 } }, fine],
    ),
    expected: goesWell({ requests: 2, shown: [retried("overloaded", /HTTP 5(?:03|29)/)] }),
  },
  {
    title: "an overload that stays is told as one",
    proves: sel10,
    env: twice,
    script: by(
      always({
        status: 503,
        body: openAi("The engine is currently overloaded, please try again later", "server_error"),
      }),
      always({
        status: 503,
        body: openAi("The engine is currently overloaded, please try again later", "server_error"),
      }),
      always({ status: 529 }),
    ),
    expected: fails("overloaded", /HTTP 5(?:03|29) .*; tried 2 times/, { requests: 2 }),
  },
  {
    title: "a crash of the server passes",
    proves: sel10,
    script: [running(), { fault: { status: 500 } }, fine],
    expected: goesWell({ requests: 3, executed: "x", before: ran, shown: [retried("server-error", /HTTP 500/)] }),
  },
  {
    title: "a crash that is not to be retried is told after one request",
    proves: sel10,
    env: once,
    script: always({ status: 500 }),
    expected: fails("server-error", /HTTP 500 .*scripted status 500/, { unseen: [/tried/] }),
  },
  {
    title: "the page of a gateway is told by its title",
    proves: sel10,
    env: twice,
    script: always({ status: 502, body: page }),
    expected: fails("server-error", /HTTP 502: 502 Bad Gateway; tried 2 times/, {
      requests: 2,
      unseen: [/nginx|<h1>/],
    }),
  },
  {
    title: "a gateway that waited in vain is a time-out",
    proves: sel10,
    env: once,
    script: always({ status: 504, body: "upstream request timeout" }),
    expected: fails("timeout", /HTTP 504: upstream request timeout/),
  },
  {
    title: "a model that does not exist is told at once",
    proves: sel10,
    script: by(
      [{ fault: { status: 404, body: openAi(unknownModel, "invalid_request_error", "model_not_found") } }],
      [{ fault: { status: 404, body: openAi(unknownModel, "invalid_request_error", "model_not_found") } }],
      [{ fault: { status: 404, body: anthropic("model: m", "not_found_error") } }],
    ),
    expected: fails("not-found", /HTTP 404 .*(?:does not exist|model: m)/),
  },
  {
    title: "a request that is refused is not sent again",
    proves: sel10,
    script: [{ fault: { status: 400 } }],
    expected: fails("rejected", /HTTP 400 .*scripted status 400/),
  },
  {
    title: "a redirect is not followed, not even to the same server",
    proves: sel10,
    script: [{ fault: { redirect: "/v1/elsewhere" } }],
    expected: fails("redirected", /the server points elsewhere \(307\): \/v1\/elsewhere/),
  },
  {
    title: "a redirect that would turn the request into another is not followed",
    proves: sel10,
    script: [{ fault: { redirect: `/take?key=${secretKey}`, status: 302 } }],
    expected: fails("redirected", /the server points elsewhere \(302\): \/take\?key=\[key\]/),
  },
  {
    title: "a key that the server repeats in its answer is hidden",
    proves: sel10,
    script: by(
      [{ fault: { status: 401, body: openAi(incorrect, "invalid_request_error", "invalid_api_key") } }],
      [{ fault: { status: 401, body: openAi(incorrect, "invalid_request_error", "invalid_api_key") } }],
      [{ fault: { status: 401, body: anthropic(incorrect, "authentication_error") } }],
    ),
    expected: fails("unauthorised", /HTTP 401 .*Incorrect API key provided: \[key\]\. You can/),
  },
  {
    title: "a key that the server repeats in a page with status 200 is hidden",
    proves: sel10,
    env: once,
    script: [{ fault: { contentType: "text/html", body: `<p>Hello ${secretKey}</p>` } }],
    expected: fails("malformed-stream", /expected an event stream, found text\/html: <p>Hello \[key\]<\/p>/),
  },
  {
    title: "an answer cannot move a cursor or forge a line",
    proves: sel10,
    env: once,
    script: always({ status: 500, body: "\u001b[2Jboom\r\nsystem  ended: answered\u202e" }),
    expected: fails("server-error", /HTTP 500: \[2Jboom system ended: answered/, {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
      unseen: [/[\u001b\u202e\r]/, /^system {2}ended: answered/m],
    }),
  },
  {
    title: "an answer of a third of a mebibyte is told in a few hundred characters",
    proves: sel10,
    env: once,
    script: [{ fault: { status: 500, body: `boom ${"y".repeat(350_000)}` } }],
    expected: fails("server-error", /HTTP 500: boom y{300,500}…/, { unseen: [/y{501}/] }),
  },
];
