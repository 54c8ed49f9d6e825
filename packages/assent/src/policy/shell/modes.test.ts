import { describe, expect, it } from "vitest";
import { modeDanger } from "./modes.ts";

const cases: readonly (readonly [string, string | null])[] = [
  ["644", null],
  ["u+x", null],
  ["+x", null],
  ["+w", null],
  ["g=u", null],
  ["go=u-w", null],
  ["go=u,go-w", null],
  ["a=rwx,o-w", null],
  ["-777", null],
  ["777", "system-mode"],
  ["+777", "system-mode"],
  ["=777", "system-mode"],
  ["a+rwx", "system-mode"],
  ["o+w", "system-mode"],
  ["u=rwx,go=u", "system-mode"],
  ["o=g", "system-mode"],
  ["odd", "system-mode"],
  ["=4755", "privilege-grant"],
  ["+4000", "privilege-grant"],
  ["u+s", "privilege-grant"],
  ["u-w+s", "privilege-grant"],
  ["+s", "privilege-grant"],
];

describe("what a permission mode gives away", () => {
  it.each(cases)("is known for %s", (mode, rule) => {
    const span = { start: 0, end: mode.length };
    expect(modeDanger({ text: [mode], splits: false, span })?.rule ?? null).toBe(rule);
  });
});
