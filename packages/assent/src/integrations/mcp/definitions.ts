import { createHash } from "node:crypto";
import type { Json } from "../../core/index.ts";
import { asJson, isLooseRecord, type Loose, looseList, looseRecord, looseText } from "../../wire/index.ts";
import type { OfferedDefinition, OfferedPrompt, Offers } from "../types.ts";
import { sendsFitHeaders } from "./param-headers.ts";
import { outsideLine, outsideText } from "./words.ts";

/** How much of what a server lists is taken (SEL-2: all of it is in every request to the model). */
const mostListed = 64;
const mostResources = 200;
const mostDescription = 1_000;
const mostSchemaCharacters = 8 * 1024;
const mostDepth = 20;
const mostName = 128;
const mostAddress = 1_024;
const mostOffered = 64;

export type Listed = {
  readonly tools: readonly unknown[];
  readonly prompts: readonly unknown[];
  readonly resources: readonly unknown[];
  /** Of what there is more than was asked for. */
  readonly more: readonly string[];
};

/** What a server lists, made fit to be shown and offered; what is not is left out and told of. */
export function readOffers(
  server: string,
  listed: Listed,
): Pick<Offers, "tools" | "prompts" | "resources" | "problems"> {
  const problems: string[] = [];
  const tools = readEach(listed.tools, "tool", { problems, read: (tool) => readTool(server, tool) });
  const prompts = readEach(listed.prompts, "prompt", { problems, read: readPrompt });
  const resources = readEach(listed.resources, "resource", { problems, read: readResource });
  for (const what of listed.more) problems.push(`there are more ${what} than are taken: the rest is left out`);
  return {
    tools: apart(tools),
    prompts,
    resources: resources.map(({ uri, title, description }) => ({ uri, name: title, description })),
    problems,
  };
}

type LeftOut = { readonly leftOut: string };
type Reading<T> = { readonly problems: string[]; readonly read: (given: Loose) => T | LeftOut };

/** Each of a name once: a second one could be there to pass for the first. */
function readEach<T extends { readonly name: string }>(
  given: readonly unknown[],
  what: string,
  reading: Reading<T>,
): T[] {
  const seen = new Set<string>();
  const most = what === "resource" ? mostAddress : mostName;
  return given.flatMap((each) => {
    const name = nameOf(looseRecord(each));
    const leftOut = (why: string) => {
      reading.problems.push(`the ${what} ${outsideLine(name, 80) || "without a name"} is left out: ${why}`);
      return [];
    };
    if (name === "" || name.length > most) return leftOut(`its name must have 1 to ${most} characters`);
    if (outsideLine(name, most) !== name) return leftOut("its name has hidden characters");
    if (seen.has(name)) return leftOut("there is one of that name before it");
    seen.add(name);
    const read = unlessTooDeep(() => reading.read(looseRecord(each)));
    return "leftOut" in read ? leftOut(read.leftOut) : [read];
  });
}

/** What is nested thousands of levels deep cannot even be walked through. */
function unlessTooDeep<T>(read: () => T): T | LeftOut {
  try {
    return read();
  } catch {
    return { leftOut: "it is nested too deep" };
  }
}

function nameOf({ name, uri }: Loose): string {
  return looseText(uri) || looseText(name);
}

function readTool(server: string, tool: Loose): OfferedDefinition | LeftOut {
  const name = looseText(tool["name"]);
  const schema = readSchema(tool["inputSchema"]);
  if ("leftOut" in schema) return schema;
  if (!sendsFitHeaders(schema.parameters)) return { leftOut: "what its schema says of headers cannot be sent" };
  const annotations = looseRecord(tool["annotations"]);
  return {
    name,
    offered: offeredName(server, name),
    description: outsideText(looseText(tool["description"]).trim(), mostDescription),
    parameters: schema.parameters,
    claims: claimsOf(annotations),
    digest: digestOf(tool),
  };
}

function readSchema(given: unknown): { readonly parameters: Json } | LeftOut {
  if (!isLooseRecord(given) || given["type"] !== "object") {
    return { leftOut: "its arguments are not described by an object schema" };
  }
  const parameters = cleaned(asJson(given), mostDepth);
  if (parameters === null) return { leftOut: "the schema of its arguments is too deep, or hides something in a name" };
  if (JSON.stringify(given).length > mostSchemaCharacters) {
    return { leftOut: `the schema of its arguments has more than ${mostSchemaCharacters} characters` };
  }
  return { parameters };
}

/** Texts deep inside a schema reach the model, too. `null` where that is not safe to take. */
function cleaned(value: Json, depth: number): Json | null {
  if (typeof value === "string") return outsideText(value, mostSchemaCharacters);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) {
    const each = value.map((item: Json) => (item === null ? null : { item: cleaned(item, depth - 1) }));
    return each.some((item) => item !== null && item.item === null) ? null : each.map((item) => item?.item ?? null);
  }
  const members: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    const clean = member === null ? null : cleaned(member, depth - 1);
    if ((clean === null && member !== null) || outsideLine(name, mostName) !== name || name === "__proto__")
      return null;
    members.push([name, clean]);
  }
  return Object.fromEntries(members);
}

const hints = [
  ["readOnlyHint", "only reads"],
  ["destructiveHint", "may destroy"],
  ["idempotentHint", "can be repeated"],
  ["openWorldHint", "reaches outside"],
] as const;

function claimsOf(annotations: Loose): readonly string[] {
  return hints.flatMap(([hint, words]) => (annotations[hint] === true ? [words] : []));
}

/** Of everything that is said of a tool, in an order of its own: the same words are the same digest. */
function digestOf(tool: Loose): string {
  const said = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"].map((name) =>
    ordered(tool[name]),
  );
  return createHash("sha256").update(JSON.stringify(said)).digest("hex");
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isLooseRecord(value)) return value ?? null;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, ordered(value[name])]);
}

/** As a model calls it. A name that had to be changed ends with a bit of its digest, so that two stay two. */
function offeredName(server: string, name: string): string {
  const plain = `${server}__${name}`;
  const safe = plain.replace(/[^A-Za-z0-9_-]/g, "_");
  if (safe === plain && safe.length <= mostOffered) return safe;
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return `${safe.slice(0, mostOffered - mark.length - 1)}_${mark}`;
}

/** A tool that is named as another one was made to be is left out of the names that are offered. */
function apart(tools: readonly OfferedDefinition[]): readonly OfferedDefinition[] {
  return tools.filter(({ offered }, index) => tools.findIndex((each) => each.offered === offered) === index);
}

function readPrompt(prompt: Loose): OfferedPrompt | LeftOut {
  const name = looseText(prompt["name"]);
  if (!/^[\w.-]+$/.test(name)) return { leftOut: "its name cannot be typed as a command" };
  const given = looseList(prompt["arguments"]).map(looseRecord).slice(0, mostListed);
  return {
    name,
    description: outsideLine(looseText(prompt["description"]), mostDescription),
    arguments: given
      .filter((each) => /^[\w.-]+$/.test(looseText(each["name"])))
      .map((each) => ({
        name: looseText(each["name"]),
        description: outsideLine(looseText(each["description"]), mostDescription),
        required: each["required"] === true,
      })),
  };
}

type Resource = { readonly name: string; readonly uri: string; readonly title: string; readonly description: string };

function readResource(resource: Loose): Resource | LeftOut {
  const uri = looseText(resource["uri"]);
  const title = outsideLine(looseText(resource["title"]) || looseText(resource["name"]), 200);
  return { name: uri, uri, title, description: outsideLine(looseText(resource["description"]), mostDescription) };
}

/** How many of each are asked for. */
export const mostOf = { tools: mostListed, prompts: mostListed, resources: mostResources } as const;
