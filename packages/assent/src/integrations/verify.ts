import { leastHidden, secretMark } from "../runtime/ports.ts";
import { type Answered, send, statusInWords, wholeError } from "./request.ts";
import { fill, fillAll, fillUrl, type Values } from "./template.ts";
import type { CatalogueEntry, Checked, Configured, Failed, VerifyRequest } from "./types.ts";

/** What is set up, with what is needed to use it. */
export type Ready = {
  readonly configured: Configured;
  readonly entry: CatalogueEntry;
  /** Its fields and its secrets, by their keys. */
  readonly values: Values;
  readonly secrets: readonly string[];
};

export type VerifyOptions = {
  readonly signal: AbortSignal;
  readonly log: (name: string, text: string) => void;
  /** How a service is seen to work that has no request for it: one line of what it offers. */
  readonly connect: () => Promise<{ readonly detail: string } | Failed>;
  readonly fetch?: typeof fetch | undefined;
  readonly timeoutMs?: number | undefined;
};

export type Verified = Pick<Checked, "status" | "detail">;

const usualTimeoutMs = 10_000;
const mostBytes = 65_536;

/** Whether what was set up works, in one line; never with a secret in it (INTG-3). */
export async function verify(ready: Ready, options: VerifyOptions): Promise<Verified> {
  const { entry, secrets } = ready;
  const verified = entry.verify === null ? await byConnecting(options) : await byRequest(entry.verify, ready, options);
  return { ...verified, detail: withoutSecrets(verified.detail, secrets) };
}

async function byConnecting({ connect }: VerifyOptions): Promise<Verified> {
  const connected = await connect();
  if ("failed" in connected) return { status: "failed", detail: connected.failed };
  return { status: "passed", detail: connected.detail };
}

async function byRequest(request: VerifyRequest, ready: Ready, options: VerifyOptions): Promise<Verified> {
  const { signal, log, timeoutMs = usualTimeoutMs } = options;
  const { configured, values, secrets } = ready;
  const filled = fillUrl(request.url, values);
  if (filled.type === "broken") return { status: "failed", detail: filled.reason };
  const answered = await send({
    url: filled.url,
    method: request.method,
    headers: fillAll(request.headers, values),
    body: request.body === undefined ? undefined : (fill(request.body, values) ?? undefined),
    timeoutMs,
    most: mostBytes,
    signal,
    fetch: options.fetch,
  });
  const verified = judge(answered, { request, ready, host: filled.url.host });
  if (verified.status !== "passed") log(configured.name, withoutSecrets(whole(verified.detail, answered), secrets));
  return verified;
}

type Judged = { readonly request: VerifyRequest; readonly ready: Ready; readonly host: string };

function judge(answered: Answered, { request, ready, host }: Judged): Verified {
  switch (answered.type) {
    case "stopped":
      return { status: "failed", detail: "stopped before an answer came" };
    case "unreached":
      return { status: "failed", detail: answered.words };
    case "answered": {
      const { status, text } = answered;
      const { expect } = request;
      if (!expect.status.includes(status))
        return { status: "failed", detail: `${status}: ${meaning(answered, ready)}` };
      if (expect.contains !== undefined && !text.includes(expect.contains)) {
        return { status: "failed", detail: `${status}: ${host} answered, but not as expected` };
      }
      return { status: "passed", detail: `${host} answered ${status}` };
    }
    default:
      return answered satisfies never;
  }
}

function meaning({ status, location }: Extract<Answered, { type: "answered" }>, { configured }: Ready): string {
  const again = `/integrations setup ${configured.name}`;
  const [only, ...others] = configured.secrets;
  const entered = only === undefined || others.length > 0 ? "what was entered" : `the ${only.replaceAll("_", " ")}`;
  if (status === 401) return `${entered} was not accepted; ${again} enters another`;
  if (status === 403) return `${entered} does not allow this; ${again} enters another`;
  const elsewhere = location === null ? null : URL.parse(location);
  if (elsewhere !== null && status >= 300 && status < 400)
    return `it points to ${elsewhere.host}, which is not followed`;
  return statusInWords(status);
}

function whole(detail: string, answered: Answered): string {
  if (answered.type === "unreached") return `${detail}\n${wholeError(answered.error)}`;
  return answered.type === "answered" ? `${detail}\n${answered.text}` : detail;
}

/** Whoever repeats what it was sent is not repeated here. The session hides the other forms of it. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter(({ length }) => length >= leastHidden)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return forms.reduce((left, form) => left.replaceAll(form, secretMark), text);
}
