import type { Findings } from "./findings.ts";
import { textValue, unknownPart, type Value } from "./values.ts";

type Word = { readonly text: string; readonly quoted: boolean };

const tokens =
  /'((?:[^']|'')*)'?|"((?:[^"`]|`[\s\S]|"")*)"?|<#|#[^\n]*|[;|{}()\n&,=]|\$\{?[\w:\uE000-\uF8FF]+\}?(?:[/\\][^\s;|{}()&,'"#=]*)?|\[[\w.]{1,80}\]::\w+|[^\s;|{}()&,'"#=]+|\s+|[\s\S]/guy;
const cmdlet = /^[a-z]+-[a-z]+\d?$/iu;
const language = new Set(
  "if else elseif for foreach foreach-object while do switch function return try catch finally param throw % ? where select echo cd ls pwd sort gci dir".split(
    " ",
  ),
);

/** PowerShell: commands of words, split at bars, semicolons and brackets. */
export function readPowerShell(text: string, to: Findings): undefined {
  const words: Word[] = [];
  tokens.lastIndex = 0;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [whole, single, double] = match;
    const literal = single?.replaceAll("''", "'") ?? (double === undefined ? undefined : expanded(double));
    if (literal !== undefined) words.push({ text: literal, quoted: true });
    else if (whole === "<#") skipComment(text);
    else if (endsCommand(whole, words) || isAssigned(whole, words)) command(words.splice(0), to);
    else if (!/^[\s#,=()]/u.test(whole)) words.push(bareWord(whole));
    if (tokens.lastIndex === 0) break;
  }
  command(words, to);
}

/** The parenthesis of a method call belongs to the call. */
function endsCommand(mark: string, words: readonly Word[]): boolean {
  if (mark === "(" && /(?:::|\.)\w+$/u.test(words.at(-1)?.text ?? "")) return false;
  return /^[;|{}()\n]/u.test(mark);
}

/** `$x = Remove-Item …`: what follows is a command. */
function isAssigned(mark: string, [first]: readonly Word[]): boolean {
  return mark === "=" && first?.quoted === false && /^[$[]/u.test(first.text);
}

function bareWord(text: string): Word {
  return { text: text.startsWith("$") ? text : text.replaceAll("`", ""), quoted: false };
}

function skipComment(text: string): undefined {
  const end = text.indexOf("#>", tokens.lastIndex);
  tokens.lastIndex = end < 0 ? text.length : end + 2;
}

function expanded(text: string): string {
  return text.replace(/`([\s\S])/gu, "$1").replace(/\$\([^)]{0,400}\)?|\$\{?[\w:]+\}?/gu, unknownPart);
}

function asValue({ text, quoted }: Word): Value {
  if (quoted || !/^[$(@]/u.test(text)) return textValue(text);
  const below = /^\$[^/\\]*([/\\].*)$/su.exec(text)?.[1] ?? "";
  return textValue(`${unknownPart}${below.replaceAll("\\", "/")}`);
}

function command(words: readonly Word[], to: Findings): undefined {
  const [first, ...rest] = words;
  if (first === undefined) return;
  const name = first.text.toLowerCase().replace(/^.*\\/u, "");
  const operands = rest.filter((word) => word.quoted || !word.text.startsWith("-"));
  if (first.quoted) return;
  if (name === "&" || name === ".") return invoked(rest, to);
  methods(words, to);
  if (/^(?:\$|\[)/u.test(name) || language.has(name)) return;
  if (removing.has(name)) removes(rest, operands, to);
  else if (/^(?:iex|invoke-expression)$/u.test(name))
    to.code("powershell", operands[0] === undefined ? unknownPart : asValue(operands[0]));
  else if (reaching.has(name)) to.connect(addressIn(operands));
  else if (name === "start-process" || name === "saps") starts(rest, operands, to);
  else if (atPlaces.has(name)) places(name, rest, operands, to);
  else others(name, words, to);
}

const removing = new Set(["remove-item", "rm", "ri", "del", "rd", "rmdir", "erase"]);
const reaching = new Set(
  "invoke-webrequest iwr curl wget invoke-restmethod irm start-bitstransfer test-netconnection send-mailmessage enter-pssession new-pssession invoke-command".split(
    " ",
  ),
);
const reading = ["get-content", "gc", "cat", "type"];
const writing = new Set(
  "set-content sc add-content ac out-file new-item ni copy-item cp copy move-item mv move rename-item tee-object clear-content".split(
    " ",
  ),
);

const atPlaces = new Set([...reading, ...writing]);

function addressIn(operands: readonly Word[]): Value {
  const url = operands.find(({ text }) => /^\w+:\/\//u.test(text)) ?? operands[0];
  return url === undefined ? textValue(unknownPart) : asValue(url);
}

function removes(rest: readonly Word[], operands: readonly Word[], to: Findings): undefined {
  if (rest.some(({ text, quoted }) => !quoted && /^-r(?:e?c?u?r?s?e?|f)?$|^-fr$/iu.test(text))) {
    to.danger("delete-recursive", "removes a folder with everything in it");
  } else if (operands.length === 0 || operands.some(isEach))
    to.danger("delete-bulk", "removes everything that it is given");
  else for (const operand of operands) to.remove(asValue(operand));
}

/** What a loop over many is at. */
function isEach({ text, quoted }: Word): boolean {
  return !quoted && /^\$(?:_|PSItem)\b/iu.test(text);
}

function invoked(words: readonly Word[], to: Findings): undefined {
  if (words.length > 0) to.run(words.map(asValue));
}

function starts(rest: readonly Word[], operands: readonly Word[], to: Findings): undefined {
  if (rest.some(({ text }) => /^runas$/iu.test(text)))
    to.danger("privilege-escalation", "starts a program with the rights of an administrator");
  else to.run(operands.map(asValue));
}

function places(name: string, rest: readonly Word[], operands: readonly Word[], to: Findings): undefined {
  if (writing.has(name)) writes(name, rest, operands, to);
  else for (const operand of operands) to.show(asValue(operand));
}

function writes(name: string, rest: readonly Word[], operands: readonly Word[], to: Findings): undefined {
  const at = rest.findIndex(({ text, quoted }) => !quoted && /^-(?:dest\w*|path|filepath|literalpath)$/iu.test(text));
  const named = at < 0 ? undefined : rest[at + 1];
  const isPair = /^(?:copy|move|cp|mv)/u.test(name);
  const place = named ?? (isPair ? operands[1] : operands[0]);
  if (place !== undefined) to.write(asValue(place));
  if (/^(?:move|mv|rename)/u.test(name) && operands[0] !== undefined) to.write(asValue(operands[0]));
}

function others(name: string, words: readonly Word[], to: Findings): undefined {
  if (/^(?:stop|restart)-computer$/u.test(name)) to.danger("system-power", "ends or restarts the machine");
  else if (/^(?:start|stop|restart|set|new|remove)-service$/u.test(name))
    to.danger("system-service", "changes a service");
  else if (/^(?:register|new|set)-scheduledtask$/u.test(name)) to.danger("system-schedule", "plans what runs later");
  else if (/^(?:clear-disk|format-volume|initialize-disk|remove-partition)$/u.test(name))
    to.danger("system-disk", "changes a disk");
  else if (/^(?:new|remove|set)-localuser$|^add-localgroupmember$/u.test(name))
    to.danger("system-account", "changes accounts");
  else if (/^(?:set-executionpolicy|set-itemproperty|set-mppreference|netsh)$/u.test(name))
    to.danger("system-settings", "changes settings of the system");
  else if (/^(?:install|uninstall)-(?:module|package|script)$/u.test(name))
    to.danger("system-package", "installs or removes packages");
  else if (name === "add-type") to.unseen("compiles and loads code");
  else if (!cmdlet.test(name) && /^(?:\.{0,2}\/|[a-zA-Z_~])[\w./~-]*$/u.test(name)) to.run(words.map(asValue));
}

/** Methods of .NET that stand anywhere in the statement. */
function methods(words: readonly Word[], to: Findings): undefined {
  for (const [at, { text, quoted }] of words.entries()) {
    if (quoted) continue;
    const place = words[at + 1];
    method(text, place === undefined ? textValue(unknownPart) : asValue(place), to);
  }
}

function method(text: string, value: Value, to: Findings): undefined {
  if (/(?:Directory|FileSystem)\]::Delete/iu.test(text))
    to.danger("delete-recursive", "removes a folder with everything in it");
  else if (/File\]::(?:Read|Open)/iu.test(text)) to.show(value);
  else if (/File\]::(?:Write|Append|Create|Move|Copy|Delete|Replace)/iu.test(text)) to.write(value);
  else if (/\.(?:Download(?:String|File|Data)|Upload\w+|OpenRead|GetAsync|GetStringAsync)(?:Async)?$/iu.test(text))
    to.connect(value);
  else if (/Process\]::Start$/iu.test(text)) to.run([value], true);
  else if (/scriptblock\]::Create$/iu.test(text)) to.code("powershell", value);
  else if (/InvokeScript$|Assembly\]::Load|FromBase64String$/iu.test(text)) to.unseen("runs code that cannot be seen");
}
