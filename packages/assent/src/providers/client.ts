import { type Clock, leastHidden, type ModelQuestion, type Provider, type WatchedRequest } from "../runtime/ports.ts";
import { messageOf } from "../wire/index.ts";
import { type Fault, failureOf } from "./errors.ts";
import type { Format, Reading, StreamReader, Target } from "./format.ts";
import { type Ended, openTransport, type Recipient, recipientAt, type Times, type Transport } from "./request.ts";
import { type Tried, withRetries } from "./retrying.ts";

export type ClientSettings = Times & { readonly retries: number };

export const defaultSettings: ClientSettings = {
  connectMs: 10_000,
  firstEventMs: 180_000,
  idleMs: 180_000,
  retries: 3,
};

export type ClientParts = {
  readonly target: Target;
  readonly format: Format;
  readonly settings: ClientSettings;
  readonly clock: Clock;
  readonly random: () => number;
  /** The variable that holds the key, or would hold it: `OPENAI_API_KEY`; `null` where none is sent. */
  readonly keyName: string | null;
  /** Told to the server. */
  readonly version?: string;
};

/** A model behind an HTTP API whose replies are streams of events. Whatever happens is an answer; nothing is thrown. */
export function openClient(parts: ClientParts): Provider {
  const transport = openTransport();
  const { settings, clock, random, target, format } = parts;
  let known: Recipient | null = null;
  const recipient = () => {
    known ??= recipientOf(`${target.baseUrl}${format.path}`);
    return known;
  };
  const once = (question: ModelQuestion, watched: WatchedRequest) =>
    askOnce({ ...parts, transport, recipient }, question, watched);
  return { ask: withRetries(once, { retries: settings.retries, clock, random }) };
}

function recipientOf(address: string): Recipient | null {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) ? recipientAt(url) : null;
}

type Client = ClientParts & { readonly transport: Transport; readonly recipient: () => Recipient | null };

async function askOnce(client: Client, question: ModelQuestion, watched: WatchedRequest): Promise<Tried> {
  try {
    const reader = client.format.open();
    const ended = await send(client, { question, watched, reader });
    return answerOf(ended, reader.reading(), client);
  } catch (error) {
    return failed({ type: "internal", message: messageOf(error) }, "", client);
  }
}

type Asked = { readonly question: ModelQuestion; readonly watched: WatchedRequest; readonly reader: StreamReader };

async function send(client: Client, { question, watched, reader }: Asked): Promise<Ended> {
  const { target, format, settings, transport, version } = client;
  const recipient = client.recipient();
  if (recipient === null) {
    const message = `expected a base URL with http or https, found ${JSON.stringify(target.baseUrl)}`;
    return { type: "fault", fault: { type: "unsendable", message } };
  }
  return transport.send({
    to: recipient,
    headers: { "user-agent": version === undefined ? "assent" : `assent/${version}`, ...format.headers(target) },
    body: format.encode(question, target),
    times: settings,
    signal: watched.signal,
    read: (event) => reader.read(event),
    onText: (text) => watched.onText(withoutKey(text, target.key)),
    onSent: () => watched.onSent?.(),
  });
}

function answerOf(ended: Ended, reading: Reading, client: Client): Tried {
  switch (ended.type) {
    case "whole":
      if (reading.filtered) return failed({ type: "filtered" }, reading.text, client);
      // Nothing was said because there was no room left to say it: that is no answer.
      if (reading.cut && reading.calls.length === 0 && reading.text.trim() === "") {
        return failed({ type: "cut" }, "", client);
      }
      return replied(reading, client.target);
    case "closed": {
      if (reading.whole || reading.filtered) return answerOf({ type: "whole" }, reading, client);
      return failed({ type: "half", message: ended.message }, reading.text, client);
    }
    case "fault":
      // All of it had come, and only the word that it was all did not.
      if (ended.fault.type === "timeout" && ended.fault.awaited === "next event" && reading.whole)
        return answerOf({ type: "whole" }, reading, client);
      return failed(ended.fault, reading.text, client);
    case "abandoned":
      return reading.text === "" ? ended : { ...ended, partial: withoutKey(reading.text, client.target.key) };
    default:
      return ended satisfies never;
  }
}

function replied({ text, calls, usage, reasoning, cut, refusal }: Reading, { name, key }: Target): Tried {
  return {
    type: "replied",
    text: withoutKey(text, key),
    calls: calls.map((call) => ({ ...call, arguments: withoutKey(call.arguments, key) })),
    usage,
    ...(reasoning === null ? {} : { reasoning: { model: name, content: reasoning } }),
    ...(cut ? { cut } : {}),
    ...(refusal ? { refusal } : {}),
  };
}

function failed(fault: Fault, partial: string, { target, keyName, clock }: Client): Tried {
  const secrets = target.key === null ? [] : [target.key];
  const judged = failureOf(fault, { secrets, keyName, now: clock.now() });
  if (judged.type === "overflow") return judged;
  const { class: kind, detail, remedy, again, retryAfterMs } = judged;
  const shown = withoutKey(partial, target.key);
  return { type: "failed", failure: { class: kind, detail, remedy, partial: shown }, again, retryAfterMs };
}

/** No server should know better than to say it aloud; but what is in the journal stays there. */
function withoutKey(text: string, key: string | null): string {
  return key === null || key.length < leastHidden ? text : text.replaceAll(key, "[key]");
}
