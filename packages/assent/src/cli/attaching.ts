import { realpathSync } from "node:fs";
import { visibleLine } from "../core/index.ts";
import { UsageError } from "./flags.ts";
import { stderr } from "./output.ts";
import { ownFolders } from "./places.ts";

/** A prompt with the files that it names (SEL-11); one that must not be sent along is told before anything is recorded. */
export async function withFiles(prompt: string, cwd: string): Promise<string> {
  // Most name none, and need not load what a shell is made of.
  if (!/(?:^|\s)@\S/.test(prompt)) return prompt;
  const { attachFiles } = await import("../adapters/shell/index.ts");
  const attached = await attachFiles(prompt, { cwd, whyNotAttached, unfit: "told" });
  if ("problem" in attached) throw new UsageError(attached.problem);
  // In a line each: the name of a file that may have been meant can have line feeds, which the sink leaves as they are.
  for (const each of attached.missed) stderr.write(`assent: ${visibleLine(each)}\n`);
  return attached.text;
}

/** Why a file is not sent along because a prompt names it: what the model may not read unasked, a name does not send (APPR-11). */
export async function whyNotAttached(path: string, cwd: string): Promise<string | null> {
  const real = realpathSync(path);
  const isOwn = ownFolders().some((folder) => isIn(realFolder(folder), real));
  const { machinePolicy } = await import("../runtime/machine-policy.ts");
  const planned = { path, real, use: "read", outside: false, ...(isOwn ? ({ self: true } as const) : {}) } as const;
  const { verdict, reason } = machinePolicy().judge({ tool: "read_file", cwd, paths: [planned] });
  return verdict === "allow" ? null : reason;
}

function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Behind links; one that is not there holds nothing. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
