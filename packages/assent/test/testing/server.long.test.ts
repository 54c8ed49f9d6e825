import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openModelServer, readServerScript } from "../../src/testing/index.ts";
import { ask, eventsIn, json, least, open, paths, post } from "./client.ts";

async function said(response: Response): Promise<string> {
  return json(await response.text()).choices[0].message.content;
}

test("the n-th request gets the n-th entry, whatever its format, and `done` after the last", async () => {
  const server = await open([{ text: "one" }, { text: "two" }]);
  expect(await said(await post(server, "openai-chat", least["openai-chat"]))).toBe("one");
  expect(json(await (await post(server, "anthropic", least.anthropic)).text()).content).toEqual([
    { type: "text", text: "two" },
  ]);
  expect(await said(await post(server, "openai-chat", least["openai-chat"]))).toBe("done");
});

test("an entry that repeats answers after the last", async () => {
  const server = await open([{ text: "again", repeat: true }, { text: "two" }]);
  const texts: string[] = [];
  for (const _ of [1, 2, 3, 4]) texts.push(await said(await post(server, "openai-chat", least["openai-chat"])));
  expect(texts).toEqual(["again", "two", "again", "again"]);
});

test("every request is recorded as it came, with its key masked", async () => {
  const server = await open([{ text: "one" }], { key: "sk-secret", models: ["a"] });
  const bearer = { authorization: "Bearer sk-secret", "x-extra": "has sk-secret in it" };
  await fetch(`${server.url}/v1/models`, { headers: bearer });
  const body = { ...least["openai-chat"], stream: true };
  await (await post(server, "openai-chat", body, { headers: bearer })).text();
  await post(server, "anthropic", least.anthropic, { headers: { "x-api-key": "sk-wrong" } });
  await expect.poll(() => server.requests.map(({ state }) => state)).toEqual(["answered", "answered", "answered"]);
  const [models, first, second] = server.requests;
  expect(models).toMatchObject({ number: 1, entry: null, method: "GET", path: "/v1/models", format: null, body: "" });
  const { headers, ...rest } = first ?? { headers: {} };
  expect(rest).toEqual({
    number: 2,
    entry: 1,
    method: "POST",
    path: "/v1/chat/completions",
    body: JSON.stringify(body),
    json: body,
    format: "openai-chat",
    problems: [],
    state: "answered",
  });
  expect(headers).toMatchObject({ authorization: "Bearer ***", "x-extra": "has *** in it" });
  expect(second).toMatchObject({ number: 3, entry: 2, format: "anthropic", headers: { "x-api-key": "***" } });
});

test("a wrong key is answered 401", async () => {
  const server = await open([{ text: "one" }], { key: "k" });
  const statuses = await Promise.all([
    ask(server, "openai-chat"),
    ask(server, "openai-responses", {}, { headers: { authorization: "Bearer j" } }),
    ask(server, "anthropic", {}, { headers: { "x-api-key": "k" } }),
    fetch(`${server.url}/v1/models`),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([401, 401, 200, 401]);
});

test("the models are listed in the way of either API", async () => {
  const server = await open([], { models: ["a", "b"] });
  const openAi = json(await (await fetch(`${server.url}/v1/models`)).text());
  expect([openAi.object, openAi.data.map(({ id }: { id: string }) => id)]).toEqual(["list", ["a", "b"]]);
  const anthropic = await fetch(`${server.url}/v1/models?limit=9`, { headers: { "anthropic-version": "2023-06-01" } });
  expect(await anthropic.json()).toMatchObject({
    data: [{ type: "model", id: "a" }, {}],
    has_more: false,
    last_id: "b",
  });
});

test("what there is not is answered 404, and takes no entry", async () => {
  const server = await open([{ text: "one" }]);
  expect((await fetch(`${server.url}/chat/completions`, { method: "POST", body: "{}" })).status).toBe(404);
  expect((await fetch(`${server.url}${paths["openai-chat"]}`)).status).toBe(404);
  expect(await said(await post(server, "openai-chat", least["openai-chat"]))).toBe("one");
});

test("a body that is no JSON, or does not say so, is refused", async () => {
  const server = await open([]);
  const url = `${server.url}${paths["openai-chat"]}`;
  await fetch(url, { method: "POST", body: "{", headers: { "content-type": "application/json" } });
  await fetch(url, { method: "POST", body: JSON.stringify(least["openai-chat"]) });
  expect(server.requests.map(({ problems, json: parsed }) => [problems, parsed !== null])).toEqual([
    [["body: expected a JSON object"], false],
    [["content-type: expected application/json, found text/plain;charset=UTF-8"], true],
  ]);
});

test("where it is not strict, a request with problems gets its entry all the same", async () => {
  const server = await open([{ text: "one" }], { strict: false });
  expect(await said(await post(server, "openai-chat", { model: "m", messages: [] }))).toBe("one");
  expect(server.requests[0]?.problems).toEqual(["messages: expected at least one"]);
});

test("one can wait for requests that have come and for those that will", async () => {
  const server = await open([]);
  const two = server.waitFor(2);
  await fetch(`${server.url}/v1/models`);
  await post(server, "openai-chat", least["openai-chat"]);
  expect((await server.waitFor(1)).map(({ number }) => number)).toEqual([2]);
  await post(server, "anthropic", least.anthropic);
  expect((await two).map(({ entry, format }) => [entry, format])).toEqual([
    [1, "openai-chat"],
    [2, "anthropic"],
  ]);
});

test("closing ends every connection, frees the port, and ends all waiting", async () => {
  const server = await openModelServer({ script: [{ fault: { hang: "answer" } }, { fault: { pings: 0 } }] });
  const port = Number(new URL(server.url).port);
  const idle = connect(port, "127.0.0.1");
  await once(idle, "connect");
  const silent = expect(ask(server, "openai-chat")).rejects.toThrow("fetch failed");
  await server.waitFor(1);
  const alive = await ask(server, "anthropic");
  const third = expect(server.waitFor(3)).rejects.toThrow("expected 3 model requests, 2 came");
  const ended = once(idle, "close");
  await Promise.all([server.close(), server.close()]);
  await expect(alive.text()).rejects.toThrow("terminated");
  await Promise.all([silent, third, ended]);
  await expect(server.waitFor(3)).rejects.toThrow("expected 3 model requests, 2 came");
  const again = await openModelServer({ script: [], port });
  expect(again.url).toBe(server.url);
  await again.close();
});

test("a closed server keeps no process alive, whatever it was in the middle of", () => {
  const program = `
    import { openModelServer } from "assent/testing";
    const faults = [{ pings: 0 }, { slow: 60_000 }, { hang: "answer" }, { hang: 1 }];
    const server = await openModelServer({ script: faults.map((fault) => ({ text: "hi", fault })) });
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "hi" }] }),
    };
    const asked = faults.map(() => fetch(server.url + "/v1/chat/completions", init).then((reply) => reply.text()));
    await server.waitFor(faults.length);
    await server.close();
    console.log((await Promise.allSettled(asked)).map(({ status }) => status).join(" "));
  `;
  const ran = spawnSync(process.execPath, ["--conditions=assent-source", "--input-type=module-typescript", "-"], {
    cwd: join(import.meta.dirname, "..", ".."),
    input: program,
    encoding: "utf8",
    timeout: 30_000,
  });
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([0, "rejected rejected rejected rejected\n", ""]);
});

test("a script that is a file is read line by line", () => {
  const lines = [
    "# a comment",
    "",
    '{"text":"hi","usage":null,"calls":[{"tool":"t","arguments":{},"id":null}]}',
    '{"fault":{"status":429,"headers":{"retry-after":"1"}},"repeat":true}',
  ];
  expect(readServerScript(lines.join("\n"))).toEqual({
    type: "script",
    entries: [json(lines[2] ?? ""), json(lines[3] ?? "")],
  });
});

test.each([
  ["{", /^expected JSON: /],
  ["[]", /^expected an object, found a list$/],
  ['{"txt":"hi"}', /^txt: there is no such field; there are text, calls, /],
  ['{"text":3}', /^text: expected a text, found the number 3$/],
  ['{"fault":{"cut":"2"}}', /^fault: expected one of the faults .*, found an object with cut$/],
  ['{"fault":{"cutt":2}}', /^fault: expected one of the faults .*, found an object with cutt$/],
  ['{"calls":[{"tool":"t"}]}', /^calls: expected a list of .*, found a list$/],
])("the line %s is no entry", (line, reason) => {
  expect(readServerScript(`{}\n${line}`)).toEqual({ type: "broken", line: 2, reason: expect.stringMatching(reason) });
});

test("characters are never torn between two pieces of a text", async () => {
  const server = await open([{ text: "😀é😀" }]);
  const events = eventsIn(await (await ask(server, "openai-chat")).text());
  const pieces = events.slice(1, 4).map(({ data }) => json(data).choices[0].delta.content);
  expect(pieces).toEqual(["😀", "é", "😀"]);
});
