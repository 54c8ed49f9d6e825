import { expect, test } from "vitest";
import { type Format, json, open, post } from "./client.ts";

/** What is wrong, the change of a good request that makes it so, and the first thing that is said about it. */
export type Case = readonly [name: string, change: object, problem: string];

/** Each change is recorded with its problem and answered 400 with it; without a change all is well. */
export function refuses(format: Format, good: object, cases: readonly Case[]): void {
  test(`${format} takes a good request`, async () => {
    const server = await open([{ text: "fine" }]);
    const response = await post(server, format, good);
    expect([response.status, server.requests[0]?.problems]).toEqual([200, []]);
  });
  test.each(cases)(`${format} refuses %s`, async (_, change, problem) => {
    const server = await open([{ text: "fine" }]);
    const response = await post(server, format, { ...good, ...change });
    const body = json(await response.text());
    expect(server.requests[0]?.problems[0]).toBe(problem);
    expect([response.status, body.error.message]).toEqual([400, problem]);
  });
}
