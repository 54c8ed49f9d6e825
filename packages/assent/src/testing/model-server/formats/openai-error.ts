import type { ScriptedError } from "../script.ts";

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "invalid_request_error",
  402: "insufficient_quota",
  403: "invalid_request_error",
  404: "invalid_request_error",
  429: "rate_limit_error",
  503: "overloaded_error",
};

const codes: Readonly<Record<number, string>> = {
  401: "invalid_api_key",
  402: "insufficient_quota",
  404: "not_found",
  429: "rate_limit_exceeded",
};

/** An error as both of OpenAI's APIs write it. */
export function openAiError(status: number, error: ScriptedError): object {
  return {
    message: error.message,
    type: error.type ?? types[status] ?? "server_error",
    param: null,
    code: error.code ?? codes[status] ?? null,
    ...(error.status === undefined ? {} : { status: error.status }),
  };
}
