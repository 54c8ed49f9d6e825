import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { citing } from "../../../assent/test/requirements/verifies.ts";
import {
  card,
  eventually,
  focusedSlot,
  hasBrowser,
  pressAtOnce,
  settled,
  stored,
  TestBrowser,
  type Visiting,
} from "./browser.ts";
import { approval, askApproval } from "./shop.ts";

describe.skipIf(!hasBrowser)("questions on the page, in a browser", () => {
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
    "an approval shows the command with the part in question marked, the folder, why, and what runs",
    async ({ server, visit }) => {
      askApproval(server, "clean", "clean-1");
      const page = await visit("/");
      const shown = card(page, "clean");
      await shown.waitFor();
      expect(await shown.locator("pre.command").innerText()).toBe("OUT=build; rm -r $OUT");
      expect(await shown.locator("mark").allInnerTexts()).toEqual(["rm -r $OUT"]);
      expect(await shown.locator(".field").allInnerTexts()).toEqual([
        "Command\nOUT=build; rm -r $OUT",
        "Folder\n/home/ada/shop",
        "Why\nit deletes folders with all that is in them (rm -r)",
        "What runs\nrm -r build",
      ]);
      expect(await shown.locator(".question").innerText()).toBe("Approve command: OUT=build; rm -r $OUT? (yes/no)");
      expect(await shown.locator("button.option").allTextContents()).toEqual([
        "1) Yes",
        "2) No",
        "3) Yes for this session",
        "4) Always in this project",
        "5) Always for me",
      ]);
      expect(await page.title()).toBe("(1) Assent");
    },
  );

  inBrowser(
    "[WEB-1b] what hides in a command stands there as an escape, and markup is text",
    async ({ server, visit }) => {
      server.session("w", { name: "<b>w</b>\u202e" });
      const command = "echo \u202etxt.\u200b\u0007 '<img src=x onerror=alert(1)>' שלום";
      server.ask("w", approval("w-1", command, [0, command.length, null]));
      const page = await visit("/");
      await page.locator("pre.command").waitFor();
      expect(await page.locator("pre.command .escape").allInnerTexts()).toEqual(["\\u{202e}", "\\u{200b}", "\\u{7}"]);
      expect(await page.locator("pre.command").innerText()).toContain("<img src=x onerror=alert(1)>");
      expect(await page.locator("main img, main b").count()).toBe(0);
      const shown = await page.evaluate(() => document.body.innerText);
      for (const hidden of ["\u202e", "\u200b", "\u0007"]) expect(shown).not.toContain(hidden);
    },
  );

  inBrowser(
    "a command of 100,000 characters is shown whole, wraps, and leaves the page as wide as it is",
    async ({ server, visit }) => {
      server.session("long", { name: "long" });
      const command = `echo ${"x".repeat(50_000)}${" ".repeat(50_000)}; rm -r /srv`;
      server.ask("long", approval("long-1", command, [command.length - 10, command.length, null]));
      const page = await visit("/", { viewport: { width: 360, height: 700 } });
      await page.locator("pre.command").waitFor();
      expect(await page.locator("pre.command").evaluate((element) => element.textContent)).toBe(command);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      const inBox = await page.locator("mark").evaluate((mark) => {
        const box = mark.closest("pre")?.getBoundingClientRect();
        const own = mark.getBoundingClientRect();
        return box !== undefined && own.right <= box.right && own.bottom <= box.bottom;
      });
      expect(inBox).toBe(true);
    },
  );

  inBrowser(
    "a click answers, once, with an id of its own; the card says what was sent and goes",
    async ({ server, visit }) => {
      askApproval(server, "clean", "clean-1");
      const page = await visit("/");
      await card(page, "clean").waitFor();
      await settled(page);
      await page.getByRole("button", { name: "1) Yes", exact: true }).dblclick();
      await page.getByText("Sent: 1) Yes").first().waitFor();
      expect(server.answers()).toEqual([
        {
          cancelled: false,
          selected_option_id: "yes",
          interaction_id: "clean-1",
          answer_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
      ]);
      expect(await page.title()).toBe("Assent");
      await page.getByRole("status").getByText("Sent: 1) Yes").waitFor({ state: "attached" });
    },
  );

  inBrowser(
    "[INT-9b] the default option is marked, and nothing but choosing it sends it",
    async ({ server, visit }) => {
      server.session("d", { name: "d" });
      const options = ["Red", "Blue"].map((label, index) => ({ id: String(index + 1), label }));
      server.ask("d", { interaction_id: "d-1", question: "Which colour?", options, default_option_id: "2" });
      const page = await visit("/");
      await card(page, "d").waitFor();
      await settled(page);
      expect(await page.locator("button.option").allTextContents()).toEqual(["1) Red", "2) Blue default"]);
      await card(page, "d").focus();
      for (const key of ["Enter", "Space", "Escape"]) await page.keyboard.press(key);
      await card(page, "d").getByRole("textbox").focus();
      await page.keyboard.press("Enter");
      await settled(page);
      expect(server.answers()).toEqual([]);
      await page.getByRole("button", { name: "2) Blue" }).click();
      await eventually(() => expect(server.answers()).toMatchObject([{ selected_option_id: "2" }]));
    },
  );

  inBrowser("a number key answers the first card, and the focus goes to the next one", async ({ server, visit }) => {
    askApproval(server, "one", "one-1");
    askApproval(server, "two", "two-1");
    const page = await visit("/");
    await card(page, "two").waitFor();
    await settled(page);
    await page.keyboard.press("2");
    await page.getByText("Sent: 2) No").first().waitFor();
    expect(server.answers()).toMatchObject([{ interaction_id: "one-1", selected_option_id: "no" }]);
    await eventually(async () => expect(await focusedSlot(page)).toBe("two"));
    await settled(page);
    await page.keyboard.press("1");
    await eventually(async () => expect(await server.answers().length).toBe(2));
    expect(server.answers()[1]).toMatchObject({ interaction_id: "two-1", selected_option_id: "yes" });
  });

  inBrowser(
    "[WEB-1a] a number key also answers in a view that was drawn again before it was first painted",
    async ({ server, visit }) => {
      askApproval(server, "one", "one-1");
      server.session("two", { name: "two" });
      const page = await visit("/sessions/one");
      await card(page, "one").waitFor();
      // Nothing is painted any more, and what waits for that waits.
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.evaluate(() => {
        location.hash = "#/";
      });
      await page.getByRole("heading", { name: "Inbox" }).waitFor();
      askApproval(server, "two", "two-1");
      await card(page, "two").waitFor();
      await page.clock.resume();
      await settled(page);
      await page.keyboard.press("2");
      await page.getByText("Sent: 2) No").first().waitFor();
      expect(server.answers()).toMatchObject([{ interaction_id: "one-1", selected_option_id: "no" }]);
    },
  );

  inBrowser(
    "[WEB-1c] a key that comes too soon after a question appeared or took another's place answers nothing",
    async ({ server, visit }) => {
      askApproval(server, "one", "one-1");
      askApproval(server, "two", "two-1");
      const page = await visit("/");
      await card(page, "two").waitFor();
      await settled(page);
      // Meant for the first, which has just gone.
      await pressAtOnce(page, '[data-slot="two"].active');
      await page.keyboard.press("1");
      await card(page, "two").getByText("had only just come to stand here").waitFor();
      // It is gone to by its place, which is there for a while: its next question is not the one that was meant.
      await page.evaluate(() => document.querySelector<HTMLElement>('[data-slot="one"]')?.focus());
      await pressAtOnce(page, '[data-slot="one"] button.option');
      askApproval(server, "one", "one-2");
      await settled(page);
      await settled(page);
      expect(server.answers()).toMatchObject([{ interaction_id: "one-1" }]);
    },
  );

  inBrowser(
    "a key that is held down, or typed into a text, answers nothing; nor does one typed on when the text field has gone",
    async ({ server, visit }) => {
      askApproval(server, "one", "one-1");
      askApproval(server, "two", "two-1");
      const page = await visit("/");
      await card(page, "two").waitFor();
      await settled(page);
      await page.evaluate(() => document.dispatchEvent(new KeyboardEvent("keydown", { key: "1", repeat: true })));
      await card(page, "one").getByRole("textbox").click();
      await page.keyboard.type("it is 12");
      server.resolve("one-1", {
        state: "answered",
        at: Date.now(),
        by: { name: "eve", adapter: "terminal pts/3" },
      });
      await page.getByText("Answered by eve in terminal pts/3").first().waitFor();
      await settled(page);
      await page.keyboard.type("13");
      await settled(page);
      expect(server.answers()).toEqual([]);
      await page.getByText("you had begun to write: it is 12").first().waitFor();
    },
  );

  inBrowser("a no with a reason is sent as free text", async ({ server, visit }) => {
    askApproval(server, "clean", "clean-1");
    const page = await visit("/");
    await page.getByLabel("No, because…").fill("keep the folder");
    await settled(page);
    await page.keyboard.press("Enter");
    await eventually(async () =>
      expect(await server.answers()).toMatchObject([{ free_text: "keep the folder", cancelled: false }]),
    );
  });

  inBrowser(
    "several are chosen by number keys and clicks, checked before they are sent, and sent in the order of the options",
    async ({ server, visit }) => {
      server.session("m", { name: "m" });
      server.ask("m", {
        interaction_id: "m-1",
        multi_select: true,
        max_selected: 2,
        options: ["a", "b", "c"].map((id) => ({ id, label: id.toUpperCase() })),
      });
      const page = await visit("/");
      await card(page, "m").waitFor();
      await settled(page);
      await page.keyboard.press("3");
      await page.getByLabel("2) B").check();
      await page.keyboard.press("1");
      await page.getByRole("button", { name: "Send", exact: true }).first().click();
      await page.getByText("Choose 1 to 2; chosen: 3.").first().waitFor();
      await page.keyboard.press("2");
      await page.getByText("chosen: 2.").waitFor();
      await page.keyboard.press("Enter");
      await eventually(async () => expect(await server.answers()).toMatchObject([{ selected_option_ids: ["a", "c"] }]));
    },
  );

  inBrowser("a secret is typed into a field that hides it, and is told nowhere", async ({ server, visit }) => {
    server.session("s", { name: "s" });
    server.ask("s", { interaction_id: "s-1", question: "Password:", options: [], sensitive: true });
    const page = await visit("/");
    const field = page.getByLabel("Your answer, hidden as you type");
    await field.fill("hunter2");
    // What is hidden outlasts no reload, for it is written nowhere.
    expect(await stored(page)).toEqual([]);
    expect(await field.getAttribute("type")).toBe("password");
    expect(await field.getAttribute("autocomplete")).toBe("off");
    await settled(page);
    await field.press("Enter");
    await eventually(async () => expect(await server.answers()).toMatchObject([{ free_text: "hunter2" }]));
    await page.getByText("Sent: (a hidden text)").first().waitFor();
    expect(await page.content()).not.toContain("hunter2");
  });

  inBrowser(
    "[WEB-1d] what was typed and not sent is there again after a reload, until it is sent or its question is over",
    async ({ server, visit }) => {
      askApproval(server, "clean", "clean-1");
      server.session("s", { name: "s" });
      server.ask("s", { interaction_id: "s-1", question: "Why?", options: [], allow_free_text: true });
      const page = await visit("/sessions/clean");
      const no = page.getByLabel("No, because…");
      const prompt = page.getByLabel("Steer what runs now").or(page.getByLabel("Prompt", { exact: true }));
      await no.fill("not in the shop");
      await prompt.fill("and hurry");
      await page.goto(`${server.url}/#/new`);
      await page.getByLabel("What is to be done").fill("count");
      await page.goto(`${server.url}/#/`);
      await card(page, "s").getByLabel("In your own words").fill("because");
      await page.reload();
      expect(await card(page, "s").getByLabel("In your own words").inputValue()).toBe("because");
      expect(await no.inputValue()).toBe("not in the shop");
      await page.goto(`${server.url}/#/sessions/clean`);
      await eventually(async () => expect(await prompt.inputValue()).toBe("and hurry"));
      await page.goto(`${server.url}/#/new`);
      await eventually(async () => expect(await page.getByLabel("What is to be done").inputValue()).toBe("count"));
      // One is sent, the other ends while the page is away. Beside the texts there is whose they are.
      const kept = ["assent-drafts-of ada", "new/prompt count", "prompt/clean and hurry"];
      await page.goto(`${server.url}/#/`);
      await settled(page);
      await no.press("Enter");
      await eventually(() => expect(server.answers()).toMatchObject([{ free_text: "not in the shop" }]));
      await eventually(async () => expect(await stored(page)).toEqual([...kept, "question/s-1 because"]));
      const other = await visit("/");
      expect(await stored(other)).toEqual([]);
      await page.goto("about:blank");
      server.resolve("s-1", { state: "cancelled", at: 1, by: { name: "eve", adapter: "terminal" } });
      await page.goto(`${server.url}/#/`);
      await eventually(async () => expect(await stored(page)).toEqual(kept));
    },
  );

  inBrowser(
    "[WEB-1d] what was begun for a question that ended while the server was away is told beside the next one, also after a reload",
    async ({ server, visit }) => {
      const ended = (id: string): void =>
        server.resolve(id, { state: "declined", at: 1, by: { name: "eve", adapter: "terminal" } });
      askApproval(server, "clean", "clean-1");
      const page = await visit("/sessions/clean");
      const no = page.getByLabel("No, because…");
      await no.fill("not the first");
      await server.down();
      await page.getByRole("alert").getByText("Connection lost").waitFor();
      ended("clean-1");
      askApproval(server, "clean", "clean-2");
      await server.up();
      const told = "Declined by eve in terminal; you had begun to write:";
      await page.getByText(`The question before: ${told} not the first`).waitFor();
      await eventually(async () => expect(await no.inputValue()).toBe(""));
      await no.fill("not the second");
      await page.goto("about:blank");
      ended("clean-2");
      askApproval(server, "clean", "clean-3");
      ended("clean-3");
      askApproval(server, "clean", "clean-4");
      await page.goto(`${server.url}/#/sessions/clean`);
      await page.getByText(`An earlier question: ${told} not the second`).waitFor();
      expect(await stored(page)).toEqual([]);
    },
  );

  inBrowser("an answer that came too late says who was faster, and with what", async ({ server, visit }) => {
    askApproval(server, "clean", "clean-1");
    const winner = {
      state: "declined",
      at: 1,
      by: { name: "eve", adapter: "terminal pts/3" },
      response: { interaction_id: "clean-1", selected_option_id: "no", cancelled: false },
    };
    server.refusals = [{ status: 409, error: { code: "already_resolved", detail: "late", winner } }];
    const page = await visit("/");
    await card(page, "clean").waitFor();
    await settled(page);
    await page.keyboard.press("1");
    await page.getByText("Your answer came too late. Declined by eve in terminal pts/3: No").first().waitFor();
  });

  inBrowser(
    "an invalid answer is told in place with its attempt, and the question stays",
    async ({ server, visit }) => {
      server.session("q", { name: "q" });
      server.ask("q", { interaction_id: "q-1" });
      server.refusals = [{ status: 422, error: { code: "invalid_response", detail: "expected a date", attempt: 1 } }];
      const page = await visit("/");
      await page.getByLabel("In your own words").fill("soon");
      await settled(page);
      await page.keyboard.press("Enter");
      await card(page, "q").getByText("Not an answer: expected a date (invalid answer 1 of 4)").waitFor();
      expect(await page.getByLabel("In your own words").inputValue()).toBe("soon");
    },
  );

  inBrowser(
    "the next question of a session takes the place of the one before, is announced, and keeps the focus",
    async ({ server, visit }) => {
      server.session("f", { name: "flow" });
      server.ask("f", { interaction_id: "f-1", continuation_id: "c1" });
      const page = await visit("/");
      await card(page, "flow").waitFor();
      await settled(page);
      await page.keyboard.press("2");
      await eventually(async () => expect(await server.answers().length).toBe(1));
      const question = "Summary:\n- env: Production\n- region: EU";
      const options = [{ id: "confirm", label: "Confirm" }];
      server.ask("f", {
        interaction_id: "f-2",
        continuation_id: "c1",
        kind: "confirmation",
        question,
        options,
        allow_free_text: false,
      });
      await card(page, "flow").getByText("- region: EU").waitFor();
      expect(await focusedSlot(page)).toBe("f");
      await page.getByRole("status").getByText("Question in flow: Summary:").waitFor({ state: "attached" });
      await settled(page);
      await page.keyboard.press("1");
      await eventually(async () =>
        expect(await server.answers()[1]).toMatchObject({ interaction_id: "f-2", selected_option_id: "confirm" }),
      );
    },
  );

  inBrowser("[WEB-1c] a click that comes while questions move up answers nothing", async ({ server, visit }) => {
    askApproval(server, "one", "one-1");
    askApproval(server, "two", "two-1");
    const page = await visit("/");
    await card(page, "two").waitFor();
    await settled(page);
    await page.evaluate(() => {
      const watching = new MutationObserver(() => {
        if (document.querySelector('[data-slot="one"].over') === null) return;
        watching.disconnect();
        document.querySelector<HTMLElement>('[data-slot="two"] button.option')?.click();
      });
      watching.observe(document.body, { subtree: true, attributes: true });
    });
    server.resolve("one-1", { state: "answered", at: Date.now(), by: { name: "eve", adapter: "terminal pts/3" } });
    await card(page, "two").getByText("had only just come to stand here").waitFor();
    expect(server.answers()).toEqual([]);
  });

  inBrowser(
    "j and k go from question to question, and arrows once there is no more of one to see",
    async ({ server, visit }) => {
      askApproval(server, "one", "one-1");
      askApproval(server, "two", "two-1");
      const page = await visit("/", { viewport: { width: 1000, height: 1400 } });
      await card(page, "two").waitFor();
      await page.keyboard.press("j");
      expect(await focusedSlot(page)).toBe("two");
      await page.keyboard.press("ArrowUp");
      expect(await focusedSlot(page)).toBe("one");
      await page.setViewportSize({ width: 1000, height: 300 });
      await page.keyboard.press("ArrowDown");
      expect(await focusedSlot(page)).toBe("one");
      await settled(page);
      await page.keyboard.press("k");
      await page.keyboard.press("2");
      await eventually(() => expect(server.answers()).toMatchObject([{ interaction_id: "one-1" }]));
    },
  );
});
