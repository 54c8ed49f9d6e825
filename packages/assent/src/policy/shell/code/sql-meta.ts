import type { Findings } from "./findings.ts";

/** Takes the commands of the clients out of a text and tells what they do; what is left is SQL. */
export function readMeta(text: string, to: Findings): string {
  const left = text.split("\n").filter((line) => !sqlite(line.trim(), to) && !mysql(line.trim(), to));
  const rest = left.join("\n");
  let quoted = false;
  for (let at = 0; at < rest.length; at += 1) {
    if (rest[at] === "'") quoted = !quoted;
    else if (rest[at] === "\\" && !quoted) at = backslash(rest, at, to);
  }
  return rest;
}

function unquoted(text: string): string {
  const trimmed = text.trim().replace(/;$/u, "");
  return /^(['"])[\s\S]*\1$/u.test(trimmed) && trimmed.length > 1 ? trimmed.slice(1, -1) : trimmed;
}

/** A file, or a command after a bar. */
function output(place: string, to: Findings): undefined {
  const plain = unquoted(place);
  if (plain.startsWith("|")) to.shell(plain.slice(1));
  else if (plain !== "" && plain !== "stdout" && plain !== "off") to.write(plain);
}

function input(place: string, to: Findings): undefined {
  const plain = unquoted(place);
  if (plain.startsWith("|")) to.shell(plain.slice(1));
  else if (plain !== "") to.show(plain.split(/\s/u)[0]);
}

function begins(name: string, shortest: string, whole: string): boolean {
  return name.startsWith(shortest) && whole.startsWith(name);
}

function sqlite(line: string, to: Findings): boolean {
  const [, name, tail = ""] = /^\.([a-z]+)\s*(.*)/su.exec(line) ?? [];
  if (name === undefined) return false;
  if (begins(name, "sh", "shell") || begins(name, "sys", "system")) to.shell(tail === "" ? undefined : tail);
  else if (begins(name, "o", "output") || begins(name, "on", "once") || name === "log" || begins(name, "tr", "trace"))
    output(tail.replace(/^(?:--?\w+\s*)+/u, ""), to);
  else if (begins(name, "sa", "save") || begins(name, "ba", "backup") || begins(name, "cl", "clone"))
    to.write(unquoted(tail.split(/\s+/u).at(-1) ?? ""));
  else sqliteInput(name, tail, to);
  return true;
}

function sqliteInput(name: string, tail: string, to: Findings): undefined {
  if (begins(name, "im", "import")) input(importSource(tail), to);
  else if (begins(name, "re", "read")) input(tail, to);
  else if (begins(name, "lo", "load")) to.unseen("loads machine code into the database");
  else if (name === "open") to.write(unquoted(tail.split(/\s+/u).at(-1) ?? ""));
}

function importSource(tail: string): string {
  const plain = tail.replace(/^(?:--?\w+\s+(?:\d+\s+)?)*/u, "");
  return /^'[^']*'|^"[^"]*"|^\S+/u.exec(plain)?.[0] ?? "";
}

function mysql(line: string, to: Findings): boolean {
  const [, name = "", tail = ""] = /^(system|tee|pager|source)\s+(.*)/isu.exec(line) ?? [];
  const plain = tail.replace(/;\s*$/u, "");
  if (/^system$/iu.test(name)) to.shell(plain);
  else if (/^tee$/iu.test(name)) to.write(plain);
  else if (/^pager$/iu.test(name)) to.shell(plain);
  return name !== "";
}

/** psql: `\! ls`, `\o |less`, `\copy t to program 'x'`; mysql: `\! ls`, `\T file`, `\P less`. The last that was read. */
function backslash(text: string, at: number, to: Findings): number {
  const meta = /\\(?:(!)[^\S\n]*([^\n]*)|([a-zA-Z_]+\+?)[^\S\n]*([^\n]{0,4000}))/uy;
  meta.lastIndex = at;
  const [whole = "", shell, line, name = "", tail = ""] = meta.exec(text) ?? [];
  if (shell !== undefined) {
    to.shell(line === "" ? "sh" : line);
    return at + whole.length;
  }
  if (/^(?:o|out|g|gx|w|write|T)$/u.test(name)) output(tail.replace(/\s\\.*/su, "").replace(/^\([^)]*\)\s*/u, ""), to);
  else if (name === "P") to.shell(tail);
  else if (name === "copy") copies(tail, to);
  else if (/^(?:c|connect)$/u.test(name)) connects(tail, to);
  else if (name === "setenv") {
    const [variable = "", value = ""] = tail.split(/\s+/u);
    to.variable(variable, { is: "text", text: value });
  } else return at;
  if (tail.length === 4000) to.unseen("goes on for longer than can be looked through");
  return at;
}

function copies(tail: string, to: Findings): undefined {
  const [, direction = "", program = "", quoted = "", bare = ""] =
    /\s(to|from)\s+(program\s+)?(?:'([^']*)'|(\S+))/iu.exec(tail) ?? [];
  const place = quoted === "" ? bare : quoted;
  if (program !== "") to.shell(place);
  else if (/^to$/iu.test(direction) && !/^p?stdout$/iu.test(place)) to.write(place);
  else if (/^from$/iu.test(direction) && !/^p?stdin$/iu.test(place)) to.show(place);
}

function connects(tail: string, to: Findings): undefined {
  const host = /host=(\S+)/u.exec(tail)?.[1] ?? /^\w+:\/\/\S+/u.exec(tail)?.[0] ?? tail.split(/\s+/u)[2];
  if (host !== undefined && host !== "-" && host !== "") to.connect(host);
}
