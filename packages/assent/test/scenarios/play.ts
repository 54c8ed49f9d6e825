import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { follow } from "../../src/adapters/headless/index.ts";
import { type Asked, PersonTerminal } from "../../src/adapters/headless/terminal.ts";
import type { EventType, ModelRequest } from "../../src/core/index.ts";
import { scriptedProvider } from "../../src/providers/index.ts";
import {
  type ModelQuestion,
  memoryStore,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  type Provider,
  type SessionHost,
  type Tool,
} from "../../src/runtime/index.ts";
import { policy } from "../policy/cautious.ts";
import { VirtualClock } from "../simulation/virtual-clock.ts";
import { type EagerTool, eagerTools } from "../tools/eager.ts";
import type { Check, ModelLine, Part, Scenario } from "./scenario.ts";

const tools = eagerTools();

/** More moments than any scenario has between two lines that a person types. */
const mostMoments = 1_000;
const person = { name: "ada", adapter: "test" };

/** Plays a scenario on a real host; returns every line that came, in the form in which the file expects them. */
export async function playScenario({ parts }: Scenario): Promise<readonly string[]> {
  const stage = new Stage();
  try {
    for (const part of parts) await stage.play(part);
  } finally {
    await stage.close();
  }
  return stage.came();
}

type Place = { readonly session: string; readonly script: readonly ModelLine[]; readonly asked: ModelQuestion[] };

/** One process with one screen: what the real adapter writes, and between it what the stand-ins for the world did. */
class Stage {
  readonly #clock = new VirtualClock();
  readonly #journal = openMemoryJournal(memoryStore(() => true));
  readonly #host: SessionHost;
  readonly #places: Place[] = [];
  readonly #followed: Promise<number>[] = [];
  #terminal: TypingTerminal | null = null;
  #text = "";

  constructor() {
    let ids = 0;
    this.#host = openHost({
      journal: this.#journal,
      secrets: openVolatileSecrets(),
      grants: openVolatileGrants(),
      provider: this.#provider(),
      tools: tools.map((tool) => this.#recording(tool)),
      ...{ policy, clock: this.#clock, holder: { pid: 1, started: "1", boot: "", host: "" } },
      ...{ expiryMs: null, softOffers: "regenerate", context: () => "", newId: () => `s${++ids}`, runs: () => false },
    });
  }

  async play(part: Part): Promise<void> {
    if (part.type === "session") {
      this.#open(part.script);
      return;
    }
    const { session, asked } = this.#place();
    const before = this.#host.view(session).seq;
    this.#write(`${part.text === "" ? ">" : `> ${part.text}`}\n`);
    this.#type(session, part.text);
    await this.#rest(session);
    const events = this.#journal.read(session, before).events.map(({ event }) => event.type);
    for (const check of part.checks) this.#write(`${checked(check, { events, asked })}\n`);
  }

  came(): readonly string[] {
    return this.#text.split("\n").slice(0, -1);
  }

  async close(): Promise<void> {
    await this.#host.close();
    await Promise.all(this.#followed);
  }

  #open(script: readonly ModelLine[]): void {
    const created = this.#host.create({ cwd: "/work", limits: {} });
    if ("refusal" in created) throw new Error(created.refusal.detail);
    if (this.#places.length > 0) this.#write("session\n");
    this.#terminal = null;
    this.#places.push({ session: created.session, script, asked: [] });
  }

  #type(session: string, text: string): void {
    if (this.#terminal?.type(text)) return;
    const before = this.#host.view(session);
    if (before.exchange !== null) throw new Error(`> ${text}: expected an open question or no exchange, found neither`);
    const acting = { by: person, authority: "act" } as const;
    const body = { type: "prompt", text, delivery: "now", entry: "submitted", ...acting } as const;
    const { refusal } = this.#host.submit(session, body);
    if (refusal !== null) throw new Error(`> ${text}: expected to be taken, was refused: ${refusal.detail}`);
    this.#follow(session, before.seq);
  }

  #follow(session: string, after: number): void {
    const exchange = this.#host.view(session).counted.exchanges;
    const write = (text: string) => this.#write(text);
    const terminal = new TypingTerminal(write);
    this.#terminal = terminal;
    const ways = { person, terminal, unattended: null, json: false, stdout: screen(write), stderr: screen(write) };
    const followed = follow({ host: this.#host, session, exchange, after, joins: false, ...ways });
    // What it throws is told at the end.
    followed.catch(() => {});
    this.#followed.push(followed);
  }

  /** Lets everything happen that follows, until only a person can move things on. */
  async #rest(session: string): Promise<void> {
    for (let moment = 0, quiet = 0; moment < mostMoments; moment++) {
      await setImmediate();
      const { exchange, interactions } = this.#host.view(session);
      quiet = exchange === null || interactions.length > 0 ? quiet + 1 : 0;
      if (quiet > 2) return;
      if (quiet === 0) this.#clock.advance();
    }
    throw new Error(`expected a question or the end within ${mostMoments} moments, found neither:\n${this.#text}`);
  }

  #place(): Place {
    const place = this.#places.at(-1);
    if (place === undefined) throw new Error("a scenario begins with a session");
    return place;
  }

  /** A model takes a moment, in which all that came before is shown. */
  #provider(): Provider {
    return {
      ask: async (question, watched) => {
        await setImmediate();
        const place = this.#places.find(({ session }) => session === question.session);
        const { script = [], asked = [] } = place ?? {};
        asked.push(question);
        const line = script[question.number - 1]?.line;
        if (line !== undefined) this.#write(`${line}\n`);
        const replies = script.map(({ reply }) => reply);
        return scriptedProvider({ replies, name: "of the scenario", clock: this.#clock }).ask(question, watched);
      },
    };
  }

  /** Commands only write down that they ran. */
  #recording(tool: EagerTool): Tool {
    if (tool.hands === undefined) return tool;
    const run = async ({ command = "" }) => {
      await setImmediate();
      this.#write(`executes ${command}\n`);
      return { type: "output", text: `ran ${command}`, exit: 0 } as const;
    };
    return { ...tool, hands: { plan: tool.hands.plan, run } };
  }

  #write(text: string): void {
    this.#text += text;
  }
}

/** The terminal of a person who types only what the scenario says. */
class TypingTerminal extends PersonTerminal {
  readonly #write: (text: string) => void;
  #onLine: ((line: string) => void) | null = null;

  constructor(write: (text: string) => void) {
    super(-1);
    this.#write = write;
  }

  /** Whether a question took the line. */
  type(line: string): boolean {
    const onLine = this.#onLine;
    onLine?.(line);
    return onLine !== null;
  }

  override write(text: string): void {
    this.#write(text);
  }

  override ask({ text }: { readonly text: string }, onLine: (line: string) => void): Asked {
    this.write(`${text}\n`);
    this.#onLine = onLine;
    return {
      close: (notice) => {
        this.#onLine = null;
        this.write(notice);
      },
    };
  }
}

function screen(write: (text: string) => void): Writable & { readonly isTTY: true } {
  const stream = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      write(text);
      done();
    },
  });
  return Object.assign(stream, { isTTY: true } as const);
}

type Facts = { readonly events: readonly EventType[]; readonly asked: readonly ModelQuestion[] };

/** The check as the file has it when it holds, otherwise what is the case. */
function checked(check: Check, { events, asked }: Facts): string {
  switch (check.type) {
    case "events":
      return `events ${events.join(" ")}`;
    case "no-events":
      return check.events.some((type) => events.includes(type))
        ? `events ${events.join(" ")}`
        : `events not ${check.events.join(" ")}`;
    case "requests":
      return `requests ${asked.length}`;
    case "again":
      return `again ${repetitions(asked)}`;
    case "told":
      return `told ${lastText(asked.at(-1)?.request)}`;
    case "untold":
      return `${asked.some(({ request }) => says(request, check.text)) ? "told" : "untold"} ${check.text}`;
    default:
      return check satisfies never;
  }
}

/** How many requests at the end say the same as the one before them; all that may differ is the number they bear. */
function repetitions(asked: readonly ModelQuestion[]): number {
  const plain = asked.map(({ system, request, wanted }) => {
    const { messages, closing, tools: offered } = request;
    return JSON.stringify({
      system,
      wanted,
      messages,
      offered,
      closing: closing.replace(/^\[request \d+\](?:\n\n)?/u, ""),
    });
  });
  const last = plain.findLastIndex((request) => request !== plain.at(-1));
  return Math.max(0, plain.length - last - 2);
}

function lastText(request: ModelRequest | undefined): string {
  if (request === undefined) return "";
  return request.closing === "" ? (request.messages.at(-1)?.text ?? "") : request.closing;
}

function says({ messages, closing }: ModelRequest, text: string): boolean {
  return [closing, ...messages.map((message) => JSON.stringify(message)), ...messages.map((each) => each.text)].some(
    (part) => part.includes(text),
  );
}
