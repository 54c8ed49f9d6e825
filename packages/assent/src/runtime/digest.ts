/** A hash of exactly what was judged, or shown to a person: with it, an answer says what it is an answer to. */
export function digestOf(shown: unknown): string {
  // Loading it takes longer than all else that a start needs; a model that answers without a call needs no digest.
  const { hash } = process.getBuiltinModule("node:crypto");
  return `sha256:${hash("sha256", JSON.stringify(shown))}`;
}
