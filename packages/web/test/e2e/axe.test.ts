import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { citing } from "../../../assent/test/requirements/verifies.ts";
import { hasBrowser, TestBrowser } from "./browser.ts";
import { fillShop } from "./shop.ts";

declare global {
  interface Window {
    /** Where it was loaded. */
    axe: typeof axe;
  }
}

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => (await window.axe.run({ resultTypes: ["violations"] })).violations);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

const views: readonly (readonly [path: string, heading: string])[] = [
  ["/", "Inbox"],
  ["/sessions", "Sessions"],
  ["/sessions/k7y4zq0c2m", "clean-up"],
  ["/sessions/e5", "what takes so much room here?"],
  ["/sessions/k7y4zq0c2m/audit", "Audit of k7y4zq0c2m"],
  ["/grants", "Grants"],
  ["/new", "New session"],
  ["/nowhere", "Nothing here"],
];

describe.skipIf(!hasBrowser)("the page for everybody", () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(() => browser.close());

  const screens = [
    ["light", { width: 1200, height: 900 }, "light"],
    ["dark", { width: 1200, height: 900 }, "dark"],
    ["phone, light", { width: 360, height: 700 }, "light"],
    ["phone, dark", { width: 360, height: 700 }, "dark"],
  ] as const;

  for (const [name, viewport, colorScheme] of screens) {
    const title = `[WEB-1f] every view is without violations and as wide as its screen: ${name}`;
    test.concurrent(title, citing(title), () =>
      browser.with(async ({ server, visit }) => {
        fillShop(server);
        const page = await visit("/", { viewport, colorScheme });
        for (const [path, heading] of views) {
          await page.evaluate((hash) => {
            location.hash = hash;
          }, path);
          await page.getByRole("heading", { level: 1, name: heading }).waitFor();
          // What comes after the heading is fetched.
          await page.waitForTimeout(60);
          expect(await violations(page), `${path}`).toEqual([]);
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          expect(width, `${path} must not scroll sideways`).toBeLessThanOrEqual(viewport.width);
        }
        await page.keyboard.press("?");
        await page.getByRole("heading", { name: "Keys" }).waitFor();
        expect(await violations(page)).toEqual([]);
      }),
    );
  }

  test.concurrent.each(["light", "dark"] as const)("signing in is without violations: %s", (colorScheme) =>
    browser.with(async ({ server, visit }) => {
      server.signedIn = false;
      const page = await visit("/", { colorScheme });
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(await violations(page)).toEqual([]);
    }),
  );
});
