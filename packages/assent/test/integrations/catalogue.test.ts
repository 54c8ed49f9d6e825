import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lintFlow } from "../../src/core/index.ts";
import { builtIn } from "../../src/integrations/catalogue-data.ts";
import { entryFault } from "../../src/integrations/entry-check.ts";
import { readCatalogueEntry } from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { acme, openHome } from "./place.ts";

verifies("INTG-1a", "no code knows a service that comes with Assent: each is in the data alone", () => {
  const source = join(import.meta.dirname, "../../src");
  // A service that is also the maker of a program or of models is known there as such.
  const others = /^(?:policy|providers|core\/interaction\/purity|testing)\/|catalogue-data\.ts$|secret-looks\.ts$/;
  const named = builtIn.flatMap(({ name }) => (name === "mcp" ? [] : [name]));
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const knowing = files.filter(
    (file) => !others.test(file) && mentions(readFileSync(join(source, file), "utf8"), named),
  );
  expect(knowing).toEqual([]);
});

/** As code: not in a comment, nor in an example of what can be typed. */
function mentions(text: string, names: readonly string[]): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|examples: \[[\s\S]*?\]/g, "").toLowerCase();
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(code));
}

verifies(
  "INTG-1b",
  "every entry that comes with Assent is what a person's file could say, and its questions keep the contract",
  () => {
    const { integrations } = openHome();
    expect(builtIn.map(({ name }) => name)).toEqual(["datadog", "github", "mcp", "sentry"]);
    for (const entry of builtIn) {
      expect(readCatalogueEntry(JSON.stringify(entry))).toEqual({ type: "read", entry });
      expect(entryFault(entry)).toBeNull();
      expect(lintFlow(integrations.setUpFlow(entry, {}) ?? { steps: [] })).toEqual([]);
    }
  },
);

test("a service is found by its name or alias, in any case", () => {
  const { integrations } = openHome();
  expect(["GitHub", "gh", " dd ", "nothing", ""].map((typed) => integrations.catalogue.find(typed)?.name)).toEqual([
    "github",
    "github",
    "datadog",
    undefined,
    undefined,
  ]);
});

verifies("INTG-1c", "a person's file adds a service without a line of code, and taking it away takes that away", () => {
  const { integrations, add, folder } = openHome();
  add("acme", acme);
  expect(integrations.problems()).toEqual([]);
  expect(integrations.catalogue.find("AC")?.title).toBe("Acme");
  expect(integrations.catalogue.entries()).toBe(integrations.catalogue.entries());
  rmSync(join(folder, "catalogue", "acme.json"));
  expect(integrations.catalogue.find("acme")).toBeNull();
});

const [token, ...others] = acme.fields;

test.each([
  ["broken JSON", "{", /^expected JSON: /],
  ["a list", [], "value: expected Object, found Array"],
  ["a misspelt field", { ...acme, fields: [{ ...token, secrt: true }] }, "fields.0.secrt: no such field"],
  ["a missing field", { ...acme, title: undefined }, "title: is missing"],
  [
    "a name that is no name",
    { ...acme, name: "A B" },
    'name: expected lower-case letters, digits and dashes, at most 24, found "A B"',
  ],
  [
    "a name that is not the file's",
    { ...acme, name: "acne" },
    'name: expected "acme" as the file is called, found "acne"',
  ],
  ["a name that is taken", { ...acme, aliases: ["gh"] }, "name: gh is taken by another service"],
  [
    "a pattern that is none",
    { ...acme, fields: [{ ...token, pattern: "(" }, ...others] },
    'fields: token: expected a regular expression, found "("',
  ],
  [
    "a question against the contract",
    { ...acme, fields: [{ ...token, question: "Token: what? Tell me." }, ...others] },
    /^fields: step 1 \(token\): /,
  ],
  [
    "a header of nothing",
    { ...acme, verify: { ...acme.verify, headers: { a: "{tokn}" } } },
    "verify.headers.a: no field is called tokn",
  ],
  [
    "a lone brace",
    { ...acme, verify: { ...acme.verify, headers: { a: "{" } } },
    'verify.headers.a: expected {key} or {{, found "{"',
  ],
  [
    "a secret as host",
    { ...acme, verify: { ...acme.verify, url: "https://{token}/x" } },
    "verify.url: the host takes fields that are no secrets, found {token}",
  ],
  [
    "a URL of another kind",
    { ...acme, verify: { ...acme.verify, url: "ftp://x/y" } },
    'verify.url: expected https://… or {field}/…, found "ftp://x/y"',
  ],
  [
    "an optional part of a path",
    { ...acme, verify: { ...acme.verify, url: "{url}/{team}" } },
    "verify.url: {team} may be left out, so it can stand in the query only",
  ],
  ["no way to verify", { ...acme, verify: undefined }, "verify: is missing; only an MCP server is verified without"],
  [
    "a secret in a command",
    { ...acme, tools: { type: "mcp-command", command: ["run", "{token}"] } },
    "tools.command: {token} is a secret, so it goes in env: others read a command's words",
  ],
])("of a file with %s it is told what is wrong, and the others count", (_what, content, reason) => {
  const { integrations, add, folder } = openHome();
  add("acme", content);
  const [problem = "", ...more] = integrations.problems();
  const file = `${join(folder, "catalogue", "acme.json")}: `;
  expect(problem.slice(0, file.length)).toBe(file);
  expect(problem.slice(file.length)).toEqual(typeof reason === "string" ? reason : expect.stringMatching(reason));
  expect(more).toEqual([]);
  expect(integrations.catalogue.find("sentry")?.name).toBe("sentry");
});
