import type { Spec } from "../spec.ts";
import { whenNeededFor } from "../when-needed.ts";
import { families } from "./families.ts";
import { describerOf } from "./lookup.ts";

/** Names that come in many versions or kinds: `python3.12`, `gcc-13`, `mkfs.ext4`, `ld-linux-x86-64.so.2`. */
export function programNamed(name: string): Spec | undefined {
  const plain = name.replace(/\.exe$/i, "").replace(/^uu_(?=\w)/, "");
  return specOf(plain) ?? specOf(plain.replace(/-?\d+(?:\.\d+)*$/, "")) ?? specOf(familyOf(plain));
}

/** A program is described once, for all its names: what is remembered of a spec is found by the object that it is. */
const described = whenNeededFor((describe: () => Spec) => describe());

function specOf(name: string): Spec | undefined {
  const describe = describerOf(name);
  return describe && described(describe);
}

function familyOf(name: string): string {
  if (/^ld-.*\.so/.test(name) || /^ld\.so/.test(name)) return "ld.so";
  return /^(mkfs|fsck)\./.exec(name)?.[1] ?? "";
}

export function programNames(): readonly string[] {
  return [...new Set(families.flatMap((family) => Object.keys(family)).flatMap((names) => names.split(" ")))];
}
