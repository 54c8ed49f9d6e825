import type { Programs, Spec } from "../spec.ts";
import { archiveTools } from "./archives.ts";
import { ownProgram } from "./assent.ts";
import { buildTools } from "./build.ts";
import { cloudTools } from "./cloud.ts";
import { containerTools } from "./containers.ts";
import { databases } from "./databases.ts";
import { debuggers } from "./debuggers.ts";
import { editors } from "./editors.ts";
import { fileTools } from "./files.ts";
import { gitTools } from "./git.ts";
import { interpreters } from "./interpreters.ts";
import { networkTools } from "./network.ts";
import { otherTools } from "./others.ts";
import { packageTools } from "./packages.ts";
import { privilegeTools } from "./privilege.ts";
import { systemTools } from "./system.ts";
import { textTools } from "./text.ts";
import { wrappers } from "./wrappers.ts";

/** All programs that are described. Where two lists have a name, the later one counts. */
const programs: Programs = {
  ...otherTools,
  ...textTools,
  ...fileTools,
  ...archiveTools,
  ...editors,
  ...debuggers,
  ...databases,
  ...buildTools,
  ...packageTools,
  ...gitTools,
  ...networkTools,
  ...cloudTools,
  ...containerTools,
  ...systemTools,
  ...interpreters,
  ...wrappers,
  ...privilegeTools,
  ...ownProgram,
};

/** Names that come in many versions or kinds: `python3.12`, `gcc-13`, `mkfs.ext4`, `ld-linux-x86-64.so.2`. */
export function programNamed(name: string): Spec | undefined {
  const plain = name.replace(/\.exe$/i, "").replace(/^uu_(?=\w)/, "");
  return specOf(plain) ?? specOf(plain.replace(/-?\d+(?:\.\d+)*$/, "")) ?? specOf(familyOf(plain));
}

function specOf(name: string): Spec | undefined {
  return Object.hasOwn(programs, name) ? programs[name] : undefined;
}

function familyOf(name: string): string {
  if (/^ld-.*\.so/.test(name) || /^ld\.so/.test(name)) return "ld.so";
  return /^(mkfs|fsck)\./.exec(name)?.[1] ?? "";
}

export const programNames: readonly string[] = Object.keys(programs);
