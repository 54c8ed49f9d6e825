import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { expect, vi } from "vitest";
import { FakeServer } from "./fake-server.ts";

const chromiumPath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/** Without a browser these tests are skipped, and counted as skipped. */
export const hasBrowser = existsSync(chromiumPath);

/** What the browser says by itself when a test takes the server away. */
const ofTheNetwork =
  /net::ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/;
/** A refused answer is told by the page; the browser tells it as well. */
const ofRefusals = /the server responded with a status of 4\d\d/;

/** A browser that talks to nobody by itself. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
      ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
    ],
  });
}

/** The page as it is built, and a real browser. */
export class TestBrowser {
  readonly #files: string;
  readonly #browser: Browser;

  private constructor(files: string, browser: Browser) {
    this.#files = files;
    this.#browser = browser;
  }

  static async open(): Promise<TestBrowser> {
    const files = mkdtempSync(join(tmpdir(), "assent-page-"));
    const script = join(import.meta.dirname, "..", "..", "scripts", "build.mjs");
    execFileSync(process.execPath, [script, "--out", files], { stdio: ["ignore", "ignore", "inherit"] });
    return new TestBrowser(files, await launchBrowser());
  }

  async close(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#files, { recursive: true, force: true });
  }

  /** A server of its own, and pages that visit it; afterwards the browser must have had nothing to complain about. */
  async with(use: (visiting: Visiting) => Promise<void>): Promise<void> {
    const server = new FakeServer(this.#files);
    const complaints: string[] = [];
    const contexts: BrowserContext[] = [];
    const visit: Visiting["visit"] = async (path, options = {}) => {
      const context = await this.#browser.newContext({ viewport: { width: 1000, height: 800 }, ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => complaints.push(...complaintsIn(message)));
      await page.goto(`${server.url}/#${path}`);
      return page;
    };
    await server.up();
    try {
      await use({ server, visit });
    } finally {
      for (const context of contexts) await context.close();
      await server.down();
    }
    expect(complaints).toEqual([]);
  }
}

export type Visiting = {
  readonly server: FakeServer;
  readonly visit: (path: string, options?: BrowserContextOptions) => Promise<Page>;
};

function complaintsIn(message: ConsoleMessage): readonly string[] {
  const text = message.text();
  return message.type() !== "error" || ofTheNetwork.test(text) || ofRefusals.test(text) ? [] : [text];
}

/** Longer than the page waits before it takes a key for an answer. */
export async function settled(page: Page): Promise<void> {
  // On a busy machine what is there is drawn late, and from then on it counts.
  await page.locator("[data-slot]:not(.over):not([data-seen])").first().waitFor({ state: "detached" });
  await page.waitForTimeout(320);
}

/** A busy machine takes its time. */
export function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 15_000, interval: 25 });
}

export function card(page: Page, name: string): Locator {
  return page.getByRole("article", { name: `Question in ${name}` });
}

/** What of what was typed is kept for a reload. */
export function stored(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { sessionStorage: kept } = window;
    const texts = Object.entries(kept).map(([key, text]) => `${key.replace("assent-draft/", "")} ${text}`);
    return texts.sort();
  });
}

/** As soon as that is there, in the same moment, the key 1 is pressed. */
export function pressAtOnce(page: Page, selector: string): Promise<void> {
  return page.evaluate((wanted) => {
    const watching = new MutationObserver(() => {
      if (document.querySelector(wanted) === null) return;
      watching.disconnect();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
    });
    watching.observe(document.body, { subtree: true, childList: true, attributes: true });
  }, selector);
}

/** Whose question has the focus. */
export function focusedSlot(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute("data-slot") ?? null);
}
