/** The text that an exchange ended with, as it is. */
export function showText(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
