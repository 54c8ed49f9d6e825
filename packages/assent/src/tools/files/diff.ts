import { shownName } from "./paths.ts";

const context = 3;
const mostBytes = 64 * 1024;
/** Beyond so many changed lines the rest counts as replaced: the search is quadratic in them. */
const mostEdits = 400;

/** A stretch of lines that differ: `[from, to)` before and after. */
type Change = { readonly before: readonly [number, number]; readonly after: readonly [number, number] };

/** Unified, with the last line's missing end told as diff does; `null` before is a file that was not there. */
export function unifiedDiff(path: string, before: string | null, after: string): string {
  const name = shownName(path);
  const head = `--- ${before === null ? "/dev/null" : name}\n+++ ${name}\n`;
  const [old, now] = [linesOf(before ?? ""), linesOf(after)];
  const parts = groups(changesOf(old, now)).map((group) => hunk(group, old, now));
  return capped(head + parts.join(""));
}

/** Each with its line end, so that only the last can lack one. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Changes with few enough lines between them share a hunk. */
function groups(changes: readonly Change[]): Change[][] {
  const found: Change[][] = [];
  for (const change of changes) {
    const last = found.at(-1)?.at(-1);
    if (last !== undefined && change.before[0] - last.before[1] <= 2 * context) found.at(-1)?.push(change);
    else found.push([change]);
  }
  return found;
}

function hunk(group: readonly Change[], old: readonly string[], now: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return "";
  const lead = Math.min(context, first.before[0]);
  const tail = Math.min(context, old.length - last.before[1]);
  const start = first.before[0] - lead;
  const lines: string[] = [];
  let at = start;
  for (const { before, after } of group) {
    lines.push(...old.slice(at, before[0]).map((line) => ` ${line}`));
    lines.push(...old.slice(...before).map((line) => `-${line}`), ...now.slice(...after).map((line) => `+${line}`));
    at = before[1];
  }
  lines.push(...old.slice(at, at + tail).map((line) => ` ${line}`));
  const oldRange = range(start, at + tail - start);
  const nowRange = range(first.after[0] - lead, last.after[1] + tail - (first.after[0] - lead));
  const ended = lines.map((line) => (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`));
  return `@@ -${oldRange} +${nowRange} @@\n${ended.join("")}`;
}

function range(start: number, count: number): string {
  if (count === 0) return `${start},0`;
  return count === 1 ? `${start + 1}` : `${start + 1},${count}`;
}

function capped(diff: string): string {
  const bytes = Buffer.from(diff);
  if (bytes.length <= mostBytes) return diff;
  // A character that the cut divides becomes a replacement character, which is then dropped.
  const kept = bytes.toString("utf8", 0, mostBytes).replace(/\uFFFD$/, "");
  const left = linesOf(diff).length - linesOf(kept).length;
  return `${kept}\n[the diff is cut here: ${left} more lines, ${bytes.length - mostBytes} more bytes]\n`;
}

function changesOf(old: readonly string[], now: readonly string[]): Change[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let same = 0;
  const most = Math.min(old.length, now.length) - start;
  while (same < most && old[old.length - 1 - same] === now[now.length - 1 - same]) same += 1;
  const a = old.slice(start, old.length - same);
  const b = now.slice(start, now.length - same);
  if (a.length === 0 && b.length === 0) return [];
  return joined(pathThrough(a, b)).map(({ before, after }) => ({
    before: [before[0] + start, before[1] + start],
    after: [after[0] + start, after[1] + start],
  }));
}

/** A pair of lines that are the same in both. */
type Pair = readonly [number, number];

function joined({ pairs, lengths }: { readonly pairs: readonly Pair[]; readonly lengths: Pair }): Change[] {
  const found: Change[] = [];
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...pairs, lengths]) {
    if (nextX > x || nextY > y) found.push({ before: [x, nextX], after: [y, nextY] });
    [x, y] = [nextX + 1, nextY + 1];
  }
  return found;
}

/** Myers' shortest edit: for every number of edits, how far each diagonal gets. */
function pathThrough(a: readonly string[], b: readonly string[]) {
  const lengths: Pair = [a.length, b.length];
  const reached = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(a.length + b.length, mostEdits); edits += 1) {
    trace.push(new Map(reached));
    if (advance(reached, edits, a, b)) return { pairs: walkBack(trace, lengths), lengths };
  }
  return { pairs: [], lengths };
}

/** Whether one of them gets to the end. */
function advance(reached: Map<number, number>, edits: number, a: readonly string[], b: readonly string[]): boolean {
  for (let k = -edits; k <= edits; k += 2) {
    let x = stepsDown(reached, k, edits) ? (reached.get(k + 1) ?? 0) : (reached.get(k - 1) ?? 0) + 1;
    while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
    reached.set(k, x);
    if (x >= a.length && x - k >= b.length) return true;
  }
  return false;
}

function stepsDown(reached: ReadonlyMap<number, number>, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && (reached.get(k - 1) ?? 0) < (reached.get(k + 1) ?? 0));
}

function walkBack(trace: readonly ReadonlyMap<number, number>[], [endX, endY]: Pair): Pair[] {
  const pairs: Pair[] = [];
  let [x, y] = [endX, endY];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const reached = trace[edits] ?? new Map<number, number>();
    const k = x - y;
    const before = stepsDown(reached, k, edits) ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : (reached.get(before) ?? 0);
    const fromY = edits === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      [x, y] = [x - 1, y - 1];
      pairs.push([x, y]);
    }
    [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}
