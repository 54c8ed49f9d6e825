/** A text in YAML, as far as files of tasks use it: what is not a list or a map is a text. */
export type Yaml = string | readonly Yaml[] | ReadonlyMap<string, Yaml>;

/** Deeper than this nobody writes. */
const deepest = 30;

/** `null`: it cannot be read, or has what is not followed here: anchors, tags, several documents. */
export function readYaml(text: string): Yaml | null {
  const reader = new YamlReader(text);
  const whole = reader.document();
  return reader.failed ? null : whole;
}

class YamlReader {
  failed = false;
  readonly #lines: string[];
  #at = 0;
  #column = 0;
  #depth = 0;

  constructor(text: string) {
    this.#lines = text.split(/\r?\n/);
    if (/^---/.test(this.#lines[0] ?? "")) this.#lines[0] = (this.#lines[0] ?? "").slice(3).trim();
    if (this.#lines.some((line) => /^(?:---|\.\.\.|%)|^ *\t *[^\s#]/.test(line))) this.failed = true;
  }

  document(): Yaml {
    const whole = this.#below(-1);
    return this.#next() === null ? whole : this.#fail();
  }

  #fail(): string {
    this.failed = true;
    this.#at = this.#lines.length;
    return "";
  }

  /** The line that is read, from its first character on that counts. */
  get #rest(): string {
    return this.#line.trimStart();
  }

  get #line(): string {
    return this.#lines[this.#at] ?? "";
  }

  /** How far the next line is indented that is neither blank nor a comment; it is the one that is read then. */
  #next(): number | null {
    while (this.#at < this.#lines.length && /^\s*(?:#|$)/.test(this.#line)) this.#at += 1;
    return this.#at < this.#lines.length ? this.#line.length - this.#rest.length : null;
  }

  /** What is indented more. */
  #below(parent: number): Yaml {
    const indent = this.#next();
    return indent === null || indent <= parent ? "" : this.#node(indent, parent);
  }

  /** What begins at that column of the line. */
  #node(column: number, parent: number): Yaml {
    if (this.#depth >= deepest) return this.#fail();
    this.#depth += 1;
    const isKeyed = keyIn(this.#rest) !== null;
    const node = isItem(this.#rest) ? this.#list(column) : isKeyed ? this.#map(column) : this.#value(column, parent);
    this.#depth -= 1;
    return node;
  }

  #list(indent: number): readonly Yaml[] {
    const items: Yaml[] = [];
    while (this.#next() === indent && isItem(this.#rest)) {
      // What follows the dash stands as it would on a line of its own.
      this.#lines[this.#at] = `${" ".repeat(indent + 1)}${this.#rest.slice(1)}`;
      const isEmpty = /^\s*(?:#|$)/.test(this.#line);
      items.push(isEmpty ? this.#below(indent) : this.#node(this.#line.length - this.#rest.length, indent));
    }
    return items;
  }

  #map(indent: number): ReadonlyMap<string, Yaml> {
    const entries = new Map<string, Yaml>();
    while (this.#next() === indent) {
      const found = keyIn(this.#rest);
      if (found === null || found.key === "<<") {
        this.#fail();
        break;
      }
      const column = indent + found.end;
      entries.set(found.key, this.#valueOf(column, indent));
    }
    return entries;
  }

  #valueOf(column: number, indent: number): Yaml {
    const blank = /^\s*(?:#.*)?$/.test(this.#line.slice(column));
    if (!blank) return this.#value(column, indent);
    this.#at += 1;
    return this.#next() === indent && isItem(this.#rest) ? this.#list(indent) : this.#below(indent);
  }

  /** A text, or what stands in brackets. */
  #value(column: number, parent: number): Yaml {
    const rest = this.#line.slice(column).trimStart();
    this.#column = this.#line.length - rest.length;
    if (/^(?:[&*!%@`]|\?\s)/.test(rest)) return this.#fail();
    if (/^[|>][-+\d]*\s*(?:#.*)?$/.test(rest)) return this.#block(rest.startsWith(">"), parent);
    if (!/^["'[{]/.test(rest)) return this.#plain(rest, parent);
    const value = this.#bracketed();
    if (!/^\s*(?:\s#.*)?$/.test(this.#line.slice(this.#column))) return this.#fail();
    this.#at += 1;
    return value;
  }

  /** The lines below that are indented more. */
  #block(folds: boolean, parent: number): string {
    this.#at += 1;
    const lines: string[] = [];
    let indent: number | null = null;
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#line;
      const own = line.length - line.trimStart().length;
      if (line.trim() !== "") {
        if (own <= parent) break;
        indent ??= own;
      }
      lines.push(line.slice(Math.min(indent ?? own, own)));
    }
    return folds ? folded(lines) : lines.join("\n");
  }

  /** It goes on in lines that are indented more. */
  #plain(first: string, parent: number): string {
    const lines = [withoutComment(first)];
    const isOpen = lines[0] === first.trimEnd();
    this.#at += 1;
    for (; isOpen && this.#at < this.#lines.length; this.#at += 1) {
      const line = this.#line;
      if (line.trim() !== "" && (line.length - line.trimStart().length <= parent || /^\s*#/.test(line))) break;
      lines.push(withoutComment(line.trim()));
    }
    return folded(lines).trim();
  }

  #bracketed(): Yaml {
    this.#skip();
    const char = this.#line.charAt(this.#column);
    if (char === '"' || char === "'") return this.#quoted(char);
    if (char !== "[" && char !== "{") return this.#word();
    if (this.#depth >= deepest) return this.#fail();
    this.#depth += 1;
    this.#column += 1;
    const value = char === "[" ? this.#items() : this.#entries();
    this.#depth -= 1;
    return value;
  }

  #items(): readonly Yaml[] {
    const items: Yaml[] = [];
    while (!this.#ends("]")) {
      const item = this.#bracketed();
      // `[a: b]` is a map in a list.
      items.push(typeof item === "string" && this.#ends(":") ? new Map([[item, this.#bracketed()]]) : item);
      if (!this.#ends(",") && this.#line.charAt(this.#column) !== "]") this.#fail();
    }
    return items;
  }

  #entries(): ReadonlyMap<string, Yaml> {
    const entries = new Map<string, Yaml>();
    while (!this.#ends("}")) {
      const key = this.#bracketed();
      if (typeof key !== "string") this.#fail();
      else entries.set(key, this.#ends(":") ? this.#bracketed() : "");
      if (!this.#ends(",") && this.#line.charAt(this.#column) !== "}") this.#fail();
    }
    return entries;
  }

  /** Goes past that character, where it comes next. What has failed ends everywhere. */
  #ends(char: string): boolean {
    this.#skip();
    if (this.failed || this.#at >= this.#lines.length) {
      this.#fail();
      return true;
    }
    if (this.#line.charAt(this.#column) !== char) return false;
    this.#column += 1;
    return true;
  }

  #skip(): void {
    while (this.#at < this.#lines.length && /^\s*(?:#|$)/.test(this.#line.slice(this.#column))) {
      this.#at += 1;
      this.#column = 0;
    }
    while (/\s/.test(this.#line.charAt(this.#column))) this.#column += 1;
  }

  /** A text in brackets without quotes. */
  #word(): string {
    const [word = ""] = /^(?:[^,[\]{}:#]|:(?=[^\s,[\]{}])|(?<=\S)#)*/.exec(this.#line.slice(this.#column)) ?? [];
    this.#column += word.length;
    return /^[&*!%@`]/.test(word) ? this.#fail() : word.trim();
  }

  #quoted(quote: string): string {
    const inside = quote === '"' ? /(?:[^"\\]|\\.)*/y : /(?:[^']|'')*/y;
    const lines: string[] = [];
    let isJoined = false;
    this.#column += 1;
    for (; this.#at < this.#lines.length; this.#at += 1, this.#column = 0) {
      inside.lastIndex = this.#column;
      const [text = ""] = inside.exec(this.#line) ?? [];
      this.#column += text.length;
      const own = lines.length === 0 ? text : text.trimStart();
      lines.push(isJoined ? `${lines.pop() ?? ""}${own}` : own);
      // A backslash at the end of a line takes the end away.
      isJoined = this.#line.charAt(this.#column) === "\\";
      if (this.#line.charAt(this.#column) === quote) {
        this.#column += 1;
        const whole = folded(lines);
        return quote === '"' ? unescapedYaml(whole) : whole.replaceAll("''", "'");
      }
    }
    return this.#fail();
  }
}

function isItem(rest: string): boolean {
  return /^-(?:\s|$)/.test(rest);
}

/** The key that the line begins with, and where its colon ends. */
function keyIn(rest: string): { readonly key: string; readonly end: number } | null {
  const [all, double, single] = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')\s*:(?=\s|$)/.exec(rest) ?? [];
  if (all !== undefined)
    return {
      key: double === undefined ? (single ?? "").replaceAll("''", "'") : unescapedYaml(double),
      end: all.length,
    };
  const colon = rest.search(/:(?:\s|$)/);
  const key = rest.slice(0, Math.max(0, colon));
  return colon < 0 || /^["'[{|>&*!%@`#]|\s#/.test(key) ? null : { key: key.trim(), end: colon + 1 };
}

function withoutComment(line: string): string {
  const at = line.search(/\s#/);
  return (at < 0 ? line : line.slice(0, at)).trimEnd();
}

/** Lines become one; a blank one, and those that are indented more, stay. */
function folded(lines: readonly string[]): string {
  let text = lines[0] ?? "";
  for (const [index, line] of lines.slice(1).entries()) {
    const before = lines[index] ?? "";
    const stays = line === "" || before === "" || /^\s/.test(line) || /^\s/.test(before);
    text += `${stays ? "\n" : " "}${line}`;
  }
  return text;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", e: "\x1b", a: "\x07" };

function unescapedYaml(text: string): string {
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/gs,
    (_, two: string | undefined, four: string | undefined, eight: string | undefined, char: string | undefined) => {
      if (char !== undefined) return escapes[char] ?? char;
      const code = Number.parseInt(two ?? four ?? eight ?? "", 16);
      return code > 0x10ffff ? "" : String.fromCodePoint(code);
    },
  );
}
