/** What stands in the place of a hash before the first. */
export const noHash = "0".repeat(64);

let hash: typeof import("node:crypto").hash | undefined;

/** As hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  // Loading it takes longer than all else that a start needs: whoever records nothing does without.
  hash ??= process.getBuiltinModule("node:crypto").hash;
  return hash("sha256", data);
}
