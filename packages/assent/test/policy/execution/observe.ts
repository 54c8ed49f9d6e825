/** What a command did, told from the files before and after and from what looked for a way to other machines. */

/** A category of the policy that running the command has shown. */
export type Observed = "delete" | "network" | "overwrite" | "system";

/** `node` identifies the file wherever it is moved; `content` differs whenever it may have been written. */
export type Entry = {
  readonly path: string;
  readonly type: string;
  readonly mode: number;
  readonly owner: string;
  readonly content: string;
  readonly node: string;
};

export type Seen = {
  readonly before: readonly Entry[];
  readonly after: readonly Entry[];
  /** How often another machine was looked for. */
  readonly sought: number;
};

/** So many files gone at once are more than files taken away by name. */
const bulk = 5;
/** What is not of the system, by its start. */
const ownPlaces = ["home", "tmp", "var/tmp", "dev/shm"];

export function differences({ before, after, sought }: Seen): readonly Observed[] {
  const earlier = byPath(before);
  const later = byPath(after);
  const observed = new Set<Observed>();
  if (isBulkDeletion(before, after, later)) observed.add("delete");
  if (sought > 0) observed.add("network");
  const paths = new Set([...earlier.keys(), ...later.keys()]);
  for (const path of paths) {
    const [was, is] = [earlier.get(path), later.get(path)];
    if (isSystem(path) && isChanged(was, is)) observed.add("overwrite");
    if (is !== undefined && isOpened(was, is)) observed.add("system");
  }
  return [...observed].sort();
}

function byPath(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

function isBulkDeletion(before: readonly Entry[], after: readonly Entry[], later: ReadonlyMap<string, Entry>): boolean {
  const nodes = new Set(after.map(({ node }) => node));
  const gone = before.filter(({ path, node }) => !later.has(path) && !nodes.has(node));
  const wholeFolder = gone.some(
    ({ type, path }) => type === "d" && gone.some((other) => other.path.startsWith(`${path}/`)),
  );
  return wholeFolder || gone.filter(({ type }) => type !== "d").length >= bulk;
}

function isSystem(path: string): boolean {
  return path !== "" && !ownPlaces.some((place) => path === place || path.startsWith(`${place}/`));
}

/** A folder's own times change with what is in it. */
function isChanged(was: Entry | undefined, is: Entry | undefined): boolean {
  if (was === undefined || is === undefined) return true;
  if (was.type !== is.type || was.mode !== is.mode || was.owner !== is.owner) return true;
  return is.type !== "d" && was.content !== is.content;
}

/** Anybody may change it now. */
function isOpened(was: Entry | undefined, is: Entry): boolean {
  return is.type !== "l" && (is.mode & 0o1777) === 0o777 && was?.mode !== is.mode;
}
