let tuned = false;

/**
 * Where what lives shortly is put does not grow any more: the process stays smaller by some ten megabytes, and no slower. And
 * code is watched and compiled from its first use on, not only once it has been used often: most runs are over before it would be,
 * and their turns take a tenth less time (ADR 19). Not earlier, since a start can do without what says so.
 */
export function tuneNode(): void {
  tuned = true;
  setFlags("--semi-space-growth-factor=1", "--no-lazy-feedback-allocation", "--always-sparkplug");
}

/**
 * At the end of a process: as V8 was when it began, for what is compiled is only taken by processes with the same flags. Says
 * whether it came to a call, and so had much to compile.
 */
export function settle(): boolean {
  if (tuned) setFlags("--semi-space-growth-factor=2", "--lazy-feedback-allocation", "--no-always-sparkplug");
  return tuned;
}

function setFlags(...flags: readonly string[]): void {
  for (const flag of flags) v8().setFlagsFromString(flag);
}

function v8() {
  return process.getBuiltinModule("node:v8");
}
