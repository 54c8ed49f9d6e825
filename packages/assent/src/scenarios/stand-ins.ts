import { isAbsolute, join, resolve } from "node:path";
import type { Json } from "../core/index.ts";
import { visibleLine } from "../core/index.ts";
import { openPolicy, type Plan, type Policy, type Verdict } from "../policy/index.ts";
import type { Hands, Place } from "../runtime/index.ts";
import { asJson, type JudgedLine, looseRecord, parseJson } from "../wire/index.ts";

/** What a play has in the place of the world: plans that look at no disk, and a machine that is always the same. */
const playedHome = "/home/ada";

export function playedPolicy(): Policy {
  return openPolicy({ platform: "linux", home: playedHome, own: [join(playedHome, ".local/share/assent")], open: [] });
}

/** What a call would do, told by its arguments alone. */
export function planOf(tool: string, given: string, { cwd }: Place): Plan {
  const parsed = parseJson(given);
  const more: Json = parsed.type === "parsed" ? asJson(parsed.value) : given;
  const { command, path } = looseRecord(more);
  if (tool === "terminal" && typeof command === "string") return { tool, cwd, command, more };
  if (typeof path !== "string") return { tool, cwd, more };
  const outside = isAbsolute(path) ? !path.startsWith(`${cwd}/`) : path.split("/").includes("..");
  const use = tool === "write_file" || tool === "edit_file" ? "write" : "read";
  return { tool, cwd, more, paths: [{ path, real: path, use, outside }] };
}

/** No link leads anywhere. */
export const plainPlaces: NonNullable<Hands["realPlaces"]> = (paths, { cwd }) =>
  Object.fromEntries(paths.map((path) => [path, resolve(cwd, path)]));

/** How it stands in a scenario what a tool does: a command as it is typed, anything else with its arguments. */
export function deedOf({ tool, command, more }: Plan): string {
  if (command !== undefined) return visibleLine(command);
  return visibleLine(more === undefined ? tool : `${tool} ${JSON.stringify(more)}`);
}

/** A verdict as a scenario has it. */
export function verdictOf({ verdict, rule, reason, grant }: JudgedLine): Verdict {
  if (verdict !== "ask") return { verdict, rule, reason };
  return { verdict, rule, reason, ...(grant === undefined ? {} : { grantable: grant }) };
}
