import { whenNeeded } from "../when-needed.ts";
import type { Findings } from "./findings.ts";
import { unknownPart } from "./values.ts";

type Token = { readonly text: string; readonly quoted: boolean };

const tokens = whenNeeded(
  () => /"((?:[^"\\]|\\[\s\S])*)"?|--[^\n]*|\(\*|[\p{L}_\uE000-\uF8FF][\p{L}\p{N}_\uE000-\uF8FF]*|\n|[^\s]|\s+/guy,
);

export function readAppleScript(text: string, to: Findings): undefined {
  const all = tokenize(text);
  const texts = new Map<string, string>();
  for (const [at, token] of all.entries()) {
    if (token.quoted) continue;
    if (token.text === "set" && all[at + 2]?.text === "to") remember(texts, all, at);
    else if (!runs(all, at, texts, to)) phrases(all, at, to);
  }
}

function runs(all: readonly Token[], at: number, texts: ReadonlyMap<string, string>, to: Findings): boolean {
  if (isPhrase(all, at, "do shell script")) to.shell(folded(all, at + 3, texts));
  else if (isPhrase(all, at, "do script")) to.shell(folded(all, at + 2, texts));
  else if (isPhrase(all, at, "run script")) to.code("applescript", folded(all, at + 2, texts));
  else if (isPhrase(all, at, "open location")) to.connect(folded(all, at + 2, texts));
  else return false;
  return true;
}

function tokenize(text: string): readonly Token[] {
  const found: Token[] = [];
  tokens().lastIndex = 0;
  for (let match = tokens().exec(text); match !== null; match = tokens().exec(text)) {
    const [whole, literal] = match;
    if (literal !== undefined) found.push({ text: literal.replace(/\\([\s\S])/gu, "$1"), quoted: true });
    else if (whole === "(*") {
      const end = text.indexOf("*)", tokens().lastIndex);
      tokens().lastIndex = end < 0 ? text.length : end + 2;
    } else if (whole === "\n" || !/^(?:\s|--)/u.test(whole)) found.push({ text: whole.toLowerCase(), quoted: false });
    if (tokens().lastIndex === 0) break;
  }
  return found;
}

function isPhrase(all: readonly Token[], at: number, phrase: string): boolean {
  return phrase.split(" ").every((word, index) => all[at + index]?.text === word && all[at + index]?.quoted === false);
}

function remember(texts: Map<string, string>, all: readonly Token[], at: number): undefined {
  const name = all[at + 1]?.text ?? "";
  texts.set(name, texts.has(name) ? unknownPart : folded(all, at + 3, texts));
}

/** Texts joined by `&`; anything else is an unknown part. */
function folded(all: readonly Token[], from: number, texts: ReadonlyMap<string, string>): string {
  let text = "";
  for (let at = from; at < all.length && at < from + 100; at += 1) {
    const token = all[at];
    if (token === undefined || (!token.quoted && ["\n", "with", "in", "without"].includes(token.text))) break;
    if (token.quoted) text += token.text;
    else if (!"&()".includes(token.text)) text += texts.get(token.text) ?? unknownPart;
  }
  return text;
}

function phrases(all: readonly Token[], at: number, to: Findings): undefined {
  if (isPhrase(all, at, "administrator privileges"))
    to.danger("privilege-escalation", "asks for the rights of an administrator");
  else if (isPhrase(all, at, "empty trash") || isPhrase(all, at, "empty the trash"))
    to.danger("delete-bulk", "empties the trash");
  else if (
    isPhrase(all, at, "delete every") ||
    isPhrase(all, at, "delete folder") ||
    isPhrase(all, at, "delete items")
  ) {
    to.danger("delete-bulk", "removes folders or many files");
  } else if (
    isPhrase(all, at, "shut down") ||
    isPhrase(all, at, "log out") ||
    (all[at]?.text === "restart" && at > 0)
  ) {
    to.danger("system-power", "ends the session or the machine");
  } else if (isPhrase(all, at, "keystroke") || isPhrase(all, at, "key code")) to.unseen("types into other programs");
}
