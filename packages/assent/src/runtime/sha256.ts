/** What stands in the place of a hash before the first. */
export const noHash = "0".repeat(64);

/** As hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  // Loading it takes longer than all else that a start needs: whoever records nothing does without.
  const { hash } = process.getBuiltinModule("node:crypto");
  return hash("sha256", data);
}
