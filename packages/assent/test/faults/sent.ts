import type { RecordedRequest } from "../../src/testing/index.ts";
import type { Next } from "./case.ts";

/** A request in words that all formats share. */
type Sent = {
  readonly calls: readonly string[];
  readonly results: readonly string[];
  readonly said: string;
  readonly tools: "offered" | "none";
};

type Loose = { readonly [field: string]: unknown };

function record(value: unknown): Loose {
  return typeof value === "object" && value !== null ? (value as Loose) : {};
}

function list(value: unknown): readonly Loose[] {
  return Array.isArray(value) ? value.map(record) : [];
}

/** A text, or the texts of a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map(({ text }) => text)
    .filter((text) => typeof text === "string")
    .join("\n");
}

function sentOf({ format, json }: RecordedRequest): Sent {
  const body = record(json);
  const choice = body["tool_choice"];
  const none = list(body["tools"]).length === 0 || choice === "none" || record(choice)["type"] === "none";
  const tools = none ? "none" : "offered";
  const messages = list(body["messages"] ?? body["input"]);
  const said = messages.flatMap(({ role, content }) => (role === "user" ? [textOf(content)] : [])).join("\n");
  if (format === "openai-responses") {
    const items = (type: string) => messages.filter((item) => item["type"] === type);
    const calls = items("function_call").map((call) => `${call["name"]} ${call["arguments"]}`);
    const results = items("function_call_output").map(({ output }) => textOf(output));
    return { calls, results, said, tools };
  }
  if (format === "anthropic") {
    const blocks = messages.flatMap(({ content }) => list(content));
    const calls = blocks.filter(({ type }) => type === "tool_use");
    const results = blocks.filter(({ type }) => type === "tool_result").map(({ content }) => textOf(content));
    return { calls: calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`), results, said, tools };
  }
  const calls = messages.flatMap(({ tool_calls }) => list(tool_calls)).map((call) => record(call["function"]));
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content));
  return { calls: calls.map((call) => `${call["name"]} ${call["arguments"]}`), results, said, tools };
}

/** In what a request is not as it must be. */
export function checkSent(requests: readonly RecordedRequest[], next: Next): readonly string[] {
  const request = requests[next.request - 1];
  if (request === undefined) return [`expected a request ${next.request}, came ${requests.length}`];
  const sent = sentOf(request);
  const what = `request ${next.request}`;
  const repeated = next.same === undefined || requests[next.same - 1]?.body === request.body;
  return [
    ...(repeated ? [] : [`${what}: expected the bytes of request ${next.same}`]),
    ...unlike(`${what}, calls`, sent.calls, next.called),
    ...unlike(`${what}, results`, sent.results, next.results),
    ...(next.said === undefined || next.said.test(sent.said)
      ? []
      : [`${what}: expected ${next.said}, said ${sent.said}`]),
    ...(next.unsaid?.test(request.body) ? [`${what}: expected nothing of ${next.unsaid}`] : []),
    ...(next.tools === undefined || next.tools === sent.tools ? [] : [`${what}: expected tools ${next.tools}`]),
  ];
}

function unlike(what: string, found: readonly string[], patterns: readonly RegExp[] | undefined): readonly string[] {
  if (patterns === undefined) return [];
  const alike =
    found.length === patterns.length && patterns.every((pattern, index) => pattern.test(found[index] ?? ""));
  return alike ? [] : [`${what}: expected ${patterns.join(", ")}, found ${JSON.stringify(found)}`];
}
