import { describe, expect, it } from "vitest";
import type { Argument, Hole } from "../text.ts";
import { dangerousJavaScript } from "./examples/dangerous-javascript.ts";
import { dangerousPython } from "./examples/dangerous-python.ts";
import { dangerousScripts } from "./examples/dangerous-scripts.ts";
import { dangerousTools } from "./examples/dangerous-tools.ts";
import { harmlessScripts } from "./examples/harmless-scripts.ts";
import { harmlessTools } from "./examples/harmless-tools.ts";
import { codeDeeds } from "./index.ts";
import type { Language } from "./language.ts";
import { told, withHoles } from "./told.fixture.ts";

type Table = Partial<Record<Language, readonly (readonly [string, ...string[]])[]>>;

const span = { start: 3, end: 9 };
function rows(...tables: readonly Table[]): readonly (readonly [Language, string, readonly string[]])[] {
  return tables.flatMap((table) =>
    Object.entries(table).flatMap(([language, programs]) =>
      programs.map(([code, ...deeds]) => [language as Language, code, deeds] as const),
    ),
  );
}

const dangers = /^[a-z]+(?:-[a-z]+)+$/u;

describe("a program in another language", () => {
  it.each(rows(dangerousPython, dangerousJavaScript, dangerousScripts, dangerousTools))(
    "in %s shows what it does: %s",
    (language, code, deeds) => {
      expect(deeds).not.toEqual([]);
      expect(codeDeeds(language, withHoles(code), span).map(told)).toEqual(deeds);
    },
  );

  it.each(rows(harmlessScripts, harmlessTools))(
    "in %s is no danger when it is ordinary: %s",
    (language, code, deeds) => {
      expect(deeds.filter((deed) => dangers.test(deed))).toEqual([]);
      expect(codeDeeds(language, withHoles(code), span).map(told)).toEqual(deeds);
    },
  );

  it("gives words with the place of the program", () => {
    const word = (text: string): Argument => ({ text: [text], splits: false, span });
    expect(codeDeeds("python", ["import subprocess; subprocess.run(['rm', '-rf', d])"], span)).toEqual([
      { does: "run", argv: [word("rm"), word("-rf"), { text: [{ hole: "any", from: "…" }], splits: false, span }] },
    ]);
  });

  it("keeps a plain word that is not known in the text of a shell", () => {
    const branch: Hole = { hole: "word", from: "$B" };
    expect(codeDeeds("python", ["import os; os.system('git log ", branch, "')"], span)).toEqual([
      { does: "shell", text: ["git log ", branch], span },
    ]);
  });
});
