import type { Danger } from "./deeds.ts";
import type { Span } from "./text.ts";
import { whenNeeded } from "./when-needed.ts";

/** A danger of the text itself, and where it stands. */
type Spotted = Danger & { readonly span: Span };

const longestCommand = 64 * 1024;
const deepestNesting = 100;
/** Prose has these words too, and never closes them. */
const mostKeywords = 1000;
const mostFindings = 10;
const fewestBlankLines = 10;
const widestGap = 80;
const tabWidth = 4;

/** What must be asked about before anything reads the command: what the eye does not see, and what is too much. */
export function precheck(command: string): readonly Spotted[] {
  if (isTooLong(command)) {
    return [
      { rule: "too-much", reason: "is longer than can be looked through", span: { start: 0, end: command.length } },
    ];
  }
  return [...hiddenCharacters(command), ...hiddenLayout(command), ...tooDeep(command), ...tooMany(command)];
}

function isTooLong(command: string): boolean {
  if (command.length > longestCommand) return true;
  let bytes = 0;
  for (const character of command) bytes += bytesOf(character.codePointAt(0) ?? 0);
  return bytes > longestCommand;
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x1_0000 ? 3 : 4;
}

const suspicious = whenNeeded(
  () =>
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{1D159}]|\p{M}{6,}/gu,
);

/** What most commands are made of: the pattern for all others takes longer to make than such a command to follow. */
const ordinary = /^[\t\n -~]*$/;

/** Format characters that are seen, and what has its place in every text. */
const harmless = /^[\t\n \u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]$/u;

function hiddenCharacters(command: string): readonly Spotted[] {
  if (ordinary.test(command)) return [];
  const findings: Spotted[] = [];
  for (const { 0: found, index } of command.matchAll(suspicious())) {
    if (harmless.test(found) || isPartOfWriting(command, found, index)) continue;
    const reason = `has ${describe(found)}`;
    const last = findings.at(-1);
    const end = index + found.length;
    if (last?.reason === reason && last.span.end === index) {
      findings[findings.length - 1] = { ...last, span: { start: last.span.start, end } };
    } else findings.push({ rule: "hidden-characters", reason, span: { start: index, end } });
    if (findings.length === mostFindings) break;
  }
  return findings;
}

function describe(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  const name = `(U+${code.toString(16).toUpperCase().padStart(4, "0")})`;
  if (found === "\r") return `a carriage return ${name}, which hides what is before it`;
  if (/^\p{Cc}/u.test(found)) return `a control character ${name}`;
  if (/^\p{Cs}/u.test(found)) return `half a character ${name}`;
  if (/^[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u.test(found)) return `a character that reorders text ${name}`;
  if (/^\p{Z}|^\u2800/u.test(found)) return `a character that looks like a blank or a line's end and is none ${name}`;
  if (/^\p{M}{6}/u.test(found)) return "marks piled upon each other";
  return `an invisible character ${name}`;
}

const scripts =
  "Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati " +
  "Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar";
const joiningScripts = whenNeeded(
  () => new RegExp(`^[${scripts.replace(/\w+ ?/gu, (name) => `\\p{Script=${name.trim()}}`)}]$`, "u"),
);
const pictogram = whenNeeded(() => /^\p{Extended_Pictographic}$/u);
const joinedBefore = whenNeeded(() => /^(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\uFE0F)$/u);

/** Joiners and selectors are ordinary between the pictures of an emoji, and joiners in scripts that join letters. */
function isPartOfWriting(command: string, found: string, index: number): boolean {
  const before = characterBefore(command, index);
  const next = command.codePointAt(index + found.length);
  const after = next === undefined ? "" : String.fromCodePoint(next);
  if (found === "\uFE0F" || found === "\uFE0E") {
    return pictogram().test(before) || (/^[0-9#*]$/u.test(before) && after === "\u20E3");
  }
  if (isFlag(command, index)) return true;
  if (found === "\u200D" && joinedBefore().test(before) && pictogram().test(after)) return true;
  return (found === "\u200C" || found === "\u200D") && joiningScripts().test(before) && joiningScripts().test(after);
}

/** A black flag, the letters of a region in tags, and the tag that ends them. */
const flag = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}/gu;

function isFlag(command: string, index: number): boolean {
  const near = command.slice(Math.max(0, index - 16), index + 16);
  const at = Math.min(index, 16);
  return [...near.matchAll(flag)].some((found) => found.index < at && at < found.index + found[0].length);
}

function characterBefore(command: string, index: number): string {
  const start = /[\uDC00-\uDFFF]/.test(command[index - 1] ?? "") ? index - 2 : index - 1;
  const code = start < 0 ? undefined : command.codePointAt(start);
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** Text that a window may not show, because it stands far below or far to the right of what comes before. */
function hiddenLayout(command: string): readonly Spotted[] {
  const findings: Spotted[] = [];
  let [blankLines, blanksFrom, start] = [0, 0, 0];
  for (const line of command.split("\n")) {
    const isBlank = /^[ \t\r]*\\?$/u.test(line);
    if (!isBlank && blankLines >= fewestBlankLines) {
      const span = { start: blanksFrom, end: start };
      findings.push({ rule: "hidden-layout", reason: `goes on after ${blankLines} empty lines`, span });
    }
    if (isBlank && blankLines === 0) blanksFrom = start;
    blankLines = isBlank ? blankLines + 1 : 0;
    const gap = isBlank ? null : wideGap(line);
    if (gap !== null) {
      const span = { start: start + gap.start, end: start + gap.end };
      findings.push({ rule: "hidden-layout", reason: "goes on after a very long gap in a line", span });
    }
    start += line.length + 1;
  }
  return findings.slice(0, mostFindings);
}

function wideGap(line: string): Span | null {
  for (const { 0: blanks, index } of line.matchAll(/[ \t]+/gu)) {
    if (blanks.length * tabWidth < widestGap) continue;
    const width = blanks.length + (tabWidth - 1) * (blanks.split("\t").length - 1);
    const end = index + blanks.length;
    if (width >= widestGap && end < line.length) return { start: index, end };
  }
  return null;
}

const keywords = /\b(?:if|while|until|for|case|select|coproc|time)\b/gu;

/** Nesting by mere counting: whatever reads the command goes no deeper than this. */
function tooDeep(command: string): readonly Spotted[] {
  const reason = "is nested deeper than can be looked through";
  let depth = 0;
  for (const { 0: bracket, index } of command.matchAll(/(?<!\\(?:e|E|033|x1[bB]|u001[bB]))[([{]|[)\]}]/gu)) {
    depth = "([{".includes(bracket) ? depth + 1 : Math.max(0, depth - 1);
    if (depth > deepestNesting) return [{ rule: "too-much", reason, span: { start: index, end: index + 1 } }];
  }
  const words = command.match(keywords)?.length ?? 0;
  const all = { start: 0, end: command.length };
  return words > mostKeywords ? [{ rule: "too-much", reason, span: all }] : [];
}

/** Shorter commands cannot have so many. */
const manyBegin = 4_000;
const mostWords = 3_000;
const mostExpansions = 1_500;
const mostDocuments = 100;
const quotedDocument = /<<-?[ \t]*(['"])(\w+)\1[\s\S]*?\n\t*\2(?=\n|$)/gu;

/** More words, or more to work out, than a command has; texts that are only passed on do not count. */
function tooMany(command: string): readonly Spotted[] {
  if (command.length < manyBegin) return [];
  const documents = command.split("<<").length - 1;
  const bare = documents > mostDocuments ? command : command.replace(quotedDocument, "").replace(/'[^']*'/gu, "''");
  const words = bare.match(/[\s;|&]+/gu)?.length ?? 0;
  const expansions = bare.match(/[$`]/gu)?.length ?? 0;
  if (documents <= mostDocuments && words <= mostWords && expansions <= mostExpansions) return [];
  const reason = "does more than can be looked through";
  return [{ rule: "too-much", reason, span: { start: 0, end: command.length } }];
}

/**
 * Characters of other scripts by the ASCII one that they look like; compatibility forms are found without a table. As
 * escapes, because nobody could tell them apart here.
 */
const confusables: Readonly<Record<string, string>> = {
  a: "\u0430\u0251\u03B1\u237A\u1D00",
  b: "\u042C\u0184\u13CF\u0253\u0432",
  c: "\u0441\u03F2\u1D04\u2CA5",
  d: "\u0501\u0257\u13E7\u056A",
  e: "\u0435\u04BD\u0454\u03B5\u212E\u0117",
  f: "\uA799\u1E9D\u0192\u0584",
  g: "\u0261\u0581\u1D83\u01E5",
  h: "\u04BB\u0570\u13C2\u043D",
  i: "\u0456\u0131\u0269\u03B9\u04CF\u026A\u0268",
  j: "\u0458\u03F3\u029D",
  k: "\u043A\u03BA\u1D0B\u0199",
  l: "\u217C\u04CF\u01C0\u0196\u05D5\u05DF\u16C1\u0142\u2223",
  m: "\u043C\u1D0D\u0271\u1E43",
  n: "\u043F\u0578\u057C\u0274\u03B7\u0578",
  o: "\u043E\u03BF\u0585\u03C3\u1D0F\u0A66\u0665\u0E50\u0D20\u2C9F",
  p: "\u0440\u03C1\u2CA3\u01BF\u1D18",
  q: "\u051B\u0563\u0566",
  r: "\u0433\u1D26\u2C85\uAB47\uAB48\u027E\u0280",
  s: "\u0455\uA731\u01BD\u0282",
  t: "\u0442\u03C4\u1D1B\u01AB",
  u: "\u03C5\u057D\u1D1C\uA79F\u028B",
  v: "\u03BD\u0475\u1D20\u2C71",
  w: "\u051D\u0561\u026F\u1D21\u0461\u03C9",
  x: "\u0445\u03C7\u00D7\u2CAD\u1541",
  y: "\u0443\u04AF\u03B3\u028F\u10E7",
  z: "\u1D22\u0290\u01B6",
  A: "\u0410\u0391\u13AA",
  B: "\u0412\u0392\u13F4",
  C: "\u0421\u03F9\u13DF",
  D: "\u13A0\u15DE\u15EA\u00D0",
  E: "\u0415\u0395\u13AC",
  F: "\u03DC\u15B4\u0492",
  G: "\u050C\u13C0",
  H: "\u041D\u0397\u13BB",
  I: "\u0406\u0399\u04C0\u16C1",
  J: "\u0408\u13AB\u037F",
  K: "\u041A\u039A\u13E6",
  L: "\u13DE\u14AA\u2CD0",
  M: "\u041C\u039C\u13B7",
  N: "\u039D\u2C9B",
  O: "\u041E\u039F\u0555\u2C9E",
  P: "\u0420\u03A1\u13E2",
  Q: "\u051A\u2D55",
  R: "\u13A1\u13D2\u1587\u01A6",
  S: "\u0405\u054F\u13DA",
  T: "\u0422\u03A4\u13A2",
  U: "\u054D\u144C\u22C3",
  V: "\u13D9\u0474\u2D38",
  W: "\u051C\u13B3",
  X: "\u0425\u03A7\u2D5D",
  Y: "\u04AE\u03A5\u13BD",
  Z: "\u0396\u13C3",
  "0": "\u09E6\u0B66\u3007\u06F0\u0660",
  "1": "\u0661\u06F1",
  "2": "\u01A7\u03E8",
  "3": "\u0417\u04E0\u01B7",
  "4": "\u13CE",
  "5": "\u01BC",
  "6": "\u0431\u13EE",
  "7": "\u{104D2}",
  "8": "\u0222\u09EA",
  "9": "\u09ED",
  "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uFE58\u2796\u30FC\u4E00",
  "/": "\u2044\u2215\u2571\u29F8\u27CB\u30CE\u4E3F",
  ".": "\u2024\u2027\u00B7\u3002\uFF0E\u0660\u06D4",
  _: "\u02CD\u2017",
};

const plainOf = whenNeeded(
  (): ReadonlyMap<string, string> =>
    new Map(Object.entries(confusables).flatMap(([plain, all]) => [...all].map((each) => [each, plain] as const))),
);

/** Whether a command's name, or the last part of its path, reads like an ASCII name and is none. */
export function looksAlike(word: string): boolean {
  if (word.length > 256 || /^[\0-\x7f]*$/u.test(word)) return false;
  return isImitation(word) || isImitation(word.slice(word.lastIndexOf("/") + 1));
}

function isImitation(name: string): boolean {
  const skeleton = [...name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "")].map(plain).join("");
  return skeleton !== name && /^[\x21-\x7e]+$/u.test(skeleton);
}

/** Dots and hooks below or above a letter are easily overlooked, other marks are not. */
function plain(character: string): string {
  const found = plainOf().get(character);
  return found ?? character.normalize("NFD").replace(/[\u0307\u0323-\u0328\u0331]/gu, "");
}
