import { cutText } from "./cutting.ts";
import type { Findings } from "./findings.ts";
import type { Language } from "./language.ts";
import type { Token } from "./lexer.ts";
import { isKnown, textValue, unknown, type Value } from "./values.ts";

type Items = { readonly items: readonly Value[]; readonly written: readonly Token[] };

/** Modules whose members must not be picked by a name that is not known. */
const powerful = new Set([
  "os",
  "subprocess",
  "shutil",
  "child_process",
  "builtins",
  "posix",
  "globalThis",
  "global",
  "window",
]);
const longest = 160;
const severalAtOnce: ReadonlySet<Language> = new Set(["python", "ruby", "lua"]);

/** What the names of a program stand for, as far as plain assignments and imports tell. */
export class Names {
  readonly #language: Language;
  readonly #values = new Map<string, Value>();
  /** Modules whose members need no prefix. */
  readonly #stars: string[] = [];

  constructor(language: Language) {
    this.#language = language;
  }

  of(written: string): Value {
    const name = this.#language === "php" ? phpName(written) : written;
    const value = this.#values.get(name);
    if (value !== undefined) return value;
    const star = this.#stars[0];
    return { is: "name", path: star !== undefined && !basic.has(name) ? `${star}.${name}` : name };
  }

  set(name: string, value: Value): undefined {
    this.#values.set(name, value);
  }

  forget(name: string): undefined {
    this.#values.set(name, { is: "name", path: `?${name}` });
  }

  /** `a, b = …`: each name before this one is set, too; `false` where a comma says nothing of the kind. */
  forgetBefore(tokens: readonly Token[], at: number): boolean {
    if (!severalAtOnce.has(this.#language) || tokens[at - 2]?.text !== ",") return false;
    for (let back = at - 3; tokens[back]?.kind === "name"; back -= 2) {
      this.forget(tokens[back]?.text ?? "");
      if (tokens[back - 1]?.text !== ",") break;
    }
    return true;
  }

  star(module: string): undefined {
    this.#stars.push(moduleName(module));
  }

  /** A name that is assigned to more than once is not known. */
  assignName(name: string, value: Value): undefined {
    this.set(name, this.#values.has(name) ? unknown : value);
  }

  assign(target: Value | undefined, value: Value, to: Findings): undefined {
    if (target?.is === "list") return this.#destructure(target, value);
    if (target?.is !== "name") return;
    // `my ($a) = …`
    if (/^\$\w+$/u.test(target.path) && this.#language === "perl")
      return this.assignName(target.path, value.is === "text" ? value : unknown);
    const variable = environment.exec(target.path)?.[1];
    if (variable !== undefined) to.variable(variable, value);
  }

  /** `const { a, b: c } = module` */
  #destructure({ items, named }: Extract<Value, { is: "list" }>, value: Value): undefined {
    const members = [
      ...items.map((item) => [item, item] as const),
      ...[...named].map(([key, item]) => [textValue(key), item] as const),
    ];
    for (const [key, item] of members) {
      if (item.is !== "name") continue;
      const name = key.is === "name" ? key.path : key.is === "text" ? key.text : "";
      this.set(item.path, value.is === "name" ? this.member(value, name) : unknown);
    }
  }

  member(value: Value, name: string): Value {
    const path = value.is === "name" ? value.path : value.is === "text" ? "''" : value.is === "list" ? "[]" : "?";
    return { is: "name", path: shortened(`${path}.${name}`) };
  }

  /** `["a"]`, `[0]`; in Perl also `{a}`. */
  #keyIn(only: Value | undefined): string | undefined {
    if (only?.is === "number") return only.raw;
    if (only?.is === "text" && isKnown(only.text)) return only.text;
    return only?.is === "name" && this.#language === "perl" && /^\w+$/u.test(only.path) ? only.path : undefined;
  }

  index(value: Value, { items, written }: Items, to: Findings): Value {
    const [only] = items;
    if (value.is === "list") {
      const item = only?.is === "number" ? value.items.at(only.number) : undefined;
      return item ?? unknown;
    }
    // What a pattern of Perl gives may be one file.
    if (value.is === "text") return this.#language === "perl" ? value : cutText(value.text, written, this.#language);
    if (value.is !== "name" || items.length !== 1) return unknown;
    if (value.path === "Dir") {
      to.walks = true;
      return unknown;
    }
    const key = this.#keyIn(only);
    if (key !== undefined) return { is: "name", path: shortened(`${value.path}.${key}`) };
    if (powerful.has(value.path.replace(/\(\)|\.__dict__$/gu, "")))
      to.unseen("picks what it runs by a name that is not known");
    return {
      is: "name",
      path: shortened(`${value.path}.[]`),
      ...(value.call === undefined ? {} : { call: value.call }),
    };
  }
}

const basic = new Set([
  "print",
  "len",
  "str",
  "int",
  "list",
  "range",
  "open",
  "eval",
  "exec",
  "compile",
  "sorted",
  "sum",
  "dict",
]);
const environment = /^(?:os\.environ|process\.env|\$?ENV)\.(\w+)$/u;

export function shortened(path: string): string {
  const tidy = path
    .replace(/^(?:globalThis|global|window|self|builtins|__builtins__|Kernel|CORE|Object)\.(?=\w)/u, "")
    .replace(/^sys\.modules\./u, "")
    .replace(/^globals\(\)\.|^locals\(\)\./u, "")
    .replace(".__dict__.", ".");
  return tidy.length > longest ? tidy.slice(-longest) : tidy;
}

export function moduleName(name: string): string {
  const plain = name.replace(/^node:/u, "");
  if (/^(?:fs\/promises|fs-extra|graceful-fs|fs\.promises)$/u.test(plain)) return "fs";
  return plain;
}

/** Functions of PHP are found in any case, and from the root of all names. */
function phpName(name: string): string {
  const plain = name.replace(/^\\/u, "");
  return /^(?:system|exec|passthru|shell_exec|popen|proc_open|eval|assert|unlink|file_put_contents)$/iu.test(plain)
    ? plain.toLowerCase()
    : plain;
}
