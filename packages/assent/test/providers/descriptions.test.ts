import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { describe, expect, test } from "vitest";
import { type Json, systemPrompt } from "../../src/core/index.ts";
import { mostKeyLength, mostSteps } from "../../src/core/interaction/flow.ts";
import { formats } from "../../src/providers/catalogue.ts";
import type { ModelQuestion } from "../../src/runtime/index.ts";
import { openRedacting } from "../../src/runtime/redaction.ts";
import { offeredCommands, readModelLine } from "../../src/slash/index.ts";
import { agenticSchema } from "../../src/tools/agentic.ts";
import { askSchema } from "../../src/tools/ask.ts";
import { completeSchema } from "../../src/tools/complete.ts";
import { editSchema, listSchema, readSchema, searchSchema, writeSchema } from "../../src/tools/files/arguments.ts";
import { mostFileBytes } from "../../src/tools/files/matches.ts";
import { flowSchema } from "../../src/tools/flow.ts";
import { openTools } from "../../src/tools/index.ts";
import { interactiveSchema } from "../../src/tools/run-interactive.ts";
import { slashSchema } from "../../src/tools/slash.ts";
import { processSchema, terminalSchema } from "../../src/tools/terminal-arguments.ts";

const slash = {
  commands: offeredCommands,
  setsUp: true,
  whyNotLaunched: () => null,
  read: readModelLine,
  run: async () => ({ type: "output", text: "" }) as const,
};
const redacting = openRedacting(() => []);
/** All that a model is ever told of: a shell offers its commands as well. */
const tools = openTools({ shell: "bash", folder: "/nowhere", hidden: [], pty: false, redacting, slash });

/** What reads the arguments of each tool: the promise that `parameters` makes is checked against it. */
const schemas: Readonly<Record<string, GenericSchema>> = {
  agentic: agenticSchema,
  complete: completeSchema,
  ask: askSchema,
  flow: flowSchema,
  terminal: terminalSchema,
  process: processSchema,
  read_file: readSchema,
  write_file: writeSchema,
  edit_file: editSchema,
  list_files: listSchema,
  search_files: searchSchema,
  slash_invoke: slashSchema,
  run_interactive: interactiveSchema,
};

/** Every session pays for these bytes before a person has said a word: what is added must be worth it. */
const mostBytes = 12 * 1024;

describe("what a model is told of the tools", () => {
  test.each(tools.map(({ name, parameters }) => [name, parameters]))(
    "%s takes what it says that it takes",
    (name, parameters) => {
      expect(structureOf(parameters)).toEqual(structureOf(readBy(name)));
    },
  );

  test("every property is described, and its default is named there", () => {
    const missing = tools.flatMap(({ name, parameters }) =>
      propertiesOf(parameters).flatMap(([path, property]) => {
        const given = propertiesOf(readBy(name)).find(([other]) => other === path)?.[1]["default"];
        const description = String(property["description"] ?? "");
        const named = given === undefined || Array.isArray(given) || description.includes(`Default ${given}`);
        return description !== "" && named ? [] : [`${name}.${path}: default ${JSON.stringify(given)}: ${description}`];
      }),
    );
    expect(missing).toEqual([]);
  });

  test("a pid is told as a number, and read as a text as well", () => {
    const readings = [7, "7"].map((process) =>
      tools.find(({ name }) => name === "process")?.read(JSON.stringify({ operation: "read", process })),
    );
    expect(readings).toEqual([
      { type: "tool", parallel: false },
      { type: "tool", parallel: false },
    ]);
  });

  test("each says what it is for and what it is not for", () => {
    const silent = tools.filter(({ description }) => !/\bUse it\b/.test(description) || !/\bNot\b/.test(description));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test("the tools that are named there and in the system prompt exist", () => {
    const text = [systemPrompt, ...tools.map(({ description }) => description)].join(" ");
    const known = tools.map(({ name }) => name);
    const unknown = (text.match(/\b[a-z]+_files?\b/g) ?? []).filter((name) => !known.includes(name));
    expect(unknown).toEqual([]);
  });

  test("the commands of the shell are those that a model may run, and without a shell there are none", () => {
    const told = tools.find(({ name }) => name === "slash_invoke")?.description ?? "";
    expect(told.match(/\/[a-z-]+/g)?.toSorted()).toEqual(offeredCommands.map(({ name }) => `/${name}`).toSorted());
    const without = openTools({ shell: "bash", folder: "/nowhere", hidden: [], pty: false, redacting });
    expect(without.filter(({ name }) => name === "slash_invoke" || name === "run_interactive")).toEqual([]);
  });

  test("limits that stand in words are those that hold", () => {
    const told = (tool: string) => JSON.stringify(tools.find(({ name }) => name === tool));
    expect(told("search_files")).toContain(`up to ${mostFileBytes / 1024 / 1024} MB`);
    expect(told("flow")).toContain(`1 to ${mostSteps}, in order`);
    expect(told("flow")).toContain(`at most ${mostKeyLength} characters`);
    expect(told("terminal")).toContain('"maximum":300');
    expect(told("terminal")).toContain("Work over 300 s");
  });
});

describe("the first request", () => {
  test.each(Object.entries(formats))("fits in its budget as %s, tools and all", async (_name, format) => {
    const facts = [`cwd: /${"d".repeat(120)}`, "platform: linux", "date: 2026-01-31", "integrations: none configured"];
    const question: ModelQuestion = {
      ...{ session: "s", number: 1, wanted: "reply", system: systemPrompt },
      tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      request: {
        ...{ messages: [], tools: "offered", regeneration: 0 },
        closing: [...facts, "", "What does this project do, and how is it built and tested?"].join("\n"),
      },
    };
    const model = "a-model-with-a-name-of-usual-length";
    const target = {
      name: `x:${model}`,
      model,
      baseUrl: "https://models.example",
      key: null,
      mostOutput: null,
      native: true,
    };
    expect(Buffer.byteLength((await format()).encode(question, target))).toBeLessThanOrEqual(mostBytes);
  });

  // After a change that is meant: npx vitest run packages/assent/test/providers/descriptions.test.ts -u
  test("says what it said before", async () => {
    const told = tools.map(
      ({ name, description, parameters }) => `## ${name}\n\n${description}\n\n${JSON.stringify(parameters, null, 2)}\n`,
    );
    const text = [`# system prompt\n\n${systemPrompt}\n`, "# tools\n", ...told].join("\n");
    await expect(text).toMatchFileSnapshot("golden/first-request.txt");
  });

  test("holds nothing that differs from day to day or from place to place", () => {
    const text = JSON.stringify([systemPrompt, tools.map(({ description, parameters }) => [description, parameters])]);
    expect(text).not.toMatch(/\b20\d\d-\d\d|\/home\/|\/tmp\/|\/Users\//);
    expect(text).not.toContain(process.cwd());
  });
});

function readBy(name: string): Json {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`no schema is known for ${name}`);
  // What cannot be said in JSON Schema (checks of characters) is left to the reader of the arguments.
  return JSON.parse(JSON.stringify(toJsonSchema(schema, { typeMode: "input", errorMode: "ignore" })));
}

/** Names, types, what is required, enums and bounds; without the words. */
function structureOf(schema: Json): Json {
  if (!isObject(schema)) return schema;
  // That a text must not be empty is left to the reader of the arguments, like its characters.
  const {
    description,
    default: given,
    $schema,
    minLength,
    properties = null,
    items,
    required,
    maximum,
    ...rest
  } = schema;
  // A pid: see the test of its own.
  if (JSON.stringify(rest) === '{"anyOf":[{"type":"string"},{"type":"number"}]}')
    return structureOf({ type: "integer" });
  const each = isObject(properties) ? Object.entries(properties) : [];
  return {
    ...rest,
    // The largest number that JSON carries exactly is nothing that a model must be told.
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(items === undefined ? {} : { items: structureOf(items) }),
    properties: Object.fromEntries(each.map(([key, property]) => [key, structureOf(property)])),
    required: required ?? [],
  };
}

type JsonObject = { readonly [key: string]: Json };

/** Every property with its path, also those of the items of a list. */
function propertiesOf(schema: Json, before = ""): readonly (readonly [string, JsonObject])[] {
  if (!isObject(schema)) return [];
  const { properties = {}, items = null } = schema;
  const own = isObject(properties) ? Object.entries(properties) : [];
  return [
    ...own.flatMap(([key, each]) =>
      isObject(each) ? [[`${before}${key}`, each] as const, ...propertiesOf(each, `${before}${key}.`)] : [],
    ),
    ...propertiesOf(items, before),
  ];
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
