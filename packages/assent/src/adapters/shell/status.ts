import type { Session } from "../../core/index.ts";
import { homeOf } from "../../runtime/index.ts";
import type { Marks } from "./style.ts";

/** One line that tells where one is: model, session, turns, tokens, folder (PROG-3). */
export function statusLine(session: Session, model: string | null, { separator, unlimited }: Marks): string {
  const { id, name, turns, limits, usage, cwd } = session;
  const tokens = usage.input + usage.output;
  const cost = usage.cost === undefined ? "" : ` (${usage.cost.toFixed(2)})`;
  const parts = [
    model === null ? "no model" : shortModel(model),
    name === null ? id : `${name} (${id})`,
    `turns ${turns}/${limits.turns === "unlimited" ? unlimited : limits.turns}`,
    tokens === 0 ? "" : `${short(tokens)} tokens${cost}`,
    shortPath(cwd),
  ];
  return parts.filter((part) => part !== "").join(separator);
}

/** Of a script its name says enough. */
export function shortModel(name: string): string {
  return name.replace(/^scripted:.*\//, "scripted:");
}

function short(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

function shortPath(path: string): string {
  const home = homeOf();
  return home !== null && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
}
