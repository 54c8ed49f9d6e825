/** How alike two texts are, 0 to 1: the share of letter pairs they have in common. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const pairs = new Map<string, number>();
  for (const pair of pairsOf(a)) pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  let shared = 0;
  let others = 0;
  for (const pair of pairsOf(b)) {
    others += 1;
    const left = pairs.get(pair) ?? 0;
    if (left > 0) shared += 1;
    pairs.set(pair, left - 1);
  }
  return (2 * shared) / Math.max(1, a.length - 1 + others);
}

function* pairsOf(text: string): Generator<string> {
  for (let at = 0; at + 1 < text.length; at += 1) yield text.slice(at, at + 2);
}

/** Those most like it, the likest first. */
export function similarNames(wanted: string, names: readonly string[]): string[] {
  const small = wanted.toLowerCase();
  return names
    .map((name) => ({ name, score: likeness(small, name.toLowerCase()) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ name }) => name);
}
