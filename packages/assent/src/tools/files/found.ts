import { lstatSync } from "node:fs";
import * as v from "valibot";
import type { Json } from "../../core/index.ts";
import type { Place, Plan } from "../../runtime/ports.ts";
import { missing } from "./missing.ts";
import { baseOf, locate } from "./paths.ts";
import { failure, kindOf } from "./trouble.ts";

/** What a plan that reads notes beside its arguments, as which a person is shown all of it (APPR-5). */
export const foundSchema = v.object({ path: v.string(), real: v.string() });

export type Finding = {
  readonly tool: string;
  readonly path: string;
  readonly wanted: "file" | "folder" | "either";
  readonly more: { readonly [key: string]: Json };
};

/** A plan to read what is there already, or why that cannot be. */
export function planFound({ tool, path, wanted, more }: Finding, place: Place): Plan {
  const cwd = baseOf(place);
  const located = locate(path, "read", place);
  if (located.type === "trouble") return { tool, cwd, fails: located.text };
  const { name, real, planned } = located;
  const plan = { tool, cwd, paths: [planned] };
  try {
    const stats = lstatSync(real, { throwIfNoEntry: false });
    if (stats === undefined) return { ...plan, fails: missing(located).text };
    const isRight = (stats.isFile() && wanted !== "folder") || (stats.isDirectory() && wanted !== "file");
    if (isRight) return { ...plan, more: { path, ...more, real } };
    return {
      ...plan,
      fails: `cannot ${verbs[wanted]} ${name}: ${expected[wanted]}, came ${kindOf(stats)}${hint(stats)}`,
    };
  } catch (error) {
    return { ...plan, fails: failure(`cannot ${verbs[wanted]} ${name}`, error).text };
  }
}

const verbs = { file: "read", folder: "list", either: "search" };
const expected = {
  file: "expected a regular file",
  folder: "expected a folder",
  either: "expected a regular file or a folder",
};

function hint(stats: { isFile(): boolean; isDirectory(): boolean }): string {
  if (stats.isDirectory()) return ": use list_files";
  return stats.isFile() ? ": use read_file" : "";
}
