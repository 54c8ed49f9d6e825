import type { Danger } from "./deeds.ts";
import { type Argument, known, shown } from "./text.ts";

/** What a permission mode gives away: everything to everybody, or a program's owner to whoever runs it. */
export function modeDanger({ text }: Argument): Danger | null {
  const mode = known(text);
  if (mode === null)
    return { rule: "system-mode", reason: `sets the mode ${shown(text)}, which is not known before it runs` };
  const [, sign = "", octal] = /^([-+=]?)([0-7]{1,5})$/.exec(mode) ?? [];
  if (octal !== undefined) return sign === "-" ? null : octalDanger(octal);
  return symbolicDanger(mode);
}

function octalDanger(mode: string): Danger | null {
  const bits = Number.parseInt(mode, 8);
  if ((bits & 0o6000) !== 0)
    return { rule: "privilege-grant", reason: `sets the set-user-id or set-group-id bit (${mode})` };
  if ((bits & 0o777) === 0o777)
    return { rule: "system-mode", reason: `lets everybody read, write and run it (${mode})` };
  return (bits & 0o002) !== 0 ? { rule: "system-mode", reason: `lets everybody write to it (${mode})` } : null;
}

/** Whether others may write, after one part of the mode and the next. */
function symbolicDanger(mode: string): Danger | null {
  let open = false;
  for (const clause of mode.split(",")) {
    const [, who = "", changes] = /^([ugoa]*)((?:[-+=][rwxXstugo]*)+)$/.exec(clause) ?? [];
    if (changes === undefined)
      return { rule: "system-mode", reason: `sets the mode ${clause}, which is not known before it runs` };
    for (const [, sign = "", what = ""] of changes.matchAll(/([-+=])([rwxXstugo]*)/g)) {
      if (sign !== "-" && what.includes("s") && (who === "" || /[uga]/.test(who)))
        return { rule: "privilege-grant", reason: `sets the set-user-id or set-group-id bit (${clause})` };
      if (/[oa]/.test(who)) open = isOpen(open, sign, what);
    }
  }
  return open ? { rule: "system-mode", reason: `lets everybody write to it (${mode})` } : null;
}

/** What the owner or the group may do, copied to others, may be to write. */
function isOpen(before: boolean, sign: string, what: string): boolean {
  const writes = /[wug]/.test(what);
  if (sign === "-") return before && !what.includes("w");
  return sign === "=" ? writes : before || writes;
}
