import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { openEventStream } from "../../src/providers/stream.ts";
import { events, serve } from "./served.ts";

test("connections do not keep a process alive that has its answer", { timeout: 20_000 }, async () => {
  const { baseUrl } = await serve(events("text:fine"));
  const program = `
    const { openClient, defaultSettings } = await import(${JSON.stringify(new URL("../../src/providers/client.ts", import.meta.url).href)});
    const reading = { text: "fine", calls: [], usage: {}, reasoning: null, refusal: false, filtered: false, cut: false, whole: true };
    const format = {
      path: "/", headers: () => ({}), encode: () => "{}",
      open: () => ({ reading: () => reading, read: () => ({ type: "progress", text: "" }) }),
    };
    const target = { name: "a:b", model: "b", baseUrl: ${JSON.stringify(baseUrl)}, key: null, mostOutput: null, native: false };
    const client = openClient({ target, format, settings: defaultSettings, clock: {}, random: Math.random, keyName: null });
    const { signal } = new AbortController();
    console.log((await client.ask({}, { signal, onText() {}, onRetry() {} })).text);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  let printed = "";
  child.stdout.on("data", (part) => {
    printed += part;
  });
  expect(await once(child, "close")).toEqual([0, null]);
  expect(printed).toBe("fine\n");
});

test("a stream of nothing but small things ends when it has become too large", () => {
  const stream = openEventStream(() => {});
  const mebibyte = Buffer.from(`: ${"x".repeat(1021)}\n`.repeat(1024));
  for (let fed = 0; fed < 256; fed++) expect(stream.feed(mebibyte)).toBe(null);
  const detail = "expected at most 256 MiB in a stream, found more";
  expect(stream.feed(Buffer.of(10))).toEqual({ type: "malformed", detail });
});
