import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { acme, openHome, planted, serve } from "./place.ts";

async function calling(answer: (response: ServerResponse, request: IncomingMessage) => void, typed = {}) {
  const { integrations, setUp, add } = openHome();
  const { url, requests } = await serve((request, response) => answer(response, request));
  add("acme", acme);
  await setUp("acme", { token: planted, url, ...typed });
  const call = (given: Readonly<Record<string, unknown>>, tool = "anvils") =>
    integrations.lookUp("acme", { tool, arguments: given, signal: new AbortController().signal });
  return { call, requests };
}

test("a tool looks up what it was asked, with what was entered, and shows JSON for reading", async () => {
  const { call, requests } = await calling((response) => response.end('{"a":[1]}'), { team: "a b" });
  expect(await call({ kind: "big/../x", search: "é&y=1" })).toEqual({
    text: '{\n  "a": [\n    1\n  ]\n}',
    isError: false,
  });
  expect(requests.map(({ method, url, headers }) => [method, url, headers.authorization, headers["x-team"]])).toEqual([
    ["GET", "/anvils/big%2F..%2Fx?search=%C3%A9%26y%3D1&team=a%20b", `Bearer ${planted}`, "a b"],
  ]);
});

test("what was left out is not sent", async () => {
  const { call, requests } = await calling((response) => response.end("plain"));
  expect(await call({ kind: 7, search: null })).toEqual({ text: "plain", isError: false });
  expect(requests.map(({ url, headers }) => [url, headers["x-team"]])).toEqual([["/anvils/7", undefined]]);
});

test.each([
  [{}, "kind: is missing"],
  [{ kind: ".." }, 'kind: expected a name, found ".."'],
  [{ kind: ["x"] }, "kind: expected a text or a number, found a list"],
  [{ kind: "x", url: "https://evil.example" }, "url: anvils has no such parameter"],
  [{ kind: "\ud800" }, "kind: expected a text, found half of a character"],
])("the arguments %j are refused before anything is sent", async (given, failed) => {
  const { call, requests } = await calling((response) => response.end());
  expect(await call(given)).toEqual({ failed });
  expect(requests).toEqual([]);
});

test("a tool that is not there, or of what is not set up, fails in one line", async () => {
  const { call } = await calling((response) => response.end());
  expect(await call({}, "hammers")).toEqual({ failed: "acme has no tool hammers" });
  const { integrations } = openHome();
  const { signal } = new AbortController();
  expect(await integrations.lookUp("sentry", { tool: "issues", arguments: {}, signal })).toEqual({
    failed: "sentry is not set up; /integrations setup sentry does that",
  });
});

test("an error is one line with what the service says, without the secret", async () => {
  const { call } = await calling((response) => response.writeHead(403).end(`{"detail":\n "no: ${planted}"}`));
  expect(await call({ kind: "x" })).toEqual({
    text: '403: what was entered does not allow this; it says: {"detail": "no: [secret]"}',
    isError: true,
  });
});

test("a redirect is an error and is not followed", async () => {
  const { call, requests } = await calling((response) => response.writeHead(301, { location: "/other" }).end());
  expect(await call({ kind: "x" })).toEqual({ text: "301: it points elsewhere, which is not followed", isError: true });
  expect(requests.length).toBe(1);
});

test("what is too long is cut, and that is said", async () => {
  const { call } = await calling((response, { url }) =>
    response.end("x".repeat(url === "/anvils/long" ? 50_000 : 2_000_000)),
  );
  const shown = async (kind: string) => {
    const called = await call({ kind });
    return "text" in called
      ? called.text.split("\n").map((line) => line.replace(/^x+/, (all) => `${all.length} x`))
      : called;
  };
  expect(await shown("long")).toEqual([
    "40000 x",
    "[cut: the first 40,000 characters of 50,000 characters; ask for less]",
  ]);
  expect(await shown("huge")).toEqual([
    "40000 x",
    "[cut: the first 40,000 characters of more than 1 MB; ask for less]",
  ]);
});
