import { resolve, sep } from "node:path";
import type { Hands, Place, Plan } from "../../runtime/ports.ts";
import { spillFolder } from "../../terminal/index.ts";
import { realOf, within } from "../real.ts";

type PlannedPath = NonNullable<Plan["paths"]>[number];

export type OwnPlaces = {
  /** What is Assent's own: its home, and where its compiled code is. */
  readonly self: readonly string[];
  /** Where the outputs of commands are that were too long. */
  readonly folder: string;
};

/** The same hands; their plans say of each path whether it is Assent's own, or an output of the session's commands (APPR-10). */
export function marking(hands: Hands, own: OwnPlaces): Hands {
  return {
    ...hands,
    plan(given, place) {
      const plan = hands.plan(given, place);
      return plan.paths === undefined
        ? plan
        : { ...plan, paths: plan.paths.map((path) => marked(path, plan, place, own)) };
    },
  };
}

function marked(
  path: PlannedPath,
  plan: Plan,
  { cwd, session, own = [] }: Place,
  { self, folder }: OwnPlaces,
): PlannedPath {
  try {
    const real = resolve(realOf(resolve(cwd)), path.real);
    const isIn = (place: string) => within(realOf(resolve(place)), real) !== null;
    if (path.use === "read" && isIn(spillFolder(folder, session))) return { ...path, own: "output" };
    const isOwn = [...self, ...own].some((place) => isIn(place) || isSearched(realOf(resolve(place)), real, plan));
    return isOwn ? { ...path, self: true } : path;
  } catch {
    // Where its own places are cannot be told: then this may be one of them.
    return { ...path, self: true };
  }
}

/** A search reads all that is in a folder, but for what is hidden unless it is told to. */
function isSearched(own: string, searched: string, { tool, more }: Plan): boolean {
  const way = tool === "search_files" ? within(searched, own) : null;
  if (way === null) return false;
  const all = typeof more === "object" && more !== null && "all" in more && more["all"] === true;
  return all || !way.split(sep).some((name) => name.startsWith("."));
}
