/** Made when it is first asked for, and then kept: a start does not pay for what it may never use. */
export function whenNeeded<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
