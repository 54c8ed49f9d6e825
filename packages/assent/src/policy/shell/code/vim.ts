import { whenNeeded } from "../when-needed.ts";
import type { Findings } from "./findings.ts";
import type { Language } from "./language.ts";
import type { Grammar } from "./lexer.ts";
import { readWith } from "./reader.ts";
import { asksFor, does, gives, type Rule, Rules, removes, runWords, sameText, shell, shows, walks } from "./rule.ts";
import { textIn, unknown, unknownPart } from "./values.ts";

const grammar = whenNeeded(
  (): Grammar => ({
    language: "vim",
    comments: [],
    blocks: [],
    name: /(?:[a-z]:)?[\p{L}_#\uE000-\uF8FF][\p{L}\p{N}_#\uE000-\uF8FF]*/uy,
    quotes: { '"': { close: '"', escapes: "all", oneLine: true }, "'": { close: "'", escapes: "none", oneLine: true } },
    join: ".",
    members: [],
    operators: new Set(["call", "echo", "echom", "let", "put", "if", "return", "silent"]),
    enders: new Set(),
    bare: false,
    assigns: ["="],
    keys: [":"],
  }),
);

const rules = new Rules(() => ({
  "system systemlist": shell(0),
  "job_start term_start jobstart termopen": {
    handed: "runs",
    apply: (call, to) => void runWords(call.args.slice(0, 1), to),
  },
  "execute win_execute": does((call, to) => to.code("vim", call.args[call.path === "execute" ? 0 : 1] ?? unknown)),
  eval: does((call, to) => to.code("vim", call.args[0])),
  "map filter mapnew foreach": does((call, to) => {
    const text = textIn(call.args[1]);
    if (text !== undefined) to.code("vim", text);
  }),
  feedkeys: typing(0, (text) => text === undefined || /[:!]/u.test(text)),
  setreg: typing(1, (text) => text?.includes("!") === true),
  "py3eval pyeval pyxeval": does((call, to) => to.code("python", call.args[0])),
  luaeval: does((call, to) => to.code("lua", call.args[0])),
  perleval: does((call, to) => to.code("perl", call.args[0])),
  "libcall libcallnr": asksFor("exec-unseen", "calls machine code"),
  delete: does((call, to) => {
    if (call.args.length > 1 && (textIn(call.args[1]) ?? "rf").includes("rf"))
      to.danger("delete-recursive", "removes a folder with everything in it");
    else removes(0).apply(call, to);
  }),
  "glob globpath readdir": walks,
  expand: gives((call, to) => {
    to.walks = true;
    return call.args[0];
  }),
  fnamemodify: sameText,
  writefile: does((call, to) => to.write(call.args[1])),
  "mkdir setfperm": does((call, to) => to.write(call.args[0])),
  rename: does((call, to) => {
    to.write(call.args[0]);
    to.write(call.args[1]);
  }),
  readfile: shows(0),
  shellescape: gives(() => unknown),
}));

/** A text that is typed into the editor, or kept to be. */
function typing(index: number, isCommand: (text: string | undefined) => boolean): Rule {
  return does((call, to) => {
    if (isCommand(textIn(call.args[index]))) to.unseen("types commands into the editor");
  });
}

const modifier =
  /^(?:sil(?:ent)?!?|verb(?:ose)?|keepalt|noa(?:utocmd)?|unsilent|vert(?:ical)?|tab|(?:win|buf|arg|tab|c|l)do|folddo\w*|debug|confirm|keep\w+|lockmarks|sandbox|bel\w*|abo\w*|to\w*|bo\w*|lefta\w*|redi?r?)\s+/u;
const range = /^[\s:]*(?:[%.$\d,;+-]|'.|\/[^/\n]{0,200}\/)*\s*/u;
/** Commands that are given a program in another language, by their shortest and their longest names. */
const embedded: readonly (readonly [short: string, long: string, Language])[] = [
  ["py", "python", "python"],
  ["py3", "py3", "python"],
  ["python3", "python3", "python"],
  ["pyx", "pyx", "python"],
  ["pythonx", "pythonx", "python"],
  ["lua", "lua", "lua"],
  ["pe", "perl", "perl"],
  ["rub", "ruby", "ruby"],
  ["tc", "tcl", "tcl"],
  ["pyd", "pydo", "python"],
  ["py3d", "py3do", "python"],
  ["pyxd", "pyxdo", "python"],
  ["luad", "luado", "lua"],
  ["perld", "perldo", "perl"],
  ["rubyd", "rubydo", "ruby"],
  ["tcld", "tcldo", "tcl"],
];

function languageOf(name: string): Language | undefined {
  return embedded.find(([short, long]) => isCommand(name, short, long))?.[2];
}

export function readVim(text: string, to: Findings): undefined {
  documents(text, to);
  let rest = text;
  while (rest !== "") {
    const end = rest.search(/[\n\r]/u);
    line(end < 0 ? rest : rest.slice(0, end), to, 0);
    rest = end < 0 ? "" : rest.slice(end + 1);
  }
}

/** `python3 << EOF`: the lines up to the mark are a program; without a mark it is a full stop. */
function documents(text: string, to: Findings): undefined {
  for (const { 1: name = "", 2: trims, 3: given = "", 0: whole, index } of text.matchAll(document)) {
    const language = languageOf(name);
    if (language === undefined) continue;
    const lines = text.slice(index + whole.length).split("\n");
    const mark = given === "" ? "." : given;
    const end = lines.findIndex((each) => (trims === undefined ? each : each.trim()) === mark);
    to.code(language, lines.slice(0, end < 0 ? lines.length : end).join("\n"));
  }
}

const document = /([a-z]+3?[a-z]*)!?[ \t]*<<[ \t]*(trim[ \t]+)?(\S*)[ \t]*\n/gu;

function line(whole: string, to: Findings, depth: number): undefined {
  if (depth > 12) return to.unseen("is nested too deep to be looked into");
  let text = whole.replace(range, "");
  for (let count = 0; count < 10 && modifier.test(text); count += 1)
    text = text.replace(modifier, "").replace(range, "");
  if (text.startsWith("!")) return to.shell(text.slice(1).replace(/^!/u, "") === "" ? "sh" : text.slice(1));
  const [, name = "", bang = "", tail = ""] = /^([a-zA-Z]+\d?(?:do?)?)(!?)([\s\S]*)$/u.exec(text) ?? [];
  const language = languageOf(name);
  if (language !== undefined) return to.code(language, tail.replace(/^\s*(?:<<\s*\w*)?/u, ""));
  if (keeps(name, tail.trim(), to, depth) || special(name, bang, tail.trim(), to, depth)) return;
  const bar = barOf(text);
  readWith(grammar(), rules, bar < 0 ? text : text.slice(0, bar), to);
  if (bar >= 0) line(text.slice(bar + 1), to, text.length > 4000 ? depth + 1 : depth + 0.2);
}

const outsideTexts = /"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?|\|\||(\|)|[^"'|]+/guy;

/** Where the next command begins: a bar outside of texts. */
function barOf(text: string): number {
  for (const match of text.matchAll(outsideTexts)) if (match[1] !== undefined) return match.index;
  return -1;
}

const isCommand = (name: string, short: string, long: string): boolean =>
  name.startsWith(short) && long.startsWith(name);

function special(name: string, bang: string, tail: string, to: Findings, depth: number): boolean {
  if (isCommand(name, "sh", "shell") && tail === "") to.unseen("starts a shell that takes any command");
  else if (isCommand(name, "te", "terminal")) to.shell(tail === "" ? "sh" : tail.replace(/^(?:\+\+\S+\s*)+/u, ""));
  else if (isCommand(name, "exe", "execute")) upToBar(tail, to, depth, executes);
  else if (isCommand(name, "norm", "normal")) types(tail, to, depth);
  else if (isCommand(name, "g", "global") || isCommand(name, "v", "vglobal")) line(behindPattern(tail), to, depth + 1);
  else if (isCommand(name, "se", "set") || isCommand(name, "setl", "setlocal")) upToBar(tail, to, depth, sets);
  else return files(name, bang, tail, to);
  return true;
}

/** What is kept to be run later: by a key, by a name, when something happens. */
function keeps(name: string, tail: string, to: Findings, depth: number): boolean {
  if (mapping.test(name)) types(behindKey.exec(tail)?.[1] ?? "", to, depth);
  else if (isCommand(name, "com", "command")) line(tail.replace(/^(?:-\S+\s+)*\S+\s+/u, ""), to, depth + 1);
  else if (isCommand(name, "au", "autocmd")) autocommand(tail, to, depth + 1);
  else {
    if (name === "let" && /^@.\s*\.?=.*!(?![=~])/u.test(tail)) to.unseen("types commands into the editor");
    return false;
  }
  return true;
}

/** `nmap key keys`, `cnoremap key keys`: what a key types. */
const mapping =
  /^(?:s?map|[nvxoilct]m(?:ap?)?|[nvxsoilct]n(?:o|or|ore|orem|orema|oremap)?|no(?:r|re|rem|rema|remap)?)$/u;
const behindKey = /^(?:<(?:buffer|nowait|silent|special|script|expr|unique)>\s*)*\S+\s+([\s\S]*)$/iu;

/** What stands before the bar is the command's, what follows is another one. */
function upToBar(
  tail: string,
  to: Findings,
  depth: number,
  read: (text: string, to: Findings) => undefined,
): undefined {
  const bar = barOf(tail);
  read(bar < 0 ? tail : tail.slice(0, bar), to);
  if (bar >= 0) line(tail.slice(bar + 1), to, depth + 1);
}

/** With a group before the event, or without. */
function autocommand(tail: string, to: Findings, depth: number): undefined {
  const words = tail.replace(/^\S+\s+\S+\s*/u, "");
  line(words, to, depth);
  line(words.replace(/^\S+\s+/u, ""), to, depth);
}

function executes(tail: string, to: Findings): undefined {
  readWith(grammar(), rules, tail, to);
  readWith(grammar(), rules, `eval(${tail})`, to);
}

function types(tail: string, to: Findings, depth: number): undefined {
  const colon = tail.indexOf(":");
  if (colon >= 0) line(tail.slice(colon).replace(/(?:\\<CR>|<CR>|\^M)$/iu, ""), to, depth + 1);
  else if (tail.includes("!")) to.unseen("types commands into the editor");
}

function behindPattern(tail: string): string {
  const end = tail.indexOf(tail[0] ?? "/", 1);
  return end < 0 ? "" : tail.slice(end + 1);
}

function sets(tail: string, to: Findings): undefined {
  if (
    /\b(?:shell|sh|shellcmdflag|makeprg|mp|grepprg|gp|equalprg|ep|keywordprg|kp|formatprg|fp|formatexpr|cscopeprg)\s*[+^]?[=:]/u.test(
      tail,
    )
  ) {
    to.danger("exec-option", "changes which program the editor runs");
  }
}

const reading = new Set("r read e edit sp split vs vsplit tabe tabedit vie view Nread so source".split(" "));
const writing = new Set("wq x xit exit sav saveas up update mks mksession mkv mkview Nwrite wn".split(" "));

/** Commands that read or write a file. */
function files(name: string, bang: string, tail: string, to: Findings): boolean {
  const reads = reading.has(name);
  const writes = isCommand(name, "w", "write") || writing.has(name);
  if (!reads && !writes) return false;
  const place = tail.replace(/^(?:\+\S+\s+|>>\s*)+/u, "").replace(/^\$\w+(?=\/)/u, unknownPart);
  if ((bang === "!" && name.startsWith("r")) || place.startsWith("!")) to.shell(place.replace(/^!/u, ""));
  else if (/^(?:https?|ftp|scp|sftp|rsync|dav|rcp|fetch):\/\//u.test(place)) to.connect(place);
  else if (place !== "" && !place.startsWith("|") && writes) to.write(place.split(/\s*\|\s*/u)[0]);
  else if (place !== "" && !place.startsWith("|") && /^(?:r|read)$/u.test(name)) to.show(place);
  const bar = place.startsWith("!") ? -1 : tail.indexOf("|");
  if (bar >= 0) line(tail.slice(bar + 1), to, 6);
  return true;
}
