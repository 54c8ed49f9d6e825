import http from "node:http";
import https from "node:https";
import { codeOf, looseList, looseRecord, looseText, parseJson } from "../wire/index.ts";

/** Where a server may be. `baseUrl` has no slash at its end. */
export type ServerPlace = { readonly name: string; readonly baseUrl: string };

export type LookedFor = ServerPlace & Look;

type Look =
  | { readonly type: "found"; readonly models: readonly string[] }
  | { readonly type: "missing"; readonly why: "refused" | "time-out" | "not a model server"; readonly detail: string };

/** More than any list of models. */
const mostBytes = 1_048_576;

/**
 * Asks every place for its models, all at once, and is done when the time is over: a server that takes a request and never
 * answers keeps nobody waiting. Never throws.
 */
export async function findServers(places: readonly ServerPlace[], withinMs: number): Promise<readonly LookedFor[]> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), withinMs);
  try {
    return await Promise.all(
      places.map(async (place) => ({ ...place, ...(await look(place.baseUrl, deadline.signal, withinMs)) })),
    );
  } finally {
    clearTimeout(timer);
  }
}

function look(baseUrl: string, signal: AbortSignal, withinMs: number): Promise<Look> {
  return new Promise((resolve) => {
    // No agent: a connection that is kept would keep the process.
    const { get } = baseUrl.startsWith("https:") ? https : http;
    const request = get(`${baseUrl}/models`, { signal, agent: false }, (response) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
        parts.push(part);
        if (bytes <= mostBytes) return;
        resolve(missing("not a model server", `it sent more than ${mostBytes} bytes`));
        request.destroy();
      });
      response.on("end", () => resolve(listed(response.statusCode ?? 0, Buffer.concat(parts).toString("utf8"))));
      response.on("error", (error) => resolve(failed(error, signal, withinMs)));
    });
    request.on("error", (error) => resolve(failed(error, signal, withinMs)));
  });
}

/** What every compatible server answers: `{"data": [{"id": …}, …]}`. */
function listed(status: number, body: string): Look {
  if (status === 401 || status === 403) return missing("refused", `it wants a key (status ${status})`);
  if (status !== 200) return missing("not a model server", `status ${status}`);
  const parsed = parseJson(body);
  if (parsed.type === "broken") return missing("not a model server", "it answered with something else than JSON");
  const { data } = looseRecord(parsed.value);
  // A server without any model says null.
  if (!Array.isArray(data) && data !== null) return missing("not a model server", "its answer has no list of models");
  const models = looseList(data).map((each) => looseText(looseRecord(each)["id"]));
  return { type: "found", models: models.filter((model) => model !== "") };
}

function failed(error: Error, signal: AbortSignal, withinMs: number): Look {
  if (signal.aborted) return missing("time-out", `no answer within ${withinMs} ms`);
  const code = codeOf(error) ?? error.message;
  if (code === "ECONNREFUSED") return missing("refused", "nothing listens there");
  return missing(code.startsWith("HPE_") ? "not a model server" : "refused", code);
}

function missing(why: Extract<Look, { type: "missing" }>["why"], detail: string): Look {
  return { type: "missing", why, detail };
}
