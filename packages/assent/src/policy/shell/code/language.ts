/** The languages whose programs are looked into when they stand in a command. */
export const languages = [
  "python",
  "javascript",
  "perl",
  "ruby",
  "php",
  "lua",
  "awk",
  "sed",
  "vim",
  "emacs",
  "gdb",
  "sql",
  "tcl",
  "r",
  "applescript",
  "powershell",
] as const;

export type Language = (typeof languages)[number];
