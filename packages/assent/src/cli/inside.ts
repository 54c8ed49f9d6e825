import { exitCodes } from "../adapters/headless/index.ts";
import { isInsideRun } from "../runtime/index.ts";
import { stderr } from "./output.ts";

/**
 * An agent must not approve itself (APPR-10): what a call has started may begin sessions of its own and read, but not act on
 * sessions that are there, in the name of a person. `null` when this is no such process; otherwise it is told, and this is the
 * exit code. A process that has shed both its environment and its parents is not known: see SECURITY.md.
 */
export function refuseInsideRun(what: string): number | null {
  if (!isInsideRun()) return null;
  stderr.write(`assent: a command that an agent runs cannot ${what}\n`);
  return exitCodes.refused;
}
