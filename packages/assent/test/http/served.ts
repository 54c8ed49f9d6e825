import { readFileSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openSqliteJournal } from "../../src/runtime/index.ts";
import type { RecordedEvent } from "../../src/wire/index.ts";
import { counting, type Place, type Running, type Scripted, terminal } from "../e2e/product.ts";

export type Answer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what comes is what the tests look at
  readonly body: any;
  readonly headers: Headers;
};

export type Request = {
  readonly method?: string;
  readonly body?: unknown;
  /** `null` for none; that of the owner unless given. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A real `assent serve`, spoken to over HTTP. */
export class Served {
  readonly place: Place;
  readonly running: Running;
  readonly url: string;
  readonly port: number;
  /** Of the owner, from the file that is theirs alone. */
  readonly token: string;

  private constructor(place: Place, running: Running, url: string) {
    this.place = place;
    this.running = running;
    this.url = url;
    this.port = Number(new URL(url).port);
    this.token = JSON.parse(readFileSync(join(place.home, "client.json"), "utf8")).token;
  }

  static async at(place: Place, ...flags: readonly string[]): Promise<Served> {
    const running = place.start(["serve", ...(flags.length > 0 ? flags : ["--listen", "0"])]);
    await running.shows("programs of yours find");
    const url = /listening on (\S+)/.exec(running.output)?.[1] ?? "http://localhost";
    return new Served(place, running, url);
  }

  get pid(): number {
    return JSON.parse(readFileSync(join(this.place.home, "client.json"), "utf8")).pid;
  }

  /** What signs a browser in, once. */
  get ticket(): string {
    return /#ticket=(\S+)/.exec(this.running.output)?.[1] ?? "";
  }

  /** Each on a connection of its own: one that is kept may be closed while this process waits for another. */
  call(path: string, { method, body, token = this.token, headers = {} }: Request = {}): Promise<Answer> {
    const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const options = {
      ...{ agent: false, method: method ?? (sent === undefined ? "GET" : "POST") },
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(sent === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(sent) }),
        ...headers,
      },
    };
    return new Promise((resolve, reject) => {
      const calling = request(`${this.url}${path}`, options, (response) => {
        text(response).then((came) => resolve(answerOf(response, came)), reject);
      });
      calling.on("error", reject);
      calling.end(sent);
    });
  }

  /** A session whose model plays these replies. */
  async session(replies: readonly Scripted[], creation: object = {}): Promise<string> {
    const model = scriptAt(this.place, replies);
    const { status, body } = await this.call("/v1/sessions", { body: { prompt: "go", model, ...creation } });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.session;
  }

  /** A session that stands at a question of its model, and the id of that. */
  async asked(replies: readonly Scripted[] = [colours, done], creation: object = {}): Promise<Asked> {
    const session = await this.session(replies, creation);
    return { session, id: await this.openIn(session) };
  }

  /** The question that a session waits for, once it does. */
  async openIn(session: string): Promise<string> {
    return await eventually(`${session} asks`, async () => {
      const { body } = await this.call(`/v1/sessions/${session}`);
      return body.interaction ?? undefined;
    });
  }

  async outcome(session: string): Promise<string> {
    return await eventually(`${session} ends`, async () => {
      const { body } = await this.call(`/v1/sessions/${session}`);
      return body.outcome ?? undefined;
    });
  }

  respond(id: string, response: object, request: Request = {}): Promise<Answer> {
    return this.call(`/v1/interactions/${id}/response`, { body: response, ...request });
  }

  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
    this.running.kill(signal);
    return await this.running.ended;
  }
}

function answerOf({ statusCode = 0, headers: given }: IncomingMessage, came: string): Answer {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) headers.set(name, String(value));
  const isJson = (headers.get("content-type") ?? "").startsWith("application/json") && came !== "";
  return { status: statusCode, body: isJson ? JSON.parse(came) : came, headers };
}

export type Asked = { readonly session: string; readonly id: string };

export const done: Scripted = { text: "Done." };
export const colours: Scripted = {
  calls: [{ tool: "ask", arguments: { question: "Which colour?", options: ["Red", "Green", "Blue"] }, id: "call_A" }],
};
/** A command that is asked about, and leaves a byte for each time that it ran. */
export const counted: readonly Scripted[] = [terminal(counting), done];

let scripts = 0;
export function scriptAt(place: Place, replies: readonly Scripted[]): string {
  scripts += 1;
  const file = place.file(`script-${scripts}.jsonl`);
  writeFileSync(file, replies.map((reply) => JSON.stringify(reply)).join("\n"));
  return `scripted:${file}`;
}

/** As `until`, for what is only known after asking. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`waited in vain until ${what}`);
}

/** What the journal holds, read by a stranger. */
export function recorded(place: Place, session: string): readonly RecordedEvent[] {
  const journal = openSqliteJournal(join(place.home, "journal.db"));
  try {
    return journal.read(session, 0).events;
  } finally {
    journal.close();
  }
}

export function typesOf(events: readonly RecordedEvent[]): readonly string[] {
  return events.map(({ event }) => event.type);
}

/** How many events there are, in all sessions together. */
export function totalEvents(place: Place): number {
  const journal = openSqliteJournal(join(place.home, "journal.db"));
  try {
    return [...journal.heads().values()].reduce((sum, newest) => sum + newest, 0);
  } finally {
    journal.close();
  }
}

/** A token made by the command. */
export function tokenFor(place: Place, name: string, ...flags: readonly string[]): string {
  const { status, stdout, stderr } = place.assent(["token", "create", name, ...flags]);
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** Signs in as a browser does; the cookie that it would send from then on. */
export async function cookieFor(served: Served, token: string): Promise<string> {
  const { headers } = await served.call("/v1/login", { body: { token }, token: null });
  return headers.get("set-cookie")?.split(";")[0] ?? "";
}
