/** What a person does at a keyboard. `kill-word` goes back to a blank, `kill-word-left` to where the word begins. */
export type KeyName =
  | "enter"
  | "newline"
  | "tab"
  | "backtab"
  | "backspace"
  | "delete"
  | "left"
  | "right"
  | "up"
  | "down"
  | "home"
  | "end"
  | "word-left"
  | "word-right"
  | "escape"
  | "interrupt"
  | "eof"
  | "suspend"
  | "clear"
  | "kill-line"
  | "kill-to-end"
  | "kill-word"
  | "kill-word-left"
  | "kill-word-right"
  | "yank"
  | "transpose"
  | "unfold"
  | "search"
  | "page-up"
  | "page-down"
  | "undo";

export type Key =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "key"; readonly name: KeyName };

export function named(name: KeyName): Key {
  return { type: "key", name };
}

const controlKeys: Readonly<Record<number, KeyName>> = {
  1: "home",
  2: "left",
  3: "interrupt",
  4: "eof",
  5: "end",
  6: "right",
  // Ctrl-G leaves a search, as escape does.
  7: "escape",
  8: "backspace",
  9: "tab",
  10: "newline",
  11: "kill-to-end",
  12: "clear",
  13: "enter",
  14: "down",
  15: "unfold",
  16: "up",
  18: "search",
  20: "transpose",
  21: "kill-line",
  23: "kill-word",
  25: "yank",
  26: "suspend",
  31: "undo",
  127: "backspace",
};

/** What a byte below the letters stands for; null for those that nothing is bound to. */
export function controlKey(byte: number): KeyName | null {
  return controlKeys[byte] ?? null;
}
