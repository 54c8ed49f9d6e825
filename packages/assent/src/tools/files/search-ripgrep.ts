import { spawn } from "node:child_process";
import { basename, dirname } from "node:path";
import * as v from "valibot";
import { readArguments } from "../../wire/index.ts";
import { readGlob } from "./ignore.ts";
import { type FoundLine, type Matches, mostFileBytes, type SearchEnd, type Wanted } from "./matches.ts";
import { isInRepository } from "./walk.ts";

/** A line of a file can be nearly as long as the file, and escaping makes it longer: it is left out, not kept. */
const mostOfRecord = 1024 * 1024;
const mostOfComplaint = 2_000;

/** Text, or base64 of what is not UTF-8. */
const content = v.union([v.object({ text: v.string() }), v.object({ bytes: v.string() })]);
const record = v.object({
  type: v.picklist(["match", "context"]),
  data: v.object({ path: content, lines: content, line_number: v.number() }),
});

/** `null`: it could not be started. At the signal it says `too-long`, and whoever gave the signal knows better. */
export async function searchRipgrep(
  program: string,
  wanted: Wanted,
  matches: Matches,
  signal: AbortSignal,
): Promise<SearchEnd | null> {
  const { real, isFolder } = wanted;
  const cwd = isFolder ? real : dirname(real);
  const flags = flagsOf(wanted, await isInRepository(cwd));
  // Its environment is nobody's: nothing in it could change what it finds.
  const child = spawn(program, flags, { cwd, env: {}, stdio: ["ignore", "pipe", "pipe"] });
  const isWanted = isFolder ? filterOf(wanted) : () => true;
  let stopped: SearchEnd | null = null;
  let complaint = "";
  const stop = (end: SearchEnd): void => {
    stopped ??= end;
    child.kill("SIGKILL");
  };
  const records = new Records((found, path) => {
    if (stopped === null && isWanted(path) && matches.add(path, found) === "enough") stop({ type: "enough" });
  });
  const late = (): void => stop({ type: "too-long", at: null });
  signal.addEventListener("abort", late, { once: true });
  if (signal.aborted) late();
  child.stdout.on("data", (chunk: Buffer) => records.feed(chunk));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, mostOfComplaint);
  });
  return new Promise((resolve) => {
    child.on("error", () => resolve(null));
    child.on("close", (code) => {
      signal.removeEventListener("abort", late);
      matches.skipped.large += records.dropped;
      resolve(stopped ?? endOf(code, complaint, matches));
    });
  });
}

/** 0 is found, 1 nothing found. Files that cannot be read are not told of, so that a complaint is about the pattern. */
function endOf(code: number | null, complaint: string, { lines }: Matches): SearchEnd {
  if (code === 0 || code === 1 || lines.length > 0) return { type: "done" };
  if (complaint !== "") return { type: "invalid", reason: complaint.trim() };
  return code === 2 ? { type: "done" } : { type: "failed", reason: `rg ended with ${code ?? "a signal"}` };
}

/** So that it finds what the search without it would. */
function flagsOf(wanted: Wanted, inRepository: boolean): string[] {
  const { real, isFolder, pattern, glob, ignoreCase, literal, context, all } = wanted;
  // In a repository that flag would take away its border: the patterns of folders above it would hold too.
  const always = inRepository ? [] : ["--no-require-git"];
  const ignoring = all
    ? ["--hidden", "--no-ignore"]
    : ["--no-ignore-global", "--no-ignore-dot", ...always, "--glob=!.*"];
  return [
    ...["--json", "--no-config", "--no-messages", "--sort=path", `--context=${context}`],
    ...(isFolder ? [`--max-filesize=${mostFileBytes}`] : []),
    ...ignoring,
    ...(ignoreCase ? ["--ignore-case"] : ["--case-sensitive"]),
    ...(literal ? ["--fixed-strings"] : []),
    ...(glob === null || !isFolder ? [] : globFlags(glob)),
    ...[`--regexp=${pattern}`, "--", isFolder ? "./" : `./${basename(real)}`],
  ];
}

/** A file that --glob names is searched though it is ignored; one that --type names is not, but that knows only names. */
function globFlags(glob: string): string[] {
  if (glob.startsWith("!")) return [`--glob=${glob}`];
  return glob.includes("/") ? [] : [`--type-add=wanted:${glob}`, "--type=wanted"];
}

/** Looks again at what it let through: it must not show what would have been asked about. */
function filterOf({ glob, all }: Wanted): (path: string) => boolean {
  const isNamed = glob === null ? () => true : readGlob(glob);
  return (path) => isNamed(path) && (all || !/(?:^|\/)\./.test(path));
}

/** The records in its output, one a line. */
class Records {
  readonly #take: (found: FoundLine, path: string) => void;
  #line: Buffer[] = [];
  #size = 0;
  dropped = 0;

  constructor(take: (found: FoundLine, path: string) => void) {
    this.#take = take;
  }

  feed(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(10, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      this.#size += piece.length;
      if (this.#size <= mostOfRecord) this.#line.push(piece);
      if (end === -1) return;
      this.#end();
      start = end + 1;
    }
  }

  #end(): void {
    const line = Buffer.concat(this.#line).toString();
    const tooLong = this.#size > mostOfRecord;
    this.#line = [];
    this.#size = 0;
    if (tooLong) this.dropped += 1;
    const read = tooLong ? null : readArguments(record, line);
    if (read?.type !== "read") return;
    const { type, data } = read.value;
    const text = textOf(data.lines).replace(/\r?\n$/, "");
    this.#take({ line: data.line_number, text, isMatch: type === "match" }, textOf(data.path).replace(/^\.\//, ""));
  }
}

function textOf(given: v.InferOutput<typeof content>): string {
  return "text" in given ? given.text : Buffer.from(given.bytes, "base64").toString();
}
