import { lookInto } from "../../src/policy/index.ts";
import { world } from "./world.ts";

type World = Parameters<typeof lookInto>[1]["world"];

/**
 * All that is seen in a command. A line for each finding: where it stands, unless that is all of it, and what would run in the
 * end. Then what runs, in order, with `…` for a word that is not known and `&` before what else belongs to it; and the paths
 * of which it should be known where they really are.
 */
export function toldOf(line: string, more: Partial<World> = {}): string[] {
  const { cwd, home, platform, root } = world;
  const seen = lookInto(line, { cwd, world: { home, platform, root, own: [], links: {}, fresh: true, ...more } });
  const findings = seen.findings.map(({ rule, reason, span, effective }) => {
    const at = line.slice(span.start, span.end);
    return `${rule}: ${reason}${at === line ? "" : ` @ ${at}`}${effective === null ? "" : ` = ${effective}`}`;
  });
  const steps = seen.steps.map((step) => (step.type === "beside" ? `& ${step.text}` : step.argv.map(quoted).join(" ")));
  return [...findings, ...listed("runs", steps), ...listed("wants", seen.wanted)];
}

const listed = (what: string, texts: readonly string[]) => (texts.length === 0 ? [] : [`${what} ${texts.join(" │ ")}`]);

const quoted = (word: string | null) => (word === null ? "…" : /^$|\s/.test(word) ? `'${word}'` : word);
