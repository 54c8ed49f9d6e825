/**
 * An append-only list, newest first, whose versions share what they have in common: appending is O(1) and leaves every
 * older version as it was. Copying an array at each event would make a fold of n events cost n².
 */
export type Log<T> = null | {
  readonly newest: T;
  readonly older: Log<T>;
  readonly length: number;
  /** Of all items together, in whatever the one who appends them weighs. */
  readonly weight: number;
};

export function append<T>(log: Log<T>, item: T, weight = 0): Log<T> {
  return { newest: item, older: log, length: lengthOf(log) + 1, weight: (log?.weight ?? 0) + weight };
}

/** Oldest first. */
export function entries<T>(log: Log<T>): readonly T[] {
  const items: T[] = new Array(lengthOf(log));
  for (let rest = log, index = lengthOf(log) - 1; rest !== null; rest = rest.older, index--) items[index] = rest.newest;
  return items;
}

export function findLast<T>(log: Log<T>, matches: (item: T) => boolean): T | undefined {
  for (let rest = log; rest !== null; rest = rest.older) if (matches(rest.newest)) return rest.newest;
  return undefined;
}

function lengthOf(log: Log<unknown>): number {
  return log === null ? 0 : log.length;
}
