/**
 * Runs commands for real where they can change nothing: in namespaces of their own for files, network, processes and users,
 * as nobody, on a file system in memory that shows the machine's programs and nothing else of it, without a way out.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { differences, type Entry, type Observed } from "./observe.ts";

/** What a command did, and what it said, for a person who wants to know why. */
export type Outcome = { readonly observed: readonly Observed[]; readonly output: string; readonly status: number };

/** All together may take so long; each alone `seconds`. */
const patienceMs = 600_000;
/** Nobody's, wherever the tests run as root: then nothing of the machine belongs to who is inside. */
const nobody = 65_534;

const scriptOf = (name: string) => readFileSync(`${import.meta.dirname}/${name}.sh`, "utf8");

function commandLine(seconds: number): readonly string[] {
  const drop = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--no-new-privs"];
  const own = ["--user", "--map-root-user", "--mount", "--net", "--ipc", "--uts", "--pid", "--mount-proc"];
  const start = ["unshare", ...own, "--fork", "--kill-child", "bash", "-c", scriptOf("driver"), "driver"];
  return [...(process.getuid?.() === 0 ? drop : []), ...start, scriptOf("inside"), String(seconds)];
}

/** Runs each in a room of its own, one after the other. */
export async function runAll(commands: readonly string[], seconds = 8): Promise<readonly Outcome[]> {
  const [program = "", ...words] = commandLine(seconds);
  // A session of its own: no terminal to write to. An environment of its own: nothing to read.
  const environment = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8" };
  const child = spawn(program, words, { cwd: "/", env: environment, detached: true, timeout: patienceMs });
  const [output, errors] = [child.stdout, child.stderr].map(async (stream) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString("utf8");
  });
  child.stdin.on("error", () => {});
  child.stdin.end(commands.map((command) => `${command}\0`).join(""));
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve());
  });
  const outcomes = outcomesOf((await output) ?? "");
  if (outcomes.length === commands.length) return outcomes;
  throw new Error(`the sandbox ended after ${outcomes.length} of ${commands.length}: ${(await errors)?.slice(0, 500)}`);
}

/** Records by their first letter: entries before and after, status, how often the network was sought, output. */
function outcomesOf(output: string): readonly Outcome[] {
  const records = output.split("\0");
  if (records.at(-2) !== "end") return [];
  const starts = records.flatMap((record, index) => (record === "case" ? [index] : []));
  return starts.map((start, index) => {
    const own = records.slice(start + 1, starts[index + 1] ?? -2);
    const of = (letter: string) => own.filter((each) => each.startsWith(letter)).map((each) => each.slice(1));
    const observed = differences({
      before: of("b").map(entryOf),
      after: of("a").map(entryOf),
      sought: Number(of("n")[0]),
    });
    return { observed, output: of("o").join("").trim(), status: Number(of("s")[0]) };
  });
}

function entryOf(record: string): Entry {
  const [below = "", type = "", mode = "", owner = "", size = "", changed = "", node = "", ...rest] =
    record.split("\x1f");
  const [target = "", top = ""] = rest;
  // What is changed below /usr stands in a folder of its own.
  const path = top.endsWith("/upper") ? ["usr", below].filter((part) => part !== "").join("/") : below;
  return { path, type, mode: Number.parseInt(mode, 8), owner, content: `${size} ${changed} ${node} ${target}`, node };
}

/** Why nothing can be run here; `null`: it can. */
export async function whyNoSandbox(): Promise<string | null> {
  if (process.platform !== "linux") return `there are no namespaces on ${process.platform}`;
  const needed = ["bash", "unshare", "setpriv", "timeout", "mount", "pivot_root", "find"];
  const missing = needed.filter((program) => !isInstalled(program));
  if (missing.length > 0) return `not installed: ${missing.join(", ")}`;
  try {
    const [outcome] = await runAll(["echo x > /etc/probe; echo y > /dev/udp/203.0.113.1/9; echo here"]);
    const isSeen = outcome?.observed.join(" ") === "network overwrite" && outcome.output.endsWith("here");
    return isSeen ? null : `what a command does is not seen: ${JSON.stringify(outcome)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Where the sandbox looks for programs. */
export function isInstalled(program: string): boolean {
  const folders = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  return spawnSync("sh", ["-c", 'command -v "$0"', program], { env: { PATH: folders } }).status === 0;
}
