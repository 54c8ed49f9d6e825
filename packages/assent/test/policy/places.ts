import { openPolicy, type Plan, type Policy } from "../../src/policy/index.ts";
import { world } from "./world.ts";

/** Where Assent keeps its own in these tests, and what of that may be read. */
export const own = [`${world.home}/.local/share/assent`, `${world.home}/.cache/assent`] as const;
const open = [`${own[1]}/output`] as const;

/** The policy of one person at one machine, as the command line opens it. */
export const policy: Policy = openPolicy({ platform: world.platform, home: world.home, own, open });

/** A command of the terminal tool, in a new shell. */
export function command(text: string, more: Partial<Plan> = {}): Plan {
  return { tool: "terminal", cwd: world.cwd, command: text, ...more };
}
