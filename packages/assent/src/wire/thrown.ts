/** What was thrown, in its own words; it need not be an error. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message === "" ? thrown.name : thrown.message;
  return typeof thrown === "string" ? thrown : `it threw ${describeGiven(thrown)}`;
}

/** What the system or Node calls it, such as `ENOENT`; `null` where it has no such name. */
export function codeOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !("code" in thrown)) return null;
  return typeof thrown.code === "string" ? thrown.code : null;
}

/** What is wrong with a value that should have been something else, in the words of who wrote it. */
export function describeGiven(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === "string") return `the text ${JSON.stringify(shortened(value))}`;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object") return `the ${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return "a list";
  if ("then" in value && typeof value.then === "function") return "a promise";
  if (Symbol.asyncIterator in value || Symbol.iterator in value) return "a generator, or something else to iterate";
  const names = Object.keys(value);
  if (names.length === 0) return "an object without fields";
  return `an object with ${shortened(names.join(", "))}`;
}

function shortened(words: string): string {
  return words.length > 80 ? `${words.slice(0, 80)}…` : words;
}
