import { type Context, Hono } from "hono";
import { type ApiSignedIn, apiLogin } from "../../wire/api.ts";
import type { Routing } from "./app.ts";
import { readBodyAs } from "./body.ts";
import type { Env } from "./env.ts";
import { strangerGuard } from "./guard.ts";
import { refuse } from "./refusing.ts";

/** A browser stays signed in for so long. */
const cookieSeconds = 30 * 24 * 3_600;

/** A token or a ticket against a cookie that no script can read and no other site can use (SRV-1). */
export function signing({ tokens, signIns, redeem, cookie, rates }: Routing): Hono<Env> {
  const routes = new Hono<Env>();
  routes.post("/v1/login", strangerGuard(rates), async (c) => {
    const read = await readBodyAs(c, apiLogin);
    if ("refused" in read) return read.refused;
    const token = "token" in read.value ? read.value.token.trim() : redeem(read.value.ticket);
    const bearer = token === null ? null : tokens.bearer(token);
    if (token === null || bearer === null) {
      const what = "token" in read.value ? "token" : "ticket";
      return refuse(c, 401, `unknown_${what}`, `expected a ${what} that counts, found one that does not`);
    }
    const { id, name, role } = bearer;
    const { bind: bound = false } = read.value;
    const signedIn = signIns.open(id, { until: Date.now() + cookieSeconds * 1_000, bound });
    setCookie(c, `${cookie}=${signedIn.cookie}; Max-Age=${cookieSeconds}`);
    return c.json({ name, role, ...(signedIn.key === null ? {} : { key: signedIn.key }) } satisfies ApiSignedIn);
  });
  routes.post("/v1/logout", strangerGuard(rates), (c) => {
    setCookie(c, `${cookie}=; Max-Age=0`);
    return c.json({});
  });
  return routes;
}

function setCookie(c: Context<Env>, value: string): void {
  const secure = c.req.header("x-forwarded-proto") === "https" ? "; Secure" : "";
  c.header("set-cookie", `${value}; Path=/; HttpOnly; SameSite=Strict${secure}`);
  c.header("cache-control", "no-store");
}
