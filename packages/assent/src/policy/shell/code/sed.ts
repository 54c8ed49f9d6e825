import type { Findings } from "./findings.ts";

export function readSed(text: string, to: Findings): undefined {
  new Sed(text, to).read();
}

const blanks = /[\s;]*/uy;
const address = /\d+(?:~\d+)?|\$|[+~]\d+|[\uE000-\uF8FF]+/uy;

/** Reads the commands of a sed script; only those that run, read or write something are of interest. */
class Sed {
  readonly #text: string;
  readonly #to: Findings;
  #at = 0;

  constructor(text: string, to: Findings) {
    this.#text = text;
    this.#to = to;
  }

  read(): undefined {
    while (this.#at < this.#text.length) {
      this.#take(blanks);
      this.#addresses();
      this.#command(this.#text[this.#at] ?? "");
    }
  }

  #take(expression: RegExp): string {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #addresses(): undefined {
    for (let before = -1; before !== this.#at; ) {
      before = this.#at;
      this.#take(address);
      const char = this.#text[this.#at];
      if (char === "/") this.#delimited(this.#at);
      else if (char === "\\") this.#delimited(this.#at + 1);
      else this.#take(/[\s,!]+|[IM](?=[\s,!{a-zA-Z=])/uy);
    }
  }

  /** Goes behind the next delimiter, which is the character at that place. */
  #delimited(start: number): undefined {
    const delimiter = this.#text[start];
    this.#at = start + 1;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === "\\") this.#at += 1;
      else if (char === "\n" && delimiter !== "\n") break;
      else if (char === delimiter) break;
      else if (char === "[") this.#at += Math.max(0, this.#classLength() - 1);
    }
    this.#at += 1;
  }

  /** Of `[…]`, in which a bracket that comes first is plain. A class that does not end is a plain bracket. */
  #classLength(): number {
    const found = /^\[\^?\]?(?:\[[:.=][^\n]{1,20}?[:.=]\]|[^\]\n]){0,200}\]/u.exec(
      this.#text.slice(this.#at, this.#at + 220),
    );
    return found?.[0].length ?? 0;
  }

  #line(): string {
    const line = this.#take(/[^\n]*/uy);
    return line.trim();
  }

  #command(command: string): undefined {
    this.#at += 1;
    if (command === "s") this.#substitute();
    else if (command === "y") {
      this.#delimited(this.#at);
      this.#at -= 1;
      this.#delimited(this.#at);
    } else if (command === "e") this.#execute(this.#line());
    else if (command === "w" || command === "W") this.#to.write(this.#line());
    else if (command === "r" || command === "R") this.#to.show(this.#line());
    else if ("aic".includes(command) && command !== "") this.#take(/(?:[^\n\\]|\\[\s\S])*/uy);
    else if (":btT".includes(command) && command !== "") this.#take(/[^\n;}]*/uy);
    else if (command === "#") this.#line();
  }

  #execute(command: string): undefined {
    if (command === "" || command === "}" || command.startsWith(";"))
      this.#to.unseen("runs the lines of its input as commands");
    else this.#to.shell(command);
  }

  #substitute(): undefined {
    const delimiter = this.#at;
    this.#delimited(delimiter);
    this.#at -= 1;
    this.#replacement(this.#text[delimiter] ?? "/");
    const flags = this.#take(/[gpiImMe\d]*/uy);
    if (flags.includes("e")) this.#to.unseen("runs what the substitution makes as a command");
    if (this.#text[this.#at] === "w") {
      this.#at += 1;
      this.#to.write(this.#line());
    }
  }

  #replacement(delimiter: string): undefined {
    this.#at += 1;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at];
      if (char === "\\") this.#at += 1;
      else if (char === delimiter) break;
    }
    this.#at += 1;
  }
}
