import { Hono } from "hono";
import type { Env } from "./env.ts";

/** The files of the page by their paths, such as `/assets/app.js`; `/` is the page itself. */
export type Page = ReadonlyMap<string, PageFile>;
export type PageFile = {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Its name changes with its content. */
  readonly lasting: boolean;
};

/** Only what is listed is there: no path leads anywhere else. */
export function pageRoutes(page: Page): Hono<Env> {
  const routes = new Hono<Env>();
  routes.get("*", async (c, next) => {
    const file = page.get(new URL(c.req.url).pathname);
    if (file === undefined) return next();
    const zipped = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
    return c.body(zipped ? file.gzip : file.bytes, 200, {
      "content-type": file.type,
      "cache-control": file.lasting ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
      ...(zipped ? { "content-encoding": "gzip" } : {}),
    });
  });
  return routes;
}
