import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { type ModelServer, openModelServer, type RecordedRequest, type ScriptEntry } from "../../src/testing/index.ts";
import { type Loose, looseList, looseRecord, looseText } from "../../src/wire/index.ts";
import { jsonLines, Place, type Ran } from "./product.ts";

/** The three APIs, by the names that the product has for them. */
export const formats = ["openai-chat", "openai-responses", "anthropic"] as const;
export type FormatName = (typeof formats)[number];

type Recorded = { readonly type: string; readonly [field: string]: unknown };

/** The product as it is built, and a model behind real HTTP that plays a script. */
export class ModelPlace {
  readonly place: Place;
  #server: ModelServer;
  readonly #asked: RecordedRequest[] = [];

  static async open(format: FormatName, script: readonly ScriptEntry[], env: NodeJS.ProcessEnv = {}) {
    const server = await openModelServer({ script });
    const keys = { OPENAI_API_KEY: "sk-test", ANTHROPIC_API_KEY: "sk-ant-test" };
    const places = { OPENAI_BASE_URL: `${server.url}/v1`, ANTHROPIC_BASE_URL: server.url };
    const own = { ASSENT_MODEL: `${format}:m`, ASSENT_MODEL_RETRIES: "0", ...keys, ...places };
    return new ModelPlace(server, { ...own, ...env });
  }

  constructor(server: ModelServer, env: NodeJS.ProcessEnv) {
    this.#server = server;
    this.place = new Place([], env);
    onTestFinished(() => this.#server.close());
  }

  get url(): string {
    return this.#server.url;
  }

  /** Every model request so far, in order, whichever server took it. */
  get asked(): readonly RecordedRequest[] {
    return [...this.#asked, ...this.#server.requests].filter(({ entry }) => entry !== null);
  }

  /** What the requests say. */
  get bodies(): readonly Loose[] {
    return this.asked.map(({ json }) => looseRecord(json));
  }

  /** Nobody listens any more. */
  async down(): Promise<void> {
    this.#asked.push(...this.#server.requests);
    await this.#server.close();
  }

  /** Another one listens at the same address. */
  async up(script: readonly ScriptEntry[]): Promise<void> {
    this.#server = await openModelServer({ script, port: Number(new URL(this.#server.url).port) });
  }

  writeModels(models: object): void {
    mkdirSync(this.place.home, { recursive: true });
    writeFileSync(`${this.place.home}/models.json`, JSON.stringify(models));
  }

  /** Runs the command to its end without a terminal, while the server of this process answers it. */
  async assent(...argv: readonly string[]): Promise<Ran> {
    const { folder: cwd, env } = this.place;
    const line = `exec setsid ${this.place.line(...argv)}`;
    const child = spawn("/bin/sh", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { status: typeof status === "number" ? status : null, stdout, stderr };
  }

  /** The one session that there is. */
  async session(): Promise<string> {
    const { stdout } = await this.assent("sessions", "--json");
    return jsonLines<{ readonly session: string }>(stdout)[0]?.session ?? "";
  }
}

/** The events that --json printed. */
export function eventsOf({ stdout }: Ran): readonly Recorded[] {
  return jsonLines(stdout);
}

/** The messages or items of a request, as its API calls them. */
export function messagesIn(body: Loose): readonly Loose[] {
  return looseList(body["input"] ?? body["messages"]).map(looseRecord);
}

/** The parts of a message; a text alone is one part. */
function partsOf({ content }: Loose): readonly Loose[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : looseList(content).map(looseRecord);
}

/** The results of calls in a request: under which id, and what they say. */
export function resultsIn(body: Loose): readonly { readonly id: string; readonly text: string }[] {
  return messagesIn(body).flatMap((message) => {
    const { role, type, call_id, tool_call_id, output, content } = message;
    if (type === "function_call_output") return [{ id: looseText(call_id), text: looseText(output) }];
    if (role === "tool") return [{ id: looseText(tool_call_id), text: looseText(content) }];
    return partsOf(message)
      .filter((part) => part["type"] === "tool_result")
      .map((part) => ({ id: looseText(part["tool_use_id"]), text: textsOf(part).join("") }));
  });
}

function textsOf(message: Loose): readonly string[] {
  return partsOf(message).flatMap(({ text: said }) => (said === undefined ? [] : [looseText(said)]));
}

/** What people said in a request, and its closing part, in order. */
export function userTextsIn(body: Loose): readonly string[] {
  return messagesIn(body).flatMap((message) => (message["role"] === "user" ? textsOf(message) : []));
}

/** The tools that a request offers, as all APIs mean them. */
export function toolsIn(body: Loose): readonly Loose[] {
  return looseList(body["tools"]).map((tool) => {
    const { function: inner, ...outer } = looseRecord(tool);
    const { name, description, parameters, input_schema } = { ...outer, ...looseRecord(inner) };
    return { name, description, parameters: parameters ?? input_schema };
  });
}
