import { visibleLine } from "../core/interaction/index.ts";
import type { ChainBreak, ChainCheck } from "../runtime/index.ts";

/** What is told of a check: of a session's own, of one that a server sent, or of one that stands in an exported audit. */
export type ToldChain = Pick<ChainCheck, "events" | "before" | "head" | "more"> & {
  readonly breaks: readonly Omit<ChainBreak, "what">[];
};

/** In two characters: something is not as it was recorded, nothing has a hash by which that could be told, or all is well. */
export function chainMark({ events, before, breaks }: ToldChain): "!!" | "??" | "ok" {
  if (breaks.length > 0) return "!!";
  return before === events ? "??" : "ok";
}

/** What the hashes of a session say, in lines; what is not as it was recorded comes last, a line each. */
export function chainLines(check: ToldChain): readonly string[] {
  const { head, breaks, more } = check;
  return [
    visibleLine(head === null ? toldEvents(check) : `${toldEvents(check)}; head sha256:${head}`),
    ...breaks.map((each) => visibleLine(toldBreak(each))),
    ...(more === 0 ? [] : [`and ${more} more`]),
  ];
}

function toldEvents({ events, before, breaks }: ToldChain): string {
  if (breaks[0]?.seq === 0) return "its pages do not fit together";
  if (events === 0) return "no events";
  const all = `${events} ${events === 1 ? "event" : "events"}`;
  const isWhole = breaks.length === 0;
  const asRecorded = events === 1 ? "as it was recorded" : "as they were recorded";
  if (before === 0) return isWhole ? `${all} ${asRecorded}` : all;
  if (before === events && isWhole)
    return `${all} from before there were hashes: whether they were changed cannot be told`;
  return `${all}, ${before} of them from before there were hashes${isWhole ? ", the others as they were recorded" : ""}`;
}

function toldBreak({ seq, type, call, reason }: ToldChain["breaks"][number]): string {
  // What is in no event is in the store.
  if (seq === 0) return reason;
  const named = [...(type === null ? [] : [type]), ...(call === null ? [] : [`call ${call}`])].join(", ");
  return `event ${seq}${named === "" ? "" : ` (${named})`}: ${reason}`;
}
