/**
 * The patterns of a .gitignore, and globs, which mean the same. By hand and not as regular expressions: those of a strange
 * project must not be able to take for ever, and here no pattern takes longer than its length times the path's.
 */
export type Patterns = { ignores(path: string, isFolder: boolean): boolean | null };

type Pattern = { readonly negated: boolean; readonly folderOnly: boolean; readonly parts: readonly Part[] };
/** `null` is `**`: any number of folders. */
type Part = readonly Piece[] | null;
type Piece = "*" | ((char: string) => boolean);

/** Paths are relative to the folder of the file; `null` is that no pattern speaks of it. The last one that does wins. */
export function readPatterns(text: string): Patterns {
  const patterns = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((line) => readPattern(line) ?? [])
    .reverse();
  return {
    ignores(path, isFolder) {
      const names = path.split("/").map((name) => [...name]);
      const found = patterns.find(({ folderOnly, parts }) => (isFolder || !folderOnly) && matchParts(parts, names));
      return found === undefined ? null : !found.negated;
    },
  };
}

/** A glob for files: `*.ts` in any folder, `src/**` from the folder searched on, `{a,b}` either; `!` leaves out. */
export function readGlob(glob: string): (path: string) => boolean {
  const negated = glob.startsWith("!");
  const patterns = expandBraces(negated ? glob.slice(1) : glob).map((each) => readPatterns(each.replace(/^#/, "\\#")));
  return (path) => patterns.some(({ ignores }) => ignores(path, false) === true) !== negated;
}

const mostAlternatives = 1_000;

function expandBraces(glob: string): string[] {
  let open = [glob];
  for (;;) {
    const next = open.flatMap((each) => {
      const braces = /\{([^{}]*,[^{}]*)\}/.exec(each);
      if (braces === null) return [each];
      const [whole, inner = ""] = braces;
      const [before, after] = [each.slice(0, braces.index), each.slice(braces.index + whole.length)];
      return inner.split(",").map((choice) => before + choice + after);
    });
    if (next.length === open.length || next.length > mostAlternatives) return next.slice(0, mostAlternatives);
    open = next;
  }
}

function readPattern(line: string): Pattern | null {
  if (line.startsWith("#")) return null;
  const trimmed = trimEnd(line);
  const negated = trimmed.startsWith("!");
  const whole = negated ? trimmed.slice(1) : trimmed;
  const folderOnly = whole.endsWith("/");
  const body = folderOnly ? whole.slice(0, -1) : whole;
  if (body === "") return null;
  const names = splitNames(body.replace(/^\//, ""));
  const parts: Part[] = names.map((name) => (/^\*{2,}$/.test(name) && body.includes("/") ? null : readPieces(name)));
  // What is inside, not the folder itself.
  if (parts.length > 1 && parts.at(-1) === null) parts.push(["*"]);
  return { negated, folderOnly, parts: body.includes("/") ? parts : [null, ...parts] };
}

/** At each slash, escaped or not, but those in a set of characters. */
function splitNames(body: string): string[] {
  const chars = [...body];
  const names: string[][] = [[]];
  for (let at = 0; at < chars.length; at += 1) {
    const start = at;
    if (chars[at] === "[") at = readSet(chars, at + 1).end;
    else if (chars[at] === "\\") at += 1;
    if (chars[at] === "/") names.push([]);
    else names.at(-1)?.push(...chars.slice(start, at + 1));
  }
  return names.map((name) => name.join(""));
}

/** Spaces at the end do not count, unless the first of them is escaped. */
function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && line.charAt(end - 1) === " ") end -= 1;
  const escapes = /\\*$/.exec(line.slice(0, end))?.[0].length ?? 0;
  return escapes % 2 === 1 && end < line.length ? line.slice(0, end + 1) : line.slice(0, end);
}

function readPieces(name: string): Piece[] {
  const chars = [...name];
  const pieces: Piece[] = [];
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? "";
    if (char === "*") {
      if (pieces.at(-1) !== "*") pieces.push("*");
    } else if (char === "?") pieces.push(() => true);
    else if (char === "[") {
      const set = readSet(chars, at + 1);
      pieces.push(set.matches);
      at = set.end;
    } else if (char === "\\") {
      at += 1;
      pieces.push(one(chars[at]));
    } else pieces.push(one(char));
  }
  return pieces;
}

/** A backslash at the very end matches nothing. */
function one(char: string | undefined): (other: string) => boolean {
  return (other) => other === char;
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

type Matcher = { readonly matches: (char: string) => boolean; readonly end: number };

/** `[a-z]`, `[!a-z]`, `[[:alpha:]]`; one that is not closed matches nothing. */
function readSet(chars: readonly string[], start: number): Matcher {
  const negated = chars[start] === "!" || chars[start] === "^";
  const first = negated ? start + 1 : start;
  const tests: ((char: string) => boolean)[] = [];
  let at = first;
  while (at < chars.length && (chars[at] !== "]" || at === first)) {
    const member = readMember(chars, at);
    tests.push(member.matches);
    at = member.end;
  }
  if (at >= chars.length) return { matches: () => false, end: chars.length };
  return { matches: (char) => tests.some((test) => test(char)) !== negated, end: at };
}

function readMember(chars: readonly string[], at: number): Matcher {
  const named = /^\[:([a-z]+):\]/.exec(chars.slice(at, at + 12).join(""));
  if (named !== null) {
    const known = classes[named[1] ?? ""];
    return { matches: (char) => known?.test(char) ?? false, end: at + named[0].length };
  }
  const from = readChar(chars, at);
  if (chars[from.end] !== "-" || chars[from.end + 1] === undefined || chars[from.end + 1] === "]") {
    return { matches: one(from.char), end: from.end };
  }
  const to = readChar(chars, from.end + 1);
  // As git has it, a range the wrong way round still holds what it begins with.
  return { matches: (char) => char === from.char || (char >= from.char && char <= to.char), end: to.end };
}

function readChar(chars: readonly string[], at: number): { char: string; end: number } {
  const escaped = chars[at] === "\\";
  return { char: chars[escaped ? at + 1 : at] ?? "", end: at + (escaped ? 2 : 1) };
}

type Wild<P, T> = { readonly isWild: (piece: P) => boolean; readonly fits: (piece: P, thing: T) => boolean };

/** Only the last wild piece can ever have to take more: this is what keeps it from trying everything. */
function match<P, T>(pieces: readonly P[], things: readonly T[], { isWild, fits }: Wild<P, T>): boolean {
  let [piece, thing] = [0, 0];
  let again: { piece: number; thing: number } | null = null;
  while (thing < things.length) {
    const [p, t] = [pieces[piece], things[thing]];
    if (p !== undefined && isWild(p)) {
      again = { piece, thing };
      piece += 1;
    } else if (p !== undefined && t !== undefined && fits(p, t)) {
      piece += 1;
      thing += 1;
    } else if (again !== null) {
      again = { piece: again.piece, thing: again.thing + 1 };
      piece = again.piece + 1;
      thing = again.thing;
    } else return false;
  }
  return pieces.slice(piece).every(isWild);
}

const inName: Wild<Piece, string> = {
  isWild: (piece) => piece === "*",
  fits: (piece, char) => piece !== "*" && piece(char),
};
const inPath: Wild<Part, readonly string[]> = {
  isWild: (part) => part === null,
  fits: (part, name) => part !== null && match(part, name, inName),
};

function matchParts(parts: readonly Part[], names: readonly (readonly string[])[]): boolean {
  return match(parts, names, inPath);
}
