import { resolve } from "node:path";
import type { Place, Plan } from "../../runtime/ports.ts";
import { realOf, within } from "../real.ts";
import { failure, type Trouble } from "./trouble.ts";

type PlannedPath = NonNullable<Plan["paths"]>[number];

/** `name` as the model wrote it, `real` where links lead from there. */
export type Located = {
  readonly type: "located";
  readonly name: string;
  readonly real: string;
  readonly planned: PlannedPath;
};

export function locate(given: string, use: PlannedPath["use"], place: Place): Located | Trouble {
  const absolute = resolve(baseOf(place), given);
  const name = shownName(given);
  try {
    const real = realOf(absolute);
    const root = realOf(resolve(place.cwd));
    const planned = {
      path: within(resolve(place.cwd), absolute) ?? within(root, absolute) ?? absolute,
      real: within(root, real) ?? real,
      use,
      outside: within(root, real) === null,
    };
    return { type: "located", name, real, planned };
  } catch (error) {
    return failure(`cannot ${use} ${name}`, error);
  }
}

/** Where paths start from: the persistent shell's folder while there is one. */
export function baseOf({ cwd, terminal }: Place): string {
  return terminal.state === "open" ? terminal.cwd : cwd;
}

/** What a person must be asked about before its content may be spoken of, even in the reason for a failure. */
export function isGuarded({ path, real, outside }: PlannedPath): boolean {
  return outside || [path, real].some((each) => each.split("/").some((part) => /^\.(?!\.?$)/.test(part)));
}

/** Whether the path still leads to what was judged: a link on the way may lead elsewhere by now. */
export function leadsTo(absolute: string, real: string): boolean {
  try {
    return realOf(absolute) === real;
  } catch {
    return false;
  }
}

/** A name that would not stay on its line, or hides something, is quoted. */
export function shownName(name: string): string {
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]|^\s|\s$/u.test(name)) return name;
  const escaped = (char: string): string => `\\u{${char.codePointAt(0)?.toString(16)}}`;
  return JSON.stringify(name).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}
