import { describe, expect, it } from "vitest";
import type { Deed } from "../deeds.ts";
import { type Argument, type Hole, shown, type Text, textOf } from "../text.ts";
import { dangerousJavaScript } from "./examples/dangerous-javascript.ts";
import { dangerousPython } from "./examples/dangerous-python.ts";
import { dangerousScripts } from "./examples/dangerous-scripts.ts";
import { dangerousTools } from "./examples/dangerous-tools.ts";
import { harmlessScripts } from "./examples/harmless-scripts.ts";
import { harmlessTools } from "./examples/harmless-tools.ts";
import { codeDeeds } from "./index.ts";
import type { Language } from "./language.ts";

type Table = Partial<Record<Language, readonly (readonly [string, ...string[]])[]>>;

const span = { start: 3, end: 9 };
const hole: Hole = { hole: "any", from: "$X" };

function withHoles(code: string): Text {
  return textOf(...code.split("§").flatMap((piece, index) => (index === 0 ? [piece] : [hole, piece])));
}

function words(argv: readonly Argument[]): string {
  return argv.map(({ text }) => shown(text)).join("|");
}

function told(deed: Deed): string {
  switch (deed.does) {
    case "danger":
      return deed.danger.rule;
    case "shell":
      return `shell: ${shown(deed.text)}`;
    case "run":
      return `run: ${words(deed.argv)}${deed.more === true ? "|…" : ""}`;
    case "connect":
      return `connect: ${shown(deed.host.text)}`;
    case "link":
      return `link: ${shown(deed.path.text)} -> ${shown(deed.target.text)}`;
    case "copy":
      return `copy: ${shown(deed.from.text)} -> ${shown(deed.path.text)}`;
    case "mode":
      return `mode: ${shown(deed.mode.text)}`;
    case "variable":
      return `variable: ${deed.name}=${shown(deed.value)}`;
    case "read":
    case "show":
    case "write":
      return `${deed.does}: ${shown(deed.path.text)}`;
    default:
      return deed.does;
  }
}

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
