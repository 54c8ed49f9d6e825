let tuned = false;

/**
 * Where what lives shortly is put does not grow any more: the process stays smaller by some ten megabytes, and no slower. Not
 * earlier, since a start can do without what says so (ADR 19).
 */
export function tuneNode(): void {
  tuned = true;
  setGrowth(1);
}

/**
 * At the end of a process: as V8 was when it began, for what is compiled is only taken by processes with the same flags. Says
 * whether it came to a call, and so had much to compile.
 */
export function settle(): boolean {
  if (tuned) setGrowth(2);
  return tuned;
}

function setGrowth(factor: number): void {
  process.getBuiltinModule("node:v8").setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
