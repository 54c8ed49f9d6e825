import type { Lexer, Quoting, Token } from "./lexer.ts";

/** The quote-like operators of Perl and Ruby. */

const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };
const perlInside: Pick<Quoting, "inside" | "variable"> = {
  inside: ["@{", "${"],
  variable: /[$@](?:\w+|\$\w+|[&!0])(?:(?:->)?(?:\[[^\]\n]{0,60}\]|\{[^}\n]{0,60}\}))*/uy,
};
const rubyInside: Pick<Quoting, "inside"> = { inside: ["#{"] };

function delimited(lexer: Lexer, escapes: Quoting["escapes"], more: Partial<Quoting> = {}): string {
  const open = lexer.text[lexer.at] ?? "";
  const close = pairs[open];
  lexer.at += 1;
  return lexer.quoted({ close: close ?? open, escapes, ...(close === undefined ? {} : { open }), ...more });
}

const perlOperator = /(?:qw|qq|qx|qr|tr|[qmsy])(?=\s{0,9}[^\w\s,;)=]|=[^>=~\s])/uy;

export function perlSpecial(lexer: Lexer): boolean {
  const char = lexer.text[lexer.at] ?? "";
  if (!"=/<qmsty".includes(char)) return false;
  if (lexer.match(/^=(?:pod|head\d|begin|for|over|encoding)\b/muy) !== undefined) return skipPod(lexer);
  if (char === "/" && !perlOperandBefore(lexer)) return regexOrQuotient(lexer);
  if (char === "<") return perlAngle(lexer);
  const last = lexer.tokens.at(-1);
  if (last?.text === "->" || (last?.text === "{" && lexer.match(/\w+\}/uy) !== undefined)) return false;
  const operator = lexer.match(perlOperator);
  if (operator === undefined || lexer.match(/\w+\s{0,9}=>/uy) !== undefined) return false;
  lexer.at += operator.length;
  lexer.at += (lexer.match(/\s{0,9}/uy) ?? "").length;
  return perlQuote(lexer, operator);
}

function perlQuote(lexer: Lexer, operator: string): boolean {
  switch (operator) {
    case "q":
      return lexer.add("text", delimited(lexer, "few"));
    case "qq":
      return lexer.add("text", delimited(lexer, "all", perlInside));
    case "qx":
      return lexer.add("shell", delimited(lexer, "all", perlInside));
    case "qw":
      return lexer.add("words", delimited(lexer, "few"));
    case "s":
    case "tr":
    case "y":
      return substitution(lexer, operator);
    default:
      return addRegex(lexer);
  }
}

/** After `time` or a constant it divides, and what passes for a pattern is code. */
function regexOrQuotient(lexer: Lexer): boolean {
  const last = lexer.tokens.at(-1);
  const from = lexer.at + 1;
  addRegex(lexer);
  if (
    last?.kind === "name" &&
    !/^(?:split|grep|map|join|push|return|if|unless|while|until|and|or|not|x)$/u.test(last.text)
  )
    lexer.inner.push(lexer.text.slice(from, lexer.at));
  return true;
}

function addRegex(lexer: Lexer): boolean {
  const pattern = delimited(lexer, "few");
  lexer.at += (lexer.match(/[a-z]*/uy) ?? "").length;
  return lexer.add(/\(\?\??\{/u.test(pattern) ? "code" : "regex", pattern.replace(/^.*?\(\?\??\{/u, ""));
}

function substitution(lexer: Lexer, operator: string): boolean {
  const open = lexer.text[lexer.at] ?? "";
  delimited(lexer, "few");
  if (pairs[open] === undefined) lexer.at -= 1;
  else lexer.at += (lexer.match(/\s*/uy) ?? "").length;
  const from = lexer.at;
  const replacement = delimited(lexer, "few", operator === "s" ? { inside: ["@{"] } : {});
  const flags = lexer.match(/[a-z]*/uy) ?? "";
  const raw = lexer.text.slice(from + 1, Math.max(from + 1, lexer.at - 1));
  lexer.at += flags.length;
  if (operator !== "s" || !flags.includes("e")) return lexer.add("regex", replacement);
  return lexer.add("code", raw);
}

function skipPod(lexer: Lexer): boolean {
  const end = lexer.text.indexOf("\n=cut", lexer.at);
  lexer.at = end < 0 ? lexer.text.length : end + 5;
  return lexer.add("end", "\n");
}

function perlAngle(lexer: Lexer): boolean {
  if (perlOperandBefore(lexer) && !isGlobAfterBlock(lexer)) return false;
  const glob = lexer.match(/<[^<>\n=;]{0,200}>/uy);
  if (glob !== undefined) {
    lexer.at += glob.length;
    return lexer.add(/[*?~{/]/u.test(glob) ? "glob" : "regex", glob.slice(1, -1));
  }
  return heredoc(lexer, perlInside);
}

/** `grep { -f } <*>` */
function isGlobAfterBlock(lexer: Lexer): boolean {
  return lexer.tokens.at(-1)?.text === "}" && lexer.match(/<[^<>\s]{0,80}[*?][^<>\s]{0,80}>/uy) !== undefined;
}

/** A name that is not a variable may be a function that takes a pattern. */
function perlOperandBefore(lexer: Lexer): boolean {
  const last = lexer.tokens.at(-1);
  if (last?.kind === "name" && !/^[$@%&]/u.test(last.text)) return false;
  return lexer.afterOperand();
}

function heredoc(lexer: Lexer, inside: Partial<Quoting>): boolean {
  const start = lexer.match(/<<[~-]?(?:"\w{1,40}"|'\w{1,40}'|`\w{1,40}`|[A-Z_]\w{0,40})/uy);
  if (start === undefined) return false;
  const label = /\w+/u.exec(start)?.[0] ?? "";
  const line = lexer.text.indexOf("\n", lexer.at + start.length);
  if (line < 0) return false;
  // What follows on the first line is read as code before the text, which is close enough for a scan.
  const rest = lexer.text.slice(lexer.at + start.length, line);
  lexer.at = line;
  const kind: Token["kind"] = start.includes("`") ? "shell" : "text";
  const close = new RegExp(`\\n[ \\t]*${label}(?![\\w])`, "gu");
  close.lastIndex = line;
  const found = close.exec(lexer.text);
  const end = found?.index ?? lexer.text.length;
  const body = lexer.text.slice(line + 1, Math.max(line + 1, end));
  const plain = start.includes("'") || !/[$@]\w|#\{|[$@]\{/u.test(body);
  lexer.add(
    kind,
    plain || inside.inside === undefined ? body : body.replace(/[$@#]\{[^}\n]{0,200}\}|[$@]\w+/gu, "\uF8FF"),
  );
  lexer.at = end + (found?.[0].length ?? 0);
  if (rest.trim() !== "") lexer.inner.push(rest);
  return true;
}

const percent = /%(?:[wWiIqQxrs](?=[^\w\s])|(?=[([{<|!]))/uy;

export function rubySpecial(lexer: Lexer): boolean {
  const char = lexer.text[lexer.at] ?? "";
  if (!"/%<:?".includes(char)) return false;
  const next = lexer.text[lexer.at + 1] ?? "";
  const isFirst = !lexer.afterOperand();
  const fresh = isFirst || (isName(lexer) && lexer.spaced && next !== " " && next !== "=");
  if (char === "/" && fresh) {
    delimited(lexer, "few", rubyInside);
    lexer.at += (lexer.match(/[a-z]*/uy) ?? "").length;
    return lexer.add("regex", "");
  }
  if (char === "%" && fresh) return rubyPercent(lexer);
  if (char === "<" && next === "<" && fresh) return heredoc(lexer, rubyInside);
  if (char === ":" && next !== ":" && lexer.match(/:["'\p{L}_]/uy) !== undefined && fresh) return rubySymbol(lexer);
  return char === "?" && fresh && rubyCharacter(lexer, isFirst);
}

function isName(lexer: Lexer): boolean {
  return lexer.tokens.at(-1)?.kind === "name";
}

/** `?a`, `?"`, `?\n`; after a name it may be a condition: `a ?"b" : "c"`. */
function rubyCharacter(lexer: Lexer, isFirst: boolean): boolean {
  const found = lexer.match(isFirst ? /\?(?:\\\S|[^\s\w]|\w(?!\w))/uy : /\?[^\s\w](?!\S)|\?\w(?!\w)/uy);
  if (found === undefined) return false;
  lexer.at += found.length;
  return lexer.add("text", found.slice(1));
}

function rubySymbol(lexer: Lexer): boolean {
  lexer.at += 1;
  const name = lexer.match(/[\p{L}_][\p{L}\p{N}_]*[?!=]?/uy);
  if (name === undefined) return lexer.add("text", delimited(lexer, "all", rubyInside));
  lexer.at += name.length;
  return lexer.add("text", name);
}

function rubyPercent(lexer: Lexer): boolean {
  const start = lexer.match(percent);
  if (start === undefined) return false;
  lexer.at += start.length;
  const letter = start[1] ?? "Q";
  const body = delimited(lexer, /[wiqs]/u.test(letter) ? "few" : "all", /[wiqs]/u.test(letter) ? {} : rubyInside);
  if (/[wWiI]/u.test(letter)) return lexer.add("words", body);
  if (letter === "x") return lexer.add("shell", body);
  return lexer.add(letter === "r" ? "regex" : "text", body);
}
