import { existsSync, globSync, readFileSync } from "node:fs";
import { posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkArchitecture } from "./check.ts";
import { found, only } from "./fixture.ts";
import { parseGlossary } from "./glossary.ts";
import { productRules } from "./rules.ts";
import type { RuleName } from "./violation.ts";

// ── The real tree ──────────────────────────────────────────────────────────────────────────────────────────────────

const root = new URL("../../../../", import.meta.url);
const product = readProduct(fileURLToPath(new URL("packages/assent/src", root)));
const glossary = new URL("GLOSSARY.md", root);
const glossaryWords = existsSync(glossary) ? parseGlossary(readFileSync(glossary, "utf8")) : new Map<string, string>();
const productViolations = checkArchitecture(product, productRules(glossaryWords));

/** Tests stand beside what they test and are no part of the product. */
function readProduct(directory: string): ReadonlyMap<string, string> {
  const paths = globSync("**/*.{ts,tsx}", { cwd: directory }).map((path) => path.replaceAll(sep, "/"));
  const sources = paths.filter((path) => !/\.test\.tsx?$/.test(path)).sort();
  return new Map(sources.map((path) => [path, readFileSync(posix.join(directory, path), "utf8")]));
}

test("the source tree is where this test looks", () => {
  expect(product.size).toBeGreaterThan(0);
});

test("the glossary is where this test looks and has words to avoid", () => {
  const expected = "GLOSSARY.md in the repository root: expected a table | word | meaning | avoid | with avoided words";
  expect(existsSync(glossary), `${expected}, came no such file`).toBe(true);
  expect(glossaryWords.size, `${expected}, came none`).toBeGreaterThan(0);
});

const ruleNames: RuleName[] = ["syntax", "layers", "cycles", "purity", "indexes", "sizes", "words", "casts"];
test.each(ruleNames)("the source tree keeps the rule: %s", (rule) => {
  expect(only(rule, productViolations)).toEqual([]);
});

// ── The rules about imports, on sources that break them and on sources that only look so; the others: code-rules.test.ts ──

test("a file that does not parse is a violation, for nothing else can be said of it", () => {
  expect(found("syntax", { "core/a.ts": "const fine = 1;\nconst = ;" })).toEqual([
    "core/a.ts:2 expected TypeScript that parses: came Unexpected token",
  ]);
});

test("layers: core may import types of policy and no values", () => {
  expect(found("layers", { "core/a.ts": 'import type { Verdict } from "../policy/index.ts";' })).toEqual([]);
  expect(found("layers", { "core/a.ts": '\nimport { judge } from "../policy/index.ts";' })).toEqual([
    "core/a.ts:2 core may import core, types of policy: came a value import of policy/index.ts",
  ]);
});

test("layers: a re-export, a type query and a lazy import are imports too", () => {
  const sources = {
    "runtime/a.ts": 'export { run } from "../tools/index.ts";',
    "runtime/b.ts": 'type Run = typeof import("../tools/index.ts");',
    "runtime/c.ts": 'const load = () => import("../tools/index.ts");',
    "runtime/d.ts": 'export * from "../wire/index.ts";',
  };
  expect(found("layers", sources)).toEqual([
    "runtime/a.ts:1 runtime may import runtime, core, policy, wire: came a value import of tools/index.ts",
    "runtime/b.ts:1 runtime may import runtime, core, policy, wire: came a type import of tools/index.ts",
    "runtime/c.ts:1 runtime may import runtime, core, policy, wire: came a value import of tools/index.ts",
  ]);
});

test("layers: a package is imported only by the folder that lists it", () => {
  const sources = {
    "policy/shell/parse.ts": 'import { parse } from "unbash";',
    "wire/schema.ts": 'import { object } from "valibot/mini";',
    "core/a.ts": 'import { object } from "valibot";',
    "wire/b.ts": 'import { object } from "valibot-extra";',
    "tools/c.ts": 'import { readFile } from "fs";',
  };
  expect(found("layers", sources)).toEqual([
    'core/a.ts:1 core may import no package: came "valibot"',
    'tools/c.ts:1 tools may import node:*, valibot: came "fs"',
    'wire/b.ts:1 wire may import valibot, @valibot/to-json-schema: came "valibot-extra"',
  ]);
});

test("layers: a tool sees the ports, the terminal and core's types, not the runtime behind them", () => {
  const fine = `
    import type { Session } from "../core/index.ts";
    import type { Tool } from "../runtime/ports.ts";
    import { spawn } from "../terminal/index.ts";`;
  expect(found("layers", { "tools/a.ts": fine, "tools/b.ts": 'import { a } from "./a.ts";' })).toEqual([]);
  const may =
    "runtime/ports.ts, wire, core/interaction/index.ts, terminal, integrations, types of core, types of runtime/redacting.ts";
  expect(
    found("layers", {
      "tools/a.ts": 'import { openHost } from "../runtime/index.ts";',
      "tools/b.ts": 'import { decide } from "../core/index.ts";',
      "terminal/c.ts": 'import { ask } from "../tools/index.ts";',
    }),
  ).toEqual([
    "terminal/c.ts:1 terminal may import terminal, runtime/ports.ts, wire, types of core, types of runtime/redacting.ts: came a value import of tools/index.ts",
    `tools/a.ts:1 tools may import tools, ${may}: came a value import of runtime/index.ts`,
    `tools/b.ts:1 tools may import tools, ${may}: came a value import of core/index.ts`,
  ]);
});

test("layers: an adapter sees the host and the rendering, not another adapter", () => {
  const fine = `
    import { render } from "../../core/interaction/index.ts";
    import type { Session } from "../../core/index.ts";
    import { openHost } from "../../runtime/index.ts";
    import { line } from "./line/source.ts";`;
  const may = "core/interaction/index.ts, wire, runtime/index.ts, show, slash, types of core";
  expect(found("layers", { "adapters/shell/index.ts": fine })).toEqual([]);
  expect(found("layers", { "adapters/http/index.ts": 'import { line } from "../shell/index.ts";' })).toEqual([
    `adapters/http/index.ts:1 adapters/http may import adapters/http, ${may}: came a value import of adapters/shell/index.ts`,
  ]);
});

test("layers: testing sees everything but the cli and the adapters", () => {
  const sources = {
    "testing/a.ts": 'import { tools } from "../tools/index.ts"; import { test } from "vitest";',
    "testing/b.ts": 'import { repl } from "../adapters/shell/index.ts";',
  };
  expect(found("layers", sources)).toEqual([
    "testing/b.ts:1 testing may import testing, * but not cli, adapters: came a value import of adapters/shell/index.ts",
  ]);
});

test("layers: nobody goes round the table by the package's own name or by a computed import", () => {
  const sources = {
    "tools/a.ts": 'import { decide } from "assent";',
    "tools/b.ts": "const load = (name: string) => import(name);",
    "cli/c.ts": "const load = (name: string) => import(name);",
    "cli/d.ts": 'import assent from "assent-ai-sdk";',
  };
  expect(found("layers", sources)).toEqual([
    'tools/a.ts:1 tools must import its own package by relative path: came "assent"',
    "tools/b.ts:1 tools must name what it imports in a plain string: came import() of an expression",
  ]);
});

test("layers: a folder that the table does not know is a violation, once", () => {
  const sources = {
    "services/a.ts": "",
    "services/b.ts": "",
    "adapters/c.ts": "",
    "adapters/new/d.ts": "",
    "index.ts": "",
  };
  expect(found("layers", sources)).toEqual([
    expect.stringMatching(/^adapters\/c\.ts:1 unknown folder "adapters": expected one of core, policy, .* rules\.ts$/),
    expect.stringMatching(/^services\/a\.ts:1 unknown folder "services": expected one of core, policy, .* rules\.ts$/),
  ]);
});

test("cycles: value imports that come back are printed, the shortest way round", () => {
  const sources = {
    "core/a.ts": 'import type { D } from "./d.ts";\nimport { b } from "./b.ts";',
    "core/b.ts": 'export * from "./c.ts"; import { d } from "./d.ts";',
    "core/c.ts": 'import { a } from "./a.ts";',
    "core/d.ts": 'import "./c.ts";',
  };
  expect(found("cycles", sources)).toEqual([
    "core/a.ts:2 expected no cycle of value imports: came core/a.ts → core/b.ts → core/c.ts → core/a.ts",
  ]);
});

test("cycles: an import that names nothing still runs the file", () => {
  expect(found("cycles", { "core/a.ts": 'import "./b.ts";', "core/b.ts": 'import {} from "./a.ts";' })).toEqual([
    "core/a.ts:1 expected no cycle of value imports: came core/a.ts → core/b.ts → core/a.ts",
  ]);
});

test("cycles: types may go round", () => {
  const sources = {
    "core/a.ts": 'import { b } from "./b.ts"; export type A = 1;',
    "core/b.ts": 'import { type A } from "./a.ts"; export type { A } from "./a.ts"; type B = import("./a.ts").A;',
    "core/c.ts": 'import { b } from "./b.ts"; import { a } from "./a.ts";',
  };
  expect(found("cycles", sources)).toEqual([]);
});

test("indexes: a folder is entered by its index, from outside and from its parent", () => {
  const sources = {
    "core/index.ts": "",
    "core/session.ts": 'import { render } from "./interaction/render.ts";',
    "core/interaction/index.ts": 'export * from "./render.ts";',
    "core/interaction/render.ts": 'import type { Json } from "../json.ts";',
    "runtime/driver.ts": 'import { decide } from "../core/session.ts";',
    "tools/ask.ts": 'import { spawn } from "../terminal/kill.ts";',
    "runtime/journal/sqlite.ts": "",
    "runtime/host.ts": 'import { open } from "./journal/sqlite.ts"; import { decide } from "../core/index.ts";',
  };
  expect(found("indexes", sources)).toEqual([
    "core/session.ts:1 core/interaction is imported from outside by core/interaction/index.ts: came core/interaction/render.ts",
    "runtime/driver.ts:1 core is imported from outside by core/index.ts: came core/session.ts",
    "tools/ask.ts:1 terminal is imported from outside, so expected terminal/index.ts: it has none, came terminal/kill.ts",
  ]);
});

test("indexes: files in a folder never import the index that shows them", () => {
  const sources = {
    "core/index.ts": 'export * from "./session.ts";',
    "core/session.ts": 'import { x } from "./index.ts";',
    "core/interaction/flow.ts": 'import { x } from "../index.ts";',
  };
  expect(found("indexes", sources)).toEqual([
    "core/interaction/flow.ts:1 inside core files import each other directly: came its own core/index.ts",
    "core/session.ts:1 inside core files import each other directly: came its own core/index.ts",
  ]);
});

test("indexes: the named doors are open, and no file beside them", () => {
  const sources = {
    "runtime/index.ts": "",
    "core/index.ts": "",
    "core/interaction/index.ts": "",
    "tools/a.ts": 'import type { Tool } from "../runtime/ports.ts"; import type { Host } from "../runtime/host.ts";',
    "adapters/shell/index.ts": 'import { render } from "../../core/interaction/index.ts";',
  };
  expect(found("indexes", sources)).toEqual([
    "tools/a.ts:1 runtime is imported from outside by runtime/index.ts: came runtime/host.ts",
  ]);
});
