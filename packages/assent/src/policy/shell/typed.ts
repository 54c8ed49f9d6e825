import { type Argument, known, shown } from "./text.ts";

/** The words as a person would type them. */
export function typed(argv: readonly Argument[]): string {
  return argv.map(typedWord).join(" ");
}

function typedWord({ text }: Argument): string {
  const word = shown(text);
  if (known(text) === null || !(word === "" || /[\s'"\\$`;&|<>()*?[\]#~!{}]/.test(word))) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
