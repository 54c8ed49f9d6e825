import type { Language } from "./language.ts";
import type { Token } from "./lexer.ts";
import type { Rules } from "./rule.ts";

/** In Perl a name before `=>` is a text, also with a minus before it; what has a rule may be a call all the same. */
export function withArrows(tokens: readonly Token[], language: Language, rules: Rules): readonly Token[] {
  if (language !== "perl") return tokens;
  const isQuoted = (at: number): boolean => {
    const { kind = "end", text = "" } = tokens[at] ?? {};
    if (kind !== "name" || !/^\w/u.test(text) || !isMark(tokens[at + 1], "=>")) return false;
    return !rules.has({ is: "name", path: text });
  };
  return tokens.map((token, at) =>
    isQuoted(at) ? { ...token, kind: "text", text: `${isMark(tokens[at - 1], "-") ? "-" : ""}${token.text}` } : token,
  );
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === "mark" && token.text === text;
}
