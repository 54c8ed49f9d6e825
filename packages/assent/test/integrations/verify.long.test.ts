import { readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { acme, at, openHome, planted, serve, watch } from "./place.ts";

async function verified(answer: (response: ServerResponse) => void) {
  const home = openHome();
  const { url, requests } = await serve((_request, response) => answer(response));
  home.add("acme", acme);
  await home.setUp("acme", { token: planted, url });
  const checked = await home.integrations.verify("acme", watch());
  expect(home.integrations.find("acme")?.checked).toEqual(checked);
  expect(checked.at).toBe(at);
  return { ...home, checked, requests, host: new URL(url).host, file: join(home.folder, "integrations", "acme.json") };
}

verifies("INTG-3a", "what works has passed: one request with what was entered, and one line", async () => {
  const { checked, requests, host, integrations, logged } = await verified((response) => response.end("it is ok"));
  expect(checked).toEqual({ status: "passed", detail: `${host} answered 200`, at });
  expect(requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
    ["GET", "/check", `Bearer ${planted}`],
  ]);
  expect(integrations.describe()).toBe("acme (passed)");
  expect(logged).toEqual([]);
});

test.each([
  [401, "401: the token was not accepted; /integrations setup acme enters another"],
  [403, "403: the token does not allow this; /integrations setup acme enters another"],
  [404, "404: nothing is there"],
  [500, "500: the service has a fault of its own"],
])("the status %s is told with its meaning, and the log has the rest without the secret", async (status, detail) => {
  const said = `who sent ${planted}? ${encodeURIComponent(planted)}`;
  const { checked, logged, file } = await verified((response) => response.writeHead(status).end(said));
  expect(checked).toEqual({ status: "failed", detail, at });
  expect(logged).toEqual([`acme ${detail}\nwho sent [secret]? [secret]`]);
  expect(readFileSync(file, "utf8")).not.toContain(planted);
});

test("a redirect is not followed, for the secret would go with it", async () => {
  const { checked, requests } = await verified((response) =>
    response.writeHead(302, { location: `https://elsewhere.example/${planted}` }).end(),
  );
  expect(checked.detail).toBe("302: it points to elsewhere.example, which is not followed");
  expect(requests.length).toBe(1);
});

test("an answer that is another than expected has failed", async () => {
  const { checked, host } = await verified((response) => response.end("hello"));
  expect(checked).toEqual({ status: "failed", detail: `200: ${host} answered, but not as expected`, at });
});

test("an answer without end is read as far as it is worth it", async () => {
  const { checked } = await verified((response) => {
    response.write("ok");
    const more = () => {
      while (response.write("x".repeat(65_536)));
    };
    response.on("drain", more);
    more();
  });
  expect(checked.status).toBe("passed");
});

verifies("INTG-3a", "no answer is told as such after the time for it", async () => {
  const { checked } = await verified(() => undefined);
  expect(checked).toEqual({ status: "failed", detail: "no answer within 1.5 s", at });
});

verifies("INTG-3b", "what cannot be reached is told in words, and the whole error is in the log", async () => {
  const { integrations, setUp, add, logged } = openHome();
  add("acme", acme);
  const { url, close } = await serve(() => undefined);
  close();
  await setUp("acme", { token: planted, url });
  const { status, detail } = await integrations.verify("acme", watch());
  expect([status, detail]).toEqual(["failed", `nothing answers at ${new URL(url).host}`]);
  expect(logged).toEqual([expect.stringContaining(`acme ${detail}\nTypeError: fetch failed`)]);
  expect(logged[0]).toContain("caused by Error: connect ECONNREFUSED");
});

test("a secret that cannot be sent is not shown by the error that says so", async () => {
  const { integrations, setUp, add, logged } = openHome();
  add("acme", acme);
  const secret = "ключ-0123456789";
  await setUp("acme", { token: secret });
  const { status, detail } = await integrations.verify("acme", watch());
  expect([status, detail]).toEqual(["failed", "the request to acme.example failed"]);
  expect(logged.join("\n")).not.toContain(secret);
});

test("one that is stopped says so", async () => {
  const { integrations, setUp, add } = openHome();
  const stopping = new AbortController();
  const { url } = await serve(() => stopping.abort());
  add("acme", acme);
  await setUp("acme", { token: planted, url });
  const { status, detail } = await integrations.verify("acme", watch(stopping.signal));
  expect([status, detail]).toEqual(["failed", "stopped before an answer came"]);
});

verifies("INTG-3a", "what is not set up, has lost its secret or its service is missing", async () => {
  const { integrations, setUp, add, folder } = openHome();
  add("acme", acme);
  const missing = (detail: string) => ({ status: "missing", detail, at });
  expect(await integrations.verify("acme", watch())).toEqual(
    missing("acme is not set up; /integrations setup acme does that"),
  );
  await setUp("acme", { token: planted });
  rmSync(join(folder, "integrations", "secrets", "acme.token"));
  const gone = missing("acme: its token is gone; /integrations setup acme enters it again");
  expect(await integrations.verify("acme", watch())).toEqual(gone);
  expect(integrations.describe()).toBe("acme (missing)");
  rmSync(join(folder, "catalogue", "acme.json"));
  expect(await integrations.verify("acme", watch())).toEqual(missing("acme: the catalogue has no acme any more"));
});

const offers = { title: "T", version: "1", protocol: "p", prompts: [], resources: [], problems: [] };
const tool = { name: "a", offered: "x__a", description: "", parameters: {}, claims: [], digest: "d" };

test("an MCP server without a request for it is verified by connecting, and not left running where it is not used", async () => {
  const closed: string[] = [];
  const { integrations, setUp } = openHome({
    close: async (name) => void closed.push(name),
    open: async ({ name, address }) => {
      if (name === "bad") return { failed: `bad said ${JSON.stringify(address)}` };
      return { ...offers, tools: [tool] };
    },
  });
  await setUp("mcp", { name: "good", address: "npx x", token: "none" });
  await setUp("mcp", { name: "bad", address: "https://mcp.example/", token: planted });
  expect(await integrations.verify("good", watch())).toEqual({
    status: "passed",
    detail: "connected; it offers 1 tool",
    at,
  });
  expect(await integrations.verify("bad", watch())).toEqual({
    status: "failed",
    detail: 'bad said {"type":"url","url":"https://mcp.example/","headers":{"authorization":"Bearer [secret]"}}',
    at,
  });
  const accepted = {
    connected: true,
    tools: [{ ...tool, safe: false }],
    prompts: [],
    resources: false,
    sampling: false,
  };
  integrations.accept("good", accepted);
  integrations.accept("bad", { ...accepted, connected: false });
  expect(integrations.describe()).toBe("bad (mcp, failed, disconnected), good (mcp, passed, 1 tool)");
  await integrations.verify("good", watch());
  expect(closed).toEqual(["good", "bad"]);
});
