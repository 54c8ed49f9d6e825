import { describe, expect, test } from "vitest";
import { readErrorBody } from "../../src/providers/error-body.ts";
import { type Fault, failureOf, isOverflow } from "../../src/providers/errors.ts";
import { overflowWordings } from "../../src/providers/errors-data.ts";

const key = "sk-test-0123456789abcdef";
const now = Date.parse("Mon, 16 Nov 2026 10:00:00 GMT");
const circumstances = { secrets: [key], keyName: "OPENAI_API_KEY", now };

type Said = readonly [status: number | null, code: string, message: string];

function judged([status, code, message]: Said, headers: Readonly<Record<string, string>> = {}) {
  return failureOf({ type: "server", error: { status, code, message }, headers }, circumstances);
}

function judgedLocally(fault: Exclude<Fault, { type: "server" }>) {
  return failureOf(fault, circumstances);
}

/** What each provider says of a request that does not fit. */
const overflows: Readonly<Record<string, Said>> = {
  "OpenAI by code": [400, "context_length_exceeded", "Your messages resulted in 130000 tokens."],
  "OpenAI by words": [
    400,
    "invalid_request_error",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens. Please reduce the length of the messages.",
  ],
  "OpenAI with functions": [
    400,
    "",
    "This model's maximum context length is 4097 tokens. However, you requested 5000 tokens (4000 in the messages, 50 in the functions, and 950 in the completion). Please reduce the length of the messages, functions, or completion.",
  ],
  "OpenAI Responses in a stream": [
    null,
    "context_length_exceeded",
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ],
  "OpenAI Responses by words": [400, "", "Your input exceeds the context window of this model."],
  "OpenAI one message": [
    400,
    "string_above_max_length",
    "Invalid 'messages[3].content': string too long. Expected a string with maximum length 10485760, but got a string with length 11000000 instead.",
  ],
  Anthropic: [400, "invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum"],
  "Anthropic with the output": [
    400,
    "invalid_request_error",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again",
  ],
  "Anthropic by bytes": [413, "request_too_large", "Request exceeds the maximum size"],
  "Anthropic in a stream": [null, "request_too_large", "Request exceeds the maximum allowed number of bytes"],
  "a proxy by bytes": [413, "", "413 Request Entity Too Large"],
  Google: [
    400,
    "INVALID_ARGUMENT",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  ],
  "vLLM with the output": [
    400,
    "BadRequestError",
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion).",
  ],
  "vLLM decoder": [
    400,
    "BadRequestError",
    "The decoder prompt (length 40000) is longer than the maximum model length of 32768. Make sure that `max_model_len` is no smaller than the number of text tokens.",
  ],
  "vLLM output beside input": [
    400,
    "BadRequestError",
    "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 32768 tokens and your request has 30000 input tokens (8192 > 32768 - 30000).",
  ],
  "llama.cpp by type": [400, "exceed_context_size_error", "request (9000 tokens) is too long"],
  "llama.cpp by words": [500, "server_error", "the request exceeds the available context size, try increasing it"],
  "llama.cpp while writing": [500, "server_error", "Context size has been exceeded."],
  "llama.cpp old": [
    400,
    "",
    "input is too large to process. increase the physical batch size: input is larger than the max context size",
  ],
  "LM Studio": [
    400,
    "",
    "Trying to keep the first 12345 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
  ],
  "LM Studio new": [
    null,
    "",
    "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length.",
  ],
  Ollama: [400, "", "prompt too long; exceeded max context length by 512 tokens"],
  "Ollama old": [500, "api_error", "the input length exceeds the context length"],
  Mistral: [
    400,
    "invalid_request_prompt",
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  ],
  "Mistral old": [422, "", "Too many tokens in the prompt: 40000 > 32768"],
  Groq: [400, "context_length_exceeded", "Please reduce the length of the messages or completion."],
  Cerebras: [
    400,
    "",
    "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
  ],
  DeepSeek: [
    400,
    "invalid_request_error",
    "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (69000 in the messages, 1000 in the completion).",
  ],
  xAI: [400, "", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  Together: [
    422,
    "invalid_request_error",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens and 512 `max_new_tokens`",
  ],
  "Text Generation Inference": [
    422,
    "validation",
    "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000",
  ],
  Cohere: [400, "", "too many tokens: size limit exceeded by 1234 tokens. Try using shorter or fewer inputs."],
  "Cohere old": [400, "", "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000."],
  "Amazon Bedrock": [400, "ValidationException", "Input is too long for requested model."],
  "Amazon Nova": [400, "ValidationException", "Input Tokens Exceeded: Number of input tokens exceeds maximum length."],
  OpenRouter: [
    400,
    "",
    "This endpoint's maximum context length is 131072 tokens. However, you requested about 200000 tokens (190000 of text input, 10000 in the output).",
  ],
  Fireworks: [400, "", "The prompt is too long: 137224, model maximum context length: 131072"],
  SGLang: [
    400,
    "BadRequestError",
    "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
  ],
  "SGLang with the output": [
    400,
    "",
    "Requested token count exceeds the model's maximum context length of 32768 tokens.",
  ],
  "GitHub Models": [413, "tokens_limit_reached", "Request body too large for gpt-4o model. Max size: 8000 tokens."],
  "GitHub Copilot": [
    400,
    "model_max_prompt_tokens_exceeded",
    "prompt token count of 128001 exceeds the limit of 128000",
  ],
  Alibaba: [400, "InvalidParameter", "Range of input length should be [1, 129024]"],
  Zhipu: [400, "1261", "Prompt exceeds max length"],
  Moonshot: [400, "invalid_request_error", "Invalid request: Your request exceeded model token limit: 8192"],
  MiniMax: [400, "2013", "invalid params, context window exceeds limit (2013)"],
  Baidu: [400, "336007", "prompt tokens too long"],
  "IBM watsonx": [
    400,
    "invalid_input_argument",
    "the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model",
  ],
  Replicate: [422, "", "Prompt length exceeds maximum input length"],
  LiteLLM: [400, "", "litellm.ContextWindowExceededError: the model said no"],
};

/** What only sounds like it, with the failure that it is. */
const lookAlikes: Readonly<Record<string, readonly [...Said, string]>> = {
  "tokens per minute": [
    429,
    "rate_limit_exceeded",
    "Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 20000, Requested 15000. Please try again in 10s.",
    "rate-limited",
  ],
  "one request above the minute's tokens": [
    429,
    "rate_limit_exceeded",
    "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 50000. The input or output tokens must be reduced in order to run successfully.",
    "rate-limited",
  ],
  "Groq's 413 for the minute's tokens": [
    413,
    "rate_limit_exceeded",
    "Request too large for model `llama-3.3-70b` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.",
    "rate-limited",
  ],
  "the minute's tokens in a stream": [
    null,
    "rate_limit_exceeded",
    "on tokens per min (TPM): Limit 30000, Requested 50000",
    "rate-limited",
  ],
  "Anthropic's tokens per minute": [
    429,
    "rate_limit_error",
    "This request would exceed your organization's rate limit of 40,000 input tokens per minute. Please reduce the prompt length.",
    "rate-limited",
  ],
  "tokens per day": [
    429,
    "",
    "Rate limit reached on tokens per day (TPD): Limit 100000, Used 99999, Requested 2000",
    "rate-limited",
  ],
  "Google's quota of a minute": [
    429,
    "RESOURCE_EXHAUSTED",
    "You exceeded your current quota, please check your plan and billing details. Quota exceeded for metric: input_token_count, limit: 250000. Please retry in 34.07s.",
    "rate-limited",
  ],
  "a quota that is used up": [
    429,
    "insufficient_quota",
    "You exceeded your current quota, please check your plan and billing details.",
    "no-credit",
  ],
  "credit that is too low": [
    400,
    "invalid_request_error",
    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
    "no-credit",
  ],
  "credit for fewer tokens": [
    402,
    "402",
    "This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 1200.",
    "no-credit",
  ],
  "output limit of OpenAI": [
    400,
    "invalid_value",
    "max_tokens is too large: 999999. This model supports at most 16384 completion tokens, whereas you provided 999999.",
    "rejected",
  ],
  "output limit of Anthropic": [
    400,
    "invalid_request_error",
    "max_tokens: 300000 > 128000, which is the maximum allowed number of output tokens for claude-x",
    "rejected",
  ],
  "output limit above the whole context": [
    400,
    "BadRequestError",
    "'max_tokens' or 'max_completion_tokens' is too large: 40000. This model's maximum context length is 32768 tokens and your request has 100 input tokens (40000 > 32768 - 100).",
    "rejected",
  ],
  "an image of too many bytes": [
    400,
    "invalid_request_error",
    "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes",
    "rejected",
  ],
  "an image of too many pixels": [
    400,
    "",
    "At least one of the image dimensions exceed max allowed size: 8000 pixels",
    "rejected",
  ],
  "too many images": [400, "", "Too many images in request. Max is 20.", "rejected"],
  "a file too large by status": [413, "", "The uploaded file is too large", "rejected"],
  "too many tools": [
    400,
    "array_above_max_length",
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 300 instead.",
    "rejected",
  ],
  "too many stop sequences": [400, "", "Invalid 'stop': array too long. Expected at most 4.", "rejected"],
  "a name too long": [
    400,
    "string_above_max_length",
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 80 instead.",
    "rejected",
  ],
  "a tool's description too long": [
    400,
    "string_above_max_length",
    "Invalid 'tools[2].function.description': string too long. Expected a string with maximum length 1024, but got 2000 instead.",
    "rejected",
  ],
  "metadata too long": [
    400,
    "",
    "Invalid 'metadata.purpose': string too long. Expected a maximum length of 512",
    "rejected",
  ],
  "a call's id too long": [
    400,
    "string_above_max_length",
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got 64 instead.",
    "rejected",
  ],
  "an expired token": [401, "token_expired", "The token is too old: it exceeds its maximum lifetime", "unauthorised"],
  "an invalid token": [403, "", "Invalid token provided", "unauthorised"],
  "a crash that speaks of the context": [
    500,
    "server_error",
    "failed to allocate the context window: maximum context length is 8192",
    "server-error",
  ],
  "a crash that speaks of the prompt": [500, "", "panic: prompt is too long for slot 3", "server-error"],
  "an overload that speaks of the context": [
    503,
    "",
    "maximum context length is 8192 tokens for now; model is overloaded",
    "overloaded",
  ],
  "Go's context deadline": [504, "", "context deadline exceeded", "timeout"],
  "Go's context deadline as a crash": [500, "", 'Post "http://runner": context deadline exceeded', "timeout"],
  "too many requests": [429, "", "Too many requests: maximum 5 per minute", "rate-limited"],
};

describe("a request that does not fit is told", () => {
  test.each(Object.entries(overflows))("by %s", (_, said) => {
    expect(judged(said).type).toBe("overflow");
  });

  test("at least thirty wordings are known, each is one that a server here uses, and none is there in vain", () => {
    expect(overflowWordings.length).toBeGreaterThanOrEqual(30);
    const said = Object.values(overflows);
    const unused = overflowWordings.filter(
      ({ pattern }) => !said.some(([, code, words]) => pattern.test(`${code} ${words}`)),
    );
    expect(unused.map(({ provider }) => provider)).toEqual([]);
  });

  test("with what the server said", () => {
    expect(judged([400, "context_length_exceeded", "Too long."])).toEqual({
      type: "overflow",
      detail: "HTTP 400 context_length_exceeded: Too long.",
    });
  });
});

describe("what only sounds like it is something else", () => {
  test.each(Object.entries(lookAlikes))("%s", (_, [status, code, message, expected]) => {
    expect(isOverflow({ status, code, message })).toBe(false);
    expect(judged([status, code, message])).toMatchObject({ type: "failed", class: expected });
  });
});

describe("an answer of the server is of a class", () => {
  const retried = { again: true, retryAfterMs: null };
  const final = { again: false, retryAfterMs: null };
  const cases: readonly (readonly [...Said, string, object])[] = [
    [401, "invalid_api_key", "Incorrect API key provided", "unauthorised", final],
    [
      403,
      "permission_error",
      "Your API key does not have permission to use the specified resource",
      "unauthorised",
      final,
    ],
    [400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", "unauthorised", final],
    [null, "authentication_error", "invalid x-api-key", "unauthorised", final],
    [403, "unsupported_country_region_territory", "Country, region, or territory not supported", "rejected", final],
    [403, "", "Attention Required! | Cloudflare", "rejected", final],
    [402, "", "Insufficient Balance", "no-credit", final],
    [403, "", "Your newly created team doesn't have any credits yet.", "no-credit", final],
    [429, "billing_not_active", "Your account is not active", "no-credit", final],
    [429, "rate_limit_error", "Slow down", "rate-limited", retried],
    [null, "rate_limit_error", "Slow down", "rate-limited", retried],
    [529, "overloaded_error", "Overloaded", "overloaded", retried],
    [null, "overloaded_error", "Overloaded", "overloaded", retried],
    [
      429,
      "engine_overloaded_error",
      "The engine is currently overloaded, please try again later",
      "overloaded",
      retried,
    ],
    [500, "", "That model is currently overloaded with other requests.", "overloaded", retried],
    [503, "", "Service Unavailable", "overloaded", retried],
    [500, "api_error", "Internal server error", "server-error", retried],
    [502, "", "Bad Gateway", "server-error", retried],
    [null, "api_error", "Internal server error", "server-error", retried],
    [null, "", "something", "server-error", retried],
    [408, "", "Request Timeout", "timeout", retried],
    [524, "", "A timeout occurred", "timeout", retried],
    [400, "content_filter", "The response was filtered due to the prompt", "content-refused", final],
    [
      400,
      "content_policy_violation",
      "Your request was rejected as a result of our safety system",
      "content-refused",
      final,
    ],
    [
      400,
      "invalid_prompt",
      "Your prompt was flagged as potentially violating our usage policy",
      "content-refused",
      final,
    ],
    [404, "model_not_found", "The model `x` does not exist or you do not have access to it.", "not-found", final],
    [404, "", "404 page not found", "not-found", final],
    [400, "", "gpt-9 is not a valid model ID", "not-found", final],
    [null, "", "Unexpected endpoint or method. (POST /chat/completions)", "not-found", final],
    [400, "invalid_request_error", "messages: roles must alternate", "rejected", final],
    [null, "invalid_request_error", "messages: roles must alternate", "rejected", final],
    [422, "", "body.messages: field required", "rejected", final],
    [418, "", "I am a teapot", "rejected", final],
  ];
  test.each(cases)("%s %s %s", (status, code, message, expected, more) => {
    expect(judged([status, code, message])).toMatchObject({ type: "failed", class: expected, ...more });
  });

  test("one request above the share of a whole minute is not sent again: waiting does not help it", () => {
    const said: Said = [
      429,
      "rate_limit_exceeded",
      "Request too large for gpt-4o on tokens per min (TPM): Limit 3, Requested 5",
    ];
    expect(judged(said)).toMatchObject({ class: "rate-limited", again: false });
  });
});

describe("what goes wrong before and beside the answer", () => {
  const connection = (code: string, message = "") =>
    judgedLocally({ type: "connection", code, message, place: "127.0.0.1:9" });

  test.each([
    ["ECONNREFUSED", "refused", true, "127.0.0.1:9 refused the connection"],
    ["ENOTFOUND", "refused", true, "127.0.0.1:9 is a name that nobody knows"],
    ["EAI_AGAIN", "refused", true, "127.0.0.1:9 is a name that cannot be looked up now"],
    ["EHOSTUNREACH", "refused", true, "127.0.0.1:9 cannot be reached"],
    ["ECONNRESET", "half-stream", true, "127.0.0.1:9 broke the connection off before it answered"],
    ["ETIMEDOUT", "timeout", true, "127.0.0.1:9 did not answer when connecting"],
    ["CERT_HAS_EXPIRED", "refused", false, "127.0.0.1:9 cannot be talked to: CERT_HAS_EXPIRED"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "refused", false, "127.0.0.1:9 cannot be talked to: DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "refused", false, "127.0.0.1:9 cannot be talked to: ERR_SSL_WRONG_VERSION_NUMBER"],
    ["EWHATEVER", "refused", true, "127.0.0.1:9 cannot be talked to: EWHATEVER"],
  ])("%s", (code, expected, again, detail) => {
    expect(connection(code)).toMatchObject({ class: expected, again, detail, retryAfterMs: null });
  });

  test("a server that does not speak HTTP", () => {
    expect(connection("HPE_INVALID_CONSTANT", "Parse Error: Expected HTTP/")).toMatchObject({
      class: "malformed-stream",
      detail: "127.0.0.1:9 does not speak HTTP: Parse Error: Expected HTTP/",
    });
  });

  test("the whole of a failure, for each other fault", () => {
    const faults: readonly Exclude<Fault, { type: "server" }>[] = [
      { type: "timeout", awaited: "first event", ms: 180_000 },
      { type: "half", message: "the connection was lost" },
      { type: "malformed", detail: "expected an event stream, found text/html" },
      { type: "redirect", status: 307, location: "https://elsewhere.example/v1" },
      { type: "filtered" },
      { type: "unsendable", message: "no address" },
      { type: "internal", message: "broken" },
    ];
    const told = faults.map(judgedLocally).map((failure) => (failure.type === "failed" ? failure : null));
    expect(told.map((failure) => [failure?.class, failure?.again, failure?.detail])).toEqual([
      ["timeout", true, "no first event within 180 s"],
      ["half-stream", true, "the reply broke off before its end: the connection was lost"],
      ["malformed-stream", true, "expected an event stream, found text/html"],
      ["redirected", false, "the server points elsewhere (307): https://elsewhere.example/v1"],
      ["content-refused", false, "a filter of the provider ended the reply"],
      ["rejected", false, "the request cannot be sent: no address"],
      ["internal", false, "broken"],
    ]);
    expect(told.every((failure) => failure !== null && failure.remedy !== "")).toBe(true);
  });

  test("the remedy for a wrong key names where the key is set", () => {
    const remedyOf = (keyName: string | null, secrets = circumstances.secrets) =>
      failureOf(
        { type: "server", error: { status: 401, code: "", message: "" }, headers: {} },
        { ...circumstances, secrets, keyName },
      );
    expect(remedyOf("OPENAI_API_KEY")).toEqual({
      type: "failed",
      class: "unauthorised",
      detail: "HTTP 401",
      remedy: "check the key in OPENAI_API_KEY, then assent resume <session>",
      again: false,
      retryAfterMs: null,
    });
    expect(remedyOf("OPENAI_API_KEY", [])).toMatchObject({
      remedy: "the server wants a key: set OPENAI_API_KEY, then assent resume <session>",
    });
    expect(remedyOf(null, [])).toMatchObject({
      remedy:
        "the server wants a key: use it as openai-chat:<model>, with OPENAI_BASE_URL and OPENAI_API_KEY, then assent resume <session>",
    });
  });

  test("the remedy for what is not found names the doctor", () => {
    expect(judged([404, "", ""])).toMatchObject({ remedy: expect.stringContaining("assent doctor") });
  });
});

describe("when the server wants to be asked again", () => {
  const after = (headers: Readonly<Record<string, string>>) => judged([429, "", "Slow down"], headers);

  test.each([
    [{ "retry-after": "1" }, 1_000],
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after": "60" }, 60_000],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after": "Mon, 16 Nov 2026 10:00:30 GMT" }, 30_000],
    [{ "retry-after": "0" }, null],
    [{ "retry-after": "-5" }, null],
    [{ "retry-after": "Mon, 16 Nov 2026 09:00:00 GMT" }, null],
    [{ "retry-after": "soon" }, null],
    [{ "x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-reset-requests": "1s" }, null],
  ])("%o means %s ms", (headers, retryAfterMs) => {
    expect(after(headers)).toMatchObject({ again: true, retryAfterMs, detail: "HTTP 429: Slow down" });
  });

  test.each([
    [{ "retry-after": "61" }],
    [{ "retry-after": "Mon, 16 Nov 2026 10:01:01 GMT" }],
    [{ "retry-after-ms": "61000" }],
  ])("%o is longer than a minute: it fails at once and says so", (headers) => {
    const detail = "the server wants to be asked again in 61 s; HTTP 429: Slow down";
    expect(after(headers)).toMatchObject({ class: "rate-limited", again: false, retryAfterMs: null, detail });
  });

  test("what is not tried again has no time for it", () => {
    expect(judged([401, "", "No"], { "retry-after": "5" })).toMatchObject({ again: false, retryAfterMs: null });
  });
});

describe("details", () => {
  const detailOf = (message: string) => judged([400, "", message]).detail;

  test("never hold the key, in whichever spelling it comes back, and also where they are cut off", () => {
    expect(detailOf(`wrong key ${key}, really: ${key}`)).toBe("HTTP 400: wrong key [key], really: [key]");
    for (let before = 440; before < 490; before++) expect(detailOf("x".repeat(before) + key)).not.toContain("sk-");
    const odd = 'k"e/y+1';
    const echo = { status: 400, code: "", message: `${encodeURIComponent(odd)} ${JSON.stringify(odd)}` };
    const failure = failureOf({ type: "server", error: echo, headers: {} }, { ...circumstances, secrets: [odd] });
    expect(failure.detail).toBe('HTTP 400: [key] "[key]"');
    const elsewhere = judgedLocally({
      type: "redirect",
      status: 301,
      location: `http://elsewhere.example/?key=${key}`,
    });
    expect(elsewhere.detail).toBe("the server points elsewhere (301): http://elsewhere.example/?key=[key]");
    expect(judged([413, key, key]).detail).not.toContain(key);
  });

  test("leave a key that the server has shortened itself", () => {
    expect(detailOf("Incorrect key sk-test…cdef")).toBe("HTTP 400: Incorrect key sk-test…cdef");
  });

  test("are one line of at most 500 characters without anything that moves a cursor", () => {
    expect(detailOf("a\n\tb\u001b[2Jc\u2028d\u202ee\u0000f")).toBe("HTTP 400: a b [2Jc d e f");
    const long = detailOf("😀".repeat(5_000));
    expect(long.length).toBeLessThanOrEqual(500);
    expect(long.isWellFormed()).toBe(true);
    expect(long.endsWith("…")).toBe(true);
  });

  test("say something where the server says nothing", () => {
    expect(judged([null, "", " "]).detail).toBe("the server says nothing about it");
  });
});

describe("the body of an error, in each shape", () => {
  test.each([
    ['{"error":{"message":"No","type":"t","code":"c"}}', { status: 400, code: "c", message: "No" }],
    ['{"error":{"message":"No","type":"t","code":null}}', { status: 400, code: "t", message: "No" }],
    [
      '{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}',
      { status: 400, code: "overloaded_error", message: "Busy" },
    ],
    [
      '[{"error":{"code":400,"message":"No","status":"INVALID_ARGUMENT"}}]',
      { status: 400, code: "INVALID_ARGUMENT", message: "No" },
    ],
    ['{"error":"model not found"}', { status: 400, code: "", message: "model not found" }],
    [
      '{"object":"error","message":"No","type":"BadRequestError","code":400}',
      { status: 400, code: "BadRequestError", message: "No" },
    ],
    ['{"detail":"Not Found"}', { status: 400, code: "", message: "Not Found" }],
    [
      '{"detail":[{"loc":["body"],"msg":"required"}]}',
      { status: 400, code: "", message: '[{"loc":["body"],"msg":"required"}]' },
    ],
    [
      '{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"prompt is too long"}}}',
      { status: 400, code: "", message: "Provider returned error: prompt is too long" },
    ],
    [
      "<html><head><title>502 Bad Gateway</title></head><body>x</body></html>",
      { status: 400, code: "", message: "502 Bad Gateway" },
    ],
    ["<p>no <b>way</b></p>", { status: 400, code: "", message: "no  way" }],
    ["", { status: 400, code: "", message: "" }],
    ["null", { status: 400, code: "", message: "" }],
    ['{"reason":"no"}', { status: 400, code: "", message: '{"reason":"no"}' }],
  ])("%s", (body, expected) => {
    expect(readErrorBody(400, body)).toEqual(expected);
  });
});
