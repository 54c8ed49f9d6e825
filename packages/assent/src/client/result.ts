import type { ApiError } from "../wire/api-types.ts";
import { readReceived } from "../wire/received.ts";

/** Why the server did not do it, in its own words. */
export type Refused = {
  readonly type: "refused";
  readonly status: number;
  readonly error: ApiError["error"];
};

/** What came of a call: `unreachable` is everything that was not said by the server itself. */
export type Result<T> =
  | { readonly type: "ok"; readonly value: T }
  | Refused
  | { readonly type: "unreachable"; readonly reason: string };

/** Where the server is, and how its bearer is known; without a token the browser's cookie is. */
export type Place = {
  readonly url: string;
  readonly token?: string;
  /** The key that belongs to the browser's cookie, where signing in gave one. */
  readonly key?: () => string | null;
  readonly fetch?: typeof fetch;
};

export type Call = {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

export type Sent =
  | { readonly type: "response"; readonly response: Response }
  | Extract<Result<never>, { type: "unreachable" }>;

/** The response as it begins; its body is the caller's to read. */
export async function send({ url, token, key, fetch: own }: Place, path: string, call: Call): Promise<Sent> {
  const { method = "GET", body, headers = {}, signal } = call;
  // A browser's fetch wants to be called as the window's.
  const request = own ?? ((...given: Parameters<typeof fetch>) => fetch(...given));
  try {
    const response = await request(`${url.replace(/\/+$/, "")}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...keyHeader(key),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      credentials: "same-origin",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { type: "response", response };
  } catch (error) {
    return unreachable(describe(error));
  }
}

function keyHeader(key: Place["key"]): Readonly<Record<string, string>> {
  const given = key?.() ?? null;
  return given === null ? {} : { "x-assent-key": given };
}

/** One call and its whole answer. */
export async function ask<T>(place: Place, path: string, call: Call = {}): Promise<Result<T>> {
  const sent = await send(place, path, { ...call, headers: { accept: "application/json", ...call.headers } });
  if (sent.type === "unreachable") return sent;
  const text = await bodyOf(sent.response);
  if (text === null) return unreachable("the connection broke in the middle of the answer");
  if (!sent.response.ok) return refusal(sent.response.status, text);
  const received = readReceived<T>(text);
  if (received.type === "json") return { type: "ok", value: received.value };
  return unreachable("expected JSON, found another answer: is this the address of Assent?");
}

export async function askText(place: Place, path: string): Promise<Result<string>> {
  const sent = await send(place, path, {});
  if (sent.type === "unreachable") return sent;
  const text = await bodyOf(sent.response);
  if (text === null) return unreachable("the connection broke in the middle of the answer");
  return sent.response.ok ? { type: "ok", value: text } : refusal(sent.response.status, text);
}

export async function bodyOf(response: Response): Promise<string | null> {
  try {
    return await response.text();
  } catch {
    return null;
  }
}

/** What the server said; where somebody between said it, such as a proxy whose server is away, nobody was reached. */
export function refusal<T>(status: number, text: string): Result<T> {
  const received = readReceived<Partial<ApiError> | null>(text);
  const error = received.type === "json" ? received.value?.error : undefined;
  if (error !== undefined && typeof error.code === "string") return { type: "refused", status, error };
  if (status >= 500) return unreachable(`HTTP ${status}`);
  return { type: "refused", status, error: { code: `http_${status}`, detail: `HTTP ${status}` } };
}

function unreachable(reason: string): Extract<Result<never>, { type: "unreachable" }> {
  return { type: "unreachable", reason };
}

/** Node says in the cause what went wrong. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
