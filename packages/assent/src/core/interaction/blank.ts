/** Nothing a person could see: white space, invisible and control characters only. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2800]/u.test(text);
}
