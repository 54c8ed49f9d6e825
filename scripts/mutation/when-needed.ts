/**
 * Stands for policy/shell/when-needed.ts in the tests that mutants have to get past. What is kept there is made anew in each
 * test: else only the test that was first would reach what makes it, and no other would be run against its mutants.
 */
let tests = 0;

export function anotherTest(): void {
  tests += 1;
}

export function whenNeeded<Value>(make: () => Value): () => Value {
  const made = whenNeededFor(make);
  return () => made(undefined);
}

export function whenNeededFor<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let made = new Map<Key, { readonly value: Value }>();
  let madeIn = tests;
  return (key) => {
    if (madeIn !== tests) made = new Map();
    madeIn = tests;
    const kept = made.get(key) ?? { value: make(key) };
    made.set(key, kept);
    return kept.value;
  };
}
