import type { Policy, Verdict } from "../policy/index.ts";
import { loadRealPlaces } from "../tools/index.ts";
import { writtenRules } from "./rules.ts";
import { servedPlaces } from "./served.ts";

export type Judge = (policy: Policy, command: string, cwd: string) => Verdict;

/** Judges as the terminal tool would have it judged, with what can be seen of the files here. */
export async function openJudge(): Promise<Judge> {
  const realPlaces = await loadRealPlaces();
  return (policy, command, cwd) => {
    const written = writtenRules(cwd);
    const served = servedPlaces();
    const listening = served.length === 0 ? {} : { served };
    const plan = { tool: "terminal", cwd, command, ...(written.length === 0 ? {} : { rules: written }), ...listening };
    const wanted = policy.wants?.(plan) ?? [];
    return policy.judge(wanted.length === 0 ? plan : { ...plan, links: realPlaces(wanted, cwd) });
  };
}
