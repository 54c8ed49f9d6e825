import type { Findings } from "./findings.ts";
import { textValue, unknownPart } from "./values.ts";

type Word = { readonly text: string; readonly braced: boolean };

const deepest = 12;

/** Tcl and Expect: commands of words; what stands in brackets is run too. */
export function readTcl(text: string, to: Findings, depth = 0): undefined {
  if (depth > deepest) return to.unseen("is nested too deep to be looked into");
  new Tcl(text, to, depth).read();
}

const control = new Set(
  "if elseif else while for foreach proc catch eval uplevel try expect expect_after after namespace switch expr lmap time dict finally".split(
    " ",
  ),
);

class Tcl {
  readonly #text: string;
  readonly #to: Findings;
  readonly #depth: number;
  readonly #values = new Map<string, string>();
  #at = 0;

  constructor(text: string, to: Findings, depth: number) {
    this.#text = text;
    this.#to = to;
    this.#depth = depth;
  }

  read(): undefined {
    let words: Word[] = [];
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? "";
      if (char === "\n" || char === ";") {
        this.#run(words);
        words = [];
        this.#at += 1;
      } else if (char === "#" && words.length === 0) this.#skipLine();
      else if (/\s/u.test(char)) this.#at += 1;
      else words.push(this.#word(char));
    }
    this.#run(words);
  }

  /** The words of a list. */
  #listed({ text, braced }: Word): readonly Word[] {
    const list = new Tcl(text, this.#to, this.#depth + 1);
    return braced ? list.#words() : [];
  }

  #words(): readonly Word[] {
    const words: Word[] = [];
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? "";
      if (/[\s;]/u.test(char)) this.#at += 1;
      else words.push(this.#word(char));
    }
    return words;
  }

  #skipLine(): undefined {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #word(char: string): Word {
    if (this.#text.startsWith("{*}", this.#at)) {
      this.#at += 3;
      return { text: this.#substituted("") + unknownPart, braced: false };
    }
    if (char === "{") return { text: this.#nested("{", "}"), braced: true };
    if (char === '"') {
      this.#at += 1;
      const text = this.#substituted('"');
      this.#at += 1;
      return { text, braced: false };
    }
    return { text: this.#substituted(""), braced: false };
  }

  /** What stands between the bracket here and the one that closes it. */
  #nested(open: string, close: string): string {
    let depth = 0;
    const from = this.#at + 1;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === "\\") this.#at += 1;
      else if (char === open) depth += 1;
      else if (char === close) depth -= 1;
      if (depth === 0) break;
    }
    this.#at += 1;
    return this.#text.slice(from, Math.max(from, this.#at - 1));
  }

  #substituted(end: string): string {
    const pieces: string[] = [];
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? "";
      if (end === "" ? /[\s;]/u.test(char) : char === end) break;
      pieces.push(this.#piece(char));
    }
    return pieces.join("");
  }

  #piece(char: string): string {
    if (char === "[") {
      const inner = this.#nested("[", "]");
      readTcl(inner, this.#to, this.#depth + 1);
      return joinedPlace(inner);
    }
    if (char === "$") return this.#variable();
    const next = this.#text[this.#at + 1] ?? "";
    this.#at += char === "\\" ? 2 : 1;
    if (char !== "\\") return char;
    return { n: "\n", r: "\r", t: "\t" }[next] ?? next;
  }

  #variable(): string {
    const found = /^\$(?:\{([^}]{0,80})\}|([\w:]{1,80}))/u.exec(this.#text.slice(this.#at, this.#at + 84));
    this.#at += found?.[0].length ?? 1;
    if (found === null) return "$";
    return this.#values.get(found[1] ?? found[2] ?? "") ?? unknownPart;
  }

  #run(words: readonly Word[]): undefined {
    const [first, ...rest] = words;
    if (first === undefined) return;
    const name = first.text.replace(/^::/u, "");
    const args = rest.map(({ text }) => text);
    if (name === "set" && args.length === 2)
      this.#values.set(args[0] ?? "", this.#values.has(args[0] ?? "") ? unknownPart : (args[1] ?? ""));
    if (name === "while" || name === "for") this.#to.repeats = true;
    if (control.has(name)) this.#bodies(name, rest);
    else command(name, args, this.#to);
  }

  #bodies(name: string, words: readonly Word[]): undefined {
    if (name === "eval" || name === "uplevel") {
      const text = words.map((word) => word.text).join(" ");
      return this.#to.code("tcl", name === "eval" ? text : text.replace(/^#?\d+\s/u, ""));
    }
    // `switch x {a {…} b {…}}`
    const listed = /^(?:switch|expect)/u.test(name) ? words.flatMap((word) => this.#listed(word)) : [];
    for (const { text, braced } of [...words, ...listed]) {
      if (braced && /[a-z]/u.test(text))
        readTcl(name === "expr" || text.startsWith("[") ? `_ ${text}` : text, this.#to, this.#depth + 1);
    }
  }
}

/** `[file join $env(HOME) a]` */
function joinedPlace(text: string): string {
  const words = /^\s*file\s+(?:join|normalize|nativename)\s+(.{1,400})$/su.exec(text)?.[1]?.trim().split(/\s+/u);
  return (
    words?.map((word) => (/[$[\\]/u.test(word) ? unknownPart : word.replace(/^["{]|["}]$/gu, ""))).join("/") ??
    unknownPart
  );
}

function command(name: string, args: readonly string[], to: Findings): undefined {
  const [first = "", second = ""] = args;
  if (name === "exec") executes(args, to);
  else if (name === "spawn")
    runs(
      args.slice(
        Math.max(
          0,
          args.findIndex((word) => !word.startsWith("-")),
        ),
      ),
      to,
    );
  else if (name === "system") to.shell(args.join(" "));
  else if (name === "open") opens(first, second, to);
  else if (name === "file") files(first, args.slice(1), to);
  else if (name === "glob") to.walks = true;
  else connectsOrTypes(name, args, to);
}

function connectsOrTypes(name: string, args: readonly string[], to: Findings): undefined {
  const [first = ""] = args;
  if (name === "socket" && !args.includes("-server")) to.connect(args.at(-2) ?? unknownPart);
  else if (/^(?:http::)?geturl$/u.test(name)) to.connect(first);
  else if (name === "send" && /\brm -|sudo|curl|wget/u.test(args.join(" ")))
    to.shell(
      args
        .join(" ")
        .replace(/[\r\n]+$/u, "")
        .replace(/^-- /u, ""),
    );
  else if (name === "fork") to.forks = true;
  else if (name === "load") to.unseen("loads machine code");
  else if (name === "interp" && first === "eval") to.code("tcl", args.slice(2).join(" "));
}

function runs(words: readonly string[], to: Findings): undefined {
  if (words.length > 0) to.run(words.map((word) => textValue(word)));
}

function executes(args: readonly string[], to: Findings): undefined {
  let words: string[] = [];
  for (const [at, word] of args.entries()) {
    if (word.startsWith("-") && words.length === 0 && at < 3) continue;
    if (/^\|&?$/u.test(word)) {
      runs(words, to);
      words = [];
    } else if (/^(?:2?>>?&?|>&)$/u.test(word)) to.write(args[at + 1]);
    else if (/^(?:2?>>?&?)[^&@]/u.test(word)) to.write(word.replace(/^2?>>?&?/u, ""));
    else if (!/^[12]?[<>]+@/u.test(word)) words.push(word);
  }
  runs(words, to);
}

function opens(place: string, mode: string, to: Findings): undefined {
  if (place.startsWith("|")) to.shell(place.slice(1));
  else if (/[wa+]/u.test(mode)) to.write(place);
  else to.show(place);
}

function files(name: string, args: readonly string[], to: Findings): undefined {
  const places = args.filter((word) => !word.startsWith("-"));
  if (name === "delete" && args.includes("-force"))
    to.danger("delete-recursive", "removes a folder with everything in it");
  else if (name === "delete") for (const place of places) to.remove(textValue(place));
  else if (name === "copy") to.write(places.at(-1));
  else if (name === "rename" || name === "mkdir") for (const place of places) to.write(place);
  else if (name === "attributes") attributes(args, places[0], to);
  else if (name === "link") to.link(textValue(places[1] ?? ""), textValue(places[0] ?? ""));
}

function attributes(args: readonly string[], place: string | undefined, to: Findings): undefined {
  if (!args.some((word) => word.startsWith("-perm"))) return;
  to.mode(textValue(args.at(-1) ?? ""));
  to.write(place);
}
