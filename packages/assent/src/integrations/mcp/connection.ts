import type { Failed, McpServer, McpWatch, Offers } from "../types.ts";
import type { Asking, Link, LinkOptions } from "./client.ts";
import { readOffers } from "./definitions.ts";
import type { McpLimits, McpOptions } from "./limits.ts";
import { Questions } from "./questions.ts";
import { type Ran, Running, type Times } from "./running.ts";

export type Shared = Omit<McpOptions, "limits"> & {
  readonly limits: McpLimits;
  /** The addresses of servers that were found to speak the older protocol: they are not probed again. */
  readonly older: Set<string>;
};

/** An open connection and what it offers, as last heard. */
export type Ready = { readonly link: Link; offers: Offers; listedAt: number };

type Opening = { readonly done: Promise<Ready | Failed>; readonly stop: () => void };

/** All that this process has to do with one server: it is started when it is needed, and again when it died. */
export class Connection {
  readonly server: McpServer;
  /** Tells apart what is started or reached; it has secrets in it. */
  readonly key: string;
  /** The sessions that use it. */
  readonly sessions = new Set<string>();
  readonly #shared: Shared;
  readonly #running = new Set<Running>();
  readonly #questions: Questions;
  #ready: Ready | null = null;
  #opening: Opening | null = null;
  #deaths = 0;
  #notBefore = 0;
  #lastFailure = "";
  #relist: (() => void) | null = null;
  /** What still ends. */
  readonly #leftovers = new Set<Promise<void>>();

  constructor(server: McpServer, shared: Shared) {
    this.server = server;
    this.key = keyOf(server);
    this.#shared = shared;
    this.#questions = new Questions(server, this.#running, shared.limits.questionsPerCall);
  }

  get offers(): Offers | null {
    return this.#ready?.offers ?? null;
  }

  get state(): string {
    if (this.#ready !== null) return "connected";
    if (this.#opening !== null) return "connecting";
    if (this.#deaths === 0) return "not connected";
    const left = this.#secondsLeft();
    return left === 0 ? "stopped" : `stopped; tried again in ${left} s`;
  }

  /** What it offers now: listed again, if that was more than a moment ago. */
  async open(watch: McpWatch): Promise<Offers | Failed> {
    const ready = await this.connected(watch);
    if ("failed" in ready) return ready;
    const { clock, limits } = this.#shared;
    if (clock.now() - ready.listedAt < limits.relistMs) return ready.offers;
    const listing = (asking: Asking) => this.#list(ready, asking);
    const ran = await this.#timed(listing, upTo(limits.listMs), watch.signal);
    return ran.type === "done" ? ready.offers : await this.#failure(ran, ready.link);
  }

  async connected(watch: Pick<McpWatch, "session" | "signal">): Promise<Ready | Failed> {
    this.sessions.add(watch.session);
    if (this.#ready !== null) return this.#ready;
    const left = this.#secondsLeft();
    if (this.#opening === null && left > 0) return { failed: `${this.#lastFailure}; it is tried again in ${left} s` };
    this.#opening ??= this.#open();
    return await Promise.race([this.#opening.done, this.#stopped(watch.signal)]);
  }

  /** Runs a request; it ends in time, whatever the server does. */
  async request<T>(
    ready: Ready,
    watch: McpWatch,
    start: (asking: Asking) => Promise<T>,
  ): Promise<{ readonly value: T } | Failed> {
    const { callMs, callInAllMs } = this.#shared.limits;
    const ran = await this.#run(start, { quietMs: callMs, inAllMs: callInAllMs }, watch);
    if (ran.type === "late") await this.#check(ready);
    if (ran.type !== "done") return await this.#failure(ran, ready.link);
    this.#deaths = 0;
    return { value: ran.value };
  }

  /** A call took too long. A process that does not even greet is stuck: the next call gets another one. */
  async #check(ready: Ready): Promise<void> {
    if (this.server.address.type === "url" || this.#ready !== ready) return;
    const stop = new AbortController();
    const ran = await this.#timed((asking) => ready.link.greet(asking), upTo(this.#shared.limits.greetMs), stop.signal);
    if (ran.type === "late") this.#ended(ready.link);
  }

  /** Nothing of it runs any more when this returns. */
  async close(): Promise<void> {
    const opening = this.#opening;
    const ready = this.#ready;
    this.#opening = null;
    this.#ready = null;
    this.#deaths = 0;
    this.#notBefore = 0;
    this.#relist?.();
    this.#relist = null;
    opening?.stop();
    await Promise.all([opening?.done, ready?.link.close()]);
    await Promise.all(this.#leftovers);
  }

  #open(): Opening {
    const controller = new AbortController();
    const done = this.#begin(controller.signal).then((begun) => {
      const isWanted = this.#opening?.done === done;
      if (isWanted) this.#opening = null;
      if ("failed" in begun) return begun;
      if (isWanted) this.#ready = begun;
      else this.#left(begun.link.close());
      return begun;
    });
    return { done, stop: () => controller.abort() };
  }

  /** Greets it and lists what it has. Time is kept here: a server may be silent at any point. */
  async #begin(signal: AbortSignal): Promise<Ready | Failed> {
    const { connectMs, listMs } = this.#shared.limits;
    const client = await import("./client.ts");
    const greet = (asking: Asking) => this.#left(this.#greet(client, asking.signal));
    const greeted = await this.#timed(greet, upTo(connectMs), signal);
    if (greeted.type !== "done") return await this.#notOpened(greeted, null, signal);
    const link = greeted.value;
    if (link.older) this.#shared.older.add(this.key);
    const ready: Ready = { link, offers: noOffers(link), listedAt: 0 };
    const listed = await this.#timed((asking) => this.#list(ready, asking), upTo(listMs), signal);
    return listed.type === "done" ? ready : await this.#notOpened(listed, link, signal);
  }

  /** A server that dies of a question it does not know is an older one, and gets the older greeting. */
  async #greet(client: typeof import("./client.ts"), signal: AbortSignal): Promise<Link> {
    const older = this.#shared.older.has(this.key);
    try {
      return await client.connect(this.#linkOptions(older), signal);
    } catch (error) {
      if (older || signal.aborted || !client.diedAtProbe(error)) throw error;
      return await client.connect(this.#linkOptions(true), signal);
    }
  }

  /** What goes on after its time was over ends soon; whoever closes waits for it. */
  #left<T>(begun: Promise<T>): Promise<T> {
    const over = begun.then(
      () => undefined,
      () => undefined,
    );
    this.#leftovers.add(over);
    over.then(() => this.#leftovers.delete(over));
    return begun;
  }

  #linkOptions(older: boolean): LinkOptions {
    const { version, cwd, clock, limits, log, sample } = this.#shared;
    const { name, sampling } = this.server;
    return {
      server: this.server,
      version,
      cwd,
      clock,
      limits,
      older,
      log: (text) => log(name, text),
      onEnd: (link) => this.#ended(link),
      onChanged: () => this.#changed(),
      elicit: (params, given) => this.#questions.elicit(params, given),
      sample: sampling && sample !== undefined ? (...given) => this.#questions.sample(sample, ...given) : null,
    };
  }

  async #list(ready: Ready, asking: Asking): Promise<void> {
    const listed = await ready.link.list(asking);
    ready.offers = { ...ready.link.about, ...readOffers(this.server.name, listed) };
    ready.listedAt = this.#shared.clock.now();
  }

  /** It says that something changed: listed again, but not as often as it may say so. */
  #changed(): void {
    const { clock, limits, log } = this.#shared;
    const ready = this.#ready;
    if (ready === null || this.#relist !== null) return;
    const wait = Math.max(0, ready.listedAt + limits.relistMs - clock.now());
    this.#relist = clock.after(wait, () => {
      const stop = new AbortController();
      const over = () => stop.abort();
      this.#timed((asking) => this.#list(ready, asking), upTo(limits.listMs), stop.signal).then((ran) => {
        if (this.#relist === over) this.#relist = null;
        if (ran.type !== "done") log(this.server.name, "could not be listed again");
      });
      this.#relist = over;
    });
  }

  #timed<T>(start: (asking: Asking) => Promise<T>, times: Times, signal: AbortSignal): Promise<Ran<T>> {
    const watch = { session: "", signal, ask: () => Promise.resolve(nobody) };
    return new Running(this.#shared.clock, times, watch).run(start, () => undefined);
  }

  async #run<T>(start: (asking: Asking) => Promise<T>, times: Times, watch: McpWatch): Promise<Ran<T>> {
    const running = new Running(this.#shared.clock, times, watch);
    this.#running.add(running);
    try {
      return await running.run(start, watch.onProgress);
    } finally {
      this.#running.delete(running);
    }
  }

  async #notOpened(ran: Unfinished, link: Link | null, signal: AbortSignal): Promise<Failed> {
    const failed = this.#withAdvice(await this.#failure(ran, link), ran);
    if (link !== null) this.#left(link.close());
    if (!signal.aborted) this.#died(failed.failed);
    return failed;
  }

  /** Where to look when a process starts and stays silent: often it waits for something that it has not. */
  #withAdvice({ failed }: Failed, { type }: Unfinished): Failed {
    if (type !== "late" || this.server.address.type === "url") return { failed };
    const log = "what it wrote is in log/integrations.log in Assent's home";
    return {
      failed: `${failed}; ${log}, and it has a small environment: what else it needs stands before its command`,
    };
  }

  #ended(link: Link): void {
    if (this.#ready?.link !== link) return;
    this.#ready = null;
    this.#died(`${this.server.name} ${link.end() || "is not connected any more"}`);
    this.#left(link.close());
  }

  /** The first time it may be started again at once, then after a while that doubles. */
  #died(why: string): void {
    this.#lastFailure = why;
    const { clock, limits } = this.#shared;
    const wait = this.#deaths === 0 ? 0 : limits.backOffMs * 2 ** Math.min(this.#deaths - 1, 20);
    this.#deaths += 1;
    this.#notBefore = clock.now() + Math.min(wait, limits.backOffMostMs);
  }

  #secondsLeft(): number {
    return Math.max(0, Math.ceil((this.#notBefore - this.#shared.clock.now()) / 1_000));
  }

  async #failure(ran: Unfinished, link: Link | null): Promise<Failed> {
    switch (ran.type) {
      case "stopped":
        return this.#fails("was not waited for any longer");
      case "late":
        return this.#fails(`did not answer within ${seconds(ran.ms)}`);
      case "fault": {
        const client = await import("./client.ts");
        if (link !== null && client.isBroken(ran.error)) this.#ended(link);
        return this.#fails(link?.end() || client.describe(ran.error));
      }
      default:
        return ran satisfies never;
    }
  }

  #stopped(signal: AbortSignal): Promise<Failed> {
    return new Promise((resolve) => {
      const stop = () => resolve(this.#fails("was not waited for any longer"));
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
  }

  #fails(what: string): Failed {
    return { failed: `${this.server.name} ${what}` };
  }
}

type Unfinished = Exclude<Ran<unknown>, { readonly type: "done" }>;

const nobody = { type: "unanswered", why: "nobody" } as const;

function upTo(ms: number): Times {
  return { quietMs: ms, inAllMs: ms };
}

function seconds(ms: number): string {
  return ms >= 1_000 ? `${Math.round(ms / 1_000)} s` : `${ms} ms`;
}

function noOffers({ about }: Link): Offers {
  return { ...about, tools: [], prompts: [], resources: [], problems: [] };
}

export function keyOf({ address, sampling }: McpServer): string {
  return JSON.stringify([address, sampling]);
}
