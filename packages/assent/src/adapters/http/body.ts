import type { Context } from "hono";
import { type ReadApi, readApi } from "../../wire/api.ts";
import { readLine } from "../../wire/index.ts";
import type { Env } from "./env.ts";
import { refuse } from "./refusing.ts";

/** More than anything of the contract has (SRV-3). */
const mostBodyBytes = 1024 * 1024;

/** A body as JSON, or the refusal of it. Read as it comes, and no further than it may be. */
export async function readBody(c: Context<Env>): Promise<{ readonly value: unknown } | { readonly refused: Response }> {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    // A form of another site can send any other type without asking.
    return { refused: refuse(c, 415, "wrong_type", "expected a body of type application/json") };
  }
  const text = await textOf(c);
  if (typeof text === "object") {
    c.header("connection", "close");
    const { problem } = text;
    return {
      refused:
        problem === "too large"
          ? refuse(c, 413, "too_large", `expected at most ${mostBodyBytes} bytes`)
          : refuse(c, 400, "broken_body", "expected the whole body, found a part of it"),
    };
  }
  const read = readLine(text === "" ? "{}" : text);
  if (read.type === "read") return { value: read.value };
  const { code, detail } = read.refusal;
  // What came may hold a secret: of what could not be read nothing is repeated.
  const told = code === "malformed_json" ? "expected a body of JSON" : detail;
  return { refused: refuse(c, 400, code, told) };
}

async function textOf(c: Context<Env>): Promise<string | { readonly problem: "too large" | "broken" }> {
  if (Number(c.req.header("content-length") ?? 0) > mostBodyBytes) return { problem: "too large" };
  const { body } = c.req.raw;
  if (body === null) return "";
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      bytes += part.length;
      if (bytes > mostBodyBytes) return { problem: "too large" };
      parts.push(part);
    }
  } catch {
    // Whoever sent it has gone, or was too slow: that is no failure of the server's.
    return { problem: "broken" };
  }
  return decoded(Buffer.concat(parts));
}

/** What is no text is no JSON either. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "not text";
  }
}

/** A body as its schema has it, or the refusal of it. */
export async function readBodyAs<const S extends Parameters<typeof readApi>[0]>(
  c: Context<Env>,
  schema: S,
): Promise<{ readonly value: ReadApi<S> } | { readonly refused: Response }> {
  const body = await readBody(c);
  if ("refused" in body) return body;
  const read = readApi(schema, body.value);
  return "reason" in read ? { refused: refuse(c, 400, "invalid_value", read.reason) } : read;
}
