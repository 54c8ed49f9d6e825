import {
  Client,
  type ClientOptions,
  ProtocolError,
  type RequestOptions,
  type StandardSchemaV1,
} from "@modelcontextprotocol/client";
import type { Clock } from "../../runtime/ports.ts";
import { type Loose, looseCount, looseList, looseRecord, looseText, messageOf } from "../../wire/index.ts";
import type { Failed, McpServer } from "../types.ts";
import { messageText } from "./content.ts";
import { type Listed, mostOf } from "./definitions.ts";
import type { Elicited, Wanted } from "./elicitation.ts";
import { unsentCode } from "./gate.ts";
import { HttpTransport } from "./http.ts";
import type { McpLimits } from "./limits.ts";
import { notStarted, StdioTransport } from "./stdio.ts";
import { outsideLine } from "./words.ts";

/** How the connection is made, and what it may want while it is there. */
export type LinkOptions = {
  readonly server: McpServer;
  readonly version: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly limits: McpLimits;
  /** Whether the server is known to speak the older protocol. */
  readonly older: boolean;
  readonly log: (text: string) => void;
  readonly onEnd: (link: Link) => void;
  readonly onChanged: () => void;
  /** The signal says that the server does not want to know any more. */
  readonly elicit: (params: unknown, signal: AbortSignal) => Promise<Elicited>;
  /** `null`: it may not. */
  readonly sample: ((wanted: Wanted, signal: AbortSignal) => Promise<string | Failed>) | null;
};

export type Asking = { readonly signal: AbortSignal; readonly onProgress?: (line: string) => void };

/** An open connection. Its promises are rejected when something goes wrong; `describe` puts that into words. */
export type Link = {
  readonly about: { readonly title: string; readonly version: string; readonly protocol: string };
  readonly older: boolean;
  list(asking: Asking): Promise<Listed>;
  call(
    given: { readonly tool: string; readonly arguments: unknown; readonly schema: unknown },
    asking: Asking,
  ): Promise<unknown>;
  read(uri: string, asking: Asking): Promise<unknown>;
  prompt(name: string, given: Readonly<Record<string, string>>, asking: Asking): Promise<unknown>;
  /** Asks for no more than a sign of life. */
  greet(asking: Asking): Promise<unknown>;
  /** How the server's process ended; empty while it runs, and where there is none. */
  end(): string;
  close(): Promise<void>;
};

/** The client's own times are out of the way: they would run on while a person is asked. */
const noTimeout = 2_147_483_647;
const mostPages = 64;
const mostRounds = 10;

/** Starts or reaches a server and greets it. What is thrown is for `describe`; nothing is left running then. */
export async function connect(options: LinkOptions, signal: AbortSignal): Promise<Link> {
  const transport = transportOf(options);
  const client = new Client({ name: "assent", version: options.version }, clientOptions(options));
  // Told beside the calls, and of interest only to who looks for a fault of the server.
  client.onerror = (error) => options.log(outsideLine(error.message, 300));
  answerServer(client, options);
  const stop = () => void transport.close().catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const timeout = { timeout: noTimeout, signal };
    await client.connect(transport, options.older ? { ...timeout, prior: { kind: "legacy" } } : timeout);
    if (signal.aborted || endOf(transport) !== "") throw new Error("it was not waited for any longer");
  } catch (error) {
    const end = endOf(transport);
    await transport.close().catch(() => undefined);
    throw new ConnectError(end, error);
  } finally {
    signal.removeEventListener("abort", stop);
  }
  const link = linkOf(client, transport);
  client.onclose = () => options.onEnd(link);
  return link;
}

/** The connection could not be made. */
class ConnectError extends Error {
  override readonly name = "ConnectError";
  /** How the server's process ended, where it did. */
  readonly end: string;
  constructor(end: string, cause: unknown) {
    super(end || "could not connect", { cause });
    this.end = end;
  }
}

/** Whether the process started and ended before anything was agreed on. */
export function diedAtProbe(error: unknown): boolean {
  return error instanceof ConnectError && error.end !== "" && !error.end.startsWith(notStarted);
}

function transportOf(options: LinkOptions): StdioTransport | HttpTransport {
  const { server, clock, limits, cwd, log } = options;
  const { address } = server;
  return address.type === "url"
    ? new HttpTransport({ address, clock, limits })
    : new StdioTransport({ address, clock, limits, cwd, log });
}

function endOf(transport: StdioTransport | HttpTransport): string {
  return transport instanceof StdioTransport ? transport.end : "";
}

function clientOptions({ limits, onChanged, sample }: LinkOptions): ClientOptions {
  const changed = { autoRefresh: false, debounceMs: 100, onChanged };
  return {
    capabilities: { elicitation: { form: {}, url: {} }, ...(sample === null ? {} : { sampling: {} }) },
    versionNegotiation: { mode: "auto", probe: { timeoutMs: limits.probeMs } },
    inputRequired: { maxRounds: mostRounds },
    listChanged: { tools: changed, prompts: changed, resources: changed },
    // Schemas come from the server: to compile and run them here would be to run its code.
    jsonSchemaValidator: { getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "not checked" }) },
  };
}

function answerServer(client: Client, { elicit, sample }: LinkOptions): void {
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
    const elicited = await elicit(params, mcpReq.signal);
    if (elicited.said !== "accept") return { action: elicited.said };
    return elicited.content === undefined
      ? { action: "accept" }
      : { action: "accept", content: { ...elicited.content } };
  });
  if (sample === null) return;
  client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) => {
    const given = looseRecord(params);
    const wanted = { system: looseText(given["systemPrompt"]), text: samplingText(given) };
    const said = await sample(wanted, mcpReq.signal);
    if (typeof said !== "string") throw new ProtocolError(-1, said.failed);
    return { model: "assent", role: "assistant", content: { type: "text", text: said }, stopReason: "endTurn" };
  });
}

function samplingText(given: Loose): string {
  const said = looseList(given["messages"]).map(looseRecord);
  if (said.length === 1) return messageText(said[0]?.["content"]);
  return said
    .map(({ role, content }) => `${role === "assistant" ? "Model" : "User"}: ${messageText(content)}`)
    .join("\n\n");
}

/** Takes an answer as it is: what it lacks is seen when it is read, and one flaw does not lose all the rest. */
const anything: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "assent", validate: (value) => ({ value }) },
};

function linkOf(client: Client, transport: StdioTransport | HttpTransport): Link {
  const about = client.getServerVersion();
  return {
    about: {
      title: outsideLine(about?.title ?? about?.name ?? "", 80),
      version: outsideLine(about?.version ?? "", 40),
      protocol: client.getNegotiatedProtocolVersion() ?? "",
    },
    older: client.getProtocolEra() === "legacy",
    list: (asking) => list(client, asking),
    call: ({ tool, arguments: given, schema }, asking) => {
      // The definition says which arguments must be repeated in headers.
      const toolDefinition = { name: tool, inputSchema: { ...looseRecord(schema), type: "object" as const } };
      return client.callTool(
        { name: tool, arguments: { ...looseRecord(given) } },
        { ...requestOptions(asking), toolDefinition },
      );
    },
    read: (uri, asking) =>
      client.request({ method: "resources/read", params: { uri } }, anything, requestOptions(asking)),
    prompt: (name, given, asking) =>
      client.request(
        { method: "prompts/get", params: { name, arguments: { ...given } } },
        anything,
        requestOptions(asking),
      ),
    greet: (asking) => {
      // The newer protocol has no ping.
      const method = client.getProtocolEra() === "legacy" ? "ping" : "server/discover";
      return client.request({ method, params: {} }, anything, requestOptions(asking));
    },
    end: () => endOf(transport),
    close: async () => {
      client.onclose = () => undefined;
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
    },
  };
}

function requestOptions({ signal, onProgress }: Asking): RequestOptions {
  if (onProgress === undefined) return { signal, timeout: noTimeout };
  return { signal, timeout: noTimeout, onprogress: (progress) => onProgress(progressLine(progress)) };
}

function progressLine(given: {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}) {
  const count = given.total === undefined ? `${given.progress}` : `${given.progress} of ${given.total}`;
  return given.message === undefined ? count : `${count}: ${outsideLine(given.message, 200)}`;
}

/** Everything that it says it has. What it does not, is not asked for. */
async function list(client: Client, asking: Asking): Promise<Listed> {
  const has = client.getServerCapabilities();
  const more: string[] = [];
  const all = async (kind: keyof typeof mostOf) => {
    if (has?.[kind] === undefined) return [];
    const listed = await listPages(client, kind, asking);
    if (listed.more) more.push(kind);
    return listed.items;
  };
  return { tools: await all("tools"), prompts: await all("prompts"), resources: await all("resources"), more };
}

async function listPages(client: Client, kind: keyof typeof mostOf, asking: Asking) {
  const most = mostOf[kind];
  const items: unknown[] = [];
  let cursor = "";
  for (let page = 0; page < mostPages; page += 1) {
    const params = cursor === "" ? {} : { cursor };
    const result = looseRecord(
      await client.request({ method: `${kind}/list`, params }, anything, requestOptions(asking)),
    );
    items.push(...looseList(result[kind]).slice(0, most + 1));
    const next = looseText(result["nextCursor"]);
    if (items.length > most) return { items: items.slice(0, most), more: true };
    if (next === "" || next === cursor) return { items, more: false };
    cursor = next;
  }
  return { items, more: true };
}

/** What went wrong, in words that follow the server's name. */
export function describe(error: unknown): string {
  if (error instanceof ConnectError) return error.end || describe(error.cause);
  if (error instanceof ProtocolError) {
    return error.code === unsentCode ? error.message : `answered with an error: ${outsideLine(error.message, 300)}`;
  }
  const network = networkFault(error);
  if (network !== undefined) return `could not be reached: ${network}`;
  const status = looseCount(looseRecord(looseRecord(error)["data"])["status"]);
  if (status === 401 || status === 403)
    return `answered with HTTP ${status}: what it was sent as a token is not accepted`;
  if (status !== 0) return `answered with HTTP ${status}`;
  return `failed: ${outsideLine(messageOf(error), 300)}`;
}

const networkFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was cut",
  ENOTFOUND: "its host is not known",
  EAI_AGAIN: "its host could not be looked up",
  ETIMEDOUT: "it took too long",
  UND_ERR_SOCKET: "the connection was cut",
  UND_ERR_CONNECT_TIMEOUT: "it took too long",
};

/** The reason lies some causes deep. */
function networkFault(error: unknown): string | undefined {
  let at = looseRecord(error);
  for (let depth = 0; depth < 5; depth += 1) {
    const found = networkFaults[looseText(at["code"])];
    if (found !== undefined) return found;
    at = looseRecord(at["cause"]);
  }
  return undefined;
}

/** Whether the connection is of no use any more, after what went wrong with a request. */
export function isBroken(error: unknown): boolean {
  if (error instanceof ProtocolError) return false;
  // The server knows nothing of the session that was agreed on.
  const isForgotten = looseRecord(looseRecord(error)["data"])["status"] === 404;
  return isForgotten || networkFault(error) !== undefined;
}
