import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ApiClient, apiClient, type RecordedEvent } from "../src/assent.ts";

const launcher = join(import.meta.dirname, "..", "..", "assent", "bin", "assent.cjs");

type Call = { readonly tool: string; readonly arguments: object };
type Reply = { readonly text: string } | { readonly calls: readonly Call[] };

/** The product itself: a real server with a scripted model, and a folder that its commands work in. */
export class Served {
  readonly home: string = mkdtempSync(join(tmpdir(), "assent-served-"));
  readonly folder: string = join(this.home, "project");
  #child: ChildProcess | null = null;
  #port = 0;
  #said = "";

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** At the same port as before, where it has had one. */
  async start(): Promise<void> {
    mkdirSync(this.folder, { recursive: true });
    this.#said = "";
    const argv = [launcher, "serve", "--listen", String(this.#port)];
    // Without a model of its own: each session names its script.
    const env = {
      PATH: process.env["PATH"],
      HOME: this.home,
      ASSENT_HOME: join(this.home, "data"),
      ASSENT_MODEL_DISCOVERY_MS: "1",
    };
    const child = spawn(process.execPath, argv, { cwd: this.folder, env, stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    child.stderr.on("data", (part) => {
      this.#said += part;
    });
    this.#port = Number(await this.#find(/listening on http:\/\/127\.0\.0\.1:(\d+)/));
    await this.#find(/programs of yours/);
  }

  /** An address that signs a browser in. */
  async address(): Promise<string> {
    return this.#find(/(http\S+#ticket=\S+)/);
  }

  async kill(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await gone;
  }

  async end(): Promise<void> {
    await this.kill("SIGKILL");
    rmSync(this.home, { recursive: true, force: true });
  }

  client(): ApiClient {
    const file: { readonly token: string } = JSON.parse(readFileSync(join(this.home, "data", "client.json"), "utf8"));
    return apiClient({ url: this.url, token: file.token });
  }

  /** A model that says this, by its name. */
  model(name: string, replies: readonly Reply[]): string {
    const file = join(this.home, `${name}.jsonl`);
    writeFileSync(file, replies.map((reply) => JSON.stringify(reply)).join("\n"));
    return `scripted:${file}`;
  }

  async session(name: string, replies: readonly Reply[]): Promise<string> {
    const made = await this.client().create({ name, prompt: `do ${name}`, model: this.model(name, replies) });
    if (made.type !== "ok") throw new Error(JSON.stringify(made));
    return made.value.session;
  }

  async events(session: string): Promise<readonly RecordedEvent["event"][]> {
    const read = await this.client().events(session);
    if (read.type !== "ok") throw new Error(JSON.stringify(read));
    return read.value.events.map(({ event }) => event);
  }

  /** How the exchange of a session ended, once it has. */
  async ended(session: string): Promise<string> {
    for (;;) {
      const found = (await this.events(session)).find((event) => event.type === "exchange.ended");
      if (found?.type === "exchange.ended") return found.outcome;
      await sleep(50);
    }
  }

  /** What a command has left in a file. */
  read(name: string): string {
    try {
      return readFileSync(join(this.folder, name), "utf8");
    } catch {
      return "";
    }
  }

  async #find(wanted: RegExp): Promise<string> {
    for (;;) {
      const found = wanted.exec(this.#said);
      if (found !== null) return found[1] ?? "";
      if (this.#child?.exitCode !== null) throw new Error(`the server ended: ${this.#said}`);
      await sleep(10);
    }
  }
}
