import { readServerCommand } from "./command-words.ts";
import { isUrl } from "./setup.ts";
import { fill, fillAll, fillUrl, readWholeUrl, type Values } from "./template.ts";
import { type Failed, failed, type ServerAddress, type ToolSource } from "./types.ts";

/** Where the MCP server is, with what it needs to let us in; `null` where the service has none. */
export function addressOf(source: ToolSource, values: Values): ServerAddress | Failed | null {
  switch (source.type) {
    case "none":
    case "http":
      return null;
    case "mcp-command": {
      const [program, ...rest] = source.command.flatMap((word) => fill(word, values) ?? []);
      if (program === undefined) return failed("its command is missing");
      return { type: "command", command: [program, ...rest], env: fillAll(source.env, values) };
    }
    case "mcp-url": {
      const filled = fillUrl(source.url, values);
      if (filled.type === "broken") return failed(filled.reason);
      return { type: "url", url: filled.url.href, headers: fillAll(source.headers, values) };
    }
    case "mcp-given":
      return givenAddress(source, values);
    default:
      return source satisfies never;
  }
}

function givenAddress(source: Extract<ToolSource, { type: "mcp-given" }>, values: Values): ServerAddress | Failed {
  const given = values[source.address] ?? "";
  const token = values[source.token];
  const hole = `{${source.token}}`;
  if (isUrl(given)) {
    const written = encodeURIComponent(token ?? "");
    const read = readWholeUrl(given.replaceAll(hole, () => written));
    if (read.type === "broken") return failed(`${source.address}: expected a URL such as https://example.com`);
    const bearer = token === undefined || given.includes(hole) ? {} : { authorization: `Bearer ${token}` };
    return { type: "url", url: read.url.href, headers: bearer };
  }
  const read = readServerCommand(given, [source.token]);
  if (read.type === "broken") return failed(`${source.address}: ${read.reason}`);
  const env = Object.entries(read.env).map(([name, value]) => [name, value.replaceAll(hole, () => token ?? "")]);
  return { type: "command", command: read.command, env: Object.fromEntries(env) };
}
