import { describe, expect, it } from "vitest";
import { codeDeeds } from "./index.ts";
import type { Language } from "./language.ts";

const span = { start: 3, end: 9 };

describe("a hostile program", () => {
  const languages: readonly Language[] = [
    ...(["python", "javascript", "perl", "ruby", "php", "lua", "awk", "sed"] as const),
    ...(["vim", "emacs", "gdb", "sql", "tcl", "r", "applescript", "powershell"] as const),
  ];
  const units = ["(", "a.b().", '"\\"', "${", "x=x+", "%", "<<A\n", "s/a/b/;", "[exec a", "/[", "| ", "eval('"];

  it.each(languages)("in %s is read to its end in time that grows with its length", (language) => {
    const started = performance.now();
    for (const unit of units) codeDeeds(language, [unit.repeat(16_384 / unit.length)], span);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
