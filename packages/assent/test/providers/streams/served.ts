import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { openClient } from "../../../src/providers/client.ts";
import type { ModelAnswer, Provider } from "../../../src/runtime/ports.ts";
import { Random } from "../../simulation/random.ts";
import { formats, target } from "./check.ts";
import type { FormatName } from "./goldens.ts";
import { chunksOf, mutant } from "./mutate.ts";

// The same streams over real connections, which end in order, are torn, or hang.

export type Served = { readonly outcomes: ReadonlyMap<string, number>; readonly problems: readonly string[] };

const atOnce = 12;
/** The server is in this process and shares its time: less than this for the first event ends streams that were on the way. */
const settings = { connectMs: 1_000, firstEventMs: 600, idleMs: 80, retries: 0 };

/** Asks so many times; what is wrong is that an answer is of an unknown kind, or that something is left afterwards. */
export async function serveStreams(seed: number, times: number): Promise<Served> {
  const before = resources();
  const problems: string[] = [];
  const onUnhandled = (error: unknown) => void problems.push(`nobody has handled ${String(error)}`);
  process.on("unhandledRejection", onUnhandled);
  const server = createServer((request, response) => {
    const number = Number(request.headers["x-number"]);
    request.resume().on("end", () => void answer(response, new Random(seed, number)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const outcomes = new Map<string, number>();
  let next = 0;
  const worker = async () => {
    while (next < times) {
      const number = next++;
      const { type, detail } = await asked(server, seed, number);
      outcomes.set(type, (outcomes.get(type) ?? 0) + 1);
      if (detail !== null) problems.push(`request ${seed}:${number} ended with ${detail}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  server.closeAllConnections();
  server.close();
  await once(server, "close");
  for (let turns = 0; turns < 200 && leftOver(before).length > 0; turns++) await new Promise(setImmediate);
  process.off("unhandledRejection", onUnhandled);
  return { outcomes, problems: [...problems, ...leftOver(before)] };
}

async function asked(server: Server, seed: number, number: number): Promise<{ type: string; detail: string | null }> {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const { format } = mutant(new Random(seed, number)).golden;
  const client = clientOf(`http://127.0.0.1:${port}`, format, number);
  const request = { messages: [], closing: "hello", tools: "none", regeneration: 0 } as const;
  const question = { session: "s", number: 1, wanted: "reply", system: "", tools: [], request } as const;
  const watched = { signal: new AbortController().signal, onText: () => {}, onRetry: () => {} };
  try {
    const given: ModelAnswer = await client.ask(question, watched);
    const known = ["replied", "failed", "overflow"].includes(given.type);
    // What the client says of itself when something of it throws.
    const inside = given.type === "failed" && given.failure.class === "internal";
    return { type: given.type, detail: known && !inside ? null : JSON.stringify(given) };
  } catch (error) {
    return { type: "threw", detail: String(error) };
  }
}

function clientOf(baseUrl: string, name: FormatName, number: number): Provider {
  const format = formats[name];
  const headers = () => ({ ...format.headers(target), "x-number": `${number}` });
  const clock = { now: () => 0, after: () => () => {} };
  const parts = { settings, clock, random: () => 0, keyName: null };
  return openClient({ ...parts, format: { ...format, headers }, target: { ...target, baseUrl } });
}

async function answer(response: ServerResponse, random: Random): Promise<void> {
  const { bytes } = mutant(random);
  const end = random.weighted({ end: 6, destroy: 2, hang: 1, silent: 0.2 });
  response.on("error", () => {});
  if (end === "silent") return;
  response.writeHead(200, random.chance(0.9) ? { "content-type": "text/event-stream" } : {});
  const chunks = chunksOf(bytes, random);
  const last = end === "end" ? chunks.length : random.below(chunks.length + 1);
  for (const chunk of chunks.slice(0, last)) {
    if (response.destroyed) return;
    response.write(chunk);
    if (random.chance(0.1)) await new Promise(setImmediate);
  }
  if (end === "end") response.end();
  else if (end === "destroy") response.destroy();
}

function resources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function leftOver(before: ReadonlyMap<string, number>): readonly string[] {
  const kinds = ["TCPSocketWrap", "TCPServerWrap", "TCPConnectWrap", "Timeout"];
  const now = resources();
  return kinds.filter((kind) => (now.get(kind) ?? 0) > (before.get(kind) ?? 0)).map((kind) => `a ${kind} is left`);
}
