import type { Deed } from "../deeds.ts";
import type { Span, Text } from "../text.ts";
import { readAppleScript } from "./applescript.ts";
import { readAwk } from "./awk.ts";
import { Findings, type LookInto, putTogether } from "./findings.ts";
import { readGdb } from "./gdb.ts";
import { grammars } from "./grammars.ts";
import type { Language } from "./language.ts";
import { readLisp } from "./lisp.ts";
import { ownTexts } from "./own-texts.ts";
import { readPowerShell } from "./powershell.ts";
import { readWith } from "./reader.ts";
import type { Rules } from "./rule.ts";
import { javascriptRules } from "./rules-javascript.ts";
import { luaRules, rRules } from "./rules-others.ts";
import { perlRules } from "./rules-perl.ts";
import { phpRules } from "./rules-php.ts";
import { pythonRules } from "./rules-python.ts";
import { rubyRules } from "./rules-ruby.ts";
import { readSed } from "./sed.ts";
import { readSql } from "./sql.ts";
import { readTcl } from "./tcl.ts";
import { flatten } from "./values.ts";
import { readVim } from "./vim.ts";

export { type Language, languages } from "./language.ts";

const longest = 32 * 1024;

const rules: Partial<Readonly<Record<Language, Rules>>> = {
  python: pythonRules,
  javascript: javascriptRules,
  perl: perlRules,
  ruby: rubyRules,
  php: phpRules,
  lua: luaRules,
  r: rRules,
};

const readers: Partial<Readonly<Record<Language, (text: string, to: Findings) => void>>> = {
  awk: readAwk,
  sed: readSed,
  vim: readVim,
  emacs: readLisp,
  gdb: readGdb,
  sql: readSql,
  tcl: readTcl,
  applescript: readAppleScript,
  powershell: readPowerShell,
};

/** What a program that stands in a command would do, as far as a scan of its text can tell. */
export function codeDeeds(language: Language, text: Text, span: Span): readonly Deed[] {
  const { flat, holes } = flatten(text);
  const to = new Findings(span, holes, lookInto);
  if (language !== "sql" && text.length === 1 && holes.some(({ hole }) => hole === "any" || hole === "glob")) {
    to.unseen("runs a program text that is not known before it runs");
  } else if (flat.length > longest) to.danger("too-much", "runs a program that is too long to be looked into");
  else tryToLook(language, flat, to);
  const deeds = to.finished();
  const dangers = deeds.filter((deed) => deed.does === "danger");
  const isOnlyPutTogether = dangers.length > 0 && dangers.every(({ danger }) => danger.reason === putTogether);
  const own = isOnlyPutTogether ? ownTexts(flat, { language, span }) : null;
  return own === null ? deeds : [...deeds.filter(({ does }) => does !== "danger"), ...own];
}

const lookInto: LookInto = (language, flat, to) => {
  const grammar = grammars[language]?.();
  const known = rules[language];
  // The flags are joined by an operator, which is not worked out.
  if (language === "python" && flat.includes("S_IRWXO") && flat.includes("chmod")) {
    to.danger("system-mode", "lets everybody change the file (mode 777)");
  }
  if (grammar !== undefined && known !== undefined) readWith(grammar, known, flat, to);
  else readers[language]?.(flat, to);
};

/** A text that breaks the reading of it is not one that was seen. */
function tryToLook(language: Language, flat: string, to: Findings): undefined {
  try {
    lookInto(language, flat, to);
  } catch {
    to.danger("not-parsed", "runs a program that cannot be read");
  }
}
