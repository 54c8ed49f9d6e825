/** As hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  // Loading it takes longer than all else that a start needs; a model that answers without a call needs no digest.
  const { hash } = process.getBuiltinModule("node:crypto");
  return hash("sha256", data);
}
