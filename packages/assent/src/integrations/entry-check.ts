import { lintFlow } from "../core/interaction/index.ts";
import { fieldsOf, setUpFlow } from "./setup.ts";
import { isMcp } from "./source.ts";
import { keysOf, partsOf, splitUrl } from "./template.ts";
import type { CatalogueEntry, HttpTool, Template } from "./types.ts";

/** What is wrong with an entry beyond its form: the first thing, in one line that names the field; `null` when nothing is. */
export function entryFault(entry: CatalogueEntry): string | null {
  const { verify, tools, fields } = entry;
  const faults = [
    fieldFault(entry),
    ...textsOf(entry).map(([where, template]) =>
      textFault(
        where,
        template,
        fields.map(({ key }) => key),
      ),
    ),
    ...urlsOf(entry).map(([where, template]) => urlFault({ where, template, parameters: {} }, entry)),
    ...(tools.type === "http" ? tools.tools.map((tool) => toolFault(tool, entry)) : []),
    tools.type === "mcp-given" ? givenFault(tools, entry) : null,
    shownSecret(entry),
    verify === null && !isMcp(tools) ? "verify: is missing; only an MCP server is verified without" : null,
  ];
  return faults.find((fault) => fault !== null) ?? null;
}

function fieldFault(entry: CatalogueEntry): string | null {
  for (const { key, pattern, secret, usual } of entry.fields) {
    if (key === "name") return "fields: name is the key of what it is called";
    if (secret && usual !== undefined) return `fields: ${key}: a secret has no usual value`;
    if (pattern !== undefined && !compiles(pattern)) {
      return `fields: ${key}: expected a regular expression, found ${JSON.stringify(pattern)}`;
    }
  }
  const flow = setUpFlow(entry, {});
  const [problem] = flow === null ? [] : lintFlow(flow);
  if (problem !== undefined) return `fields: ${problem.detail}`;
  return fieldsOf(entry).length > 0 ? null : "fields: expected one at least";
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, "u") !== null;
  } catch {
    return false;
  }
}

type Named = readonly (readonly [where: string, template: Template])[];

/** Every template that is no URL. */
function textsOf({ verify, tools }: CatalogueEntry): Named {
  const headers = (where: string, given: Readonly<Record<string, Template>>): Named =>
    Object.entries(given).map(([name, template]) => [`${where}.${name}`, template]);
  return [
    ...(verify === null ? [] : headers("verify.headers", verify.headers)),
    ...(verify?.body === undefined ? [] : [["verify.body", verify.body] as const]),
    ...("headers" in tools ? headers("tools.headers", tools.headers) : []),
    ...("env" in tools ? headers("tools.env", tools.env) : []),
    ...("command" in tools ? tools.command.map((word) => ["tools.command", word] as const) : []),
  ];
}

function urlsOf({ verify, tools }: CatalogueEntry): Named {
  return [
    ...(verify === null ? [] : [["verify.url", verify.url] as const]),
    ...("url" in tools ? [["tools.url", tools.url] as const] : []),
  ];
}

function textFault(where: string, template: Template, known: readonly string[]): string | null {
  if (partsOf(template) === null) return `${where}: expected {key} or {{, found ${JSON.stringify(template)}`;
  const strange = keysOf(template).find((key) => !known.includes(key));
  return strange === undefined ? null : `${where}: no field is called ${strange}`;
}

type UrlTemplate = {
  readonly where: string;
  readonly template: Template;
  readonly parameters: HttpTool["parameters"];
};

function urlFault({ where, template, parameters }: UrlTemplate, { fields }: CatalogueEntry): string | null {
  const keys = fields.map(({ key }) => key);
  const fault = textFault(where, template, [...keys, ...Object.keys(parameters)]);
  if (fault !== null) return fault;
  const { origin, path } = splitUrl(template);
  if (!/^https?:\/\/.|^\{[^{}]+\}$/.test(origin))
    return `${where}: expected https://… or {field}/…, found ${JSON.stringify(template)}`;
  const open = keysOf(origin).find((key) => !fields.some((field) => field.key === key && !field.secret));
  if (open !== undefined) return `${where}: the host takes fields that are no secrets, found {${open}}`;
  const missing = keysOf(`${origin}${path}`).find((key) => fields.some((field) => field.key === key && field.optional));
  const left = missing ?? keysOf(path).find((key) => parameters[key]?.optional);
  return left === undefined ? null : `${where}: {${left}} may be left out, so it can stand in the query only`;
}

function toolFault({ name, url, parameters }: HttpTool, entry: CatalogueEntry): string | null {
  const where = `tools.${name}`;
  const double = Object.keys(parameters).find((key) => entry.fields.some((field) => field.key === key));
  if (double !== undefined) return `${where}: ${double} is a field and a parameter`;
  const unused = Object.keys(parameters).find((key) => !keysOf(url).includes(key));
  if (unused !== undefined) return `${where}: the url has no {${unused}}`;
  return urlFault({ where: `${where}.url`, template: url, parameters }, entry);
}

type GivenSource = { readonly address: string; readonly token: string };

function givenFault({ address, token }: GivenSource, { fields }: CatalogueEntry): string | null {
  const [first, second] = [address, token].map((key) => fields.find((field) => field.key === key));
  if (first === undefined || first.secret || first.optional)
    return `tools.address: expected a field that is no secret, found ${address}`;
  if (!second?.secret) return `tools.token: expected a secret field, found ${token}`;
  return null;
}

/** Everyone on a machine can read the words of a command. */
function shownSecret({ tools, fields }: CatalogueEntry): string | null {
  if (tools.type !== "mcp-command") return null;
  const secrets = fields.filter(({ secret }) => secret).map(({ key }) => key);
  const shown = tools.command.flatMap(keysOf).find((key) => secrets.includes(key));
  return shown === undefined
    ? null
    : `tools.command: {${shown}} is a secret, so it goes in env: others read a command's words`;
}
