import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { codeOf } from "../wire/index.ts";
import { writePrivate } from "./durable-file.ts";

const secretBytes = 32;

/**
 * What a browser keeps in the place of a token, after it has signed in: a cookie that opens nothing elsewhere, and where it asks
 * for that, a key beside it. Browsers send a cookie to every port of a machine, also to a page that an agent serves there; what a
 * page stores it keeps for its own port. Nothing of it is kept here: both are made from a secret of this machine, so they outlive
 * the server.
 */
export type SignIns = {
  open(token: string, given: { readonly until: number; readonly bound: boolean }): SignedIn;
  /** The id of the token that was signed in with; `null` for what was not made here, is over, or lacks its key. */
  read(cookie: string, key: string | undefined, now: number): string | null;
};
export type SignedIn = { readonly cookie: string; readonly key: string | null };

export function openSignIns(file: string): SignIns {
  const secret = secretIn(file);
  const mac = (text: string) => createHmac("sha256", secret).update(text).digest("base64url");
  const keyOf = (cookie: string) => mac(`key ${cookie}`);
  return {
    open(token, { until, bound }) {
      const told = `${token}.${Math.floor(until)}.${bound ? "bound" : "plain"}.${randomBytes(9).toString("base64url")}`;
      const cookie = `${told}.${mac(`cookie ${told}`)}`;
      return { cookie, key: bound ? keyOf(cookie) : null };
    },
    read(cookie, key, now) {
      const [token = "", until, bound, nonce, sign = ""] = cookie.split(".");
      const isOurs = isSame(sign, mac(`cookie ${[token, until, bound, nonce].join(".")}`));
      if (!isOurs || Number(until) <= now) return null;
      return bound === "plain" || isSame(key ?? "", keyOf(cookie)) ? token : null;
    },
  };
}

/** Made when there is none; without it, browsers have to sign in anew. */
function secretIn(file: string): Buffer {
  for (;;) {
    try {
      const known = Buffer.from(readFileSync(file, "utf8").trim(), "base64url");
      if (known.length === secretBytes) return known;
      writePrivate(file, `${randomBytes(secretBytes).toString("base64url")}\n`);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      makeNew(file);
    }
  }
}

function makeNew(file: string): void {
  try {
    writePrivate(file, `${randomBytes(secretBytes).toString("base64url")}\n`, "wx");
  } catch (error) {
    // Another server may have been faster.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
