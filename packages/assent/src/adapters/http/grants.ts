import { Hono } from "hono";
import type { ApiGrants } from "../../wire/api.ts";
import type { Routing } from "./app.ts";
import type { Env } from "./env.ts";
import { personOf, roleGuard } from "./guard.ts";
import { refuse, refuseAs } from "./refusing.ts";

/** What people granted for longer than once. */
export function grantRoutes({ host, grants, metrics }: Routing): Hono<Env> {
  const routes = new Hono<Env>();
  routes.get("/v1/grants", (c) => c.json({ grants: grants.list(), damage: grants.damage() } satisfies ApiGrants));
  routes.delete("/v1/grants/:id", roleGuard("admin"), (c) => {
    const id = c.req.param("id");
    const session = c.req.query("session");
    if (session === undefined) {
      if (!grants.remove(id)) return refuse(c, 404, "unknown_grant", "there is no such grant");
    } else {
      const acting = { by: personOf(c.get("bearer")), authority: "act" } as const;
      const { refusal } = host.submit(session, { type: "grant-revocation", grant: id, ...acting });
      if (refusal !== null) return refuseAs(c, refusal);
    }
    metrics.count("assent_grants_removed_total");
    return c.json({});
  });
  return routes;
}
