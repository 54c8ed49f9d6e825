/**
 * How servers word what went wrong, as of 2026. Patterns are tried on `code message`; a row without `statuses` counts for
 * the usual ones of its table. `null` is an error in the middle of a stream, or in an answer that says 200.
 */
export type Wording = {
  readonly provider: string;
  readonly pattern: RegExp;
  readonly statuses?: readonly (number | null)[];
  /** What looks the same and is something else. */
  readonly not?: RegExp;
  /** What the numbers in the wording must be. */
  readonly holds?: (numbers: readonly number[]) => boolean;
};

/** The request is at fault; an overload, a missing key or a crash that speaks of the context is something else. */
export const usualOverflowStatuses: readonly (number | null)[] = [null, 400, 413, 422];

/** How servers tell the two parts of what is too long: what was sent, and what may come. */
export const inputAndOutput: readonly RegExp[] = [
  /(\d+) in (?:the|your) messages.{0,60}?(\d+) in (?:the|your) completion/i,
  /(\d+) .?inputs?.? tokens and (\d+) .?max_new_tokens/i,
  /context limit: (\d+) \+ (\d+) >/i,
];

/** Said of a request that was fine in length, or whose length would not help if it were shorter. */
export const overflowLookAlikes: readonly RegExp[] = [
  /tokens[- ]per[- ](?:min|hour|day)|\b(?:TPM|TPD|RPM)\b|per[- ]minute|(?<![a-z])rate.?limit/i,
  /insufficient_quota|current quota|\bbilling\b/i,
  /supports at most \d+ (?:completion|output) tokens|maximum allowed number of output tokens/i,
  /\b(?:image|images|audio|video|pdf|document|file)s?\b.{0,60}(?:too large|too long|too big|exceeds?|maximum)/i,
  /\b(?:tools|functions|stop|metadata|headers?|stop_sequences|tool_choice)\b.{0,60}(?:too many|too long|at most|maximum)/i,
  /too many (?:tools|functions|images|stop|messages|files|requests)/i,
  /context deadline exceeded|context cancell?ed/i,
  /(?:tool|function) descriptions?\b|image generation/i,
];

/** SEL-9: the request does not fit, in each wording that a server may choose. */
export const overflowWordings: readonly Wording[] = [
  { provider: "OpenAI and many others, by code", pattern: /context_length_exceeded/ },
  {
    provider: "OpenAI, DeepSeek, vLLM, SambaNova, NVIDIA",
    pattern: /maximum context length (?:is|of) [\d,]+/i,
    not: /max(?:_completion|_output)?_tokens\W{0,3} is too large/i,
  },
  {
    // Also said when no request could be short enough; then the setting is wrong, not the length.
    provider: "vLLM, output that no longer fits beside the input",
    pattern: /max(?:_completion)?_tokens\W{0,3} is too large: (\d+)\. This model's maximum context length is (\d+)/i,
    holds: ([wanted = 0, context = 0]) => wanted < context,
  },
  { provider: "vLLM", pattern: /prompt.{0,40} is longer than the maximum model length/i },
  { provider: "OpenAI Responses", pattern: /input exceeds the context window/i },
  {
    provider: "OpenAI, text of a message",
    pattern: /(?:messages|input)\S{0,20}(?:content|output).{0,20}string too long/i,
  },
  { provider: "Anthropic", pattern: /prompt is too long(?:: \d+ tokens)?/i },
  { provider: "Anthropic, with the output", pattern: /input length and .{0,3}max_tokens.{0,3} exceed context limit/i },
  { provider: "Anthropic, bytes", pattern: /request_too_large/, statuses: [null, 400, 413] },
  { provider: "Anthropic, with a cap on the window", pattern: /exceed(?:s|ed)? (?:the )?(?:model's )?context window/i },
  { provider: "any server, bytes", pattern: /(?:)/, statuses: [413] },
  { provider: "Google", pattern: /input token count.{0,20} exceeds the maximum number of tokens/i },
  { provider: "llama.cpp, by type", pattern: /exceed_context_size_error/, statuses: [null, 400, 413, 422, 500] },
  { provider: "llama.cpp", pattern: /exceeds the available context size/i, statuses: [null, 400, 413, 422, 500] },
  { provider: "llama.cpp, while it writes", pattern: /context size has been exceeded/i, statuses: [null, 400, 500] },
  { provider: "llama.cpp, old", pattern: /input is (?:larger|too large|too big).{0,20}(?:context|batch|KV) ?size/i },
  {
    provider: "LM Studio",
    pattern: /keep the first \d+ tokens when context the overflows/i,
    statuses: [null, 400, 500],
  },
  { provider: "LM Studio, new", pattern: /tokens to keep from the initial prompt is greater than the context/i },
  {
    provider: "Ollama",
    pattern: /exceed(?:s|ed)? (?:the )?(?:max(?:imum)? )?context length/i,
    statuses: [null, 400, 500],
  },
  { provider: "Mistral", pattern: /prompt contains \d+ tokens.{0,60}too large for model/i },
  { provider: "Mistral, old", pattern: /too many tokens in (?:the )?(?:prompt|request|input)/i },
  { provider: "Groq, Cerebras", pattern: /reduce the length of the (?:messages|prompt|input)/i },
  { provider: "xAI", pattern: /maximum prompt length is \d+/i },
  {
    provider: "Together, Text Generation Inference",
    pattern: /inputs\W{1,3}tokens \+ \W?max_new_tokens\W{1,3}must be/i,
  },
  { provider: "Text Generation Inference", pattern: /inputs\W{1,3}must have less than \d+ tokens/i },
  { provider: "Cohere", pattern: /too many tokens: (?:size limit exceeded|total number of tokens)/i },
  { provider: "Amazon Bedrock", pattern: /input is too long for (?:the )?requested model/i },
  { provider: "Amazon Nova", pattern: /number of input tokens exceeds maximum length/i },
  { provider: "OpenRouter", pattern: /endpoint's maximum context length/i },
  { provider: "Fireworks", pattern: /prompt is too long.{0,40}model maximum context length/i },
  { provider: "SGLang", pattern: /is longer than the model's context length/i },
  { provider: "SGLang, with the output", pattern: /token count exceeds the model's maximum context length/i },
  { provider: "GitHub Models", pattern: /tokens_limit_reached/ },
  {
    provider: "GitHub Copilot",
    pattern: /prompt token count of \d+ exceeds the limit|model_max_prompt_tokens_exceeded/i,
  },
  { provider: "Alibaba", pattern: /range of input length should be/i },
  { provider: "Zhipu", pattern: /prompt exceeds max(?:imum)? length/i },
  { provider: "Moonshot", pattern: /exceeded model token limit/i },
  { provider: "MiniMax", pattern: /context window exceeds limit/i },
  { provider: "Baidu", pattern: /prompt tokens? (?:is )?too long/i },
  { provider: "IBM watsonx", pattern: /input tokens \d+ cannot exceed the total tokens limit/i },
  { provider: "Replicate", pattern: /prompt length exceeds maximum input length/i },
  { provider: "LiteLLM", pattern: /ContextWindowExceededError/ },
];

export type FailureClass =
  | "refused"
  | "unauthorised"
  | "no-credit"
  | "rate-limited"
  | "overloaded"
  | "server-error"
  | "timeout"
  | "half-stream"
  | "cut-off"
  | "malformed-stream"
  | "content-refused"
  | "not-found"
  | "rejected"
  | "redirected"
  | "internal";

/** Which failure a server's answer is: the first row that fits. One without a pattern is about its statuses alone. */
export type ClassRow = {
  readonly class: FailureClass;
  readonly statuses?: readonly (number | null)[];
  readonly pattern?: RegExp;
  readonly not?: RegExp;
};

const failing = [null, 429, 500, 502, 503, 504, 520, 529];

export const classRows: readonly ClassRow[] = [
  { class: "no-credit", statuses: [402] },
  {
    class: "no-credit",
    statuses: [null, 400, 403, 429],
    pattern:
      /insufficient_(?:quota|balance|credits?)|credit balance is too low|exceeded your current quota|billing_(?:hard|not)|billing hard limit|insufficient (?:credits?|balance|funds)|any credits|(?:all|out of) (?:available )?credits|billing_error/i,
    // Google says "quota" also of what is free again in a minute.
    not: /retry in \d|per ?minute/i,
  },
  {
    class: "content-refused",
    statuses: [null, 400, 403, 422],
    pattern:
      /content_filter|content_policy|content management policy|ResponsibleAIPolicy|safety (?:system|reasons|settings|filter)|flagged|data_inspection_failed|prohibited_content|usage policy|blocked by .{0,30}(?:safety|content|moderation)/i,
  },
  { class: "unauthorised", statuses: [401] },
  {
    class: "unauthorised",
    statuses: [null, 400, 403],
    pattern:
      /api.?key|credential|authenticat|unauthori[sz]ed|permission.?(?:error|denied)|does not have (?:access|permission)|(?:invalid|expired).{0,20}\btoken\b|\btoken\b.{0,20}(?:invalid|expired)/i,
    not: /maximum|exceed/i,
  },
  {
    class: "overloaded",
    statuses: failing,
    pattern: /overloaded|over capacity|at capacity|no (?:healthy|available) (?:upstream|server)/i,
  },
  { class: "timeout", statuses: [408, 504, 524] },
  { class: "timeout", statuses: [null, 500, 502], pattern: /deadline.?exceeded|timeout_error|timed out/i },
  { class: "overloaded", statuses: [503, 529] },
  { class: "rate-limited", statuses: [429] },
  {
    class: "rate-limited",
    statuses: [null, 400, 403, 413],
    pattern: /(?<![a-z])rate.?limit|too many requests|resource.?exhausted|tokens per min|requests per min/i,
  },
  { class: "not-found", statuses: [404, 405] },
  {
    class: "not-found",
    statuses: [null, 400],
    pattern: /model.?not.?(?:found|exist)|model .{0,80}does not exist|not a valid model|unexpected endpoint or method/i,
  },
  {
    class: "rejected",
    statuses: [null],
    pattern: /invalid.?request|bad.?request|invalid_(?:prompt|argument|value)|validation/i,
  },
];

const go = "assent resume <session>";
const model = "--model <provider:model>";
const resume = `then ${go}`;
const another = `${resume}; with another model: ${go} ${model}`;

/** What a person can do about it. That of `unauthorised` names the key and is made where that is known. */
export const remedies: Readonly<Record<Exclude<FailureClass, "unauthorised">, string>> = {
  refused: `check the address, the network and that the server runs, ${resume}`,
  "no-credit": `add credit with the provider, ${another}`,
  "rate-limited": `wait a while, ${resume}`,
  overloaded: `wait a while, ${another}`,
  "server-error": `the fault is the server's: wait a while, ${resume}`,
  timeout: `check the server and the network, ${resume}`,
  "cut-off": "ASSENT_MODEL_MAX_OUTPUT allows longer replies; or choose a model that thinks less",
  "half-stream": `check the network, ${resume}`,
  "malformed-stream": `check that the base URL is that of a model's API with assent doctor, ${resume}`,
  "content-refused": `the provider's filter refused this: say it differently; with another model: ${go} ${model}`,
  "not-found": `check the model's name and the base URL with assent doctor, ${resume}`,
  rejected: `check the model's settings with assent doctor, ${another}`,
  redirected: `set the base URL to where the server really is, ${resume}; a key is never sent on`,
  internal: "this is a fault of the model's client; please report it",
};

/** What the system calls it → what it means. The others are told by their own words. */
export const connectionWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ENOTFOUND: "is a name that nobody knows",
  EAI_AGAIN: "is a name that cannot be looked up now",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached: there is no network",
  EADDRNOTAVAIL: "cannot be reached from this address",
  ECONNRESET: "broke the connection off before it answered",
  ECONNABORTED: "broke the connection off before it answered",
  EPIPE: "broke the connection off before it answered",
  ETIMEDOUT: "did not answer when connecting",
  EPROTO: "does not speak TLS as it should: is it http and not https?",
};
