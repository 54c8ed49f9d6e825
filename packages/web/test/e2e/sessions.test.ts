import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { citing } from "../../../assent/test/requirements/verifies.ts";
import { card, eventually, hasBrowser, settled, TestBrowser, type Visiting } from "./browser.ts";
import { askApproval, fillShop, removal, reply, toolCall } from "./shop.ts";

describe.skipIf(!hasBrowser)("sessions on the page, in a browser", () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(() => browser.close());

  /** Each has a server of its own, so that they need not wait for each other. */
  function inBrowser(name: string, use: (visiting: Visiting) => Promise<void>): void {
    test.concurrent(name, citing(name), () => browser.with(use));
  }

  inBrowser(
    "[LIM-1g] a session that is aborted can be read, and is told to go on in a fork",
    async ({ server, visit }) => {
      server.session("a", { name: "a", status: "aborted" });
      const page = await visit("/sessions/a");
      const told = "The session is aborted: it can be read; assent fork a goes on from here in a new one.";
      await page.getByText(told).waitFor();
      expect(await page.getByRole("textbox").count()).toBe(0);
    },
  );

  inBrowser(
    "[WEB-1d] a server that restarts loses no draft, no question and no event, and doubles none",
    async ({ server, visit }) => {
      server.session("r", { name: "r", open: true, holder: { pid: 1 } });
      server.record("r", "exchange.started", {
        exchange: 1,
        prompt: "count to three",
        by: { name: "ada", adapter: "page" },
      });
      toolCall(server, "r", { number: 1, command: "echo one", output: "one" });
      server.ask("r", removal("r-1"));
      const page = await visit("/sessions/r");
      await page.getByLabel("No, because…").fill("half a rea");
      await page.getByLabel("Steer what runs now").fill("and hurry");
      await server.down();
      await page.getByRole("alert").getByText("Connection lost").waitFor();
      toolCall(server, "r", { number: 2, command: "echo two", output: "two" });
      await server.up();
      toolCall(server, "r", { number: 3, command: "echo three", output: "three" });
      await page.getByText("$ echo three").waitFor();
      await eventually(async () => expect(await page.getByText("Connection lost").count()).toBe(0));
      expect(await page.locator("pre.start").allTextContents()).toEqual(["$ echo one", "$ echo two", "$ echo three"]);
      expect(await page.locator("pre.output").allTextContents()).toEqual(["one", "two", "three"]);
      expect(await page.getByLabel("No, because…").inputValue()).toBe("half a rea");
      expect(await page.getByLabel("Steer what runs now").inputValue()).toBe("and hurry");
      expect(await page.getByRole("article").count()).toBe(1);
    },
  );

  inBrowser("an answer that is sent while the server restarts counts once", async ({ server, visit }) => {
    askApproval(server, "clean", "clean-1");
    const page = await visit("/");
    await card(page, "clean").waitFor();
    await settled(page);
    await server.down();
    await page.keyboard.press("1");
    await page.getByText("Sending: 1) Yes").waitFor();
    await server.up();
    await page.getByText("Sent: 1) Yes").first().waitFor();
    expect(server.interactions.get("clean-1")?.resolution?.response).toMatchObject({
      selected_option_id: "yes",
    });
  });

  inBrowser(
    "a session is seen as it goes on: what streams is replaced by what is recorded",
    async ({ server, visit }) => {
      server.session("l", { name: "l", open: true, holder: { pid: 7 } });
      server.record("l", "exchange.started", { exchange: 1, prompt: "tell", by: { name: "ada", adapter: "page" } });
      const page = await visit("/sessions/l");
      await page.getByText("Working").waitFor();
      server.live("l", { type: "text", request: 1, text: "Half a sen" });
      await page.getByText("Half a sen").waitFor();
      server.record(
        "l",
        "model.replied",
        reply(1, "Half a sentence, whole.", [
          {
            id: "t1c1",
            original: "x",
            tool: "terminal",
            arguments: "{}",
            asks: { type: "tool", parallel: false, command: "ls" },
          },
        ]),
      );
      server.record("l", "call.started", { call: "t1c1", digest: "d" });
      server.live("l", { type: "output", call: "t1c1", stream: "stdout", text: "a\nb\n" });
      await page.locator("pre.live").getByText("a").waitFor();
      expect(await page.getByText("Half a sen").allInnerTexts()).toEqual(["Half a sentence, whole.\n"]);
      server.record("l", "call.finished", { call: "t1c1", result: { type: "output", text: "a\nb\nc", exit: 0 } });
      await page.locator("pre.output:not(.live)").getByText("c").waitFor();
      expect(await page.locator("pre.live").count()).toBe(0);
    },
  );

  inBrowser("of ten thousand events the newest are shown, and earlier ones on request", async ({ server, visit }) => {
    server.session("big", { name: "big" });
    for (let count = 1; count <= 3_400; count++)
      toolCall(server, "big", { number: count, command: `echo ${count}`, output: String(count) });
    const page = await visit("/sessions/big");
    await page.getByText("$ echo 3400", { exact: true }).waitFor();
    const before = await page.locator(".row").count();
    expect(before).toBeLessThanOrEqual(500);
    await page.getByRole("button", { name: "Earlier" }).click();
    await eventually(async () => expect(await page.locator(".row").count()).toBeGreaterThan(before));
    const starts = await page.locator("pre.start").allTextContents();
    expect(new Set(starts).size).toBe(starts.length);
  });

  inBrowser(
    "a session with a question opens where that begins, so that what is decided on is seen",
    async ({ server, visit }) => {
      askApproval(server, "clean", "clean-1");
      toolCall(server, "clean", { number: 1, command: "ls", output: "x\n".repeat(12) });
      const page = await visit("/sessions/clean", { viewport: { width: 360, height: 500 } });
      await page.getByRole("article").locator("pre.command").waitFor();
      await eventually(async () => {
        const top = await page.getByRole("article").evaluate((card) => card.getBoundingClientRect().top);
        expect(top).toBeGreaterThan(40);
        expect(top).toBeLessThan(120);
      });
    },
  );

  inBrowser(
    "whoever reads the end goes on reading the end, and whoever scrolls up is left there",
    async ({ server, visit }) => {
      for (let count = 0; count < 40; count++) server.session(`other${count}`, { name: `other${count}` });
      server.session("end", { name: "end", open: true, holder: { pid: 7 } });
      const more = (number: number): void =>
        toolCall(server, "end", { number, command: `echo ${number}`, output: "x\n".repeat(9) });
      for (let number = 1; number <= 9; number++) more(number);
      const page = await visit("/sessions");
      await page.getByRole("link", { name: "other0", exact: true }).scrollIntoViewIfNeeded();
      await page.evaluate(() => {
        location.hash = "#/sessions/end";
      });
      const distance = (): Promise<number> =>
        page.evaluate(() => document.documentElement.scrollHeight - window.scrollY - window.innerHeight);
      await page.getByText("Working").waitFor();
      await eventually(async () => expect(await distance()).toBeLessThan(2));
      more(10);
      await page.getByText("$ echo 10").waitFor();
      await eventually(async () => expect(await distance()).toBeLessThan(2));
      await page.mouse.wheel(0, -400);
      await eventually(async () => expect(await distance()).toBeGreaterThan(300));
      more(11);
      await page.getByText("$ echo 11").waitFor({ state: "attached" });
      await settled(page);
      expect(await distance()).toBeGreaterThan(300);
    },
  );

  inBrowser("prompt, stop and kill reach the server, and a new session opens", async ({ server, visit }) => {
    server.session("p", { name: "p", open: true, holder: { pid: 7 } });
    const page = await visit("/sessions/p");
    await page.getByLabel("Steer what runs now").fill("look in lib, too");
    await page.getByLabel("Queue it").check();
    await page.getByRole("button", { name: "Queue" }).click();
    await eventually(async () => expect(await page.getByLabel("For the next exchange").inputValue()).toBe(""));
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Kill" }).click();
    await page.goto(`${server.url}/#/new`);
    await page.getByLabel("What is to be done").fill("make tea");
    await page.getByLabel("Folder").fill("/home/ada");
    await page.getByRole("button", { name: "Start" }).click();
    await page.waitForURL(/sessions\/new1$/);
    expect(server.received.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body])).toEqual([
      ["/v1/sessions/p/prompts", { text: "look in lib, too", delivery: "next" }],
      ["/v1/sessions/p/stop", { mode: "graceful" }],
      ["/v1/sessions/p/stop", { mode: "kill" }],
      ["/v1/sessions", { prompt: "make tea", cwd: "/home/ada" }],
    ]);
  });

  inBrowser(
    "[WEB-1e] a grant is removed after a second yes; who may only look is told so",
    async ({ server, visit }) => {
      fillShop(server);
      const page = await visit("/grants");
      await page.getByRole("button", { name: "Remove rm -r build" }).click();
      await page.getByRole("button", { name: "Remove", exact: true }).click();
      await eventually(async () => expect(await page.getByText("rm -r build").count()).toBe(0));
      expect(server.grants.grants.length).toBe(1);
      server.role = "viewer";
      await page.goto(`${server.url}/#/`);
      await page.reload();
      await page.getByText("Your role is viewer: you can look, not answer.").first().waitFor();
      await settled(page);
      await page.keyboard.press("1");
      expect(await page.locator("button.option").count()).toBe(0);
      expect(server.answers()).toEqual([]);
    },
  );

  inBrowser(
    "what was begun is there again for who signs in again after a token was taken away, and for nobody else",
    async ({ server, visit }) => {
      server.session("r", { name: "r" });
      const page = await visit("/sessions/r");
      const prompt = page.getByLabel("Prompt");
      await prompt.fill("half a thou");
      const signedInAs = async (name: string) => {
        server.name = name;
        server.signedIn = false;
        await page.reload();
        await page.getByLabel("Token").fill("good");
        await page.keyboard.press("Enter");
        await prompt.waitFor();
        return prompt.inputValue();
      };
      expect(await signedInAs("ada")).toBe("half a thou");
      expect(await signedInAs("bob")).toBe("");
      expect(await signedInAs("ada")).toBe("");
    },
  );

  inBrowser("a ticket in the address signs in and leaves it; a token does, too", async ({ server, visit }) => {
    server.signedIn = false;
    const page = await visit("ticket=once");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
    expect(page.url()).toBe(`${server.url}/#/`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token").fill("bad");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The server does not know this token.").waitFor();
    await page.getByLabel("Token").fill("good");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
  });

  inBrowser(
    "hostile text in a timeline is text: markup, hidden characters and endless words",
    async ({ server, visit }) => {
      server.session("h", { name: "<i>h</i>", cwd: `/${"deep".repeat(300)}`, prompt: "\u202eevil" });
      const prompt = "<script>alert(1)</script>\u202e<img src=x onerror=alert(2)>";
      server.record("h", "exchange.started", { exchange: 1, prompt, by: { name: "ada", adapter: "page" } });
      toolCall(server, "h", { number: 1, command: `echo ${"w".repeat(5_000)}`, output: "\u001b[31mred\u0007\u2066" });
      const text = "`<b>`\n```\n</pre><script>alert(3)</script>\n";
      server.record("h", "exchange.ended", { exchange: 1, text, outcome: "answered" });
      const page = await visit("/sessions/h", { viewport: { width: 360, height: 700 } });
      await page.getByText("</pre><script>alert(3)</script>").waitFor();
      expect(await page.locator("main script, main img, main b, main i").count()).toBe(0);
      expect(await page.locator("pre.output").textContent()).toBe("\\u{1b}[31mred\\u{7}\\u{2066}");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      const shown = await page.evaluate(() => document.body.textContent ?? "");
      for (const hidden of ["\u202e", "\u001b", "\u0007", "\u2066"]) expect(shown).not.toContain(hidden);
    },
  );
});
