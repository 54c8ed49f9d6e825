import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { called } from "../../src/policy/shell/programs/called.fixture.ts";
import { families } from "../../src/policy/shell/programs/families.ts";

/**
 * What programs do when they are called so, one call a line and below it what it would do, indented: the files of this folder,
 * by field. `_` is a blank inside a word, `$X` what is not known before it runs, `⏎` the end of a line.
 */
const folder = `${import.meta.dirname}/programs`;

/** By single names, so that of two families that have one the later counts, as in the product. */
const programs = Object.fromEntries(
  families.flatMap((family) =>
    Object.entries(family).flatMap(([names, entry]) => names.split(" ").map((name) => [name, entry] as const)),
  ),
);

type Call = { readonly line: string; readonly deeds: string[] };

function callsIn(text: string): readonly Call[] {
  const calls: Call[] = [];
  for (const line of text.split("\n").filter((each) => each !== "")) {
    if (line.startsWith("  ")) calls.at(-1)?.deeds.push(line.slice(2));
    else calls.push({ line, deeds: [] });
  }
  return calls;
}

describe.each(readdirSync(folder))("%s", (file) => {
  test.each(callsIn(readFileSync(`${folder}/${file}`, "utf8")))("knows what $line does", ({ line, deeds }) => {
    expect(called(programs, line).map((deed) => deed.replaceAll("\n", "⏎"))).toEqual(deeds);
  });
});
