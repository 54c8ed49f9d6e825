import { realpathSync } from "node:fs";
import { ownFolders } from "./places.ts";

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
