import type { Fault, FormatName } from "../../src/testing/index.ts";

export function openAi(message: string, code: string | null = null, type = "invalid_request_error") {
  return { error: { message, type, param: null, code } };
}

/** Each provider's own words. */
export type Wording = { readonly provider: string; readonly format: FormatName; readonly fault: Fault };

const openAiWords =
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130021 tokens. Please reduce the length of the messages.";
const prompt = "prompt is too long: 210000 tokens > 200000 maximum";

export const wordings: readonly Wording[] = [
  {
    provider: "OpenAI's Chat Completions",
    format: "openai-chat",
    fault: { status: 400, body: openAi(openAiWords, "context_length_exceeded") },
  },
  {
    provider: "OpenAI's Responses",
    format: "openai-responses",
    fault: {
      status: 400,
      body: openAi("Your input exceeds the context window of this model. Please adjust your input and try again."),
    },
  },
  {
    provider: "OpenAI's Responses in the stream",
    format: "openai-responses",
    fault: {
      error: { message: "Your input exceeds the context window of this model.", code: "context_length_exceeded" },
      after: 2,
      failed: true,
    },
  },
  {
    provider: "Anthropic",
    format: "anthropic",
    fault: { status: 400, body: { type: "error", error: { type: "invalid_request_error", message: prompt } } },
  },
  {
    provider: "Anthropic with the output",
    format: "anthropic",
    fault: {
      status: 400,
      body: {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease input length",
        },
      },
    },
  },
  { provider: "Anthropic by bytes", format: "anthropic", fault: { status: 413 } },
  {
    provider: "vLLM",
    format: "openai-chat",
    fault: {
      status: 400,
      body: {
        object: "error",
        message: "The prompt (total length 9000) is longer than the maximum model length of 8192.",
        type: "BadRequestError",
        code: 400,
      },
    },
  },
  {
    provider: "llama.cpp",
    format: "openai-chat",
    fault: {
      status: 500,
      body: {
        error: {
          code: 500,
          message: "the request exceeds the available context size. try increasing the context size",
          type: "exceed_context_size_error",
        },
      },
    },
  },
  {
    provider: "Ollama",
    format: "openai-chat",
    fault: { status: 400, body: openAi("input length exceeds maximum context length") },
  },
  {
    provider: "LM Studio",
    format: "openai-chat",
    fault: {
      status: 400,
      body: {
        error:
          "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
      },
    },
  },
  {
    provider: "Google",
    format: "openai-chat",
    fault: {
      status: 400,
      body: [
        {
          error: {
            code: 400,
            message: "The input token count (1048600) exceeds the maximum number of tokens allowed (1048575).",
            status: "INVALID_ARGUMENT",
          },
        },
      ],
    },
  },
  {
    provider: "Mistral",
    format: "openai-chat",
    fault: {
      status: 400,
      body: {
        object: "error",
        message:
          "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        type: "invalid_request_error",
        code: "3051",
      },
    },
  },
  {
    provider: "xAI",
    format: "openai-chat",
    fault: {
      status: 400,
      body: {
        code: "Client specified an invalid argument",
        error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
      },
    },
  },
  {
    provider: "OpenRouter in a stream that says 200",
    format: "openai-chat",
    fault: {
      error: {
        message: "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000",
        status: 400,
      },
      after: 0,
    },
  },
];
