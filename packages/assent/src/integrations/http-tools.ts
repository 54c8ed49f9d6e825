import { parseJson } from "../wire/index.ts";
import { send, statusInWords, wholeError } from "./request.ts";
import { fillAll, fillUrl, type Values } from "./template.ts";
import { type Failed, failed, type HttpTool, type McpCalled } from "./types.ts";
import { type Ready, withoutSecrets } from "./verify.ts";

export type HttpToolOptions = {
  readonly signal: AbortSignal;
  readonly log: (name: string, text: string) => void;
  readonly fetch?: typeof fetch | undefined;
  readonly timeoutMs?: number | undefined;
};

const usualTimeoutMs = 30_000;
const mostBytes = 1_048_576;
const mostCharacters = 40_000;
/** Of what a service says about an error. */
const mostErrorCharacters = 200;

type Called = { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };

/** Looks something up by GET: nothing of it can change anything, and nothing a model says changes where it goes. */
export async function callHttpTool(
  ready: Ready,
  called: Called,
  options: HttpToolOptions,
): Promise<McpCalled | Failed> {
  const { configured, entry, secrets } = ready;
  const { tools } = entry;
  const tool = tools.type === "http" ? tools.tools.find(({ name }) => name === called.tool) : undefined;
  if (tools.type !== "http" || tool === undefined) return failed(`${configured.name} has no tool ${called.tool}`);
  const parameters = readParameters(tool, called.arguments);
  if ("failed" in parameters) return parameters;
  const filled = fillUrl(tool.url, ready.values, parameters.values);
  if (filled.type === "broken") return failed(filled.reason);
  const answered = await send({
    url: filled.url,
    method: "GET",
    headers: fillAll(tools.headers, ready.values),
    timeoutMs: options.timeoutMs ?? usualTimeoutMs,
    most: mostBytes,
    signal: options.signal,
    fetch: options.fetch,
  });
  switch (answered.type) {
    case "stopped":
      return failed(`${configured.name}: stopped before an answer came`);
    case "unreached":
      options.log(configured.name, withoutSecrets(`${answered.words}\n${wholeError(answered.error)}`, secrets));
      return failed(`${configured.name}: ${answered.words}`);
    case "answered": {
      const { status, text, cut } = answered;
      const good = status >= 200 && status < 300;
      const shown = good ? shownText(text, cut) : errorLine(status, text);
      return { text: withoutSecrets(shown, secrets), isError: !good };
    }
    default:
      return answered satisfies never;
  }
}

function readParameters(tool: HttpTool, given: Called["arguments"]): { readonly values: Values } | Failed {
  const strange = Object.keys(given).find((key) => !Object.hasOwn(tool.parameters, key));
  if (strange !== undefined) return failed(`${strange}: ${tool.name} has no such parameter`);
  const values = new Map<string, string>();
  for (const [key, { optional }] of Object.entries(tool.parameters)) {
    const value = Object.hasOwn(given, key) ? (given[key] ?? null) : null;
    if (value === null && optional) continue;
    const wrong = parameterFault(value);
    if (wrong !== null) return failed(`${key}: ${wrong}`);
    values.set(key, String(value));
  }
  return { values: Object.fromEntries(values) };
}

function parameterFault(value: unknown): string | null {
  if (value === null) return "is missing";
  if (typeof value === "string") return value.isWellFormed() ? null : "expected a text, found half of a character";
  if (typeof value === "number" || typeof value === "boolean") return null;
  return `expected a text or a number, found ${Array.isArray(value) ? "a list" : "an object"}`;
}

function shownText(text: string, cut: boolean): string {
  const parsed = cut ? null : parseJson(text);
  const whole = parsed?.type === "parsed" ? JSON.stringify(parsed.value, null, 2) : text;
  if (!cut && whole.length <= mostCharacters) return whole;
  const all = cut ? "more than 1 MB" : `${whole.length.toLocaleString("en")} characters`;
  const most = mostCharacters.toLocaleString("en");
  return `${whole.slice(0, mostCharacters)}\n[cut: the first ${most} characters of ${all}; ask for less]`;
}

/** One line, with what the service says of it. */
function errorLine(status: number, text: string): string {
  const said = text.replace(/\s+/g, " ").trim();
  const short = said.length > mostErrorCharacters ? `${said.slice(0, mostErrorCharacters)}…` : said;
  return `${status}: ${statusInWords(status)}${short === "" ? "" : `; it says: ${short}`}`;
}
