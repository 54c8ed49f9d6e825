import type { HttpBindings } from "@hono/node-server";
import type { Bearer } from "./guard.ts";

/** What handlers find beside a request. */
export type Env = { readonly Bindings: HttpBindings; readonly Variables: { bearer: Bearer } };
