import type { Grammar, Token } from "./lexer.ts";
import { moduleName, type Names } from "./names.ts";

/** What an import needs of the reader. */
type Tokens = {
  readonly grammar: Grammar;
  readonly names: Names;
  peek(ahead?: number): Token | undefined;
  next(): Token | undefined;
  isMark(text: string, ahead?: number): boolean;
};

/** Reads an import, when one stands here, and gives its names their meaning. */
export function readImport(tokens: Tokens): boolean {
  const word = tokens.peek();
  if (word?.kind !== "name") return false;
  const { language } = tokens.grammar;
  if (language === "python" && word.text === "import") return pythonImport(tokens);
  if (language === "python" && word.text === "from") return pythonFrom(tokens);
  if (language === "javascript" && word.text === "import" && !tokens.isMark("(", 1) && !tokens.isMark(".", 1)) {
    return scriptImport(tokens);
  }
  return false;
}

function dotted(tokens: Tokens): string {
  let name = "";
  for (let token = tokens.peek(); token !== undefined; token = tokens.peek()) {
    const isDot = [".", "..", "..."].some((dots) => tokens.isMark(dots));
    const isPart = token.kind === "name" && token.text !== "import" && /^$|\.$/u.test(name);
    if (!isDot && !isPart) break;
    name = `${name}${token.text}`.slice(0, 200);
    tokens.next();
  }
  return name;
}

function pythonImport(tokens: Tokens): boolean {
  tokens.next();
  for (;;) {
    const module = dotted(tokens);
    if (tokens.peek()?.text === "as") {
      tokens.next();
      tokens.names.set(tokens.next()?.text ?? "", { is: "name", path: module });
    }
    if (!tokens.isMark(",")) return true;
    tokens.next();
  }
}

function pythonFrom(tokens: Tokens): boolean {
  tokens.next();
  const module = dotted(tokens);
  if (tokens.peek()?.text !== "import") return true;
  tokens.next();
  if (tokens.isMark("(")) tokens.next();
  pythonName(tokens, module);
  while (tokens.isMark(",")) {
    tokens.next();
    pythonName(tokens, module);
  }
  if (tokens.isMark(")")) tokens.next();
  return true;
}

function pythonName(tokens: Tokens, module: string): undefined {
  const name = tokens.peek()?.kind === "name" || tokens.isMark("*") ? (tokens.next()?.text ?? "") : "";
  const { local } = readAs(tokens, name, true);
  if (name === "*") tokens.names.star(module);
  else if (name !== "") tokens.names.set(local, { is: "name", path: `${module}.${name}` });
}

type Imported = { readonly local: string; readonly member: string | undefined };

function scriptImport(tokens: Tokens): boolean {
  tokens.next();
  const imported = scriptNames(tokens);
  const module = tokens.peek()?.kind === "text" ? moduleName(tokens.next()?.text ?? "") : "?";
  for (const { local, member } of imported) {
    tokens.names.set(local, { is: "name", path: member === undefined ? module : `${module}.${member}` });
  }
  return true;
}

function scriptNames(tokens: Tokens): readonly Imported[] {
  const imported: Imported[] = [];
  let braces = false;
  for (let token = tokens.peek(); token !== undefined; token = tokens.peek()) {
    if ((token.kind === "end" && !braces) || token.kind === "text") break;
    tokens.next();
    if (token.text === "{" || token.text === "}") braces = token.text === "{";
    else if (token.kind === "name" && token.text !== "from") imported.push(readAs(tokens, token.text, braces));
    else if (token.text === "*" && tokens.peek()?.text === "as") {
      tokens.next();
      imported.push({ local: tokens.next()?.text ?? "", member: undefined });
    }
  }
  return imported;
}

function readAs(tokens: Tokens, name: string, braces: boolean): Imported {
  if (tokens.peek()?.text !== "as") return { local: name, member: braces && name !== "default" ? name : undefined };
  tokens.next();
  return { local: tokens.next()?.text ?? "", member: name };
}
