/** A damaged store as people meet it: by the built command, in processes of its own, and over HTTP. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { exitCodes } from "../../packages/assent/src/adapters/headless/index.ts";
import { jsonLines, Place, type Ran } from "../../packages/assent/test/e2e/product.ts";
import { type Files, parts, type WholeStore, writeFiles } from "./stores.ts";

/** A command that has not ended by then hangs. */
const mostSeconds = "60";

/** Those that look at all of it come first; what changes something is the last. */
const looks = [
  ["sessions"],
  ["sessions", "--json"],
  ["pending"],
  ["pending", "--json"],
  ["audit", "verify"],
  ["doctor"],
];
const ofOne = [["audit"], ["audit", "export"], ["replay"], ["resume"]];

export type CommandVerdict = {
  readonly outcome: "silent" | "named" | "refused";
  readonly violations: readonly string[];
};

/** The command on one damaged store after another; `end` removes what was made for it. */
export class Commands {
  readonly #place: Place;
  readonly #ends: (() => void)[] = [];

  constructor() {
    this.#place = new Place([{ text: "Done." }], {}, (then) => this.#ends.push(then));
  }

  end(): void {
    for (const end of this.#ends) end();
  }

  /** What every command says of it, and of these sessions of it. Where all end well, all must be there. */
  judge(store: WholeStore, files: Files, sessions: readonly string[]): CommandVerdict {
    this.#put(files);
    const ran = looks.map((argv) => this.#run(argv));
    const ofSessions = sessions.flatMap((session) => ofOne.map((argv) => this.#run([...argv, session])));
    const violations = [...ran, ...ofSessions].flatMap(({ argv, ...each }) =>
      unfit(each).map((what) => `${argv.join(" ")}: ${what}`),
    );
    const [, listed, , , verified] = ran;
    const isSilent = listed?.status === exitCodes.done && verified?.status === exitCodes.done;
    if (isSilent) violations.push(...missingFrom(listed, store));
    const isRefused = ran.slice(0, 5).every(({ status, stdout }) => status === exitCodes.failed && stdout === "");
    return { outcome: isSilent ? "silent" : isRefused ? "refused" : "named", violations };
  }

  /** The server on it: it starts and tells what it has, or ends with a reason. */
  async serve(files: Files): Promise<readonly string[]> {
    this.#put(files);
    const running = this.#place.start(["serve", "--listen", "0"]);
    const ended = running.ended.then((status) => ({ status, stdout: "", stderr: running.output }));
    const began = running.shows("programs of yours find").then(
      () => null,
      () => ({ status: null, stdout: "", stderr: `it neither listens nor ends: ${running.output}` }),
    );
    const failed = await Promise.race([ended, began]);
    const violations = failed === null ? await this.#asked() : unfit(failed);
    running.kill("SIGTERM");
    const status = await running.ended;
    if (failed === null && status !== exitCodes.done) violations.push(`it ended with ${status}`);
    if (isStack(running.output)) violations.push(running.output);
    return violations.map((what) => `serve: ${what}`);
  }

  async #asked(): Promise<string[]> {
    const { url, token } = JSON.parse(readFileSync(join(this.#place.home, "client.json"), "utf8"));
    const headers = { authorization: `Bearer ${token}` };
    const violations: string[] = [];
    for (const path of ["/v1/sessions", "/v1/interactions"]) {
      const answer = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(20_000) });
      const body = await answer.text();
      if (![200, 503].includes(answer.status) || isStack(body)) violations.push(`${path}: ${answer.status} ${body}`);
    }
    return violations;
  }

  #run(argv: readonly string[]): Ran & { readonly argv: readonly string[] } {
    return { argv, ...this.#place.assent(argv, "", ["timeout", "-s", "KILL", mostSeconds]) };
  }

  #put(files: Files): void {
    for (const part of parts) rmSync(join(this.#place.home, part), { force: true });
    writeFiles(this.#place.home, files);
  }
}

/** What no command may do, whatever the store is like. */
function unfit({ status, stdout, stderr }: Ran): string[] {
  const known: readonly number[] = Object.values(exitCodes);
  if (status === null || !known.includes(status)) return [`it ended with ${status}: ${stderr}`];
  if (isStack(stderr) || isStack(stdout)) return [`it shows where in its source it failed: ${stderr}`];
  if (status === exitCodes.failed && stderr === "" && stdout === "") return ["it failed and said nothing"];
  return [];
}

function isStack(text: string): boolean {
  return /^\s+at .+:\d+:\d+\)?$/m.test(text) || /node:internal|UnhandledPromise|\bundefined\b/.test(text);
}

function missingFrom({ stdout }: Ran, { sessions }: WholeStore): readonly string[] {
  const listed = new Map(
    jsonLines<{ readonly session: string; readonly events: number }>(stdout).map(({ session, events }) => [
      session,
      events,
    ]),
  );
  return [...sessions].flatMap(([session, lines]) => {
    const events = listed.get(session);
    return events === lines.length ? [] : [`sessions: ${session} has ${events} of ${lines.length} events, unsaid`];
  });
}
