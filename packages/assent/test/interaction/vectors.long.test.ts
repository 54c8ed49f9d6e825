import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { replyLine } from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";

type Vector = {
  readonly title: string;
  readonly cites: readonly string[];
  readonly request: object;
  readonly flow?: object;
  readonly input?: string;
  readonly repeat?: {
    readonly text: string;
    readonly times: number;
    readonly before?: string;
    readonly after?: string;
  };
  readonly expected: { readonly type: string };
};

const lines = readFileSync(join(import.meta.dirname, "..", "..", "vectors", "replies.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "");
const vectors = lines.map((line): Vector => JSON.parse(line));

/** The requirements that the vectors are about, each with all of its cases. */
const cited = [
  "ANS-1",
  "ANS-2",
  "ANS-3a",
  "ANS-0a",
  "ANS-0b",
  "ANS-8",
  "ANS-9",
  "ANS-10",
  "ANS-11",
  "FLOW-4",
  "FLOW-6a",
];

function typedLine({ input, repeat }: Vector): string {
  if (repeat === undefined) return input ?? "";
  return `${repeat.before ?? ""}${repeat.text.repeat(repeat.times)}${repeat.after ?? ""}`;
}

/** What the line means, without the words that explain it; a text that is the whole line stands for itself. */
function meaning(vector: Vector): unknown {
  const { request, flow } = vector;
  const read: Record<string, unknown> = JSON.parse(
    replyLine(JSON.stringify({ request, flow, input: typedLine(vector) })),
  );
  const { detail: _detail, ...rest } = read;
  const whole = vector.repeat !== undefined && rest["text"] === typedLine(vector);
  return whole ? { type: rest["type"] } : rest;
}

test("there are at least 150 vectors, each with a title of its own", () => {
  expect(vectors.length).toBeGreaterThan(150);
  expect(new Set(vectors.map(({ title }) => title)).size).toBe(vectors.length);
});

describe("the published vectors of the reply grammar", () => {
  for (const id of cited) {
    const base = id.replace(/[a-z]$/, "");
    const mine = vectors.filter(({ cites }) => cites.some((cite) => cite === id || cite === base));
    verifies(id, `${mine.length} lines mean what their vectors say`, () => {
      expect(mine.length).toBeGreaterThan(0);
      for (const vector of mine)
        expect.soft({ [vector.title]: meaning(vector) }).toEqual({ [vector.title]: vector.expected });
    });
  }

  test("and so do all the others", () => {
    const known = cited.map((id) => id.replace(/[a-z]$/, ""));
    const rest = vectors.filter(({ cites }) => !cites.some((id) => known.includes(id)));
    for (const vector of rest)
      expect.soft({ [vector.title]: meaning(vector) }).toEqual({ [vector.title]: vector.expected });
  });
});
