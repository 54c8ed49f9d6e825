import { resolve } from "node:path";
import * as v from "valibot";
import type { ToolResult } from "../../core/index.ts";
import type { Hands, Plan } from "../../runtime/ports.ts";
import { readArguments } from "../../wire/index.ts";
import { readSchema } from "./arguments.ts";
import { cutText, sayBytes } from "./content.ts";
import { foundSchema, planFound } from "./found.ts";
import { type Scanned, scanFile } from "./lines.ts";
import { leadsTo, shownName } from "./paths.ts";
import { asResult, failure, trouble } from "./trouble.ts";

const mostBytes = 50 * 1024;
const mostOfLine = 2_000;

const noted = v.object({ ...foundSchema.entries, offset: v.number(), limit: v.number() });
type Noted = v.InferOutput<typeof noted>;

export const readHands: Hands = {
  plan(given, place): Plan {
    const read = readArguments(readSchema, given);
    if (read.type === "invalid") return { tool: "read_file", cwd: place.cwd, fails: read.reason };
    const { path, offset, limit } = read.value;
    return planFound({ tool: "read_file", path, wanted: "file", more: { offset, limit } }, place);
  },
  async run({ more, cwd }, { signal }): Promise<ToolResult> {
    if (!v.is(noted, more)) return { type: "error", text: "the plan names no file" };
    const what = `cannot read ${shownName(more.path)}`;
    if (!leadsTo(resolve(cwd, more.path), more.real))
      return asResult(trouble(`${what}: it changed since it was judged`));
    const shown = new Shown(more);
    try {
      return resultOf(more, shown, await scanFile(more.real, what, shown, signal));
    } catch (error) {
      return asResult(failure(what, error));
    }
  },
};

/** The lines that are asked for, as far as they may be shown. */
class Shown {
  readonly mostLineBytes = mostOfLine * 4 + 4;
  readonly lines: string[] = [];
  /** No line end that was shown lacks its CR. */
  crlf = 0;
  invalid = false;
  more = false;
  #number = 0;
  #bytes = 0;
  readonly #wanted: Noted;

  constructor(wanted: Noted) {
    this.#wanted = wanted;
  }

  take(line: Buffer, cut: number): "more" | "enough" {
    this.#number += 1;
    const { offset, limit } = this.#wanted;
    if (this.#number < offset) return "more";
    if (this.lines.length >= limit) return this.#full();
    const shown = this.#show(line, cut);
    const bytes = Buffer.byteLength(shown) + 1;
    if (this.#bytes + bytes > mostBytes) return this.#full();
    this.#bytes += bytes;
    this.lines.push(shown);
    return "more";
  }

  #full(): "enough" {
    this.more = true;
    return "enough";
  }

  #show(line: Buffer, cut: number): string {
    const whole = line.toString().replace(this.#number === 1 ? /^\uFEFF/ : /^(?!)/, "");
    const text = cut === 0 && whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    if (text !== whole) this.crlf += 1;
    const kept = cutText(text, mostOfLine);
    if (kept.includes("\uFFFD") && !line.includes("\uFFFD")) this.invalid = true;
    const left = Buffer.byteLength(text.slice(kept.length)) + cut;
    const mark = left === 0 ? "" : ` [cut: ${left} more bytes]`;
    return `${String(this.#number).padStart(6)}\t${kept}${mark}`;
  }
}

function resultOf({ path, real, offset }: Noted, shown: Shown, scanned: Scanned): ToolResult {
  const name = shownName(path);
  switch (scanned.type) {
    case "trouble":
      return asResult(scanned);
    case "too-far":
      return asResult(trouble(`cannot read ${name}: line ${offset} is beyond its first ${sayBytes(scanned.scanned)}`));
    case "binary":
      return {
        type: "output",
        text: `[${name} is binary, ${sayBytes(scanned.size)}: not shown]`,
        seen: [{ path: real, digest: scanned.digest }],
      };
    case "text": {
      const { lines, size, digest } = scanned;
      const seen = [{ path: real, digest }];
      if (lines === 0) return { type: "output", text: "[the file is empty]", seen };
      if (shown.lines.length === 0) {
        return asResult(
          trouble(`cannot read ${name} from line ${offset}: it has ${lines} line${lines === 1 ? "" : "s"}`),
        );
      }
      const total = lines === null ? `a file of ${sayBytes(size)}` : `${lines}`;
      return { type: "output", text: [...shown.lines, ...notes(shown, offset, total)].join("\n"), seen };
    }
    default:
      return scanned satisfies never;
  }
}

function notes({ lines, crlf, invalid, more }: Shown, offset: number, total: string): string[] {
  const last = offset + lines.length - 1;
  return [
    ...(more ? [`[lines ${offset}-${last} of ${total}; go on with offset ${last + 1}]`] : []),
    ...(crlf > 0 && crlf >= lines.length - 1 ? ["[its lines end with CRLF]"] : []),
    ...(invalid ? ["[bytes that are no UTF-8 are shown as \uFFFD]"] : []),
  ];
}
