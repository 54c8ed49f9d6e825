/** An option's number as it is typed: ASCII digits, no leading zero (ANS-1, ANS-8). */
export function isNumber(text: string): boolean {
  return text.length < 16 && /^[1-9][0-9]*$/.test(text);
}
