import type { Clock, Provider } from "../runtime/ports.ts";
import { type CatalogueEntry, catalogue, type FormatName, formats } from "./catalogue.ts";
import type { ClientSettings } from "./client.ts";
import type { Target } from "./format.ts";
import type { LookedFor, ServerPlace } from "./local.ts";
import { type Prices, windowOf, withCost } from "./windows.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type NamedModel =
  | { readonly type: "named"; readonly entry: CatalogueEntry; readonly model: string }
  | { readonly type: "unknown-provider"; readonly provider: string; readonly known: readonly string[] }
  /** There is no `provider:` before it, or nothing behind. */
  | { readonly type: "incomplete" };

/** Reads `provider:model`; the model may have colons and slashes of its own. */
export function readModelName(name: string): NamedModel {
  const colon = name.indexOf(":");
  const provider = colon === -1 ? name : name.slice(0, colon);
  const model = colon === -1 ? "" : name.slice(colon + 1);
  const entry = catalogue.find((each) => each.name === provider || each.short === provider);
  if (colon !== -1 && entry === undefined && provider !== "") {
    const known = catalogue.flatMap((each) => [each.name, ...(each.short === undefined ? [] : [each.short])]);
    return { type: "unknown-provider", provider, known };
  }
  if (entry === undefined || model.trim() === "") return { type: "incomplete" };
  return { type: "named", entry, model };
}

export type FoundTarget =
  | { readonly type: "found"; readonly target: Target; readonly keyName: string | null }
  | { readonly type: "no-key"; readonly variables: readonly string[] }
  | { readonly type: "bad-key"; readonly variable: string }
  | { readonly type: "bad-url"; readonly variable: string; readonly expected: string; readonly found: string }
  /** The key would be read by everybody on the way. */
  | { readonly type: "plain"; readonly url: string };

/** Where the model is and what opens it, as the environment says. */
export function targetOf(
  { entry, model }: Extract<NamedModel, { type: "named" }>,
  env: Environment,
  maxOutput: number | null,
): FoundTarget {
  const place = placeOf(entry, env);
  if (place.type === "bad-url") return place;
  const { url, explicit } = place;
  const keyName = entry.keys.find((name) => keyIn(env, name) !== null) ?? entry.keys[0] ?? null;
  const key = keyName === null ? null : keyIn(env, keyName);
  const near = isLoopback(url.hostname);
  if (key === null && keyName !== null && !near) return { type: "no-key", variables: entry.keys };
  if (key !== null && keyName !== null && !isSound(key)) return { type: "bad-key", variable: keyName };
  if (key !== null && url.protocol === "http:" && !near && !explicit) return { type: "plain", url: url.href };
  const target = {
    name: `${entry.name}:${model}`,
    model,
    baseUrl: baseUrlOf(entry, url),
    key,
    mostOutput: maxOutput,
    native: url.protocol === "https:" && url.hostname === entry.host,
  };
  return { type: "found", target, keyName };
}

/** How a person named a model: as what, by which thing of theirs, of which provider. */
type Named = { readonly name: string; readonly by: string; readonly provider: string };

/** Why that model cannot be asked, in words. */
export function noTarget(found: Exclude<FoundTarget, { type: "found" }>, { name, by, provider }: Named): string {
  switch (found.type) {
    case "no-key": {
      const expected = `the key for ${provider} in ${found.variables.join(" or ")}`;
      return `${by} ${JSON.stringify(name)}: expected ${expected}, found none`;
    }
    case "bad-key":
      return `${found.variable}: ${unsoundKey}`;
    case "bad-url":
      return badUrl(found);
    case "plain":
      return `${by} ${JSON.stringify(name)}: a key is not sent to ${found.url}: expected https`;
    default:
      return found satisfies never;
  }
}

/** What is wrong with the address of a provider, in words. */
export function badUrl({ variable, expected, found }: Extract<FoundTarget, { type: "bad-url" }>): string {
  return `${variable}: expected ${expected}, found ${JSON.stringify(found)}`;
}

/** Whether a key can be sent: it goes into a header, which holds nothing else. */
export function isSound(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** What is wrong with one that cannot. */
export const unsoundKey = "expected letters, digits and signs of ASCII alone, found something else";

/** Pasted keys often bring a line end. */
export function keyIn(env: Environment, variable: string): string | null {
  return env[variable]?.trim() || null;
}

export type FoundPlace =
  | { readonly type: "place"; readonly url: URL /** A person named it. */; readonly explicit: boolean }
  | Extract<FoundTarget, { type: "bad-url" }>;

/** Where a provider is: where its variable says, or at its usual place. */
export function placeOf({ name, baseVariable, baseUrl }: CatalogueEntry, env: Environment): FoundPlace {
  const given = env[baseVariable];
  if (!given) return { type: "place", url: new URL(baseUrl), explicit: false };
  const spelled = name === "ollama" ? ollamaUrl(given) : given;
  const wrong = (expected: string, found = given) =>
    ({ type: "bad-url", variable: baseVariable, expected, found }) as const;
  if (!/^https?:\/\//i.test(spelled)) return wrong("a URL that begins with http:// or https://");
  // What was found is left out: it may hold a password.
  if (/^[^/]*\/\/[^/?#]*@/.test(spelled)) return wrong("a URL without a user and a password", "one with them");
  const url = URL.canParse(spelled) ? new URL(spelled) : null;
  if (url === null || /^https?:\/{3}/i.test(spelled)) return wrong(expectedOf(spelled));
  if (url.search !== "" || url.hash !== "") return wrong("a URL without ? and #");
  return { type: "place", url, explicit: true };
}

/** What a URL with a good beginning lacks. */
function expectedOf(spelled: string): string {
  const [, scheme = "", place = ""] = /^(https?:\/\/)([^/?#]*)/i.exec(spelled) ?? [];
  if (place === "") return `a host behind ${scheme}`;
  const port = /^(?:\[[^\]]*\]|[^:[\]]*):(.*)$/.exec(place)?.[1];
  const isPort = port === undefined || (/^\d*$/.test(port) && Number(port) <= 65_535);
  return isPort ? "a URL with a valid host" : "a port from 0 to 65535";
}

/** As the format wants it: its path is put behind, and brings the /v1 of Anthropic's with it. */
function baseUrlOf({ format }: CatalogueEntry, url: URL): string {
  const base = url.href.replace(/\/+$/, "");
  return format === "anthropic" ? base.replace(/\/v1$/, "") : base;
}

/**
 * Ollama's own variable says where it listens, in Ollama's own spelling: a host, a port or both, a scheme or none. Where it
 * listens everywhere, this machine is meant.
 */
function ollamaUrl(given: string): string {
  // To a URL a number alone is an address, such as 0.0.70.161: somebody means a port.
  const host = given.startsWith(":") ? "127.0.0.1" : /^\d+$/.test(given) ? "127.0.0.1:" : "";
  const withScheme = /^[a-z]+:\/\//i.test(given) ? given : `http://${host}${given}`;
  if (!URL.canParse(withScheme)) return withScheme;
  const url = new URL(withScheme);
  if (withScheme !== given && url.port === "" && !/:80$/.test(given)) url.port = "11434";
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  if (url.pathname === "/") url.pathname = "/v1";
  return url.href;
}

/** Of a URL's host, which writes each address in one way. The address of all interfaces is what some servers print as their own. */
export function isLoopback(hostname: string): boolean {
  if (hostname === "localhost" || hostname === "0.0.0.0" || /^127(?:\.\d{1,3}){3}$/.test(hostname)) return true;
  return /^\[(?:::1?|::ffff:(?:0:0|7f[\da-f]{2}:[\da-f]{1,4}))\]$/.test(hostname);
}

/** What is on this machine has the window that its server was started with, whatever it is called. */
export function contextOf(
  { entry, model }: Extract<NamedModel, { type: "named" }>,
  wish: number | null,
): number | null {
  return wish ?? (entry.host === null ? null : windowOf(model));
}

/** The servers of this machine, where they would be. What a person has spelled wrong is not looked for. */
export function serverPlaces(env: Environment): readonly ServerPlace[] {
  return catalogue.flatMap((entry) => {
    const place = entry.host === null ? placeOf(entry, env) : null;
    return place?.type === "place" ? [{ name: entry.name, baseUrl: baseUrlOf(entry, place.url) }] : [];
  });
}

/** The variables of the vendors' APIs that name another place. */
export function namedVariables(env: Environment): readonly string[] {
  const variables = catalogue.filter(({ host }) => host !== null).map(({ baseVariable }) => baseVariable);
  return [...new Set(variables)].filter((variable) => env[variable]);
}

/** By which provider's name whatever serves at the address of a variable is spoken to: nearly all speak Chat Completions. */
export function servedAt(variable: string): string {
  const entries = catalogue.filter(({ baseVariable }) => baseVariable === variable);
  return (entries.find(({ format }) => format === "openai-chat") ?? entries[0])?.name ?? variable;
}

/** Where the server at the address of a variable can be asked for its models; `null` where it is not on this machine. */
export function namedPlace(variable: string, env: Environment): (ServerPlace & { readonly host: string }) | null {
  const name = servedAt(variable);
  const entry = catalogue.find((each) => each.name === name);
  const place = entry === undefined ? null : placeOf(entry, env);
  if (entry === undefined || place?.type !== "place" || !isLoopback(place.url.hostname)) return null;
  const path = entry.format === "anthropic" ? "/v1" : "";
  return { name, host: place.url.host, baseUrl: `${baseUrlOf(entry, place.url)}${path}` };
}

/** The first model of the first server that has one; what only makes vectors of texts cannot be talked to. */
export function firstModel(servers: readonly LookedFor[]): string | null {
  for (const server of servers) {
    const model = server.type === "found" ? server.models.find((each) => !/embed/i.test(each)) : undefined;
    if (model !== undefined) return `${server.name}:${model}`;
  }
  return null;
}

/** Loaded only here: whoever names a model, or has a key, never pays for it. */
export async function findServers(places: readonly ServerPlace[], withinMs: number): Promise<readonly LookedFor[]> {
  return (await import("./local.ts")).findServers(places, withinMs);
}

export type ConfiguredModel = {
  readonly target: Target;
  readonly format: FormatName;
  /** The variable that holds the key, or would hold it; `null` where none is sent. */
  readonly keyName: string | null;
  readonly context: number | null;
  readonly prices: Prices | null;
  /** What is not as it usually is. */
  readonly settings: Partial<ClientSettings>;
};

/** What a model is opened with; the server is told the version. */
type Opening = {
  readonly clock: Clock;
  readonly version?: string;
  /** A person has named it: sessions that went elsewhere may be sent there. */
  readonly named?: boolean;
};

/** A model behind its wire. What speaks to the network is loaded with the first request. */
export function openProvider(
  { context, prices, ...model }: ConfiguredModel,
  { named = false, ...opening }: Opening,
): Provider {
  let client: Promise<Provider> | undefined;
  const { origin, hostname } = new URL(model.target.baseUrl);
  const provider: Provider = {
    window: context,
    address: { origin, named: named || isLoopback(hostname) },
    async ask(question, watched) {
      client ??= openWire(model, opening);
      return (await client).ask(question, watched);
    },
  };
  return withCost(provider, prices);
}

/** What counts where nothing else is said. */
export async function usualSettings(): Promise<ClientSettings> {
  return (await import("./client.ts")).defaultSettings;
}

async function openWire(
  { target, format, keyName, settings }: Omit<ConfiguredModel, "context" | "prices">,
  opening: Opening,
): Promise<Provider> {
  const [{ openClient, defaultSettings }, spoken] = await Promise.all([import("./client.ts"), formats[format]()]);
  const whole = { ...defaultSettings, ...settings };
  return openClient({ target, format: spoken, settings: whole, random: Math.random, keyName, ...opening });
}
