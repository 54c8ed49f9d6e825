import { flowLine, type LineFilter, lintLine, purityLine, replyLine } from "../wire/index.ts";
import { oneOf, readFlags, UsageError } from "./flags.ts";
import { filterLines } from "./lines.ts";

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
  return filterLines(filter);
}
