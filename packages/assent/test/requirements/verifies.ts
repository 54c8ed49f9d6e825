import { type TestFunction, test } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** The ids a test proves. Given with the test, so that they are known even if it never gets to run. */
    requirements?: readonly string[];
  }
}

/** A test that proves the requirements it names: `verifies("LIM-1a", "the default is 25 turns", () => { … })`. */
export function verifies(ids: string | readonly string[], title: string, fn: TestFunction, timeout?: number): void {
  const requirements = typeof ids === "string" ? [ids] : ids;
  if (requirements.length === 0) throw new Error(`"${title}": expected at least one requirement id, came none`);
  const options = { meta: { requirements }, ...(timeout === undefined ? {} : { timeout }) };
  test(`[${requirements.join(", ")}] ${title}`, options, fn);
}

/** The same of a title that begins with its ids, such as "[WEB-1c] a key …", for tests that are made in another way. */
export function citing(title: string): { readonly meta: { readonly requirements: readonly string[] } } {
  return { meta: { requirements: /^\[([^\]]+)\] /.exec(title)?.[1]?.split(", ") ?? [] } };
}
