import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type FormatName, type ModelServer, openModelServer } from "../../src/testing/index.ts";
import { jsonLines, until } from "../e2e/product.ts";
import { type Expected, type FaultCase, secretKey } from "./case.ts";
import { checkSent } from "./sent.ts";

/** How it is played: in which format, and whether a person or a program reads. */
export type Way = { readonly format: FormatName; readonly json: boolean };

/** Nothing here takes a tenth of it, on a busy machine either. */
const mostMs = 45_000;

/** Plays a case with the command as it is published; what is not as it must be comes back in sentences. */
export async function play(command: string, fault: FaultCase, way: Way): Promise<readonly string[]> {
  const script = typeof fault.script === "function" ? fault.script(way.format) : fault.script;
  const expected = typeof fault.expected === "function" ? fault.expected(way.format) : fault.expected;
  const server = await openModelServer({ script, key: secretKey });
  const scene = new Scene(command, fault.server === "gone" ? await goneAddress() : server.url, way, fault.env ?? {});
  try {
    const first = scene.start(["run", ...(way.json ? ["--json"] : []), "do it"]);
    if (fault.signal !== undefined) await interrupt(first, server, { ...fault.signal, ...way });
    const problems = await scene.judge(first, server, expected);
    if (fault.resumed === undefined) return problems;
    const again = scene.start(["resume", ...(way.json ? ["--json"] : []), scene.session()]);
    const later = await scene.judge(again, server, fault.resumed);
    return [...problems, ...later.map((problem) => `resumed: ${problem}`)];
  } finally {
    scene.clear();
    await server.close();
  }
}

/** An address at which somebody was. */
async function goneAddress(): Promise<string> {
  const holder = createServer();
  holder.listen(0, "127.0.0.1");
  await once(holder, "listening");
  const address = holder.address();
  holder.close();
  await once(holder, "close");
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 1}`;
}

async function interrupt(first: Started, server: ModelServer, signal: Signal & Way): Promise<void> {
  const { name, requests, shown, json } = signal;
  await server.waitFor(requests);
  const answered = () => server.requests[requests - 1]?.state === "answered";
  // A program that reads is told nothing of a retry: there, that an answer was given must do.
  const seen = () => shown === undefined || (json ? answered() : shown.test(first.said.stderr));
  const what = `it shows ${shown}`;
  await until(
    what,
    () => seen() || undefined,
    () => first.said.stderr,
  );
  first.kill(name);
}

type Signal = NonNullable<FaultCase["signal"]>;

type Said = { stdout: string; stderr: string };

type Started = {
  readonly pid: number;
  readonly said: Said;
  /** The exit code; `-signal` when something ended it, and `null` when nothing did. */
  readonly ended: Promise<string | number | null>;
  kill(signal: NodeJS.Signals): void;
};

type Line = { readonly type: string; readonly [field: string]: unknown };

/** A home and a folder to work in, gone afterwards. */
class Scene {
  readonly #folder = mkdtempSync(join(tmpdir(), "assent-fault-"));
  readonly #home = join(this.#folder, "home");
  readonly #work = join(this.#folder, "work");
  readonly #command: string;
  readonly #json: boolean;
  readonly #env: NodeJS.ProcessEnv;
  /** How many events earlier commands have left. */
  #told = 0;

  constructor(command: string, url: string, { format, json }: Way, env: Readonly<Record<string, string>>) {
    this.#command = command;
    this.#json = json;
    mkdirSync(this.#work);
    const { ASSENT_RUN: _marker, ...inherited } = process.env;
    const addresses = { OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url };
    const keys = { OPENAI_API_KEY: secretKey, ANTHROPIC_API_KEY: secretKey };
    const own = {
      ASSENT_HOME: this.#home,
      ASSENT_MODEL: `${format}:m`,
      NO_COLOR: "1",
      NODE_COMPILE_CACHE: join(dirname(command), "cache"),
    };
    this.#env = { ...inherited, ...addresses, ...keys, ...own, ...env };
  }

  start(argv: readonly string[]): Started {
    const whole = [process.execPath, this.#command, ...argv];
    // In a session of its own there is no terminal that could be asked on.
    const child = spawn("setsid", whole, { cwd: this.#work, env: this.#env, stdio: ["ignore", "pipe", "pipe"] });
    const said: Said = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said.stderr += text;
    });
    const { promise, resolve } = Promise.withResolvers<string | number | null>();
    const watchdog = setTimeout(() => {
      resolve(null);
      child.kill("SIGKILL");
    }, mostMs);
    child.once("close", (code, signal) => {
      clearTimeout(watchdog);
      resolve(signal ?? code);
    });
    return { pid: child.pid ?? 0, said, ended: promise, kill: (signal) => child.kill(signal) };
  }

  session(): string {
    return this.#events()[0]?.session ?? "";
  }

  async judge(started: Started, server: ModelServer, expected: Expected): Promise<readonly string[]> {
    const exit = await started.ended;
    await until("no request is open", () => server.requests.every(({ state }) => state !== "open") || undefined);
    const killed = exit === "SIGKILL" && expected.exit === -9;
    const all = this.#events();
    const events = all.slice(this.#told);
    this.#told += events.length;
    const { said } = started;
    const problems = [
      ...(killed || exit === expected.exit ? [] : [`expected exit ${expected.exit}, ended with ${exit}`]),
      ...(this.#json
        ? judgeLines(said.stdout, { all, fewest: events.length })
        : judgeShown(this.#named(said), expected)),
      ...differing(
        "events",
        events.map(({ line }) => briefly(line)).filter((each) => each !== ""),
        expected.events,
      ),
      ...differing("executed", this.#executed(), expected.executed),
      ...differing("requests", server.requests.length, expected.requests),
      ...(expected.next ?? []).flatMap((next) => checkSent(server.requests, next)),
      ...judgeAlways(started, server),
      ...(this.#journalBytes().includes(secretKey) ? ["the key is in the journal"] : []),
    ];
    return problems.length === 0 ? [] : [...problems, `stderr was:\n${said.stderr}\nstdout was:\n${said.stdout}`];
  }

  /** What was said, with the name that each case gives the session. */
  #named({ stdout, stderr }: Said): Said {
    const session = this.session();
    return { stdout, stderr: session === "" ? stderr : stderr.replaceAll(session, "s1") };
  }

  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #executed(): string {
    const file = join(this.#work, "count");
    return existsSync(file) ? readFileSync(file, "utf8").replaceAll("\n", "") : "";
  }

  #events(): readonly Recorded[] {
    const database = new DatabaseSync(join(this.#home, "journal.db"), { readOnly: true });
    try {
      const rows = database.prepare("SELECT id, line FROM events JOIN sessions ON number = session ORDER BY seq").all();
      return rows.map(({ id, line }) => ({ session: String(id), line: JSON.parse(String(line)) as Line }));
    } finally {
      database.close();
    }
  }

  #journalBytes(): string {
    return readdirSync(this.#home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
      .join("\n");
  }
}

/** Of every case, whatever it is about. */
function judgeAlways({ pid, said }: Started, server: ModelServer): readonly string[] {
  const everything = `${said.stdout}${said.stderr}`;
  const refused = server.requests.flatMap(({ number, problems }) =>
    problems.map((each) => `request ${number}: ${each}`),
  );
  return [
    ...refused.map((problem) => `the server refuses ${problem}`),
    ...(/^\s+at \S.*:\d+:\d+|Unhandled|node:internal|fault of the model's client/m.test(everything)
      ? ["it broke"]
      : []),
    ...(everything.includes(secretKey) ? ["the key is shown"] : []),
    ...(server.requests.some(({ body, path }) => `${path}${body}`.includes(secretKey)) ? ["the key is sent on"] : []),
    ...(isAlive(pid) ? ["something of it is left"] : []),
  ];
}

/** Whether anything lives in the process group that it began. */
function isAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

function judgeShown({ stdout, stderr }: Said, { shown, unseen = [], stdout: result }: Expected): readonly string[] {
  let at = 0;
  const missing = shown.filter((pattern) => {
    const match = pattern.exec(stderr.slice(at));
    if (match !== null) at += match.index + match[0].length;
    return match === null;
  });
  const same = typeof result === "string" ? stdout === result : result.test(stdout);
  return [
    ...missing.map((pattern) => `expected to be shown, in its place: ${pattern}`),
    ...unseen.filter((pattern) => pattern.test(stderr)).map((pattern) => `expected not to be shown: ${pattern}`),
    ...(same ? [] : [`stdout: expected ${result}, found ${JSON.stringify(stdout)}`]),
  ];
}

type Recorded = { readonly session: string; readonly line: Line };

/** `--json` prints what is recorded and nothing else, of an exchange that goes on also what it was about (CLI-3). */
function judgeLines(stdout: string, { all, fewest }: { all: readonly Recorded[]; fewest: number }): readonly string[] {
  const printed = jsonLines<Line>(stdout).map(({ type }) => type);
  const recorded = all.slice(-Math.max(fewest, printed.length)).map(({ line }) => line.type);
  return differing("printed events", printed, recorded);
}

function differing(what: string, found: unknown, expected: unknown): readonly string[] {
  const [was, should] = [JSON.stringify(found), JSON.stringify(expected)];
  return was === should ? [] : [`${what}: expected ${should}, found ${was}`];
}

/** What is left out says nothing of a fault. */
const untold = ["session.created", "context.changed", "call.judged", "call.cleared"];

/** An event in a few words. */
function briefly(line: Line): string {
  const { type, failure, next, outcome, reason, fallback, shortened } = line;
  if (untold.includes(type)) return "";
  const words = {
    "model.failed": () => [(failure as { class: string }).class, next],
    "exchange.ended": () => [outcome, outcome === "failed" ? reason : fallback],
    "run.ended": () => [outcome],
    "history.compacted": () => [shortened === undefined ? "summary" : "shortened"],
  }[type];
  return [type, ...(words?.() ?? [])].filter((word) => word !== undefined).join(" ");
}
