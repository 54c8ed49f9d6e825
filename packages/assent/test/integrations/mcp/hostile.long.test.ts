import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Flow } from "../../../src/core/index.ts";
import type { FormEnd, Offers } from "../../../src/integrations/types.ts";
import { wrongResults } from "../../fixtures/hostile-mcp-acts.ts";
import { Among, expectFailure, expectVisible, growth, person, watch } from "../../fixtures/hostile-mcp-client.ts";
import { type HostileHttp, openHostileHttp } from "../../fixtures/hostile-mcp-http.ts";
import { verifies } from "../../requirements/verifies.ts";

/** Of the one long line; `npm run campaign mcp-hostile` sends a gigabyte. */
const lineBytes = Number(process.env["HOSTILE_LINE_BYTES"] ?? 200_000_000);
const onLinux = process.platform === "linux";
const mebibyte = 1_048_576;

const ends = { noticesPerSecond: 500, closeMs: 100, killMs: 200, backOffMs: 1, backOffMostMs: 2, relistMs: 50 };
/** For what is expected to come to an end of itself, however busy the machine is. */
const patient = { ...ends, connectMs: 30_000, probeMs: 20_000, listMs: 30_000, callMs: 20_000, callInAllMs: 30_000 };
/** For what would never end. */
const hasty = { ...ends, connectMs: 3_000, probeMs: 1_000, listMs: 1_500, callMs: 2_500, callInAllMs: 3_500 };

function offersOf(opened: Offers | { readonly failed: string }): Offers {
  if ("failed" in opened) throw new Error(opened.failed);
  return opened;
}

/** Waits for what comes sooner or later. */
async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await is())) await sleep(10);
}

const notWaitedFor = /^acts was not waited for any longer$/;
const outOfShape =
  /^acts (?:failed: Invalid result for tools\/call|answered with (?:an error: |something that is not of the protocol$|more than 1 MB$))/;

const cancels = async (): Promise<FormEnd> => ({ type: "unanswered", why: "cancelled" });

describe("a server that wishes us ill costs only its own call:", () => {
  const among = new Among({ ...patient, messageBytes: mebibyte });
  let web: HostileHttp;
  beforeAll(async () => {
    web = await openHostileHttp(30_000_000);
  });
  afterAll(async () => {
    await among.servers.closeAll();
    await web.close();
    if (onLinux) expect(among.running()).toEqual([]);
  });

  test.each(["noise", "double", "strangers", "early", "strange-progress", "ask-for-roots"])(
    "what it says besides its answer is passed over: %s",
    async (act) => {
      expect(await among.act(act)).toMatchObject({
        isError: false,
        text: expect.stringMatching(/^(after|the first|\[)/),
      });
      await among.expectUnharmed();
    },
  );

  test.each(["die", "die-by-signal"])("it dies in the middle of a call: %s", async (act) => {
    expectFailure(await among.act(act), "acts", /ended|stopped|died|exit|killed|signal/i);
    await sleep(5);
    await among.expectUnharmed();
  });

  verifies("INTG-5d", "it dies between two calls, and is started again for the next", async () => {
    expect(await among.act("die-after")).toEqual({ text: "my last words", isError: false });
    await until(() => among.servers.state("acts") !== "connected");
    await sleep(5);
    await among.expectUnharmed();
  });

  test("it closes its output and lives on", async () => {
    expectFailure(await among.act("close-output"), "acts", /^acts closed its output$/);
    await sleep(5);
    await among.expectUnharmed();
  });

  test("it closes its input: the next call of it fails, and the one after that has another process", async () => {
    expect(await among.act("close-input")).toEqual({ text: "I hear no more", isError: false });
    expectFailure(await among.call("acts", "echo", { text: "x".repeat(100_000) }), "acts", /^acts closed its input$/);
    await sleep(5);
    await among.expectUnharmed();
  });

  test("a result of the wrong shape is an error of its call or a text, and nothing is thrown", async () => {
    const calls = wrongResults.map((_, which) => among.act("wrong", { which }));
    const odd = ["wrong-error", "no-result", "result-and-error", "long-error"].map((act) => among.act(act));
    for (const ended of await Promise.all([...calls, ...odd])) {
      if ("failed" in ended) expectFailure(ended, "acts", outOfShape);
      else expect(ended).toEqual({ text: expect.any(String), isError: expect.any(Boolean) });
    }
    await among.expectUnharmed();
  });

  test("a result in ever so many parts is cut, one that is nested too deep is told", async () => {
    const parts = await among.act("many-parts", { parts: 20_000 });
    expect(parts).toEqual({ text: expect.stringMatching(/^part 0\n[\s\S]*part 19999$/), isError: false });
    expect("text" in parts ? parts.text.length : 0).toBeLessThan(41_000);
    const grown = await growth(async () => {
      for (const deep of [await among.act("deep", { levels: 200_000 }), await among.act("deep-and-wide")]) {
        if ("failed" in deep) expectFailure(deep, "acts", /nested too deep|not of the protocol/);
        else expect(deep.text.length).toBeLessThan(41_000);
      }
    });
    expect(grown).toBeLessThan(100 * mebibyte);
    await among.expectUnharmed();
  });

  test("a line that is too long is discarded as it comes, and the connection lives on", async () => {
    const pid = await among.act("whoami");
    const grown = await growth(async () => {
      const ended = await among.act("huge-line", { bytes: lineBytes });
      expectFailure(ended, "acts", /more than 1 MB/);
    });
    expect(grown).toBeLessThan(100 * mebibyte);
    await among.expectUnharmed();
    expect(await among.act("whoami")).toEqual(pid);
  }, 300_000);

  verifies(
    "INTG-5d",
    "floods of notices, progress, requests and errors are dropped, and the answer after them comes",
    async () => {
      const progress: string[] = [];
      const onProgress = (line: string) => void progress.push(line);
      const grown = await growth(async () => {
        for (const [act, given] of [
          ["flood-notices", { count: 20_000 }],
          ["flood-progress", { count: 20_000 }],
          ["flood-requests", { count: 20_000 }],
          ["flood-errors", { bytes: 20_000_000 }],
        ] as const) {
          expect(await among.act(act, given, { onProgress })).toEqual({ text: "after the flood", isError: false });
        }
      });
      expect(grown).toBeLessThan(100 * mebibyte);
      expect(progress.length).toBeLessThan(2_000);
      expectVisible(progress);
      expect(progress.filter((line) => line.length > 1_000)).toEqual([]);
      expect(among.logged.join("\n").length).toBeLessThan(5_000_000);
      await among.expectUnharmed();
    },
  );

  test("a server that reads nothing more costs its calls, and closing it ends it", async () => {
    expect(await among.act("stop-reading")).toEqual({ text: "I read no more", isError: false });
    const controller = new AbortController();
    const echo = { tool: "echo", arguments: { text: "x".repeat(5 * mebibyte) } };
    const called = among.servers.call(among.server("acts"), echo, watch({ signal: controller.signal }));
    await sleep(20);
    controller.abort();
    expectFailure(await called, "acts", notWaitedFor);
    await among.expectOthersUnharmed();
    await among.servers.close("acts");
    await among.expectUnharmed();
  });

  test("a server that asks and reads no answer is cut off before the answers pile up", async () => {
    const asking = new Among({ ...patient, messageBytes: mebibyte / 4, noticesPerSecond: 100_000 });
    const ended = await asking.act("ask-and-never-read", { count: 10_000 });
    expectFailure(ended, "acts", /^acts does not read what it is sent$/);
    await sleep(5);
    expect(await asking.act("whoami")).toMatchObject({ isError: false });
    await Promise.all([asking.servers.closeAll(), among.expectOthersUnharmed()]);
  });

  test("a call that is cancelled ends at once, and the reply that comes late is nobody's", async () => {
    await among.expectUnharmed();
    const controller = new AbortController();
    const called = among.act("late", {}, { signal: controller.signal });
    await sleep(20);
    controller.abort();
    expectFailure(await called, "acts", notWaitedFor);
    await until(async () => (await among.heard()).cancelled.length === 1);
    await among.expectUnharmed();
  });

  verifies("INTG-4c", "it sees of the environment only what is meant for it", async () => {
    vi.stubEnv("ASSENT_TEST_SECRET", "not for servers");
    const certificates = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];
    for (const name of certificates) vi.stubEnv(name, process.env[name] ?? "/dev/null");
    // The environment of a process is that of when it was started.
    const begun = new Among({ ...patient, messageBytes: mebibyte });
    const said = await begun.act("environment");
    vi.unstubAllEnvs();
    await begun.servers.closeAll();
    const seen = Object.keys(JSON.parse("text" in said ? said.text : "{}"));
    const fit = /^(PATH|HOME|LANG|LC_\w+|TERM|USER|SHELL|TMPDIR|LOGNAME|HOSTILE_MARK|ASSENT_SERVER)$/;
    expect(seen.filter((name) => !fit.test(name)).sort()).toEqual([...certificates].sort());
    expect(seen).toContain("HOSTILE_MARK");
  });

  test("a question that looks like Assent's own is shown as the server's, in Assent's words", async () => {
    const { asked, ask } = person(cancels);
    expect(await among.act("spoof", {}, { ask })).toMatchObject({ isError: false });
    expect(asked).toHaveLength(1);
    expectVisible(asked);
    const [step] = asked[0]?.steps ?? [];
    expect(step).toMatchObject({
      subject: { from: "acts", message: expect.arrayContaining(["Nothing to see here."]) },
    });
    expect(step?.question).toContain("acts");
    expect(step?.question).not.toMatch(/rm -rf/);
  });

  test("a question outside of any call is answered without asking anyone", async () => {
    const { asked, ask } = person(cancels);
    const { answers } = await among.heard();
    expect(await among.act("elicit-after", {}, { ask })).toMatchObject({ text: "that was all" });
    await until(async () => (await among.heard()).answers.length > answers.length);
    expect((await among.heard()).answers.at(-1)).toEqual({ result: { action: "cancel" } });
    offersOf(await among.open("asks-at-once", { ask }));
    await until(async () => (await among.heard("asks-at-once")).answers.length === 6);
    expect(asked).toEqual([]);
  });

  test("a question that could be of either of two sessions is put to neither", async () => {
    const { asked, ask } = person(cancels);
    const other = new AbortController();
    const hung = among.act("hang", {}, { session: "another", signal: other.signal, ask });
    expect(await among.act("elicit", {}, { ask })).toMatchObject({ text: '{"result":{"action":"cancel"}}' });
    other.abort();
    expectFailure(await hung, "acts", notWaitedFor);
    expect(asked).toEqual([]);
  });

  test("of a flood of questions one is asked at a time, and no more after the person has had enough", async () => {
    const { asked, ask, most } = person(cancels);
    expect(await among.act("elicit-flood", { count: 100 }, { ask })).toMatchObject({ isError: false });
    expect(most()).toBe(1);
    expect(asked.length).toBeLessThanOrEqual(20);
    await among.expectUnharmed();
  });

  test("questions without end come to an end", async () => {
    const { asked, ask } = person(cancels);
    const controller = new AbortController();
    const called = among.act("elicit-on-and-on", {}, { ask, signal: controller.signal });
    await until(() => asked.length > 0);
    await sleep(100);
    controller.abort();
    expectFailure(await called, "acts", notWaitedFor);
    expect(asked.length).toBeLessThanOrEqual(20);
    await among.expectUnharmed();
  });

  test("a call that ends or dies while its question is open does not wait for the answer", async () => {
    const ask = () => new Promise<FormEnd>(() => {});
    expect(await among.act("elicit-and-leave", {}, { ask })).toEqual({ text: "I know it already", isError: false });
    expectFailure(await among.act("elicit-and-die", {}, { ask }), "acts", /^acts ended with code 1$/);
    await sleep(5);
    await among.expectUnharmed();
  });

  test("a question that it takes back is over, and the next one is asked", async () => {
    const { asked, ask } = person((flow) =>
      JSON.stringify(flow).includes("Never mind?") ? new Promise(() => {}) : cancels(),
    );
    const said = await among.act("elicit-and-take-back", {}, { ask });
    expect(said).toEqual({ text: '{"result":{"action":"cancel"}}', isError: false });
    expect(asked).toHaveLength(2);
    await among.expectUnharmed();
  });

  test("questions of strange schemas are declined or asked in full, never passed on as they are", async () => {
    const { asked, ask } = person(async () => ({ type: "unanswered", why: "expired" }));
    expect(await among.act("elicit-strange", {}, { ask })).toEqual({ text: "15 questions", isError: false });
    expectVisible(asked);
    expect(asked.length).toBeGreaterThan(3);
    expect(JSON.stringify(asked)).not.toContain("(a+)+");
    const longest = (flow: Flow) => Math.max(...flow.steps.map(({ question }) => question.length));
    expect(asked.filter((flow) => longest(flow) > 200 || flow.steps.length > 7)).toEqual([]);
    expect(asked.filter((flow) => flow.steps.some(({ options }) => options.length > 12))).toEqual([]);
    await among.expectUnharmed();
  });

  test("pages that are no pages of the web are declined without asking; of others the host is shown as it is", async () => {
    const { asked, ask } = person(cancels);
    for (const url of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "assent:approve",
      "nonsense",
      "http://",
      "https://good.example@bad.example/",
    ]) {
      const said = await among.act("elicit-url", { url }, { ask });
      expect(said).toMatchObject({ text: expect.stringMatching(/"action":"(decline|cancel)"|"error"/) });
    }
    expect(asked).toEqual([]);
    await among.act("elicit-url", { url: "https://аpple.com/\u202e?x" }, { ask });
    expectVisible(asked);
    expect(JSON.stringify(asked)).toMatch(/xn--pple-43d\.com/);
  });

  test("a server that may not have the model answer is refused", async () => {
    const { asked, ask } = person(cancels);
    expect(await among.act("sample", {}, { ask })).toMatchObject({ text: expect.stringMatching(/^\{"error":/) });
    expect(asked).toEqual([]);
  });

  test("names that are twice there, shadow others or hide something do no harm", async () => {
    const offers = offersOf(await among.open("names"));
    expectVisible(offers);
    const offered = offers.tools.map((tool) => tool.offered);
    expect(new Set(offered).size).toBe(offered.length);
    expect(offered.filter((name) => !/^names__[\w-]+$/.test(name) || name.length > 64)).toEqual([]);
    expect(offers.tools.filter(({ name }) => name === "echo")).toHaveLength(1);
    expect(offers.tools.filter(({ description }) => description.length > 1_000)).toEqual([]);
    expect(offers.problems.join("\n")).toMatch(/echo/);
    await among.expectUnharmed("names");
  });

  test("schemas that are huge, deep, elsewhere or slow are left out or never looked into", async () => {
    const schemas = new Among({ ...patient }, { REMOTE_SCHEMA: `${web.url}/schema.json` });
    const offers = offersOf(await schemas.open("schemas"));
    expectVisible(offers);
    expect(JSON.stringify(offers).length).toBeLessThan(100_000);
    expect(offers.tools.map(({ name }) => name)).toContain("echo");
    expect(offers.tools.map(({ name }) => name)).not.toContain("huge");
    expect(offers.problems.join("\n")).toMatch(/huge/);
    for (const tool of ["slow-pattern", "bad-pattern", "remote"]) {
      const said = await schemas.servers.call(schemas.server("schemas"), { tool, arguments: {} }, watch());
      expect(said).toEqual({ text: "out of shape", isError: false });
    }
    expect(web.requests.filter((request) => request.includes("schema"))).toEqual([]);
    await schemas.servers.closeAll();
  });

  test("a schema of ever so many levels costs its tool, or the listing", async () => {
    const opened = await among.open("deep-schema");
    expect(offersOf(opened).tools.map(({ name }) => name)).toEqual(["echo"]);
    await among.expectOthersUnharmed();
  });

  test("tools that are none are left out, and told", async () => {
    const offers = offersOf(await among.open("odd-tools"));
    const names = offers.tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["echo", "last"]));
    expect(names.filter((name) => /schema/.test(name))).toEqual([]);
    expect(offers.problems.length).toBeGreaterThan(3);
    expectVisible(offers);
  });

  test.each(["many-tools", "nameless", "same-page", "endless-pages"])(
    "of tools without end at most 64 are offered: %s",
    async (mode) => {
      const offers = offersOf(await among.open(mode));
      expect(offers.tools.length).toBeLessThanOrEqual(64);
      expect(offers.problems.length).toBeGreaterThan(0);
      expect(offers.problems.length).toBeLessThan(100);
      await among.expectUnharmed(mode);
    },
  );

  test("prompts and resources are cleaned and cut as tools are", async () => {
    const offers = offersOf(await among.open("prompts"));
    expectVisible(offers);
    expect(offers.prompts.length + offers.resources.length).toBeLessThan(2_000);
    const server = among.server("prompts");
    for (const ended of [
      await among.servers.prompt(server, { name: "prompt", arguments: {} }, watch()),
      await among.servers.read(server, "a:1", watch()),
    ]) {
      expect(ended).toEqual({ text: expect.any(String), isError: false });
    }
    await among.expectUnharmed("prompts");
  });

  test("a definition that changes has another digest: told of, and found after a new start", async () => {
    const digest = (offers: Offers | null) => offers?.tools.find(({ name }) => name === "shifty")?.digest;
    const accepted = digest(offersOf(await among.open("changes-told")));
    await among.call("changes-told", "act");
    await until(() => digest(among.servers.offers("changes-told")) !== accepted);
    expect(digest(among.servers.offers("changes-told"))).toMatch(/^[0-9a-f]{64}$/);
    expect(accepted).toMatch(/^[0-9a-f]{64}$/);
  });

  test("a definition that changed in silence is found, and the tool is not called by the old one", async () => {
    const server = among.server("changes-quietly");
    const first = offersOf(await among.open("changes-quietly")).tools.find(({ name }) => name === "shifty");
    await sleep(ends.relistMs + 10);
    const second = offersOf(await among.open("changes-quietly")).tools.find(({ name }) => name === "shifty");
    expect([first?.description, second?.description]).toEqual(["Reads the weather.", "Reads your mail."]);
    const call = { tool: "shifty", arguments: {} };
    const old = await among.servers.call(server, { ...call, digest: first?.digest ?? "" }, watch());
    expectFailure(old, "changes-quietly", /has changed/);
    const now = await among.servers.call(server, { ...call, digest: second?.digest ?? "" }, watch());
    expect(now).toEqual({ text: "shifty: undefined", isError: false });
  });

  test("a server that always says that it changed is not listed always", async () => {
    offersOf(await among.open("changes-on-and-on"));
    await sleep(300);
    const { answers } = await among.heard("changes-on-and-on");
    expect(answers.length).toBeLessThan(12);
    await among.expectOthersUnharmed();
    await among.servers.close("changes-on-and-on");
  });

  test("those that cannot be connected say so in one line each", async () => {
    const says: Readonly<Record<string, RegExp>> = {
      "die-at-start": /^die-at-start ended with code 5: no such database /,
      "die-at-initialize": /^die-at-initialize ended with code 4: cannot go on /,
      "die-at-list": /^die-at-list ended with code 4: cannot go on /,
      "wrong-greeting": /^wrong-greeting failed: Invalid result for initialize: .*protocolVersion/,
      "unknown-revision": /not supported: 2999-01-01$/,
      "huge-greeting": /^huge-greeting answered with more than 1 MB$/,
    };
    const modes = Object.keys(says);
    const opened = await Promise.all(modes.map(async (mode) => [mode, await among.open(mode)] as const));
    for (const [mode, ended] of opened) expectFailure(ended, mode, says[mode] ?? /^$/);
    expect(modes.map((mode) => among.servers.offers(mode))).toEqual(modes.map(() => null));
    await among.expectOthersUnharmed();
  });

  test("a command that does not exist is told", async () => {
    const address = { type: "command", command: ["/no/such/program"], env: {} } as const;
    const opened = await among.servers.open({ name: "missing", address, sampling: false }, watch());
    expectFailure(opened, "missing", /there is no such command: \/no\/such\/program$/);
    const moved = { ...address, command: [process.execPath], cwd: "/no/such/folder" } as const;
    const gone = await among.servers.open({ name: "moved", address: moved, sampling: false }, watch());
    expectFailure(gone, "moved", /the folder that it is started in is gone: \/no\/such\/folder$/);
  });

  test("of what it said before it died, the error is told and not the stack behind it", async () => {
    const command = [process.execPath, "-e", "throw new Error('boom')"] as const;
    const address = { type: "command", command, env: {} } as const;
    const opened = await among.servers.open({ name: "booms", address, sampling: false }, watch());
    expectFailure(opened, "booms", /ended with code 1: Error: boom$/);
  });

  test("those that print a banner, or die of a question that they do not know, are connected all the same", async () => {
    await Promise.all(["die-at-discover", "noise-at-start"].map((mode) => among.expectUnharmed(mode)));
  });

  test("what it says of itself is cut and cleaned", async () => {
    const offers = offersOf(await among.open("long-greeting"));
    expectVisible(offers);
    expect(offers.title.length + offers.version.length).toBeLessThan(1_000);
  });

  describe("over HTTP:", () => {
    const token = "planted-token-0123456789";
    const at = (path: string) => {
      const address = { type: "url", url: `${web.url}${path}`, headers: { Authorization: `Bearer ${token}` } } as const;
      return { name: "web", address, sampling: false };
    };
    const called = (tool: string) => among.servers.call(at("/mcp"), { tool, arguments: {} }, watch());

    const misdeeds: readonly (readonly [misdeed: string, says: RegExp])[] = [
      ["redirect", / answered with HTTP 307$/],
      ["cut", / could not be reached: the connection was cut$/],
      ["html", /Unexpected content type: text\/html/],
      ["unauthorized", / answered with HTTP 401: what it was sent as a token is not accepted$/],
      ["broken", / answered with HTTP 500$/],
      ["garbage", / closed the stream before it answered$/],
    ];
    test.each(misdeeds)("a call is answered with %s", async (tool, says) => {
      const ended = await called(tool);
      expectFailure(ended, "web", says);
      expect(JSON.stringify(ended)).not.toContain(token);
      expect(await called("echo")).toEqual({ text: "echo", isError: false });
      expect(web.elsewhere).toEqual([]);
    });

    test.each(["huge", "huge-event", "huge-event-lines", "bomb"])(
      "what is too long is not read to its end: %s",
      async (tool) => {
        const before = web.written();
        const grown = await growth(async () => expectFailure(await called(tool), "web", /more than 1 MB/));
        expect(grown).toBeLessThan(100 * mebibyte);
        expect(web.written() - before).toBeLessThan(30_000_000);
        expect(await called("echo")).toEqual({ text: "echo", isError: false });
      },
    );

    test.each(["huge", "huge-event"])("what is too long costs no other call: %s", async (tool) => {
      expect(await called("echo")).toMatchObject({ isError: false });
      const posted = web.requests.length;
      const later = called("later");
      await until(() => web.requests.length > posted);
      expectFailure(await called(tool), "web", /more than 1 MB/);
      expect(await called("echo")).toEqual({ text: "echo", isError: false });
      expect(await later).toEqual({ text: "later", isError: false });
      // Nor is it fetched again.
      expect(web.requests.slice(posted)).toEqual(Array(3).fill("POST /mcp"));
    });

    test("a call that is not waited for any longer leaves nothing open", async () => {
      const controller = new AbortController();
      const posted = web.requests.length;
      const hung = among.servers.call(
        at("/mcp"),
        { tool: "hang", arguments: {} },
        watch({ signal: controller.signal }),
      );
      await until(() => web.requests.length > posted);
      controller.abort();
      expectFailure(await hung, "web", /^web was not waited for any longer$/);
      await until(() => web.requests.includes("left"));
    });

    test("of answers that it does not take, few are held, and none under an id that is too long", async () => {
      const server = { ...at("/mcp"), name: "web-asks" };
      const call = (tool: string) => among.servers.call(server, { tool, arguments: {} }, watch());
      expect(await call("ask-and-never-read")).toEqual({ text: "asked", isError: false });
      await until(() => web.replies.length >= 16);
      expect(await call("echo")).toEqual({ text: "echo", isError: false });
      expect(web.replies).toEqual(Array(16).fill({ jsonrpc: "2.0", result: {} }));
      await among.servers.close("web-asks");
    });

    test("events without end where no message can be are not read to their end", async () => {
      const before = web.written();
      offersOf(await among.servers.open({ ...at("/talks"), name: "web-talks" }, watch()));
      await until(() => web.requests.includes("talked"));
      expect(web.written() - before).toBeLessThan(10_000_000);
      await among.servers.close("web-talks");
    });

    test.each([...misdeeds, ["bomb", / answered with more than 1 MB$/] as const])(
      "it greets with %s",
      async (misdeed, says) => {
        const ended = await among.servers.open({ ...at(`/start/${misdeed}`), name: `web-${misdeed}` }, watch());
        expectFailure(ended, `web-${misdeed}`, says);
        expect(JSON.stringify(ended)).not.toContain(token);
        expect(web.elsewhere).toEqual([]);
      },
    );
  });
});

describe("a server that hangs ends with its own time, all at the same time:", { concurrent: true }, () => {
  const among = new Among({ ...hasty, messageBytes: mebibyte });
  let web: HostileHttp;
  beforeAll(async () => {
    web = await openHostileHttp(30_000_000);
    await Promise.all([among.expectUnharmed(), among.open("hang-at-discover")]);
  });
  afterAll(async () => {
    await among.servers.closeAll();
    await web.close();
  });

  verifies("INTG-5d", "calls that never end", async () => {
    const acts = ["hang", "bad-json", "endless-progress"];
    const hung = await Promise.all(acts.map(async (act) => [act, await among.act(act)] as const));
    for (const [, ended] of hung) expectFailure(ended, "acts", /did not answer within/);
    await among.expectUnharmed();
  });

  test("a start, a greeting and listings that never end", async () => {
    const modes = ["hang-at-start", "hang-at-initialize", "hang-at-list", "empty-pages"];
    const opened = await Promise.all(modes.map(async (mode) => [mode, await among.open(mode)] as const));
    for (const [mode, ended] of opened) {
      if ("failed" in ended)
        expectFailure(ended, mode, /did not answer within [\d.]+ s; what it wrote is in log\/integrations\.log/);
      else
        expect({ mode, tools: ended.tools, told: ended.problems.length > 0 }).toEqual({ mode, tools: [], told: true });
    }
    expect(opened.slice(0, 3).map(([, ended]) => Object.keys(ended))).toEqual([["failed"], ["failed"], ["failed"]]);
    await among.expectOthersUnharmed();
  });

  test("of those of the newer revision that always want more, one with questions, the calls end", async () => {
    const newer = new Among(patient);
    const { asked, ask } = person(async ({ steps }) => {
      const answers = steps.map(({ key, options: [one] }) => [key, one ? { options: [one.id] } : { text: "word" }]);
      return { type: "filled", answers: Object.fromEntries(answers) };
    });
    const modes = ["input-for-ever", "state-for-ever"];
    const called = modes.map(async (mode) => {
      expect(offersOf(await newer.open(mode)).protocol).toBe("2026-07-28");
      const echo = { tool: "echo", arguments: {} };
      expectFailure(
        await newer.servers.call(newer.server(mode), echo, watch({ ask })),
        mode,
        /still required input after 10 rounds/,
      );
    });
    await Promise.all(called);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.length).toBeLessThanOrEqual(20);
    await Promise.all([newer.servers.closeAll(), among.expectOthersUnharmed()]);
  });

  test("a line that never ends, and events that never stop", async () => {
    const address = { type: "url", url: `${web.url}/mcp`, headers: {} } as const;
    const events = { tool: "flood-events", arguments: {} };
    const grown = await growth(async () => {
      const [line, flood] = await Promise.all([
        among.actOf("endless", { act: "endless-line", bytes: 50_000_000 }),
        among.servers.call({ name: "web", address, sampling: false }, events, watch()),
      ]);
      expectFailure(line, "endless", /more than 1 MB/);
      expectFailure(flood, "web", /did not answer within/);
    });
    expect(grown).toBeLessThan(150 * mebibyte);
    await among.expectOthersUnharmed();
  });
});

describe("nothing is left running:", () => {
  test.skipIf(!onLinux)("neither a deaf server nor its children", async () => {
    const among = new Among({ ...patient, closeMs: 50, killMs: 50 });
    await Promise.all([among.act("fork", { deaf: true }), among.open("deaf"), among.expectOthersUnharmed()]);
    expect(among.running()).toHaveLength(4);
    await among.act("fork-holding-output");
    await until(() => among.servers.state("acts") !== "connected");
    await among.servers.closeAll();
    await until(() => among.running().length === 0);
    expect(among.servers.state("deaf")).toBe("not connected");
  });

  test.skipIf(!onLinux)("after the last session has left", async () => {
    const among = new Among({ ...patient });
    await among.open("deaf");
    await among.servers.leave("another");
    expect(among.running()).toHaveLength(1);
    await among.servers.leave("s");
    await until(() => among.running().length === 0);
  });

  test.skipIf(!onLinux)("after this process has exited without closing anything", async () => {
    const among = new Among({});
    const script = join(import.meta.dirname, "..", "..", "fixtures", "hostile-mcp-exit.ts");
    const env = { ...process.env, HOSTILE_MARK: among.mark };
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
    expect(stdout).toBe("connected");
    await until(() => among.running().length === 0);
  });
});
