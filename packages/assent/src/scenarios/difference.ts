/** The whole of both, line by line, with `-` before what was expected and did not come, `+` before what came instead. */
export function difference(expected: readonly string[], came: readonly string[]): string | null {
  const common = commonLengths(expected, came);
  const lines: string[] = [];
  let [one, other, differ] = [0, 0, false];
  while (one < expected.length || other < came.length) {
    if (one < expected.length && expected[one] === came[other]) {
      lines.push(`  ${expected[one]}`);
      one += 1;
      other += 1;
      continue;
    }
    differ = true;
    const skips =
      other >= came.length || (one < expected.length && at(common, one + 1, other) >= at(common, one, other + 1));
    lines.push(skips ? `- ${expected[one++]}` : `+ ${came[other++]}`);
  }
  return differ ? lines.join("\n") : null;
}

/** From each place in both to their ends: how many lines they have in common, in order. */
function commonLengths(expected: readonly string[], came: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: expected.length + 1 }, () => Array<number>(came.length + 1).fill(0));
  for (let one = expected.length - 1; one >= 0; one--) {
    for (let other = came.length - 1; other >= 0; other--) {
      const longest =
        expected[one] === came[other]
          ? at(lengths, one + 1, other + 1) + 1
          : Math.max(at(lengths, one + 1, other), at(lengths, one, other + 1));
      lengths[one]?.splice(other, 1, longest);
    }
  }
  return lengths;
}

function at(lengths: readonly (readonly number[])[], one: number, other: number): number {
  return lengths[one]?.[other] ?? 0;
}
