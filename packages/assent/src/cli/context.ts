import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Place, systemClock, usualContext } from "../runtime/index.ts";

/** Comes with every request: what is longer is read by whoever needs it. */
const mostInstructions = 4_000;
/** The project's own word to agents. */
const instructionsFile = "AGENTS.md";

/** The facts that come with every request, so that what they answer needs no command (SEL-6). */
export function contextOf(place: Place, integrations: string): string {
  const facts = [...usualContext(place, systemClock), `integrations: ${integrations}`];
  return [...facts, ...instructions(place.cwd)].join("\n");
}

function instructions(cwd: string): readonly string[] {
  const text = readInstructions(join(cwd, instructionsFile));
  if (text === "") return [];
  const cut = text.length > mostInstructions;
  const shown = cut ? text.slice(0, mostInstructions).toWellFormed() : text;
  const more = cut ? `\n[… ${instructionsFile} goes on: ${text.length} characters; read_file shows all]` : "";
  return [`${instructionsFile} of this project:\n${shown}${more}`];
}

/** Where there is none, or none that can be read, there is nothing to follow. */
function readInstructions(file: string): string {
  try {
    // Asked before each request: an exception would be most of its cost.
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8").trim() : "";
  } catch {
    return "";
  }
}
