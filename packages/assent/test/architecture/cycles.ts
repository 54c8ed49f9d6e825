import type { Source } from "./source.ts";
import type { Violation } from "./violation.ts";

/** Importer → imported file → line of the first import. */
type Graph = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** One violation, and the shortest way round, for each group of files that reach each other by value imports. */
export function checkCycles(sources: readonly Source[]): Violation[] {
  const graph = valueImports(sources);
  const reported = new Set<string>();
  return [...graph.keys()].sort().flatMap((file) => {
    if (reported.has(file)) return [];
    const cycle = shortestCycle(graph, file);
    if (cycle === undefined) return [];
    for (const each of knot(graph, file)) reported.add(each);
    const line = graph.get(file)?.get(cycle[1] ?? file) ?? 1;
    const message = `expected no cycle of value imports: came ${cycle.join(" → ")}`;
    return [{ rule: "cycles", file, line, message }];
  });
}

function valueImports(sources: readonly Source[]): Graph {
  const files = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map(({ path, imports }) => {
      const lines = new Map<string, number>();
      for (const { target, typeOnly, line } of imports) {
        if (target !== undefined && !typeOnly && files.has(target) && !lines.has(target)) lines.set(target, line);
      }
      return [path, lines];
    }),
  );
}

/** Breadth first from the file back to itself. */
function shortestCycle(graph: Graph, start: string): string[] | undefined {
  const cameFrom = reachableFrom(graph, start);
  if (!cameFrom.has(start)) return undefined;
  const cycle = [start];
  let at = cameFrom.get(start);
  while (at !== undefined && at !== start) {
    cycle.unshift(at);
    at = cameFrom.get(at);
  }
  return [start, ...cycle];
}

/** The files that the file reaches and that reach it. */
function knot(graph: Graph, file: string): string[] {
  return [...reachableFrom(graph, file).keys()].filter((each) => reachableFrom(graph, each).has(file));
}

/** Every file reachable by one import or more → the file it was first reached from. */
function reachableFrom(graph: Graph, start: string): Map<string, string> {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const next of graph.get(file)?.keys() ?? []) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return cameFrom;
}
