import { getEventListeners, once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ClientParts, type ClientSettings, defaultSettings, openClient } from "../../src/providers/client.ts";
import type { Format } from "../../src/providers/format.ts";
import type { Clock, ModelAnswer, ModelQuestion, Provider, Retry } from "../../src/runtime/ports.ts";
import { eventStream, events, type Handler, open, plainFormat, serve, serveRaw, status } from "./served.ts";

const key = "sk-test-0123456789abcdef";
const usage = { input: 1, output: 2, cached: 0 };
const fine = { type: "replied", text: "fine", calls: [], usage };
const answerFine = events("text:fine", "[DONE]");

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => unhandled.push(error);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => {
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled).toEqual([]);
});

function questionOf(said: string): ModelQuestion {
  const request = { messages: [], closing: said, tools: "none", regeneration: 0 } as const;
  return { session: "s", number: 1, wanted: "reply", system: "", tools: [], request };
}

/** Waits are over at once: what is asserted of them is what was told. */
const hasty: Clock = {
  now: () => Date.parse("Mon, 16 Nov 2026 10:00:00 GMT"),
  after(_, then) {
    const timer = setImmediate(then);
    return () => clearImmediate(timer);
  },
};

type Opening = Partial<Omit<ClientParts, "settings">> & Partial<ClientSettings> & { readonly baseUrl: string };

function clientOf({ baseUrl, ...more }: Opening): Provider {
  const { retries = 0, connectMs = 10_000, firstEventMs = 10_000, idleMs = 10_000, ...parts } = more;
  const target = { name: "test:model", model: "model", baseUrl, key, mostOutput: null, native: false };
  const settings = { retries, connectMs, firstEventMs, idleMs };
  return openClient({
    target,
    format: plainFormat,
    settings,
    clock: hasty,
    random: () => 0,
    keyName: "TEST_KEY",
    ...parts,
  });
}

type Watching = {
  readonly stop?: AbortController;
  readonly onText?: (text: string) => void;
  readonly onRetry?: () => void;
};
type Asked = { readonly answer: ModelAnswer; readonly texts: readonly string[]; readonly told: readonly Retry[] };

async function ask(provider: Provider, watching: Watching = {}): Promise<Asked> {
  const { signal } = watching.stop ?? new AbortController();
  const texts: string[] = [];
  const told: Retry[] = [];
  const answer = await provider.ask(questionOf("hello"), {
    signal,
    onText: (text) => {
      texts.push(text);
      watching.onText?.(text);
    },
    onRetry: (retry) => {
      told.push(retry);
      watching.onRetry?.();
    },
  });
  // Whatever happened: nothing of the request is left at the signal.
  expect(getEventListeners(signal, "abort")).toEqual([]);
  return { answer, texts, told };
}

/** Writes without end, until nobody reads any more. */
function pour(response: ServerResponse, part: string): void {
  response.write(part, (error) => {
    if (!error && !response.destroyed) setImmediate(() => pour(response, part));
  });
}

async function failureFrom(provider: Provider): Promise<unknown> {
  const { answer } = await ask(provider);
  return answer.type === "failed" ? answer.failure : answer;
}

describe("a reply", () => {
  test("is what the stream had, and its text is seen while it comes", async () => {
    const { baseUrl, requests } = await serve(events("text:fi", "ping", "thought:hm", "call:c1", "text:ne", "[DONE]"));
    const { answer, texts, told } = await ask(clientOf({ baseUrl, version: "1.2.3" }));
    const calls = [{ id: "c1", tool: "t", arguments: "{}" }];
    const reasoning = { model: "test:model", content: "hm" };
    expect(answer).toEqual({ type: "replied", text: "fine", calls, usage, reasoning });
    expect({ texts, told }).toEqual({ texts: ["fi", "ne"], told: [] });
    expect(requests).toEqual([
      {
        body: '{"said":"hello"}',
        headers: {
          accept: "text/event-stream",
          "accept-encoding": "identity",
          authorization: `Bearer ${key}`,
          connection: "keep-alive",
          "content-length": "16",
          "content-type": "application/json",
          host: new URL(baseUrl).host,
          "user-agent": "assent/1.2.3",
        },
      },
    ]);
  });

  test("that was cut off or refused says so", async () => {
    const { baseUrl } = await serve(events("text:fine", "cut", "refusal", "[DONE]"));
    expect((await ask(clientOf({ baseUrl }))).answer).toEqual({ ...fine, cut: true, refusal: true });
  });

  test("that is empty is a reply", async () => {
    const { baseUrl } = await serve(events("[DONE]"));
    expect((await ask(clientOf({ baseUrl }))).answer).toEqual({ ...fine, text: "" });
  });

  test("whose bytes come one by one is the same, also inside a character", async () => {
    const { baseUrl } = await serve((response) => {
      const bytes = [...Buffer.from(": hi\r\ndata: text:fü😀\r\n\r\ndata: [DONE]\r\n\r\n")];
      response.writeHead(200, eventStream).flushHeaders();
      const next = () => {
        const byte = bytes.shift();
        if (byte === undefined) response.end();
        else response.write(Buffer.of(byte), () => setImmediate(next));
      };
      next();
    });
    expect((await ask(clientOf({ baseUrl }))).answer).toEqual({ ...fine, text: "fü😀" });
  });

  test("that the server closes without saying the end is whole if the format says so", async () => {
    const { baseUrl } = await serve(events("text:fine", "whole"));
    expect((await ask(clientOf({ baseUrl }))).answer).toEqual(fine);
  });

  test("whose last event lacks the blank line is whole", async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, eventStream).end("data: text:fine\n\ndata: [DONE]");
    });
    expect((await ask(clientOf({ baseUrl }))).answer).toEqual(fine);
  });

  test("of a server that never closes the stream is ready all the same, and the connection is dropped", async () => {
    let closed: Promise<unknown> = Promise.reject(new Error("never asked"));
    closed.catch(() => {});
    const { baseUrl } = await serve((response) => {
      closed = once(response, "close");
      open("text:fine", "[DONE]")(response);
    });
    expect((await ask(clientOf({ baseUrl }))).answer).toEqual(fine);
    await closed;
  });

  test("is read on after its end, for calls that come too late", async () => {
    const { baseUrl } = await serve(events("text:fine", "call:1", "[DONE]", "call:2", "text: more", "nonsense"));
    const { answer, texts } = await ask(clientOf({ baseUrl }));
    const late = { id: "2", tool: "t", arguments: "{}", flaw: "after the end" };
    expect(answer).toMatchObject({ type: "replied", calls: [{ id: "1", tool: "t", arguments: "{}" }, late] });
    expect(texts).toEqual(["fine"]);
  });

  test("whose connection breaks behind its end is whole", async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, eventStream).write("data: text:fine\n\ndata: [DONE]\n\n", () => response.destroy());
    });
    expect((await ask(clientOf({ baseUrl }))).answer).toEqual(fine);
  });

  test("that is a summary comes the same way", async () => {
    const { baseUrl } = await serve(answerFine);
    const watched = { signal: new AbortController().signal, onText: () => {}, onRetry: () => {} };
    expect(await clientOf({ baseUrl }).ask({ ...questionOf("sum up"), wanted: "summary" }, watched)).toEqual(fine);
  });
});

describe("connections", () => {
  test("are used again, also after an error that was read to its end", async () => {
    const { baseUrl, connections, requests } = await serve(answerFine, status(400, "{}"), answerFine);
    const client = clientOf({ baseUrl });
    for (let asked = 0; asked < 4; asked++) await ask(client);
    expect({ connections: connections(), requests: requests.length }).toEqual({ connections: 1, requests: 4 });
  });

  /** Each connection answers one request, and is closed by the next one. */
  async function serveOnceEach() {
    let seen = 0;
    const body = "data: text:fine\n\ndata: [DONE]\n\n";
    const head = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n`;
    const served = await serveRaw((socket) => {
      let before = 0;
      socket.on("data", () => {
        seen++;
        if (before++ > 0) socket.destroy();
        else socket.write(head + body);
      });
    });
    return { ...served, seen: () => seen };
  }

  test("that the server has closed meanwhile are replaced, and that is not a try", async () => {
    const { baseUrl, connections, seen } = await serveOnceEach();
    const client = clientOf({ baseUrl });
    for (let asked = 0; asked < 3; asked++) expect(await ask(client)).toMatchObject({ answer: fine, told: [] });
    // Each later request met the old socket first.
    expect({ connections: connections(), seen: seen() }).toEqual({ connections: 3, seen: 5 });
  });

  test("are all replaced when one of them was closed", async () => {
    const { baseUrl, connections, seen } = await serveOnceEach();
    const client = clientOf({ baseUrl });
    await Promise.all([ask(client), ask(client)]);
    expect(await ask(client)).toMatchObject({ answer: fine, told: [] });
    expect({ connections: connections(), seen: seen() }).toEqual({ connections: 3, seen: 4 });
  });

  test("that are new and broken are not replaced: that was a try", async () => {
    const { baseUrl, connections } = await serveRaw((socket) => socket.once("data", () => socket.destroy()));
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({ class: "half-stream" });
    expect(connections()).toBe(1);
  });
});

describe("a server that cannot be talked to", () => {
  test("because nothing listens is refused", async () => {
    const { baseUrl } = await serve(answerFine);
    const gone = baseUrl.replace(/\d+$/, "1");
    expect(await failureFrom(clientOf({ baseUrl: gone }))).toEqual({
      class: "refused",
      detail: "127.0.0.1:1 refused the connection",
      remedy: "check the address, the network and that the server runs, then assent resume <session>",
      partial: "",
    });
  });

  test("because it does not finish connecting is a time-out", async () => {
    const { baseUrl } = await serveRaw(() => {});
    const secure = baseUrl.replace("http:", "https:");
    expect(await failureFrom(clientOf({ baseUrl: secure, connectMs: 40 }))).toMatchObject({
      class: "timeout",
      detail: "no connection within 40 ms",
    });
  });

  test("because it has no certificate is refused and not tried again", async () => {
    const server = createSecureServer({});
    server.on("tlsClientError", () => {});
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { answer, told } = await ask(clientOf({ baseUrl, retries: 3 }));
    expect(answer).toMatchObject({ type: "failed", failure: { class: "refused" } });
    expect(told).toEqual([]);
  });

  test("because it does not speak HTTP has a malformed stream", async () => {
    const { baseUrl } = await serveRaw((socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.9\r\n")));
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({ class: "malformed-stream" });
  });

  test("because its address is none is told, and so is a key that cannot be sent", async () => {
    expect(await failureFrom(clientOf({ baseUrl: "localhost:8080" }))).toMatchObject({
      class: "rejected",
      detail: 'the request cannot be sent: expected a base URL with http or https, found "localhost:8080"',
    });
    const { baseUrl, connections } = await serve(answerFine);
    const target = { name: "a:b", model: "b", baseUrl, key: "sk-line\nbreak", mostOutput: null, native: false };
    expect(await failureFrom(clientOf({ baseUrl, target }))).toMatchObject({
      class: "rejected",
      detail: 'the request cannot be sent: Invalid character in header content ["authorization"]',
    });
    expect(connections()).toBe(0);
  });
});

describe("a server that is silent", () => {
  /** Comments and pings, for as long as the stream is open. */
  function pinging(...data: readonly string[]): Handler {
    return (response) => {
      open(...data)(response);
      const timer = setInterval(() => response.write(": still here\n\ndata: ping\n\n"), 5);
      response.on("close", () => clearInterval(timer));
    };
  }

  test("and sends nothing at all is a time-out", async () => {
    const { baseUrl } = await serve(() => {});
    expect(await failureFrom(clientOf({ baseUrl, firstEventMs: 40 }))).toMatchObject({
      class: "timeout",
      detail: "no first event within 40 ms",
    });
  });

  test("before the first event is a time-out, whatever pings come", async () => {
    const { baseUrl } = await serve(pinging());
    expect(await failureFrom(clientOf({ baseUrl, firstEventMs: 60 }))).toMatchObject({
      class: "timeout",
      detail: "no first event within 60 ms",
    });
  });

  test("in the middle is a time-out, whatever pings come, and what was said is kept", async () => {
    const { baseUrl } = await serve(pinging("text:so far"));
    expect(await failureFrom(clientOf({ baseUrl, idleMs: 60 }))).toMatchObject({
      class: "timeout",
      detail: "no next event within 60 ms",
      partial: "so far",
    });
  });

  test("after all of the reply has come has given it", async () => {
    const { baseUrl } = await serve(pinging("text:fine", "whole"));
    expect((await ask(clientOf({ baseUrl, idleMs: 60 }))).answer).toEqual(fine);
  });

  test("about the rest of an error has said enough", async () => {
    const { baseUrl } = await serve((response) => void response.writeHead(401).write('{"error":'));
    expect(await failureFrom(clientOf({ baseUrl, firstEventMs: 150 }))).toMatchObject({ class: "unauthorised" });
  });
});

describe("a stream that is not whole", () => {
  test("because the server closed it is half, with what was said", async () => {
    const { baseUrl } = await serve(events("text:half a"));
    expect(await failureFrom(clientOf({ baseUrl }))).toEqual({
      class: "half-stream",
      detail: "the reply broke off before its end: the server closed the stream",
      remedy: "check the network, then assent resume <session>",
      partial: "half a",
    });
  });

  test("because the connection was lost is half", async () => {
    const { baseUrl } = await serve((response) => {
      response
        .writeHead(200, eventStream)
        .write("data: text:half a\n\n", () => setTimeout(() => response.destroy(), 20));
    });
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({
      class: "half-stream",
      detail: "the reply broke off before its end: the connection was lost",
      partial: "half a",
    });
  });

  test("because its last event was cut off is half, not malformed", async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, eventStream).end('data: text:half a\n\ndata: {"cho');
    });
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({ class: "half-stream", partial: "half a" });
  });

  test("because it had nothing is half", async () => {
    const { baseUrl } = await serve(events());
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({ class: "half-stream", partial: "" });
  });

  test("because a filter ended it is refused content, with what was said", async () => {
    const { baseUrl } = await serve(events("text:so", "filtered", "[DONE]"));
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({ class: "content-refused", partial: "so" });
  });

  test("because of an error in it is of that error's class", async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, eventStream).end("data: text:so\n\nevent: error\ndata: overloaded_error\n\n");
    });
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({
      class: "overloaded",
      detail: "overloaded_error: in the stream",
      partial: "so",
    });
  });
});

describe("a stream that is malformed", () => {
  test("by an event that the format does not know", async () => {
    const { baseUrl } = await serve(events("text:so", "nonsense"));
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({
      class: "malformed-stream",
      detail: "expected a known event, found nonsense",
      partial: "so",
    });
  });

  test("because it is something else altogether", async () => {
    const { baseUrl } = await serve(status(200, "what is this\nreally?", eventStream));
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({
      class: "malformed-stream",
      detail: "expected an event stream, found other text: what is this really?",
    });
  });

  test("by an event without end", async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, eventStream).write("data: text:so\n\ndata: ");
      pour(response, "x".repeat(1024 * 1024));
    });
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({
      class: "malformed-stream",
      detail: "expected at most 8 MiB in an event, found more",
      partial: "so",
    });
  });

  test("because it is packed, though that was not wanted", async () => {
    const { baseUrl } = await serve(status(200, "x", { ...eventStream, "content-encoding": "gzip" }));
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({
      class: "malformed-stream",
      detail: "expected an event stream as it is, found it in gzip",
    });
  });

  test("because it is JSON; with an error in it, it is that error", async () => {
    const json = { "content-type": "application/json" };
    const { baseUrl } = await serve(
      status(200, '{"id":1}', json),
      status(200, '{"error":{"message":"Slow down","code":429}}', json),
      status(200, '{"error":{"message":"Slow down","code":429}}', eventStream),
      status(200, "<p>hello</p>", { "content-type": "text/html" }),
    );
    const client = clientOf({ baseUrl });
    expect(await failureFrom(client)).toMatchObject({
      class: "malformed-stream",
      detail: 'expected an event stream, found application/json: {"id":1}',
    });
    expect(await failureFrom(client)).toMatchObject({ class: "rate-limited", detail: "HTTP 429: Slow down" });
    expect(await failureFrom(client)).toMatchObject({ class: "rate-limited", detail: "HTTP 429: Slow down" });
    expect(await failureFrom(client)).toMatchObject({ class: "malformed-stream" });
  });
});

describe("an answer that is an error", () => {
  const json = (type: string, message: string) => JSON.stringify({ type: "error", error: { type, message } });

  test.each([
    [
      401,
      json("authentication_error", `invalid key ${key}`),
      "unauthorised",
      "HTTP 401 authentication_error: invalid key [key]",
    ],
    [502, "<html><title>502 Bad Gateway</title>…</html>", "server-error", "HTTP 502: 502 Bad Gateway"],
    [529, json("overloaded_error", "Overloaded"), "overloaded", "HTTP 529 overloaded_error: Overloaded"],
    [404, "", "not-found", "HTTP 404"],
  ])("%s", async (code, body, expected, detail) => {
    const { baseUrl } = await serve(status(code, body));
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({ class: expected, detail, partial: "" });
  });

  test("that the request does not fit is an overflow", async () => {
    const { baseUrl, requests } = await serve(
      status(400, json("invalid_request_error", "prompt is too long: 9 tokens > 8 maximum")),
    );
    expect((await ask(clientOf({ baseUrl, retries: 3 }))).answer).toEqual({
      type: "overflow",
      detail: "HTTP 400 invalid_request_error: prompt is too long: 9 tokens > 8 maximum",
    });
    expect(requests.length).toBe(1);
  });

  test("without end is read as far as it is worth", async () => {
    const { baseUrl } = await serve((response) => {
      response.writeHead(500);
      pour(response, "no ".repeat(10_000));
    });
    expect(await failureFrom(clientOf({ baseUrl }))).toMatchObject({ class: "server-error" });
  });

  test("that points elsewhere is not followed: the key goes nowhere", async () => {
    const elsewhere = await serve(answerFine);
    const { baseUrl } = await serve(status(307, "", { location: `${elsewhere.baseUrl}/reply?k=${key}` }));
    const { answer, told } = await ask(clientOf({ baseUrl, retries: 3 }));
    const detail = `the server points elsewhere (307): ${elsewhere.baseUrl}/reply?k=[key]`;
    expect(answer).toMatchObject({ type: "failed", failure: { class: "redirected", detail } });
    expect({ told, connections: elsewhere.connections() }).toEqual({ told: [], connections: 0 });
  });
});

describe("trying again", () => {
  test("brings the reply, after as long as the server wants", async () => {
    const at = { "retry-after": "Mon, 16 Nov 2026 10:00:07 GMT" };
    const { baseUrl } = await serve(
      status(429, "", { "retry-after": "1" }),
      status(429, "", at),
      events("text:half"),
      answerFine,
    );
    const { answer, told, texts } = await ask(clientOf({ baseUrl, retries: 3 }));
    expect(answer).toEqual(fine);
    expect(texts).toEqual(["half", "fine"]);
    expect(told.map(({ attempt, most, delay_ms, failure }) => [attempt, most, delay_ms, failure.class])).toEqual([
      [2, 4, 1_000, "rate-limited"],
      [3, 4, 7_000, "rate-limited"],
      [4, 4, 1_000, "half-stream"],
    ]);
  });

  test("ends with the last failure and the longest text", async () => {
    const { baseUrl, requests } = await serve(events("text:longest"), events("text:a"), status(500, "no"));
    const { answer } = await ask(clientOf({ baseUrl, retries: 2 }));
    expect(answer).toMatchObject({
      failure: { class: "server-error", detail: "HTTP 500: no; tried 3 times", partial: "longest" },
    });
    expect(requests.length).toBe(3);
  });

  test("is not done when the server wants more than a minute", async () => {
    const { baseUrl, requests } = await serve(status(429, "later", { "retry-after": "61" }));
    const { answer } = await ask(clientOf({ baseUrl, retries: 3 }));
    const detail = "the server wants to be asked again in 61 s; HTTP 429: later";
    expect(answer).toMatchObject({ failure: { class: "rate-limited", detail } });
    expect(requests.length).toBe(1);
  });

  test("is done three times unless told otherwise", () => {
    expect(defaultSettings).toEqual({ connectMs: 10_000, firstEventMs: 180_000, idleMs: 180_000, retries: 3 });
  });
});

describe("a stop ends it at once", () => {
  const abandoned = { type: "abandoned" };

  test("before anything was sent: there is no connection", async () => {
    const { baseUrl, connections } = await serve(answerFine);
    const stop = new AbortController();
    stop.abort();
    expect((await ask(clientOf({ baseUrl, retries: 3 }), { stop })).answer).toEqual(abandoned);
    expect(connections()).toBe(0);
  });

  test("while it connects", async () => {
    const stop = new AbortController();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { baseUrl } = await serveRaw((socket) => {
      socket.once("close", () => resolve());
      socket.once("data", () => stop.abort());
    });
    const secure = baseUrl.replace("http:", "https:");
    expect((await ask(clientOf({ baseUrl: secure, retries: 3 }), { stop })).answer).toEqual(abandoned);
    await closed;
  });

  test.each([
    ["before the answer", () => {}, {}],
    ["in the middle of the stream", open("text:so"), { partial: "so" }],
    ["behind the end of a stream that stays open", open("text:so", "[DONE]"), { partial: "so" }],
    ["in the middle of an error", (response) => void response.writeHead(500).write("no"), {}],
  ] satisfies [string, Handler, object][])("%s: the connection is closed", async (_, handler, kept) => {
    const stop = new AbortController();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { baseUrl } = await serve((response) => {
      response.once("close", () => resolve());
      handler(response);
      setTimeout(() => stop.abort(), 20);
    });
    expect((await ask(clientOf({ baseUrl, retries: 3 }), { stop })).answer).toEqual({ ...abandoned, ...kept });
    await closed;
  });

  test("as soon as the text is seen", async () => {
    const { baseUrl } = await serve(events("text:so", "text:more", "[DONE]"));
    const stop = new AbortController();
    const { answer, texts } = await ask(clientOf({ baseUrl }), { stop, onText: () => stop.abort() });
    expect({ answer, texts }).toEqual({ answer: { ...abandoned, partial: "so" }, texts: ["so"] });
  });

  test("while it waits to try again", async () => {
    const { baseUrl, requests } = await serve(status(500, "no"));
    const stop = new AbortController();
    const never: Clock = { now: () => 0, after: () => () => {} };
    const onRetry = () => void setImmediate(() => stop.abort());
    const { answer } = await ask(clientOf({ baseUrl, retries: 3, clock: never }), { stop, onRetry });
    expect(answer).toEqual(abandoned);
    expect(requests.length).toBe(1);
  });
});

describe("a fault of our own is a failure, never a rejection", () => {
  const broken = (more: Partial<Format>): Format => ({ ...plainFormat, ...more });
  const breaking = () => {
    throw new Error(`broken with ${key}`);
  };
  const failure = {
    class: "internal",
    detail: "broken with [key]",
    remedy: "this is a fault of the model's client; please report it",
    partial: "",
  };

  test.each([
    ["encoding", broken({ encode: breaking })],
    ["the headers", broken({ headers: breaking })],
    ["opening the reader", broken({ open: breaking })],
    ["reading", broken({ open: () => ({ ...plainFormat.open(), read: breaking }) })],
  ])("in %s", async (_, format) => {
    const { baseUrl } = await serve(answerFine);
    expect((await ask(clientOf({ baseUrl, format, retries: 3 }))).answer).toEqual({ type: "failed", failure });
  });

  test("in what watches", async () => {
    const { baseUrl } = await serve(answerFine);
    const { answer } = await ask(clientOf({ baseUrl, retries: 3 }), { onText: breaking });
    expect(answer).toEqual({ type: "failed", failure });
  });
});
