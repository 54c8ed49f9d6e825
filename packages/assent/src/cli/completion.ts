import { readFileSync } from "node:fs";
import { join } from "node:path";
import { partOf, readFlags } from "./flags.ts";
import { completionSpec } from "./specs/others.ts";

/** `assent completion`: what a shell reads to complete this command's words; they ask `assent __complete` (CLI-1). */
export function printCompletion(argv: readonly string[], root: string): number {
  const [typed, ...rest] = argv;
  const shell = partOf("completion", typed, completionSpec.parts);
  readFlags(rest, completionSpec.parts[shell]);
  process.stdout.write(readFileSync(join(root, "completion", `assent.${shell}`), "utf8"));
  return 0;
}
