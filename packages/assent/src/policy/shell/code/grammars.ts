import { whenNeeded } from "../when-needed.ts";
import type { Language } from "./language.ts";
import type { Grammar, Lexer, Quoting } from "./lexer.ts";
import { perlSpecial, rubySpecial } from "./quoting.ts";

const cName = /[A-Za-z_\u0080-\uD7FF$\uE000-\uF8FF][\w\u0080-\uD7FF$\uE000-\uF8FF]*/uy;
const double: Quoting = { close: '"', escapes: "all", oneLine: true };
const single: Quoting = { close: "'", escapes: "all", oneLine: true };
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const endWords = words("if unless while until and or rescue do then for foreach else elsif elseif end in");
const perlEndWords = words("if unless while until and or xor do for foreach else elsif eq ne lt gt le ge cmp x");

const python = whenNeeded(
  (): Grammar => ({
    language: "python",
    comments: ["#"],
    blocks: [],
    name: cName,
    quotes: {},
    special: pythonText,
    join: "+",
    members: ["."],
    operators: words(
      "if else elif for in while and or not is return lambda yield await async with as try except finally raise del assert print",
    ),
    enders: new Set(),
    bare: false,
    assigns: ["=", ":="],
    keys: [":"],
  }),
);

const javascript = whenNeeded(
  (): Grammar => ({
    language: "javascript",
    comments: ["//", "#!"],
    blocks: [["/*", "*/"]],
    name: /#?[A-Za-z_\u0080-\uD7FF$\uE000-\uF8FF][\w\u0080-\uD7FF$\uE000-\uF8FF]*/uy,
    quotes: {
      '"': double,
      "'": single,
      "`": { close: "`", escapes: "all", inside: ["${"] },
    },
    special: slashRegex,
    join: "+",
    members: [".", "?."],
    operators: words(
      "if else for in of while return yield await async typeof void delete instanceof new const let var case throw do",
    ),
    enders: new Set(),
    bare: false,
    assigns: ["="],
    keys: [":"],
  }),
);

const perlVariable = /[$@](?:\{\^?\w+\}|\w+|::\w+|\$\w+|[&!0])(?:(?:->)?(?:\[[^\]\n]{0,60}\]|\{[^}\n]{0,60}\}))*/uy;

const perl = whenNeeded(
  (): Grammar => ({
    language: "perl",
    comments: ["#"],
    blocks: [],
    name: /\$#[{$]{0,3}\w*|[$@%&]{0,3}[$@%&](?:\^\w|\w+(?:::\w+)*|[_!0&;,./\\])|(?:::)?[A-Za-z_\u0080-\uD7FF\uE000-\uF8FF][\w\u0080-\uD7FF\uE000-\uF8FF]*(?:::\w+)*/uy,
    quotes: {
      '"': { close: '"', escapes: "all", inside: ["@{", "${"], variable: perlVariable },
      "'": { close: "'", escapes: "few" },
      "`": { close: "`", escapes: "all", variable: perlVariable },
    },
    special: perlSpecial,
    join: ".",
    members: ["->"],
    operators: words("return not my our"),
    enders: perlEndWords,
    bare: true,
    assigns: ["=", ".=", "||="],
    keys: [],
  }),
);

const ruby = whenNeeded(
  (): Grammar => ({
    language: "ruby",
    comments: ["#"],
    blocks: [["=begin", "=end"]],
    name: /(?:@@|@|\$)?[A-Za-z_\u0080-\uD7FF\uE000-\uF8FF][\w\u0080-\uD7FF\uE000-\uF8FF]*(?:[?!](?!=))?|\$[0-9!@&~/\\]/uy,
    quotes: {
      '"': { close: '"', escapes: "all", inside: ["#{"] },
      "'": { close: "'", escapes: "few" },
      "`": { close: "`", escapes: "all", inside: ["#{"] },
    },
    special: rubySpecial,
    join: "+",
    members: [".", "&.", "::"],
    operators: words("return not yield when case begin ensure"),
    enders: endWords,
    bare: true,
    assigns: ["=", "||="],
    keys: [":", "=>"],
  }),
);

const phpVariable = /\$\w+(?:->\w+|\[[^\]\n]{0,60}\])?/uy;

const php = whenNeeded(
  (): Grammar => ({
    language: "php",
    comments: ["#", "//"],
    blocks: [["/*", "*/"]],
    name: /\${0,3}[A-Za-z_\u0080-\uD7FF\\\uE000-\uF8FF][\w\u0080-\uD7FF\\\uE000-\uF8FF]*/uy,
    quotes: {
      '"': { close: '"', escapes: "all", inside: ["{$", "${"], variable: phpVariable },
      "'": { close: "'", escapes: "few" },
      "`": { close: "`", escapes: "all", inside: ["{$", "${"], variable: phpVariable },
    },
    special: phpHeredoc,
    join: ".",
    members: ["->", "::", "?->"],
    operators: words("return new clone instanceof as"),
    enders: endWords,
    bare: true,
    assigns: ["=", ".="],
    keys: ["=>", ":"],
  }),
);

const lua = whenNeeded(
  (): Grammar => ({
    language: "lua",
    comments: ["--"],
    blocks: [["--[[", "]]"]],
    name: cName,
    quotes: { '"': double, "'": single },
    special: luaLong,
    join: "..",
    members: [".", ":"],
    operators: words("return not local function"),
    enders: words("if then else elseif end while do for in and or until repeat"),
    bare: true,
    assigns: ["="],
    keys: [],
  }),
);

const r = whenNeeded(
  (): Grammar => ({
    language: "r",
    comments: ["#"],
    blocks: [],
    name: /[A-Za-z_\u0080-\uD7FF.\uE000-\uF8FF][\w\u0080-\uD7FF.\uE000-\uF8FF]*/uy,
    quotes: { '"': { close: '"', escapes: "all" }, "'": { close: "'", escapes: "all" } },
    join: "",
    members: ["::", "$"],
    operators: words("if else for in while repeat function"),
    enders: new Set(),
    bare: false,
    assigns: ["=", "<-", "<<-"],
    keys: [],
  }),
);

export const grammars: Partial<Readonly<Record<Language, () => Grammar>>> = {
  python,
  javascript,
  perl,
  ruby,
  php,
  lua,
  r,
};

const pythonQuote = /([rRbBuUfFtT]{0,2})("""|'''|"|')/uy;

function pythonText(lexer: Lexer): boolean {
  const start = lexer.match(pythonQuote);
  if (start === undefined) return false;
  const close = start.replace(/^[a-z]+/iu, "");
  const prefix = start.slice(0, start.length - close.length).toLowerCase();
  lexer.at += start.length;
  const isLong = close.length > 1;
  return lexer.add(
    "text",
    lexer.quoted({
      close,
      escapes: prefix.includes("r") ? "none" : "all",
      ...(/[ft]/u.test(prefix) ? { inside: ["{"] } : {}),
      ...(isLong ? {} : { oneLine: true }),
    }),
  );
}

const regexLiteral = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,400}\]){1,2000}\/[a-z]{0,8}/uy;

function slashRegex(lexer: Lexer): boolean {
  if (lexer.text[lexer.at] !== "/" || lexer.afterOperand()) return false;
  const found = lexer.match(regexLiteral);
  if (found === undefined) return false;
  lexer.at += found.length;
  return lexer.add("regex", found);
}

function phpHeredoc(lexer: Lexer): boolean {
  if (lexer.match(/<\?(?:php|=)?|\?>/uy) !== undefined) {
    lexer.at += (lexer.match(/<\?(?:php|=)?|\?>/uy) ?? "").length;
    return lexer.add("end", ";");
  }
  const start = lexer.match(/<<<[ \t]{0,9}["']?\w{1,40}["']?\r?\n/uy);
  if (start === undefined) return false;
  const label = /\w+/u.exec(start)?.[0] ?? "";
  lexer.at += start.length;
  const close = `\n${label}`;
  return lexer.add(
    "text",
    lexer.quoted(
      start.includes("'")
        ? { close, escapes: "none" }
        : { close, escapes: "all", inside: ["{$"], variable: phpVariable },
    ),
  );
}

function luaLong(lexer: Lexer): boolean {
  const start = lexer.match(/\[={0,9}\[/uy);
  if (start === undefined) return false;
  lexer.at += start.length;
  return lexer.add("text", lexer.quoted({ close: start.replaceAll("[", "]"), escapes: "none" }));
}
