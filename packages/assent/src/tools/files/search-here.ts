import { promises } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import * as v from "valibot";
import { messageOf } from "../../wire/index.ts";
import { openFlags } from "./content.ts";
import { readGlob } from "./ignore.ts";
import { isBinary } from "./lines.ts";
import { type Matches, mostFileBytes, type SearchEnd, type Wanted } from "./matches.ts";
import { walk } from "./walk.ts";

const sniffedBytes = 8 * 1024;

/** Searches without any program; at the signal it says `too-long`, and whoever gave the signal knows better. */
export async function searchHere(wanted: Wanted, matches: Matches, signal: AbortSignal): Promise<SearchEnd> {
  const regex = readRegex(wanted);
  if (typeof regex === "string") return { type: "invalid", reason: regex };
  const matcher = new Matcher(regex, wanted.context, signal);
  try {
    for await (const path of filesOf(wanted, signal)) {
      if (signal.aborted) break;
      const bytes = await readSearched(join(wanted.real, path), matches.skipped);
      if (bytes === null) continue;
      const found = await matcher.find(bytes, matches.room + 1);
      if (found.type !== "found") return found.type === "late" ? { type: "too-long", at: matches.nameOf(path) } : found;
      if (found.lines.some((line) => matches.add(path, line) === "enough")) return { type: "enough" };
    }
    return signal.aborted ? { type: "too-long", at: null } : { type: "done" };
  } finally {
    await matcher.close();
  }
}

/** As strict as it can be first: without `u`, what is no character class would silently be letters. */
function readRegex({ pattern, literal, ignoreCase }: Wanted): RegExp | string {
  const source = literal ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : pattern;
  const flags = ignoreCase ? "i" : "";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {}
  try {
    return new RegExp(source, flags);
  } catch (error) {
    return `expected a regular expression, came ${messageOf(error).replace(/^Invalid regular expression: /, "")}`;
  }
}

async function* filesOf({ real, isFolder, all, glob }: Wanted, signal: AbortSignal): AsyncGenerator<string> {
  if (!isFolder) {
    yield "";
    return;
  }
  const isWanted = glob === null ? () => true : readGlob(glob);
  for await (const { path, entry } of walk(real, { depth: Number.POSITIVE_INFINITY, all, hidden: all, signal })) {
    if (entry.isFile() && isWanted(path)) yield path;
  }
}

async function readSearched(path: string, skipped: Matches["skipped"]): Promise<Buffer | null> {
  try {
    const file = await promises.open(path, openFlags);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return null;
      if (stats.size > mostFileBytes) {
        skipped.large += 1;
        return null;
      }
      const bytes = await file.readFile();
      if (!isBinary(bytes.subarray(0, sniffedBytes))) return bytes;
      skipped.binary += 1;
      return null;
    } finally {
      await file.close();
    }
  } catch {
    skipped.unread += 1;
    return null;
  }
}

const answered = v.array(v.object({ line: v.number(), text: v.string(), isMatch: v.boolean() }));
type Found =
  | { readonly type: "found"; readonly lines: v.InferOutput<typeof answered> }
  | { readonly type: "late" }
  | { readonly type: "failed"; readonly reason: string };

/**
 * A regular expression can take for ever, and nothing can interrupt one on its own thread. As text, because the product is
 * also one bundled file, beside which there is no module to start from.
 */
const source = `
const { parentPort, workerData: { regex, context, mostOfLine } } = require("node:worker_threads");
parentPort.on("message", ({ bytes, most }) => {
  const lines = new TextDecoder().decode(bytes).split(/\\r?\\n/);
  if (lines.at(-1) === "") lines.pop();
  const shown = new Map();
  let count = 0;
  for (let at = 0; at < lines.length && count < most; at += 1) {
    if (!regex.test(lines[at])) continue;
    count += 1;
    const end = Math.min(lines.length - 1, at + context);
    for (let near = Math.max(0, at - context); near <= end; near += 1) {
      if (near === at || !shown.has(near)) shown.set(near, near === at);
    }
  }
  const byLine = [...shown].sort((a, b) => a[0] - b[0]);
  parentPort.postMessage(
    byLine.map(([at, isMatch]) => ({ line: at + 1, text: lines[at].slice(0, mostOfLine), isMatch })),
  );
});
`;

class Matcher {
  readonly #worker: Worker;
  readonly #signal: AbortSignal;
  #settle: (found: Found) => void = () => {};

  constructor(regex: RegExp, context: number, signal: AbortSignal) {
    // More than is shown, so that who shows it can say that it was cut.
    const workerData = { regex, context, mostOfLine: 1_000 };
    this.#worker = new Worker(source, { eval: true, workerData, execArgv: [], env: {} });
    this.#signal = signal;
    this.#worker.on("message", (lines: unknown) => {
      this.#settle(v.is(answered, lines) ? { type: "found", lines } : { type: "failed", reason: "no list of lines" });
    });
    this.#worker.on("error", (error) => this.#settle({ type: "failed", reason: messageOf(error) }));
  }

  find(bytes: Buffer, most: number): Promise<Found> {
    return new Promise((resolve) => {
      const late = (): void => resolve({ type: "late" });
      this.#signal.addEventListener("abort", late, { once: true });
      this.#settle = (found) => {
        this.#signal.removeEventListener("abort", late);
        resolve(found);
      };
      if (this.#signal.aborted) late();
      else this.#worker.postMessage({ bytes, most });
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
