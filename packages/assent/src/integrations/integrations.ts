import type { Flow } from "../core/index.ts";
import type { Clock, Secrets } from "../runtime/ports.ts";
import { addressOf } from "./address.ts";
import { type Catalogue, openCatalogue } from "./catalogue.ts";
import { callHttpTool } from "./http-tools.ts";
import { lazyServers } from "./lazy-servers.ts";
import {
  type Filled,
  fits,
  type Given,
  given,
  isUrl,
  type Known,
  knownFault,
  secretTyped,
  setUpFlow,
  tokenFault,
} from "./setup.ts";
import { counted, isMcp } from "./source.ts";
import { alike, type ConfiguredStore, openConfigured } from "./store.ts";
import {
  type Accepted,
  type CatalogueEntry,
  type Checked,
  type Configured,
  type Failed,
  failed,
  type McpCalled,
  type McpServer,
  type McpServers,
  type McpWatch,
  type Sample,
  type ToolSource,
} from "./types.ts";
import { type Ready, verify } from "./verify.ts";

/** What a person has connected, and what can be: the one source for the banner, the context and the commands (INTG-2). */
export type Integrations = {
  readonly catalogue: Catalogue;
  /** By name; the same list while nothing has changed. */
  configured(): readonly Configured[];
  /** By its name, or by the name or an alias of its service where it has no name of its own. */
  find(typed: string): Configured | null;
  /** Files that cannot be read, a line each: of the catalogue, and of what is set up. */
  problems(): readonly string[];
  /** How the tools of what is set up come; `none` also where the catalogue does not have its service any more. */
  source(configured: Configured): ToolSource;
  /** Whether the tools of a service, or of what is set up, come from an MCP server. */
  hasServer(of: Configured | CatalogueEntry): boolean;

  /** The questions that are left beside what is known; `null` when there is none. Of secrets nothing is ever known. */
  setUpFlow(entry: CatalogueEntry, known: Known): Flow | null;
  /** Why what is known cannot be set up, said without its values; to be asked before any of it is recorded. */
  knownFault(entry: CatalogueEntry, known: Known): string | null;
  /** What is to be saved, without a secret in it: fit for a plan. `filled` is `null` where nothing had to be asked. */
  given(entry: CatalogueEntry, known: Known, filled: Filled | null): Given | Failed;
  /** `secret` reads the answers that the session keeps, by the names that are in `given`. */
  save(given: Given, secret: (name: string) => string | null): Promise<Configured | Failed>;

  /** Never throws, and saves what came out for the next time. One that is not set up is `missing` (INTG-3). */
  verify(name: string, watch: McpWatch): Promise<Checked>;
  /** With its secrets, and its connection; `null` when it is gone. */
  remove(name: string): Promise<Failed | null>;
  /** What a person accepted of its MCP server, for good; `null` when it is saved. */
  accept(name: string, accepted: Accepted): Failed | null;
  /** The values of all secrets that are long enough to be hidden; the same list while nothing has changed (INTG-4). */
  values(): readonly string[];
  /** As it is reached, with its secrets: for `servers` alone, never to be shown or kept. */
  server(name: string): McpServer | Failed;
  /** The connections; nothing of them is loaded before the first. */
  readonly servers: McpServers;
  /** Runs a tool of the kind `http`; `arguments` as the model gave them. */
  lookUp(name: string, call: HttpCall): Promise<McpCalled | Failed>;
  /** In one line, without the word for what it is: `sentry (passed), everything (mcp, 13 tools)`, or `none`. */
  describe(): string;
};

export type HttpCall = {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
};

export type IntegrationsOptions = {
  readonly folders: {
    /** What is set up: a file each. */
    readonly configured: string;
    /** The entries that a person has added: a file each. */
    readonly catalogue: string;
  };
  /** Where their secrets are, and nothing else is. */
  readonly secrets: Secrets;
  /** Writes a file for its owner alone, durable when it returns. */
  readonly write: (file: string, text: string) => void;
  readonly remove: (path: string) => void;
  /** Takes what is too long for one line, such as whole errors. */
  readonly log: (name: string, text: string) => void;
  /** Of Assent, as servers are told. */
  readonly version: string;
  readonly clock: Clock;
  /** In which servers are started: the person's home. */
  readonly cwd: string;
  readonly sample?: Sample;
  /** Instead of the real ones. */
  readonly servers?: () => Promise<McpServers>;
  /** How long a verification waits for an answer; 10 s unless it says otherwise. */
  readonly verifyMs?: number;
};

export function openIntegrations(options: IntegrationsOptions): Integrations {
  const { folders, log } = options;
  const catalogue = openCatalogue({ folder: folders.catalogue });
  const store = openConfigured({ ...options, folder: folders.configured });
  const servers = lazyServers(options.servers ?? (() => realServers(options)), (text) => log("mcp", text));
  const all: Parts = { options, catalogue, store, servers };
  const source = ({ service }: Configured): ToolSource => catalogue.find(service)?.tools ?? { type: "none" };
  return {
    catalogue,
    servers,
    configured: store.list,
    values: store.values,
    find: (typed) => findConfigured(all, typed),
    problems: () => [...catalogue.problems(), ...store.problems()],
    source,
    hasServer: (of) => isMcp("tools" in of ? of.tools : source(of)),
    setUpFlow,
    knownFault,
    given: (entry, known, filled) => given(entry, known, { filled, catalogue, configured: store.list() }),
    save: (saved, secret) => save(all, saved, secret),
    verify: (name, watch) => verifyAndKeep(all, name, watch),
    remove: (name) => removeWhole(all, name),
    accept(name, accepted) {
      const configured = store.get(name);
      return configured === null ? failed(notSetUp(name)) : store.put({ ...configured, accepted });
    },
    server: (name) => serverOf(all, name),
    async lookUp(name, call) {
      const found = ready(all, name);
      return "missing" in found ? failed(found.missing) : callHttpTool(found, call, { signal: call.signal, log });
    },
    describe: () =>
      store
        .list()
        .map((each) => describe(each, catalogue))
        .join(", ") || "none",
  };
}

type Parts = {
  readonly options: IntegrationsOptions;
  readonly catalogue: Catalogue;
  readonly store: ConfiguredStore;
  readonly servers: McpServers;
};

async function realServers({ log, clock, version, cwd, sample }: IntegrationsOptions): Promise<McpServers> {
  const { openMcpServers } = await import("./mcp/servers.ts");
  return openMcpServers({ log, clock, version, cwd, ...(sample === undefined ? {} : { sample }) });
}

function findConfigured({ store, catalogue }: Parts, typed: string): Configured | null {
  const wanted = typed.trim().toLowerCase();
  const entry = catalogue.find(wanted);
  return store.get(wanted) ?? (entry === null || entry.named ? null : store.get(entry.name));
}

function notSetUp(name: string): string {
  return `${name} is not set up; /integrations setup ${name} does that`;
}

/** Everything that a request of it needs, or why there is none. */
function ready({ store, catalogue }: Parts, name: string): Ready | { readonly missing: string } {
  const configured = store.get(name);
  if (configured === null) return { missing: notSetUp(name) };
  const entry = catalogue.find(configured.service);
  if (entry === null) return { missing: `${name}: the catalogue has no ${configured.service} any more` };
  const secrets = configured.secrets.map((key) => [key, store.secret(name, key)] as const);
  const gone = secrets.find(([, value]) => value === null)?.[0];
  if (gone !== undefined)
    return { missing: `${name}: its ${gone} is gone; /integrations setup ${name} enters it again` };
  const values = { ...configured.fields, ...Object.fromEntries(secrets.map(([key, value]) => [key, value ?? ""])) };
  return { configured, entry, values, secrets: secrets.flatMap(([, value]) => value ?? []) };
}

function serverOf(parts: Parts, name: string): McpServer | Failed {
  const found = ready(parts, name);
  if ("missing" in found) return failed(found.missing);
  const address = addressOf(found.entry.tools, found.values);
  if (address === null) return failed(`${name} has no MCP server`);
  if ("failed" in address) return failed(`${name}: ${address.failed}`);
  const { accepted, folder } = found.configured;
  const placed = address.type === "command" && folder !== undefined ? { ...address, cwd: folder } : address;
  return { name, address: placed, sampling: accepted?.sampling ?? false };
}

type ReadSecret = (name: string) => string | null;

async function save(parts: Parts, saved: Given, secret: ReadSecret): Promise<Configured | Failed> {
  const { catalogue, store, servers, options } = parts;
  const entry = catalogue.find(saved.service);
  if (entry === null) return failed(`the catalogue has no ${saved.service}`);
  const secrets = typedSecrets(entry, saved, secret);
  if ("failed" in secrets) return secrets;
  const unfit = tokenFault(entry, saved.fields, secrets.values);
  if (unfit !== null) return failed(unfit);
  const before = store.get(saved.name);
  const typed = entry.tools.type === "mcp-given" && !isUrl(saved.fields[entry.tools.address] ?? "");
  const place = typed && saved.folder !== undefined ? { folder: saved.folder } : {};
  const isSame = before !== null && alike(before.fields, saved.fields) && before.folder === place.folder;
  const configured: Configured = {
    name: saved.name,
    service: entry.name,
    fields: saved.fields,
    secrets: Object.keys(secrets.values),
    ...place,
    since: new Date(options.clock.now()).toISOString(),
    checked: null,
    // What was accepted is of a server at one address; at another there is another server.
    accepted: isSame ? before.accepted : null,
  };
  const problem = store.put(configured, secrets.values);
  if (problem !== null) return problem;
  await servers.close(saved.name);
  return configured;
}

function typedSecrets(
  entry: CatalogueEntry,
  { secrets }: Given,
  secret: ReadSecret,
): { readonly values: Known } | Failed {
  const values = new Map<string, string>();
  for (const field of entry.fields) {
    const name = secrets[field.key];
    if (name === undefined) continue;
    const typed = secret(name);
    if (typed === null) return failed(`${field.key}: it is no longer kept`);
    const value = secretTyped(field, typed);
    if (value !== null && !fits(field, value)) return failed(`${field.key}: expected ${field.expected ?? "one line"}`);
    if (value !== null && value !== "") values.set(field.key, value);
    else if (!field.optional) return failed(`${field.key}: is missing`);
  }
  return { values: Object.fromEntries(values) };
}

async function removeWhole({ store, servers }: Parts, name: string): Promise<Failed | null> {
  const configured = store.get(name);
  if (configured === null) return failed(notSetUp(name));
  await servers.close(name);
  store.remove(name);
  const left = configured.secrets.filter((key) => store.secret(name, key) !== null);
  if (left.length > 0) return failed(`${name}: its ${left.join(" and ")} could not be removed`);
  return store.get(name) === null ? null : failed(`${name} could not be removed`);
}

async function verifyAndKeep(parts: Parts, name: string, watch: McpWatch): Promise<Checked> {
  const { store, options } = parts;
  const found = ready(parts, name);
  const at = () => new Date(options.clock.now()).toISOString();
  if ("missing" in found) return keep(parts, name, { status: "missing", detail: found.missing, at: at() });
  const verified = await verify(found, {
    signal: watch.signal,
    log: options.log,
    connect: () => connect(parts, name, watch),
    timeoutMs: options.verifyMs,
  });
  // Meanwhile it may have been removed, set up anew or given up: then this says nothing of it.
  const still = store.get(name)?.since === found.configured.since && !watch.signal.aborted;
  const checked = { ...verified, at: at() };
  return still ? keep(parts, name, checked) : checked;
}

function keep({ store, options }: Parts, name: string, checked: Checked): Checked {
  const configured = store.get(name);
  const problem = configured === null ? null : store.put({ ...configured, checked });
  if (problem !== null) options.log(name, problem.failed);
  return checked;
}

async function connect(parts: Parts, name: string, watch: McpWatch): Promise<{ readonly detail: string } | Failed> {
  const server = serverOf(parts, name);
  if ("failed" in server) return server;
  const offers = await parts.servers.open(server, watch);
  // To try one is to accept nothing of it: it is not left running, nor is one that was given up while it started.
  if (parts.store.get(name)?.accepted?.connected !== true) await parts.servers.close(name);
  if ("failed" in offers) return offers;
  return { detail: `connected; it offers ${counted(offers.tools.length, "tool")}` };
}

function describe({ name, service, checked, accepted }: Configured, catalogue: Catalogue): string {
  const entry = catalogue.find(service);
  const facts = [
    ...(service === name ? [] : [service]),
    ...(checked === null ? (entry?.verify ? ["not verified"] : []) : [checked.status]),
    ...(entry !== null && isMcp(entry.tools) ? [connection(accepted)] : []),
  ];
  return facts.length === 0 ? name : `${name} (${facts.join(", ")})`;
}

function connection(accepted: Accepted | null): string {
  if (accepted === null) return "no tools accepted";
  return accepted.connected ? counted(accepted.tools.length, "tool") : "disconnected";
}
