import { once } from "node:events";
import { flowLine, type LineFilter, lintLine, purityLine, replyLine } from "../wire/index.ts";
import { oneOf, readFlags, UsageError } from "./flags.ts";
import { stderr, stdout } from "./output.ts";

/** A longer line is not read at all; it holds more than anything of the contract can. */
const mostLineBytes = 16 * 1024 * 1024;

const filters: Readonly<Record<string, LineFilter>> = {
  lint: lintLine,
  reply: replyLine,
  flow: flowLine,
  purity: purityLine,
};

/** `assent interaction …`: the contract by itself, as a filter of JSON lines. */
export async function interaction(argv: readonly string[]): Promise<number> {
  const names = Object.keys(filters);
  const { arguments: given } = readFlags(argv, { options: {}, arguments: [`<${names.join("|")}>`] });
  const filter = filters[oneOf("interaction", given[0] ?? "", names)];
  if (filter === undefined) throw new UsageError(`expected ${names.join(", ")}`);
  if (process.stdin.isTTY) stderr.write("assent: reads JSON lines from stdin; Ctrl-D ends\n");
  for await (const line of linesOf(process.stdin)) {
    if (line?.trim() === "") continue;
    if (!stdout.write(`${filter(line)}\n`)) await once(process.stdout, "drain");
  }
  return 0;
}

/** Lines end at LF and nowhere else; one that is too long comes as `null`. */
async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = () => {
    const line = length > mostLineBytes ? null : Buffer.concat(parts).toString("utf8");
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    let begin = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, begin)) {
      length += end - begin;
      if (length <= mostLineBytes) parts.push(chunk.subarray(begin, end));
      yield take();
      begin = end + 1;
    }
    length += chunk.length - begin;
    if (length <= mostLineBytes) parts.push(chunk.subarray(begin));
    else parts = [];
  }
  if (length > 0) yield take();
}
