import { codeOf } from "../wire/index.ts";

/** One request to a service, ended in time and bounded in size; whatever happens is an answer. */
export type Outgoing = {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly timeoutMs: number;
  /** How many bytes of the answer are read. */
  readonly most: number;
  readonly signal: AbortSignal;
  readonly fetch?: typeof fetch | undefined;
};

export type Answered =
  | {
      readonly type: "answered";
      readonly status: number;
      readonly text: string;
      readonly cut: boolean;
      readonly location: string | null;
    }
  /** In words for people, without anything that was sent; the error is for the log. */
  | { readonly type: "unreached"; readonly words: string; readonly error: unknown }
  | { readonly type: "stopped" };

/** Goes to one address: a service that points elsewhere is not followed, for what is sent has secrets in it. */
export async function send(outgoing: Outgoing): Promise<Answered> {
  const { url, method, headers, body, timeoutMs, signal } = outgoing;
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await (outgoing.fetch ?? fetch)(url, {
      method,
      headers: { "user-agent": "assent", accept: "application/json", ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal: AbortSignal.any([signal, late]),
    });
    const read = await readBody(response, outgoing.most);
    return { type: "answered", status: response.status, ...read, location: response.headers.get("location") };
  } catch (error) {
    if (signal.aborted) return { type: "stopped" };
    const words = late.aborted ? `no answer within ${timeoutMs / 1000} s` : inWords(error, url);
    return { type: "unreached", words, error };
  }
}

async function readBody(response: Response, most: number): Promise<{ readonly text: string; readonly cut: boolean }> {
  if (response.body === null) return { text: "", cut: false };
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for await (const chunk of response.body) {
    const rest = most - bytes;
    bytes += chunk.length;
    text += decoder.decode(chunk.subarray(0, rest), { stream: true });
    // Leaving here also ends the connection.
    if (bytes > most) return { text, cut: true };
  }
  return { text: text + decoder.decode(), cut: false };
}

const known: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `no host is called ${host}`,
  EAI_AGAIN: (host) => `the name ${host} could not be looked up now`,
  ECONNREFUSED: (host) => `nothing answers at ${host}`,
  ECONNRESET: (host) => `${host} closed the connection`,
  UND_ERR_SOCKET: (host) => `${host} closed the connection`,
  EHOSTUNREACH: (host) => `there is no way to ${host}`,
  ENETUNREACH: (host) => `there is no way to ${host}`,
  ETIMEDOUT: (host) => `${host} did not answer`,
  UND_ERR_CONNECT_TIMEOUT: (host) => `${host} did not answer`,
};

/** By the code alone: the message of an error may repeat a header. */
function inWords(error: unknown, { host }: URL): string {
  const code = plainCode(error) ?? plainCode(error instanceof Error ? error.cause : null);
  const words = code === null ? undefined : known[code]?.(host);
  if (words !== undefined) return words;
  if (code !== null && /CERT|SIGNATURE|ERR_TLS|ERR_SSL/.test(code))
    return `the certificate of ${host} is not trusted (${code})`;
  return `the request to ${host} failed${code === null ? "" : ` (${code})`}`;
}

function plainCode(error: unknown): string | null {
  const code = codeOf(error);
  return code !== null && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : null;
}

/** An error with all that led to it, for the log. */
export function wholeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\ncaused by ${wholeError(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

/** What a status means when it is not the expected one. */
export function statusInWords(status: number): string {
  if (status >= 300 && status < 400) return "it points elsewhere, which is not followed";
  if (status >= 500) return "the service has a fault of its own";
  return meanings[status] ?? "not the expected answer";
}

const meanings: Readonly<Record<number, string>> = {
  400: "the request was not understood",
  401: "what was entered was not accepted",
  403: "what was entered does not allow this",
  404: "nothing is there",
  429: "there were too many requests; try again later",
};
