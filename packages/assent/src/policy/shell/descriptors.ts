/** The names by which a program can open its own input. */
export function isInputName(path: string | null): boolean {
  return path !== null && /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(path);
}

/** One of the descriptors that a program has open. */
export function isDescriptorName(path: string | null): boolean {
  return path !== null && /^\/(?:dev|proc\/(?:self|\d+))\/fd\//.test(path);
}
