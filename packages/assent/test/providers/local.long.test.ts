import http from "node:http";
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { findServers } from "../../src/providers/local.ts";

/** More than any test takes: what is over earlier was not ended by it. */
const ampleMs = 30_000;

function opened(server: net.Server): Promise<string> {
  onTestFinished(() => {
    server.close();
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`);
    });
  });
}

function answering(body: string, status = 200): Promise<string> {
  return opened(
    http.createServer(({ url }, response) => {
      response.writeHead(url === "/v1/models" ? status : 404).end(body);
    }),
  );
}

async function closedPort(): Promise<string> {
  const server = net.createServer();
  const baseUrl = await opened(server);
  await new Promise((resolve) => server.close(resolve));
  return baseUrl;
}

/** Takes a connection, and whatever is sent, and says `text`, if anything. */
function sayingOnly(text: string): Promise<string> {
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.resume();
    if (text !== "") socket.end(text);
    onTestFinished(() => {
      socket.destroy();
    });
  });
  return opened(server);
}

async function find(baseUrl: string, withinMs = ampleMs): Promise<unknown> {
  const [found] = await findServers([{ name: "x", baseUrl }], withinMs);
  const { name: _name, baseUrl: _baseUrl, ...rest } = found ?? {};
  return rest;
}

test("a server tells its models in its order", async () => {
  const body = JSON.stringify({ object: "list", data: [{ id: "qwen3:8b" }, { id: "" }, {}, 7, { id: "llama" }] });
  expect(await find(await answering(body))).toEqual({ type: "found", models: ["qwen3:8b", "llama"] });
});

test.each([
  ['{"object":"list","data":null}', "null"],
  ['{"object":"list","data":[]}', "nothing in it"],
])("a server without models is one: %s", async (body) => {
  expect(await find(await answering(body))).toEqual({ type: "found", models: [] });
});

test.each([
  ["<html>", 200, "it answered with something else than JSON"],
  ["{}", 200, "its answer has no list of models"],
  ["[]", 200, "its answer has no list of models"],
  ["no", 404, "status 404"],
  ["", 302, "status 302"],
  [" ".repeat(1_048_577), 200, "it sent more than 1048576 bytes"],
])("what else answers is no model server: %.10j with status %i", async (body, status, detail) => {
  expect(await find(await answering(body, status))).toEqual({ type: "missing", why: "not a model server", detail });
});

test("one that does not speak HTTP is none either", async () => {
  expect(await find(await sayingOnly("SSH-2.0-OpenSSH\r\n"))).toMatchObject({ why: "not a model server" });
});

test("one that wants a key says so", async () => {
  expect(await find(await answering("", 401))).toEqual({
    type: "missing",
    why: "refused",
    detail: "it wants a key (status 401)",
  });
});

test("where nothing listens, it is refused", async () => {
  expect(await find(await closedPort())).toEqual({ type: "missing", why: "refused", detail: "nothing listens there" });
});

test("one that takes the request and never answers is left when the time is over", async () => {
  expect(await find(await sayingOnly(""), 50)).toEqual({
    type: "missing",
    why: "time-out",
    detail: "no answer within 50 ms",
  });
});

test("one that begins an answer and never ends it, too", async () => {
  const begins = http.createServer((_, response) => {
    response.writeHead(200).write('{"data":[');
    onTestFinished(() => {
      response.destroy();
    });
  });
  expect(await find(await opened(begins), 100)).toMatchObject({ type: "missing", why: "time-out" });
});

test("all are asked at once: whoever is silent takes nothing from the others", async () => {
  const body = JSON.stringify({ data: [{ id: "a" }] });
  const places = [
    { name: "silent", baseUrl: await sayingOnly("") },
    { name: "silent too", baseUrl: await sayingOnly("") },
    { name: "there", baseUrl: await answering(body) },
    { name: "gone", baseUrl: await closedPort() },
  ];
  const found = await findServers(places, 1_000);
  expect(found.map((each) => [each.name, each.type === "found" ? each.models : each.why])).toEqual([
    ["silent", "time-out"],
    ["silent too", "time-out"],
    ["there", ["a"]],
    ["gone", "refused"],
  ]);
});
