import { flowLine, type LineFilter, lintLine, purityLine, replyLine } from "../wire/index.ts";
import { partOf, readFlags } from "./flags.ts";
import { filterLines } from "./lines.ts";
import { interactionSpec } from "./specs/others.ts";

const filters: Readonly<Record<keyof typeof interactionSpec.parts, LineFilter>> = {
  lint: lintLine,
  reply: replyLine,
  flow: flowLine,
  purity: purityLine,
};

/** `assent interaction …`: the contract by itself, as a filter of JSON lines. */
export async function interaction(argv: readonly string[]): Promise<number> {
  const [typed, ...rest] = argv;
  const part = partOf("interaction", typed, interactionSpec.parts);
  readFlags(rest, interactionSpec.parts[part]);
  return filterLines(filters[part]);
}
