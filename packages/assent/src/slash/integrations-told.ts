import { visibleLine } from "../core/interaction/index.ts";
import type { CatalogueEntry, Checked, Configured, Field, Integrations } from "../integrations/index.ts";
import { aligned, counted } from "./listing.ts";

/** For programs, one object a line, or for people. */
type Form = { readonly json: boolean };

/** A service as it is listed: set up or not. */
type Listed = { readonly entry: CatalogueEntry | null; readonly configured: Configured | null };

/** As listings have it: their form is a promise (docs/guide/integrations.md). No secret is in it, and nothing of one. */
type IntegrationLine = {
  readonly name: string;
  readonly service: string;
  readonly title: string;
  readonly set_up: boolean;
  readonly since: string | null;
  readonly status: Checked["status"] | null;
  readonly detail: string | null;
  readonly checked: string | null;
  readonly tools_by: "none" | "http" | "mcp";
  readonly connected: boolean;
  readonly tools: number;
};

/** What is set up, then what can be; a line each. */
export function listedIntegrations(integrations: Integrations, { json }: Form): readonly string[] {
  const all = everyListed(integrations);
  if (json) return all.map((each) => JSON.stringify(lineOf(integrations, each)));
  return aligned(
    all.map((each) => {
      const line = lineOf(integrations, each);
      return [line.name, stateOf(line, each), each.configured === null ? aboutOf(each) : toolsOf(line, each)].map(
        visibleLine,
      );
    }),
  );
}

function everyListed(integrations: Integrations): readonly Listed[] {
  const configured = integrations.configured();
  const { catalogue } = integrations;
  const rest = catalogue
    .entries()
    .filter(({ name, named }) => named || !configured.some((each) => each.service === name));
  return [
    ...configured.map((each) => ({ configured: each, entry: catalogue.find(each.service) })),
    ...rest.map((entry) => ({ configured: null, entry })),
  ];
}

/** One by what was typed: what is set up, or else the service; `null` where there is neither. */
export function findListed(integrations: Integrations, typed: string): Listed | null {
  const configured = integrations.find(typed);
  const entry = integrations.catalogue.find(configured?.service ?? typed);
  return configured === null && entry === null ? null : { configured, entry };
}

/** Every word by which one can be found. */
export function integrationNames({ catalogue, configured }: Integrations): readonly string[] {
  return [...new Set([...configured().map(({ name }) => name), ...catalogue.names()])];
}

function lineOf(integrations: Integrations, listed: Listed): IntegrationLine {
  const { entry, configured } = listed;
  const { since = null, checked = null } = configured ?? {};
  const name = configured?.name ?? entry?.name ?? "";
  const service = configured?.service ?? name;
  return {
    ...{ name, service, title: entry?.title ?? service, set_up: configured !== null, since },
    ...{ status: checked?.status ?? null, detail: checked?.detail ?? null, checked: checked?.at ?? null },
    ...toolsLine(integrations, listed),
  };
}

/** How many tools a model is offered because of it. */
function toolsLine(
  integrations: Integrations,
  { entry, configured }: Listed,
): Pick<IntegrationLine, "tools_by" | "connected" | "tools"> {
  const source = configured === null ? (entry?.tools ?? none) : integrations.source(configured);
  if (source.type === "none") return { tools_by: "none", connected: false, tools: 0 };
  if (source.type === "http") {
    return { tools_by: "http", connected: false, tools: configured === null ? 0 : source.tools.length };
  }
  const accepted = configured?.accepted ?? null;
  const connected = accepted?.connected === true;
  return { tools_by: "mcp", connected, tools: connected ? accepted.tools.length : 0 };
}

const none = { type: "none" } as const;

function stateOf({ set_up, status }: IntegrationLine, { entry }: Listed): string {
  if (set_up) return status ?? "not verified";
  // What is set up of it is listed under its own name.
  return entry?.named ? "any number" : "not set up";
}

function aboutOf({ entry }: Listed): string {
  if (entry === null) return "";
  const { title, about, aliases } = entry;
  return `${title}: ${about.replace(/\.$/u, "")}${aliases.length === 0 ? "" : ` (also ${aliases.join(", ")})`}`;
}

function toolsOf(
  { tools, tools_by, connected, status, detail }: IntegrationLine,
  { entry, configured }: Listed,
): string {
  const unused = configured?.accepted === null ? "not connected yet" : "disconnected";
  const offered = tools_by === "mcp" ? `mcp, ${connected ? counted(tools, "tool") : unused}` : counted(tools, "tool");
  const gone = entry === null ? `; the catalogue has no ${configured?.service} any more` : "";
  return `${offered}${gone}${status === null || status === "passed" ? "" : `; ${detail}`}`;
}

/** All about one. */
export function shownIntegration(integrations: Integrations, listed: Listed, { json }: Form): readonly string[] {
  const line = lineOf(integrations, listed);
  const { entry, configured } = listed;
  const fields = Object.entries(configured?.fields ?? {}).map(([key, value]) => [key, withoutKeys(value)] as const);
  const secrets = configured?.secrets ?? [];
  const names = toolNames(integrations, listed);
  if (json) {
    const asked = (entry?.fields ?? []).map(({ key, secret, optional = false }) => ({ key, secret, optional }));
    const more = { about: entry?.about ?? null, aliases: entry?.aliases ?? [], asked };
    return [JSON.stringify({ ...line, ...more, fields: Object.fromEntries(fields), secrets, tool_names: names })];
  }
  const rows =
    configured === null
      ? (entry?.fields ?? []).map((field) => [field.key, describeField(field)])
      : [...fields.map(([key, value]) => [key, value]), ...secrets.map((key) => [key, "kept, and shown nowhere"])];
  const later = configured === null && line.tools_by === "mcp" ? "those of its MCP server that you accept" : null;
  const tools = names.length === 0 ? (later ?? toolsOf(line, listed)) : names.join(", ");
  return [
    visibleLine(`${line.name === entry?.name ? "" : `${line.name}, `}${aboutOf(listed) || line.service}`),
    ...aligned(
      [["state", describeState(line, listed)], ...rows, ["tools", tools]].map((row) => row.map(visibleLine)),
    ).map((row) => `  ${row}`),
  ];
}

function describeState(line: IntegrationLine, { entry }: Listed): string {
  const none = entry?.named ? "any number can be set up" : "not set up";
  if (!line.set_up) return `${none}; /integrations setup ${line.name} begins`;
  const { since, status, detail, checked } = line;
  if (status === null) return `set up ${since}; /integrations verify ${line.name} tries it`;
  return `set up ${since}; ${status} ${checked}: ${detail}`;
}

function describeField({ secret, optional, usual, expected, find }: Field): string {
  const kinds = [
    ...(secret ? ["a secret"] : []),
    ...(optional === true ? ["may be left out"] : []),
    ...(usual === undefined ? [] : [`usually ${usual}`]),
    ...(expected === undefined ? [] : [expected]),
    ...(find === undefined ? [] : [find]),
  ];
  return kinds.length === 0 ? "asked for" : kinds.join("; ");
}

function toolNames(integrations: Integrations, { entry, configured }: Listed): readonly string[] {
  const source = configured === null ? entry?.tools : integrations.source(configured);
  if (source?.type === "http") return source.tools.map(({ name }) => name);
  return configured?.accepted?.connected === true ? configured.accepted.tools.map(({ offered }) => offered) : [];
}

/** What a shell takes as one word, or the rest of one. */
const word = String.raw`(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+`;
const assigned = new RegExp(String.raw`(?<=^|\s)([A-Za-z_]\w*=)(${word})`, "gsu");
const option = new RegExp(
  String.raw`(?<=\s)(--?[\w-]*(?:key|token|secret|passw|pwd|auth|credential)[\w-]*(?:=|\s+))(?!-)(${word})`,
  "gisu",
);

/**
 * An address may have a key in it that nobody has called a secret: of a URL, who and what is asked for is left out; of a
 * command, what its variables and the options of such a name are set to.
 */
export function withoutKeys(value: string): string {
  return withoutQueries(value).replace(assigned, hiddenValue).replace(option, hiddenValue);
}

/** What only stands for a secret may be seen. */
function hiddenValue(whole: string, name: string, value: string): string {
  return /^["']?\{[a-z0-9_]+\}["']?$/u.test(value) ? whole : `${name}…`;
}

function withoutQueries(value: string): string {
  return value.replace(/\bhttps?:\/\/[^\s"']+/giu, (found) => {
    if (!URL.canParse(found)) return found;
    const { origin, pathname, search } = new URL(found);
    // A slash that nobody wrote is not shown.
    const path = pathname === "/" && !found.replace(/[?#].*$/u, "").endsWith("/") ? "" : pathname;
    return `${origin}${path}${search === "" ? "" : "?…"}`;
  });
}

/** How verifications came out, a line each. */
export function verifiedLines(
  all: readonly { readonly name: string; readonly checked: Checked }[],
  { json }: Form,
): readonly string[] {
  if (json) {
    return all.map(({ name, checked: { status, detail, at } }) =>
      JSON.stringify({ name, status, detail, checked: at }),
    );
  }
  return aligned(all.map(({ name, checked: { status, detail } }) => [name, status, visibleLine(detail)]));
}
