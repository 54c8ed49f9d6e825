import { whenNeeded } from "../when-needed.ts";
import type { Findings } from "./findings.ts";
import { readMeta } from "./sql-meta.ts";
import { unknownPart } from "./values.ts";

type Token = { readonly text: string; readonly quoted: boolean };

const tokens = whenNeeded(
  () =>
    /'((?:[^'\\]|''|\\[\s\S])*)'?|\$(\w*)\$|"[^"]*"?|`[^`]*`?|--[^\n]*|\/\*|([\p{L}_\uE000-\uF8FF][\p{L}\p{N}_.\uE000-\uF8FF]*)|[^\s\p{L}_'"$`]|[\s\S]/guy,
);

/** SQL, with the commands of psql, mysql and sqlite3 that stand on a line of their own. */
export function readSql(text: string, to: Findings): undefined {
  const statements = readMeta(text, to);
  if (
    !/copy|outfile|dumpfile|vacuum|attach|drop|language|_|writefile|readfile|edit|xp|infile|dblink/iu.test(statements)
  )
    return;
  const all = tokenize(statements);
  readStatements(all, to);
  // To most databases a backslash is like any other character: `'a\'; drop …`.
  if (statements.includes("\\'")) readStatements(tokenize(statements.replaceAll("\\'", "'")), to);
  if (/\b(?:do|function|procedure)\b/iu.test(statements)) {
    for (const { text: body, quoted } of all) if (quoted) readStatements(tokenize(body), to);
  }
  if (/\blanguage\s+'?(?:plpython\w*u|plpython\w*|plperlu|plsh|c)\b/iu.test(statements)) {
    to.unseen("makes a function in a language that can run anything");
  }
}

function tokenize(text: string): readonly Token[] {
  const found: Token[] = [];
  tokens().lastIndex = 0;
  for (let match = tokens().exec(text); match !== null; match = tokens().exec(text)) {
    const [whole, literal, dollar, word] = match;
    if (literal !== undefined)
      found.push({ text: literal.replaceAll("''", "'").replace(/\\([\s\S])/gu, "$1"), quoted: true });
    else if (dollar !== undefined) found.push({ text: behind(text, `$${dollar}$`), quoted: true });
    else if (whole === "/*") behind(text, "*/");
    else if (word !== undefined) found.push({ text: word.toLowerCase(), quoted: false });
    else if (/[();,|]/u.test(whole[0] ?? "")) found.push({ text: whole, quoted: false });
    if (tokens().lastIndex === 0) break;
  }
  return found;
}

/** What stands before the mark; goes behind it. */
function behind(text: string, mark: string): string {
  const from = tokens().lastIndex;
  const end = text.indexOf(mark, from);
  tokens().lastIndex = end < 0 ? text.length : end + mark.length;
  return text.slice(from, end < 0 ? text.length : end);
}

function readStatements(all: readonly Token[], to: Findings): undefined {
  let copies = false;
  for (const [at, { text, quoted }] of all.entries()) {
    if (text === ";" && !quoted) copies = false;
    if (quoted) continue;
    if (text === "copy") copies = true;
    const next = all[at + 1];
    if (next !== undefined && !(copies && copied(text, next, to))) statement(text, next, all[at + 2], to);
  }
}

function copied(word: string, next: Token, to: Findings): boolean {
  if (word === "program") to.shell(quotedText(next));
  else if ((word === "to" || word === "from") && next.quoted) file(word === "to", next.text, to);
  else return false;
  return true;
}

function quotedText(token: Token | undefined): string {
  return token?.quoted === true ? token.text : unknownPart;
}

function file(writes: boolean, path: string, to: Findings): undefined {
  if (writes) to.write(path);
  else to.show(path);
}

function statement(word: string, next: Token, after: Token | undefined, to: Findings): undefined {
  if (word === "drop" && (next.text === "database" || next.text === "schema")) {
    to.danger("delete-store", "removes a whole database or schema");
  } else if (["outfile", "dumpfile"].includes(word) && next.quoted) to.write(next.text);
  else if (word === "into" && next.quoted) to.write(next.text);
  else if (word === "infile" && next.quoted) to.show(next.text);
  else if (word === "attach") to.write(next.quoted ? next.text : quotedText(after));
  else if (word === "xp_cmdshell") to.shell(quotedText(next));
  else if (next.text === "(" && after !== undefined) call(word, after, to);
}

function call(name: string, first: Token, to: Findings): undefined {
  if (/^(?:sys_exec|sys_eval|edit)$/u.test(name)) to.unseen("runs a command from the database");
  else if (name === "load_extension") to.unseen("loads machine code into the database");
  else if (name === "writefile") to.write(quotedText(first));
  else if (/^(?:readfile|load_file|pg_read_file|pg_read_binary_file|lo_import)$/u.test(name))
    to.show(quotedText(first));
  else if (name === "lo_export") to.unseen("writes a file on the server");
  else if (/^dblink(?:_connect)?$/u.test(name)) {
    const host = /host=(\S+)/u.exec(quotedText(first))?.[1];
    if (host !== undefined) to.connect(host);
  }
}
