import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Place, type Scripted, terminal } from "../../../assent/test/e2e/product.ts";
import { recorded, Served, scriptAt } from "../../../assent/test/http/served.ts";
import { verifies } from "../../../assent/test/requirements/verifies.ts";
import { hasBrowser, launchBrowser, settled } from "./browser.ts";

/** With PICTURES=1 the pictures of the documentation are taken anew. */
const pictures =
  process.env["PICTURES"] === "1" ? join(import.meta.dirname, "..", "..", "..", "..", "docs", "pictures") : null;

const once = (file: string): Scripted => terminal(`OUT=build; rm -rf $OUT; echo once >> ${file}`);
const asks = (tool: string, given: object): Scripted => ({ calls: [{ tool, arguments: given }] });
const done: Scripted = { text: "Done." };

describe.skipIf(!hasBrowser)("the page of a real server", () => {
  const place = new Place([], {}, afterAll);
  let served: Served;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    [browser, served] = await Promise.all([launchBrowser(), Served.at(place)]);
    context = await browser.newContext({ viewport: { width: 1100, height: 800 } });
    page = await context.newPage();
    await page.goto(`${served.url}/#ticket=${served.ticket}`);
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
  });
  // A person would see why nothing goes on.
  beforeEach(({ onTestFailed }) =>
    onTestFailed(async () => void process.stderr.write(await page.locator("body").innerText())),
  );
  afterAll(async () => {
    await browser?.close();
    await served?.end("SIGKILL");
  });

  const begin = (name: string, ...replies: readonly Scripted[]) => served.session(replies, { name });
  const events = (session: string) => recorded(place, session).map(({ event }) => event);

  const card = (name: string) => page.getByRole("article", { name: `Question in ${name}` });

  async function inbox(): Promise<void> {
    await page.goto(`${served.url}/#/`);
    await page.getByRole("heading", { name: "Inbox" }).waitFor();
  }

  /** A question that has been where it is for a while: only then an answer counts. */
  async function ready(name: string, question = ""): Promise<Locator> {
    await card(name).getByText(question).first().waitFor();
    await settled(page);
    return card(name);
  }

  /** A click that comes while something moves is no answer: whoever is told so clicks again. */
  async function click(asked: Locator, name: string): Promise<void> {
    const button = asked.getByRole("button", { name, exact: true });
    await vi.waitFor(async () => {
      if (await button.isEnabled({ timeout: 100 }).catch(() => false)) await button.click();
      await button.waitFor({ state: "detached", timeout: 1_000 });
    }, 20_000);
  }

  /** A key that comes too soon is no answer either: whoever is told so presses it again. */
  async function press(name: string, ...keys: readonly string[]): Promise<void> {
    const asked = await ready(name);
    await asked.focus();
    for (const key of keys) {
      await page.keyboard.press(key);
      while (await asked.getByText("so nothing was sent").isVisible()) {
        await settled(page);
        await page.keyboard.press(key);
      }
    }
  }

  verifies(
    "WEB-1a",
    "a session is begun on the page, and its approval answered by a number key: the command runs once",
    async () => {
      const model = scriptAt(place, [once("begun"), done]);
      await page.goto(`${served.url}/#/new`);
      await page.getByLabel("What is to be done").fill("clean the build");
      await page.getByText("Name, model and limits").click();
      await page.getByLabel("Name").fill("begin");
      await page.getByLabel("Model").fill(model);
      await page.getByRole("button", { name: "Start" }).click();
      await page.getByRole("heading", { name: "begin" }).waitFor();
      await inbox();
      await press("begin", "1");
      await card("begin").waitFor({ state: "detached" });
      await expect.poll(() => place.read("begun")).toBe("once\n");
    },
  );

  verifies("WEB-1b", "an approval is declined with a reason that reaches the model", async () => {
    const session = await begin("decline", once("declined"), done);
    await inbox();
    const asked = await ready("decline");
    // A list does not tell how many invalid answers there were: then nothing is said of them.
    expect(await asked.getByText("invalid answers").count()).toBe(0);
    await asked.getByLabel("No, because…").fill("not today");
    await click(asked, "Send no");
    expect(await served.outcome(session)).toBe("answered");
    const refused = events(session).find((event) => event.type === "call.refused");
    expect(refused).toMatchObject({ why: "person", reason: expect.stringContaining("not today") });
    expect(place.read("declined")).toBe("");
  });

  verifies("WEB-1b", "several options are chosen by their numbers and sent with Enter", async () => {
    const ask = { question: "Which parts?", options: ["Server", "Page", "Docs"], multi_select: true };
    const session = await begin("several", asks("ask", ask), done);
    await inbox();
    await press("several", "1", "3", "Enter");
    expect(await served.outcome(session)).toBe("answered");
    const answered = events(session).find((event) => event.type === "interaction.resolved");
    expect(answered).toMatchObject({ response: { selected_option_ids: ["1", "3"] }, by: { adapter: "page" } });
  });

  verifies(
    "INT-11d",
    "a page that is closed over half an answer sends nothing, and the question stays open",
    async () => {
      const ask = { question: "Which parts?", options: ["Server", "Page", "Docs"], multi_select: true };
      const session = await begin("closed", asks("ask", ask), done);
      const interaction = await served.openIn(session);
      const other = await context.newPage();
      await other.goto(`${served.url}/#/`);
      const asked = other.getByRole("article", { name: "Question in closed" });
      await asked.waitFor();
      await settled(other);
      await asked.getByRole("checkbox").first().check();
      const before = events(session).length;
      await other.close();
      await settled(page);
      expect((await served.call(`/v1/interactions/${interaction}`)).body).toMatchObject({ state: "open", attempts: 0 });
      expect(events(session)).toHaveLength(before);
      expect((await served.respond(interaction, { cancelled: true })).status).toBe(200);
    },
  );

  verifies("WEB-1b", "a flow is filled in, one step is edited, and what was meant is confirmed", async () => {
    const steps = [
      { key: "env", instruction: "Which environment?", options: ["Staging", "Production"] },
      { key: "region", instruction: "Which region?", options: ["EU", "US"] },
    ];
    const session = await begin("flow", asks("flow", { steps }), done);
    await inbox();
    const choose = async (question: string, option: string) => {
      await click(await ready("flow", question), option);
    };
    await choose("Which environment?", "1) Staging");
    await choose("Which region?", "1) EU");
    await choose("Summary:", "3) Edit specific step");
    await choose("Which step", "2) region");
    await choose("Which region?", "2) US");
    await choose("Summary:", "1) Confirm");
    expect(await served.outcome(session)).toBe("answered");
    const result = events(session).find((event) => event.type === "call.finished");
    expect(result).toMatchObject({ result: { text: expect.stringContaining("US") } });
  });

  verifies("WEB-1a", "what runs is shown live and killed from the page", async () => {
    const session = await begin(
      "stop",
      terminal("for i in {1..300}; do echo begun; sleep 0.2; done; echo late >> late"),
      done,
    );
    await page.goto(`${served.url}/#/sessions/${session}`);
    await page.getByRole("region", { name: "What happens now" }).getByText("begun").first().waitFor();
    await page.getByRole("button", { name: "Kill" }).click();
    await page.getByText("ended: stopped").waitFor();
    expect(await served.outcome(session)).toBe("stopped");
    expect(place.read("late")).toBe("");
  });

  verifies(
    ["WEB-1d", "SRV-4a", "INT-7"],
    "after kill -9 and a restart of the server the question is there again, once, and its answer runs the command once",
    async () => {
      const session = await begin("killed", once("killed"), done);
      await inbox();
      await card("killed").waitFor();
      await card("killed").getByLabel("No, because…").fill("half a thought");
      await served.end("SIGKILL");
      await page.getByText("Connection lost").first().waitFor();
      served = await Served.at(place, "--listen", String(served.port));
      await page.getByText("Connection lost").first().waitFor({ state: "hidden" });
      expect(await (await ready("killed")).count()).toBe(1);
      expect(await card("killed").getByLabel("No, because…").inputValue()).toBe("half a thought");
      await card("killed").getByLabel("No, because…").fill("");
      await click(card("killed"), "1) Yes");
      expect(await served.outcome(session)).toBe("answered");
      expect(place.read("killed")).toBe("once\n");
      const types = events(session).map(({ type }) => type);
      expect(types.filter((type) => type === "interaction.resolved" || type === "call.started")).toHaveLength(2);
    },
  );

  verifies("WEB-1e", "what another place answers closes here and says who it was", async () => {
    const session = await begin("elsewhere", once("elsewhere"), done);
    await inbox();
    await card("elsewhere").waitFor();
    expect((await served.respond(`${session}-1`, { selected_option_id: "no" })).status).toBe(200);
    await page
      .getByText(/owner in http/)
      .first()
      .waitFor();
    expect(place.read("elsewhere")).toBe("");
  });

  verifies(
    "SRV-3a",
    "a page of another site, in the same browser, signed in, gets nothing done and nothing to read",
    async () => {
      const session = await begin("victim", once("victim"), done);
      await served.openIn(session);
      const site = await otherSite(`${served.url}/v1/interactions/${session}-1/response`, `${served.url}/v1/sessions`);
      const visitor = await context.newPage();
      const port = (site.address() as AddressInfo).port;
      await visitor.goto(`http://localhost:${port}/`);
      await visitor.getByText("tried all").waitFor();
      const told = await visitor.locator("#told").innerText();
      expect(
        told
          .trim()
          .split("\n")
          .filter((line) => !/blocked|opaque/.test(line)),
      ).toEqual([]);
      await visitor.close();
      site.close();
      expect(
        events(session).filter(({ type }) => type === "interaction.resolved" || type === "interaction.rejected"),
      ).toEqual([]);
      expect(place.read("victim")).toBe("");
    },
  );

  test("on a phone, in the dark, the same is there, and nothing is wider than the screen", async () => {
    const phone = await context.newPage();
    await phone.emulateMedia({ colorScheme: "dark" });
    await phone.setViewportSize({ width: 360, height: 740 });
    await phone.goto(`${served.url}/#/`);
    await phone.getByRole("article", { name: "Question in victim" }).waitFor();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await phone.close();
  });

  /** Not a test: it makes something, and only when asked to. */
  const whenAsked = pictures === null ? () => {} : test;
  whenAsked("the pictures of the documentation are taken (npm run page-pictures)", async () => {
    for (const { session } of (await served.call("/v1/interactions")).body.interactions) {
      await served.call(`/v1/sessions/${session}/stop`, { body: {} });
    }
    const looks = { ...terminal("echo src; echo build"), text: "I look around first." };
    const cleans = { ...terminal("OUT=build; ls src && rm -r $OUT && echo clean"), text: "Now the build." };
    const session = await begin("spring-clean", looks, cleans, done);
    await served.openIn(session);
    const fresh = await context.newPage();
    const take = async (name: string, path: string, size: { width: number; height: number }) => {
      await fresh.setViewportSize(size);
      await fresh.goto(`${served.url}/#${path}`);
      await fresh.getByRole("button", { name: "1) Yes", exact: true }).waitFor();
      await settled(fresh);
      await fresh.screenshot({ path: join(pictures ?? "", name) });
    };
    await take("page.png", "/", { width: 1000, height: 640 });
    await take("page-session.png", `/sessions/${session}`, { width: 1000, height: 900 });
    await fresh.emulateMedia({ colorScheme: "dark" });
    await take("page-phone.png", "/", { width: 390, height: 800 });
  });
});

/** A site that tries what a site can: requests with and without permission, a form, a frame. */
async function otherSite(answer: string, list: string): Promise<Server> {
  const script = `
    const told = (line) => { document.getElementById("told").append(line + "\\n"); };
    const body = JSON.stringify({ selected_option_id: "yes" });
    const tries = [
      ["json", () => fetch(${JSON.stringify(answer)}, { method: "POST", credentials: "include", headers: { "content-type": "application/json" }, body })],
      ["plain", () => fetch(${JSON.stringify(answer)}, { method: "POST", credentials: "include", mode: "no-cors", headers: { "content-type": "text/plain" }, body })],
      ["read", () => fetch(${JSON.stringify(list)}, { credentials: "include" })],
      ["peek", () => fetch(${JSON.stringify(list)}, { credentials: "include", mode: "no-cors" })],
    ];
    for (const [name, send] of tries) {
      try { const answer = await send(); told(name + " " + (answer.type === "opaque" ? "opaque" : "read " + answer.status)); }
      catch { told(name + " blocked"); }
    }
    document.getElementById("form").submit();
    setTimeout(() => { document.getElementById("end").textContent = "tried all"; }, 500);
  `;
  const html = `<!doctype html><title>other</title><pre id="told"></pre><p id="end"></p>
    <form id="form" target="frame" method="post" enctype="text/plain" action="${answer}"><input name='{"selected_option_id":"yes","metadata":"' value='"}'></form>
    <iframe name="frame"></iframe><iframe src="${list}"></iframe><script type="module">${script}</script>`;
  const site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(html);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  return site;
}
