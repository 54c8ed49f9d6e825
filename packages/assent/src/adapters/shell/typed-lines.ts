import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseJson } from "../../wire/index.ts";
import { looksSecret } from "./secret-looks.ts";

const mostLines = 1_000;
/** So often the file is written anew, and not with every line. */
const mostInFile = 2 * mostLines;
/** A longer one is at hand in this shell, and in no later one. */
const longestKept = 64 * 1024;

/**
 * What was typed in a project, to be recalled in later shells. Answers to questions are not given here; lines that hold a
 * secret, or look like it, are recalled in this shell and never written. Nothing here fails: at worst nothing is kept.
 */
export class TypedLines {
  readonly #file: string;
  readonly #holdsSecret: (line: string) => boolean;
  #lines: string[] | null = null;

  constructor(file: string, holdsSecret: (line: string) => boolean) {
    this.#file = file;
    this.#holdsSecret = holdsSecret;
  }

  /** The oldest first; read from the file when they are first asked for. */
  lines(): readonly string[] {
    this.#lines ??= this.#load();
    return this.#lines;
  }

  add(line: string): void {
    this.#lines ??= this.#load();
    if (line.trim() === "" || line === this.#lines.at(-1)) return;
    this.#lines.push(line);
    if (line.length > longestKept || looksSecret(line) || this.#holdsSecret(line)) return;
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      // Several shells add to it at once: one write each.
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch {
      // It can still be recalled in this shell.
    }
  }

  #load(): string[] {
    try {
      const all = readFileSync(this.#file, "utf8").split("\n");
      const read = all.flatMap(lineOf).filter((line, index, lines) => line !== lines[index - 1]);
      const kept = read.slice(-mostLines);
      if (all.length > mostInFile) this.#rewrite(kept);
      return kept;
    } catch {
      return [];
    }
  }

  #rewrite(lines: readonly string[]): void {
    try {
      const fresh = `${this.#file}.${process.pid}`;
      writeFileSync(fresh, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 });
      renameSync(fresh, this.#file);
    } catch {
      // The next shell tries again.
    }
  }
}

/** Those of a project, in Assent's home. `holdsSecret` knows those that are secrets whatever they look like (INTG-4). */
export function typedLines(
  home: string,
  cwd: string,
  holdsSecret: (line: string) => boolean = () => false,
): TypedLines {
  return new TypedLines(join(home, "history", `${shortName(cwd)}.jsonl`), holdsSecret);
}

/** A name that is a file's and differs for each folder: FNV-1a. To load what makes better ones takes longer than all the rest. */
function shortName(cwd: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(cwd)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

/** Half a line, from a write that was cut off, is none. */
function lineOf(written: string): readonly string[] {
  const parsed = parseJson(written);
  return parsed.type === "parsed" && typeof parsed.value === "string" ? [parsed.value] : [];
}
