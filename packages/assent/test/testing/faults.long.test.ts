import { once } from "node:events";
import { describe, expect, test } from "vitest";
import type { Fault } from "../../src/testing/index.ts";
import {
  ask,
  askByNode,
  type Event,
  eventsIn,
  formats,
  json,
  least,
  open,
  post,
  readAll,
  sendByNode,
} from "./client.ts";

const text = "one two three";

describe.each(formats)("%s:", (format) => {
  const opened = (fault: Fault) => open([{ text, fault }]);

  async function wholeStream(): Promise<readonly Event[]> {
    return eventsIn(await (await ask(await open([{ text }]), format)).text());
  }

  /** What came of a stream with a fault. */
  async function play(fault: Fault) {
    return readAll(await ask(await opened(fault), format));
  }

  test.each([401, 402, 403, 404, 429, 500, 503, 529])("the status %i with the API's own error", async (status) => {
    const server = await opened({ status, headers: { "retry-after": "7" } });
    const response = await ask(server, format);
    expect([response.status, response.headers.get("retry-after")]).toEqual([status, "7"]);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({ error: { message: `scripted status ${status}` } });
  });

  test("a status with a body of the script's own: JSON, a page or nothing", async () => {
    const server = await open([
      { fault: { status: 400, body: { error: { code: "context_length_exceeded" } } } },
      { fault: { status: 502, body: "<html>bad gateway</html>" } },
      { fault: { status: 500, body: "" } },
    ]);
    const seen: unknown[] = [];
    for (const _ of [1, 2, 3]) {
      const response = await ask(server, format);
      seen.push([response.status, response.headers.get("content-type"), await response.text()]);
    }
    expect(seen).toEqual([
      [400, "application/json", '{"error":{"code":"context_length_exceeded"}}'],
      [502, "text/html; charset=utf-8", "<html>bad gateway</html>"],
      [500, "application/json", ""],
    ]);
  });

  test("a connection that closes before the answer", async () => {
    const server = await opened({ close: "before-answer" });
    await expect(ask(server, format)).rejects.toThrow("fetch failed");
  });

  test("a connection that closes after the headers", async () => {
    const response = await ask(await opened({ close: "after-headers" }), format);
    expect(response.status).toBe(200);
    expect(await readAll(response)).toEqual({ text: "", broke: true });
  });

  test.each([0, 1, 3])("a stream that is cut after %i events, or ends there", async (count) => {
    const first = (await wholeStream()).slice(0, count);
    const cut = await askByNode(await opened({ cut: count }), format);
    expect([eventsIn(cut.text), cut.broke]).toEqual([first, true]);
    const ended = await play({ end: count });
    expect([eventsIn(ended.text), ended.broke]).toEqual([first, false]);
  });

  test("silence before the answer, until the client leaves", async () => {
    const server = await opened({ hang: "answer" });
    const leave = new AbortController();
    const asked = ask(server, format, {}, { signal: leave.signal });
    await server.waitFor(1);
    expect(server.requests[0]?.state).toBe("open");
    leave.abort();
    await expect(asked).rejects.toThrow("aborted");
    await expect.poll(() => server.requests[0]?.state, { interval: 2 }).toBe("left");
  });

  test("silence after two events, until the client leaves", async () => {
    const server = await opened({ hang: 2 });
    const leave = new AbortController();
    const response = await ask(server, format, {}, { signal: leave.signal });
    let came = "";
    const decoder = new TextDecoder();
    await expect(async () => {
      for await (const part of response.body ?? []) {
        came += decoder.decode(part);
        if (eventsIn(came).length === 2) leave.abort();
      }
    }).rejects.toThrow("aborted");
    expect(eventsIn(came)).toEqual((await wholeStream()).slice(0, 2));
    await expect.poll(() => server.requests[0]?.state, { interval: 2 }).toBe("left");
  });

  test("signs of life without an end", async () => {
    const ping = format === "anthropic" ? 'event: ping\ndata: {"type":"ping"}\n\n' : ": keep-alive\n\n";
    const server = await opened({ pings: 1, every: 1 });
    const response = await ask(server, format);
    let came = "";
    for await (const part of response.body ?? []) {
      came += new TextDecoder().decode(part);
      if (came.split(ping).length > 5) break;
    }
    expect(came.endsWith(ping.repeat(5))).toBe(true);
    await expect.poll(() => server.requests[0]?.state, { interval: 2 }).toBe("left");
  });

  test("any text as the stream", async () => {
    const response = await ask(await opened({ raw: "data: {\n\nnonsense" }), format);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(await response.text()).toBe("data: {\n\nnonsense");
  });

  test("an error in the middle of the stream, after which it ends", async () => {
    const error = { type: "overloaded_error", code: "overloaded", message: "too much", status: 529 };
    const { text: came, broke } = await play({ error, after: 2 });
    const events = eventsIn(came);
    expect([events.slice(0, 2), broke]).toEqual([(await wholeStream()).slice(0, 2), false]);
    const expected = {
      "openai-chat": {
        name: "",
        data: {
          error: { message: "too much", type: "overloaded_error", param: null, code: "overloaded", status: 529 },
        },
      },
      "openai-responses": {
        name: "error",
        data: { type: "error", code: "overloaded", message: "too much", param: null },
      },
      anthropic: { name: "error", data: { type: "error", error: { type: "overloaded_error", message: "too much" } } },
    }[format];
    expect(events.slice(2).map(({ name, data }) => ({ name, data: json(data) }))).toEqual([expected]);
  });

  test("an error where a whole answer was asked for is an error with its status", async () => {
    const server = await opened({ error: { message: "too much", status: 529 } });
    const response = await post(server, format, least[format]);
    expect([response.status, await response.json()]).toMatchObject([529, { error: { message: "too much" } }]);
  });

  test("an answer of another kind", async () => {
    const response = await ask(await opened({ contentType: "text/html", body: "<p>hello" }), format);
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "text/html",
      "<p>hello",
    ]);
  });

  test("a redirect", async () => {
    const server = await opened({ redirect: "http://127.0.0.1:9/elsewhere" });
    const response = await ask(server, format, {}, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([307, "http://127.0.0.1:9/elsewhere"]);
  });

  test("a slow stream and a stream in torn packets are whole in the end", async () => {
    const whole = await wholeStream();
    expect(eventsIn((await play({ slow: 1 })).text)).toEqual(whole);
    expect(eventsIn((await play({ bytes: 50 })).text)).toEqual(whole);
  });

  test("a stream that is malformed", async () => {
    const whole = await wholeStream();
    const broken = eventsIn((await play({ malformed: "json" })).text);
    const halves = broken.filter(({ data }) => data !== "[DONE]" && json(data).type === "broken");
    expect([broken.length, halves.length]).toEqual([whole.length, 1]);
    const shapes = eventsIn((await play({ malformed: "type" })).text).map(({ data }) => data);
    expect(shapes.filter((data) => data === '[1,"two",null,{}]')).toHaveLength(1);
    const unknown = eventsIn((await play({ malformed: "unknown" })).text);
    expect(unknown.filter((event) => event.name !== "scripted.unknown")).toEqual(whole);
    expect(unknown).toHaveLength(whole.length + 1);
    const bytes = await (await ask(await opened({ malformed: "utf8" }), format)).bytes();
    expect(bytes.filter((byte) => byte === 0xff)).toHaveLength(1);
    expect(new TextDecoder().decode(bytes)).toMatch(/"(text|content|delta)":"\ufffd/);
    const order = eventsIn((await play({ malformed: "order" })).text);
    expect(order).not.toEqual(whole);
    expect(order.map(({ data }) => data).sort()).toEqual(whole.map(({ data }) => data).sort());
    expect(order.at(-1)).toEqual(whole.at(-1));
  });

  test("a whole answer is cut in its middle as well", async () => {
    const server = await opened({ cut: 2 });
    const { text: came, broke } = await askByNode(server, format, {});
    expect([json(came).type, broke, came.length > 20]).toEqual(["broken", true, true]);
  });

  test("the headers of a silent stream come at once", async () => {
    const server = await opened({ hang: 0 });
    const sent = sendByNode(server, format, { stream: true });
    const [response] = await once(sent, "response");
    expect(response.statusCode).toBe(200);
    sent.destroy();
    await expect.poll(() => server.requests[0]?.state, { interval: 2 }).toBe("left");
  });
});

test("Responses can fail as a response", async () => {
  const server = await open([{ fault: { error: { code: "server_error", message: "oh" }, after: 1, failed: true } }]);
  const last = eventsIn(await (await ask(server, "openai-responses")).text()).at(-1);
  expect([last?.name, json(last?.data ?? "")]).toEqual([
    "response.failed",
    { type: "response.failed", response: { status: "failed", error: { code: "server_error", message: "oh" } } },
  ]);
});
