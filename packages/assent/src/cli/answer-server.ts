import { request } from "node:http";
import { Readable } from "node:stream";
import { exitCodes } from "../adapters/headless/index.ts";
import { type ApiClient, apiClient, type Result } from "../client.ts";
import type { ApiAnswered } from "../wire/api.ts";
import type { ClientFile } from "../wire/token.ts";
import { responseOnStdin, tellAnswered, tellRefused } from "./answered.ts";
import { UsageError } from "./flags.ts";
import { stdout } from "./output.ts";
import { clientFile } from "./places.ts";
import { readClientFile } from "./served.ts";

/** `assent answer --server`: the same over HTTP, here or elsewhere; who answers is who the token belongs to. */
export async function answerServer(given: string, argv: readonly string[]): Promise<number> {
  const client = clientFor(given);
  const [interaction = "", line, ...more] = argv;
  if (interaction === "-" && line === undefined) return answerJson(client);
  if (interaction === "" || line === undefined || more.length > 0) throw new UsageError("expected <id> <reply>, or -");
  return tell(client, interaction, await client.reply(interaction, line));
}

/** Where the server is and with what it is spoken to: as it is said, else as this person's own server has written it down. */
function clientFor(given: string): ApiClient {
  const own = readClientFile();
  const place = given === "" ? ownPlace(own) : placeIn(given);
  const isOwn = place.socket === own?.socket && (place.socket !== undefined || place.url === own?.url);
  const token = process.env["ASSENT_TOKEN"] || (isOwn ? own?.token : undefined);
  if (token === undefined) throw new UsageError(`expected the token for ${given} in ASSENT_TOKEN, found none`);
  const { url, socket } = place;
  return apiClient({ url, token, ...(socket === undefined ? {} : { fetch: fetchAt(socket) }) });
}

type Place = { readonly url: string; readonly socket?: string };

function ownPlace(own: ClientFile | null): Place {
  if (own !== null) return own;
  throw new UsageError(`no server of yours is known: ${clientFile()} is not there; assent serve makes it`);
}

function placeIn(given: string): Place {
  if (given.startsWith("/")) return { url: "http://localhost", socket: given };
  if (URL.parse(given) !== null) return { url: given.replace(/\/+$/, "") };
  const expected = "an address such as http://127.0.0.1:4815, or the path of a socket";
  throw new UsageError(`--server: expected ${expected}, found ${JSON.stringify(given)}`);
}

/** What the system's own fetch cannot: a request at a socket of the file system. */
function fetchAt(socketPath: string): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const headers = Object.fromEntries(new Headers(init.headers));
    const method = init.method ?? "GET";
    return new Promise((resolve, reject) => {
      const sent = request({ socketPath, path: `${pathname}${search}`, method, headers }, (answer) => {
        resolve(new Response(Readable.toWeb(answer), { status: answer.statusCode ?? 500 }));
      });
      sent.on("error", reject);
      sent.end(init.body ?? "");
    });
  };
}

async function answerJson(client: ApiClient): Promise<number> {
  const response = await responseOnStdin();
  if (response === null) return exitCodes.usage;
  const { interaction_id: id, ...answer } = response;
  const result = await client.respond(id, answer);
  if (result.type === "unreachable") throw unreachable(result.reason);
  const refusal = result.type === "ok" ? {} : result.error;
  stdout.write(`${JSON.stringify({ accepted: result.type === "ok", ...refusal })}\n`);
  if (result.type === "ok") return exitCodes.done;
  return result.status === 404 ? exitCodes.usage : exitCodes.refused;
}

async function tell(client: ApiClient, interaction: string, result: Result<ApiAnswered>): Promise<number> {
  if (result.type === "unreachable") throw unreachable(result.reason);
  if (result.type === "ok") {
    const found = await client.interaction(interaction);
    tellAnswered(found.type === "ok" ? (found.value.resolution ?? {}) : {}, "");
    return exitCodes.done;
  }
  const { code, detail } = result.error;
  if (code === "unknown_interaction") throw new UsageError(`${detail}; assent pending lists them`);
  return tellRefused(result.error);
}

function unreachable(reason: string): UsageError {
  return new UsageError(`the server cannot be reached: ${reason}; assent serve starts it`);
}
