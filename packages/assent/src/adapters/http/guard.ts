import type { Context, MiddlewareHandler } from "hono";
import type { Person } from "../../core/index.ts";
import type { SignIns, Tokens } from "../../runtime/index.ts";
import type { Role } from "../../wire/token.ts";
import type { Env } from "./env.ts";
import { refuse } from "./refusing.ts";

/** Who speaks, by their token: never by what they say (INT-12). `page` is a browser that signed in. */
export type Bearer = { readonly id: string; readonly name: string; readonly role: Role; readonly via: "http" | "page" };

/** By which names a server is spoken to: everything else is a page of somebody else's, or a name that leads here by a trick. */
export type Names = {
  /** `Host` as it must be, such as `127.0.0.1:4815`. */
  readonly hosts: ReadonlySet<string>;
  /** `Origin` as it must be where there is one. */
  readonly origins: ReadonlySet<string>;
};

const ranks: Readonly<Record<Role, number>> = { viewer: 0, answerer: 1, admin: 2 };
/** A stranger cannot guess 256 bits; but who keeps trying is not let keep the server busy. */
const strangersPerSecond = 50;
/** Far more than people do, and several times what was asked of the server. */
const requestsPerSecond = 2_000;
const mostBuckets = 1_000;
const notOurs = "pages of other sites have no business here";

/** Exact names only: a page of another site, also one whose name was made to lead here, gets nothing (SRV-3). */
export function namesGuard(names: Names): MiddlewareHandler<Env> {
  return async (c, next) => {
    const host = c.req.header("host") ?? "";
    // A target may name a host too, and then it is that one which is meant.
    const isOurs = names.hosts.has(host.toLowerCase()) && names.hosts.has(new URL(c.req.url).host);
    if (!isOurs) return refuse(c, 403, "forbidden_host", "the server has no such name");
    const origin = c.req.header("origin");
    if (origin !== undefined && !names.origins.has(origin.toLowerCase())) {
      return refuse(c, 403, "forbidden_origin", notOurs);
    }
    return next();
  };
}

/** Everything behind it needs a token, in the header or, of a browser that signed in, in its cookie. */
export function tokenGuard(known: Known, rates: Rates): MiddlewareHandler<Env> {
  return async (c, next) => {
    // Browsers say where a request comes from, also where they send no origin. The page itself may be linked to from anywhere.
    const site = c.req.header("sec-fetch-site") ?? "none";
    if (site !== "none" && site !== "same-origin") return refuse(c, 403, "forbidden_origin", notOurs);
    const bearer = bearerOf(c, known);
    const free = rates.take(bearer?.id ?? "", bearer === null ? strangersPerSecond : requestsPerSecond);
    if (!free) return tooMany(c);
    if (bearer === null) {
      c.header("www-authenticate", "Bearer");
      return refuse(c, 401, "no_token", "expected a token that this server knows; assent token create makes one");
    }
    // What a browser sends by itself does not count without a word on where it was sent from.
    if (bearer.via === "page" && c.req.method !== "GET" && c.req.header("origin") === undefined) {
      return refuse(c, 403, "forbidden_origin", "a request with a cookie must say where it comes from");
    }
    c.set("bearer", bearer);
    return next();
  };
}

export function roleGuard(least: Role): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { role } = c.get("bearer");
    if (ranks[role] >= ranks[least]) return next();
    return refuse(c, 403, "not_authorized", `expected a token for ${least}, found one for ${role}`);
  };
}

/** For strangers at the door: signing in is the one thing that they may try. */
export function strangerGuard(rates: Rates): MiddlewareHandler<Env> {
  // A bucket of its own: who tries tokens elsewhere keeps nobody from signing in.
  return async (c, next) => (rates.take("signing in", strangersPerSecond) ? next() : tooMany(c));
}

export function personOf({ name, via }: Bearer): Person {
  return { name, adapter: via };
}

/** By what a bearer is known, and what the cookie of this server is called. */
export type Known = { readonly tokens: Tokens; readonly signIns: SignIns; readonly cookie: string };

/** The header in which a page sends the key that belongs to its cookie. */
const keyHeader = "x-assent-key";

function bearerOf(c: Context<Env>, { tokens, signIns, cookie }: Known): Bearer | null {
  const header = c.req.header("authorization");
  const token = header === undefined ? null : tokenIn(header);
  const saved = header === undefined ? signedIn(c, { tokens, signIns, cookie }) : tokens.bearer(token ?? "");
  if (saved === null) return null;
  const { id, name, role } = saved;
  return { id, name, role, via: header === undefined ? "page" : "http" };
}

function signedIn(c: Context<Env>, { tokens, signIns, cookie }: Known): ReturnType<Tokens["counting"]> {
  const given = cookieIn(c.req.header("cookie") ?? "", cookie);
  const id = given === null ? null : signIns.read(given, c.req.header(keyHeader), Date.now());
  return id === null ? null : tokens.counting(id);
}

function tokenIn(header: string): string | null {
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? null;
}

function cookieIn(header: string, name: string): string | null {
  const found = header.split(/; */).find((each) => each.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}

function tooMany(c: Context<Env>): Response {
  c.header("retry-after", "1");
  return refuse(c, 429, "too_many", "too many requests; wait a second");
}

/** So many requests a second for each, and twice that at once. */
export class Rates {
  readonly #now: () => number;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  take(who: string, perSecond: number): boolean {
    const now = this.#now();
    const most = 2 * perSecond;
    const bucket = this.#buckets.get(who) ?? { left: most, at: now };
    const left = Math.min(most, bucket.left + ((now - bucket.at) / 1_000) * perSecond);
    if (this.#buckets.size >= mostBuckets && !this.#buckets.has(who)) this.#buckets.clear();
    this.#buckets.set(who, { left: left < 1 ? left : left - 1, at: now });
    return left >= 1;
  }
}
