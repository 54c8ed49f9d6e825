import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cliPage } from "../../scripts/cli-page.ts";
import { exitCodes } from "../../src/adapters/headless/index.ts";
import { readFlags, UsageError } from "../../src/cli/flags.ts";
import { helpForLine } from "../../src/cli/help.ts";
import { commandSpecs } from "../../src/cli/specs/registry.ts";
import type { CommandSpec } from "../../src/cli/specs/spec.ts";
import { environmentVariables, exitMeanings } from "../../src/cli/specs/surroundings.ts";
import { catalogue } from "../../src/providers/index.ts";
import { verifies } from "../requirements/verifies.ts";

const source = join(import.meta.dirname, "..", "..", "src");
const root = join(source, "..", "..", "..");

/** Every command and every part of one, by all its words. */
function all(specs = commandSpecs, before: readonly string[] = []): readonly (readonly [string, CommandSpec])[] {
  return Object.entries(specs).flatMap(([name, spec]) => [
    [[...before, name].join(" "), spec] as const,
    ...all(spec.parts ?? {}, [...before, name]),
  ]);
}

/** The texts of the source that reads the command line. */
function sourceOf(pattern: string): string {
  return globSync(pattern, { cwd: source })
    .map((file) => readFileSync(join(source, file), "utf8"))
    .join("\n");
}

function wrong(argv: readonly string[], spec: CommandSpec): string {
  try {
    readFlags(argv, spec);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return "";
}

describe("what a command understands", () => {
  verifies("CLI-1b", "is all read somewhere, and nothing else is", () => {
    const read = /(?:\.(?:text|has)\(|\bflag\(|\bwhole\(given, |\bleading\(argv, )"([a-z-]+)"/g;
    const names = [...sourceOf("cli/*.ts").matchAll(read)].map(([, name]) => name);
    const known = all().flatMap(([, { options }]) => Object.keys(options));
    expect([...new Set(names)].sort()).toEqual([...new Set(known)].sort());
  });

  test.each(all())("of %s is told in a line each, and what is needed comes first", (_name, spec) => {
    const told = [spec, ...Object.values(spec.options), ...Object.values(spec.parts ?? {})].map(({ does }) => does);
    expect(told.filter((does) => does.trim() === "" || does.includes("\n"))).toEqual([]);
    const needed = spec.arguments.map(({ name }) => name.startsWith("<"));
    expect(needed).toEqual([...needed].sort().reverse());
  });

  test.each(all())("of %s: an option that is nearly one is told with the one it is near to", (_name, spec) => {
    for (const name of [...Object.keys(spec.options), "help"]) {
      const typed = `--${name.slice(0, -1)}`;
      expect(wrong([typed], spec)).toBe(`unknown option ${JSON.stringify(typed)}; did you mean --${name}?`);
    }
    expect(wrong(["--nothing-like-it"], spec)).toBe('unknown option "--nothing-like-it"');
  });
});

describe("reading", () => {
  const spec = {
    does: "",
    options: { json: { does: "" }, model: { does: "", value: "<model>" }, "max-turns": { does: "", value: "<n>" } },
    arguments: [{ name: "<file>" }, { name: "[word]", most: 2 }],
    parts: { delete: { does: "", options: {}, arguments: [] } },
  } satisfies CommandSpec;

  test.each<[readonly string[], string]>([
    [["-j", "a"], 'unknown option "-j"; did you mean --json?'],
    [["-m", "a"], 'unknown option "-m"'],
    [["-p", "a"], 'unknown option "-p"'],
    [["--toString"], 'unknown option "--toString"'],
    [["--json=yes"], '--json takes no value, found "yes"'],
    [["--model"], "--model needs a value"],
    [["--json", "--json"], "--json is given twice"],
    [[], "expected <file> [word]…, found none"],
    [["a", "b", "c", "d"], 'expected <file> [word]…, found "a" "b" "c" "d"'],
    [["delte", "b", "c", "d"], 'expected <file> [word]…, found "delte" "b" "c" "d"; did you mean delete?'],
    [["a", "b", "c"], ""],
    [["a", "--", "--json"], ""],
  ])("%j", (argv, told) => {
    expect(wrong(argv, spec)).toBe(told);
  });
});

describe("help", () => {
  test.each(all())("of %s begins with its usage and is at most 120 columns wide", (name) => {
    const [command = "", ...rest] = name.split(" ");
    const text = helpForLine(command, [...rest, "--help"]);
    const shown = ["help", "version"].includes(name) ? "usage: assent [command]\n" : `usage: assent ${name}`;
    expect(text.startsWith(shown)).toBe(true);
    // An example stays as it is written.
    expect(text.split("\n").filter((line) => line.length > 120 && !/^ +\{/.test(line))).toEqual([]);
  });

  verifies("CLI-1c", "tells of every option what it takes and does", () => {
    expect(helpForLine("stop", ["--help"])).toBe(`usage: assent stop <session>

ends the open exchange of a session; what runs finishes first

  --kill                 ends what runs, too
  --help                 tells what the command does (also -h)
`);
  });

  verifies("CLI-1c", "tells of every part, and of one alone where it is named", () => {
    expect(helpForLine("policy", ["--help"])).toContain(`
  rules                  lists the rules with their examples
    --json               one object a line
  grants                 lists what is granted
`);
    expect(helpForLine("policy", ["rules", "--help"])).toBe(`usage: assent policy rules

lists the rules with their examples

  --json                 one object a line
  --help                 tells what the command does (also -h)
`);
  });
});

describe("the page", () => {
  test("docs/guide/cli.md is what the specs say now", () => {
    const file = join(root, "docs", "guide", "cli.md");
    expect(readFileSync(file, "utf8"), "npm run cli-page makes it anew").toBe(cliPage());
  });

  verifies("CLI-1b", "has a section for every command and part", () => {
    const titles = [...cliPage().matchAll(/^#{2,3} (.+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual([...all().map(([name]) => name), "Exit codes", "Environment variables"]);
  });

  test("has every exit code", () => {
    const known = Object.values(exitCodes);
    const told = exitMeanings.flatMap(({ codes }) => codes);
    // 143 and 129 are those of signals.
    expect([...told].sort()).toEqual([...known, 143, 129].sort());
  });

  test("has every variable that is read", () => {
    const read = [...sourceOf("**/*.ts").matchAll(/\bASSENT_[A-Z_]*[A-Z]\b/g)].map(([name]) => name);
    const places = catalogue.flatMap(({ keys, baseVariable }) => [...keys, baseVariable]);
    const told = environmentVariables.flatMap(({ names }) => names);
    // The tour's is from this command to itself.
    const expected = [...new Set([...read, ...places])].filter((name) => name !== "ASSENT_TOUR");
    expect(expected.filter((name) => !told.includes(name))).toEqual([]);
    expect(told.filter((name) => name.startsWith("ASSENT_") && !read.includes(name))).toEqual([]);
  });
});
