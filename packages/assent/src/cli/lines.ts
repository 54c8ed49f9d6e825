import { once } from "node:events";
import { stderr, stdout } from "./output.ts";

/** A longer line is not read at all; it holds more than anybody means to say. */
export const mostLineBytes = 16 * 1024 * 1024;

/** A line of JSON in, a line of JSON out, each as soon as it can be told. */
export async function filterLines(filter: (line: string | null) => string): Promise<number> {
  if (process.stdin.isTTY) stderr.write("assent: reads JSON lines from stdin; Ctrl-D ends\n");
  for await (const line of linesOf(process.stdin)) {
    if (line?.trim() === "") continue;
    if (!stdout.write(`${filter(line)}\n`)) await once(process.stdout, "drain");
  }
  return 0;
}

/** Lines end at LF and nowhere else; one that is too long comes as `null`. */
export async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
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
