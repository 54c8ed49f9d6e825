/** The known word that is nearest to what was typed, if one is near enough to be meant. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3));
  // One letter has up to two units of length. A page that was pasted is no name, and to compare it would take seconds.
  return known
    .filter((word) => Math.abs(word.length - typed.length) <= 2 * most)
    .map((word) => ({ word, distance: distance(typed, word) }))
    .filter((each) => each.distance <= most)
    .sort((one, other) => one.distance - other.distance)[0]?.word;
}

export function suggestion(typed: string, known: readonly string[]): string {
  const near = nearest(typed, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

/** How many letters must be added, taken away, changed or swapped with the next. */
function distance(one: string, other: string): number {
  const [letters, its] = [[...one], [...other]];
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: its.length + 1 }, (_, column) => column);
  for (const [index, letter] of letters.entries()) {
    const next = [index + 1];
    for (const [column, wanted] of its.entries()) {
      const swaps = column > 0 && index > 0 && letter === its[column - 1] && letters[index - 1] === wanted;
      const change = (row[column] ?? 0) + (letter === wanted ? 0 : 1);
      const swapped = swaps ? (before[column - 1] ?? 0) + 1 : change;
      next.push(Math.min(change, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
