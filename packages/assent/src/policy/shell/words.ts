import type { Given, Kind, Spec } from "./spec.ts";
import { type Argument, after, beginning, known, mayBeOption, type Text, textOf } from "./text.ts";

/** A word's part of a call: an option with or without its value, or an operand. */
export type Sorted = {
  readonly options: readonly SortedOption[];
  readonly operands: readonly Argument[];
  readonly unsure: boolean;
  /** What follows an option that takes a whole command. */
  readonly rest: readonly Argument[] | null;
};

export type SortedOption = { readonly name: string; readonly value?: Argument; readonly kind?: Kind };

type Declared = { readonly kind: Kind; readonly attached: boolean };

/** Sorts the words after a program's name by its spec. */
export function sortWords(spec: Spec, words: readonly Argument[]): Sorted {
  return spec.style === "none"
    ? { options: [], operands: words, unsure: false, rest: null }
    : new Sorting(spec, words).sorted();
}

export function givenOf(name: string, words: readonly Argument[], { options, operands, unsure }: Sorted): Given {
  return {
    ...{ name, words, operands, unsure },
    has: (asked) => options.some((option) => isOneOf(option.name, asked)),
    values: (asked) =>
      options.flatMap(({ name: given, value }) => (value !== undefined && isOneOf(given, asked) ? [value] : [])),
  };
}

/** Whether the option is one of these spellings; a long one may be cut short. */
function isOneOf(option: string, spellings: string): boolean {
  return spellings
    .split(" ")
    .some((each) => each === option || (option.length > 2 && option.startsWith("--") && each.startsWith(option)));
}

class Sorting {
  readonly #long: boolean;
  readonly #stops: boolean;
  readonly #words: readonly Argument[];
  readonly #declared: ReadonlyMap<string, Declared>;
  readonly #options: SortedOption[] = [];
  readonly #operands: Argument[] = [];
  #unsure = false;
  #rest: readonly Argument[] | null = null;
  #next = 0;

  constructor(spec: Spec, words: readonly Argument[]) {
    this.#long = spec.style === "long";
    this.#stops = spec.stops === true || spec.commands !== undefined;
    this.#words = words;
    this.#declared = declaredBy(spec);
  }

  sorted(): Sorted {
    for (let word = this.#words[this.#next]; word !== undefined; word = this.#words[this.#next]) {
      this.#next += 1;
      if (known(word.text) === "--" && !this.#long) this.#operands.push(...this.#takeRest());
      else this.#sort(word);
    }
    return { options: this.#options, operands: this.#operands, unsure: this.#unsure, rest: this.#rest };
  }

  #sort(word: Argument): void {
    const start = beginning(word.text);
    if (start.startsWith("-") && start.length > 1) {
      if (this.#long || start.startsWith("--")) this.#sortLong(word, start);
      else this.#sortCluster(word, start);
      return;
    }
    if ((start === "" && mayBeOption(word)) || (start === "-" && known(word.text) === null)) this.#unsure = true;
    this.#operands.push(word);
    if (this.#stops) this.#operands.push(...this.#takeRest());
  }

  #sortLong(word: Argument, start: string): void {
    const equals = start.indexOf("=");
    if (equals < 0 && known(word.text) === null) this.#unsure = true;
    const typed = equals < 0 ? start : start.slice(0, equals);
    const name = this.#long && typed.startsWith("--") ? typed.slice(1) : typed;
    const exact = this.#declared.get(name);
    const declared = exact ?? this.#abbreviated(name);
    if (equals >= 0) this.#add(name, declared?.kind, { ...word, text: after(word.text, equals + 1) });
    else if (declared === undefined || declared.attached) this.#options.push({ name });
    else {
      // What begins like another option may be one of its own, without a value: then the next word is an operand.
      const next = this.#words[this.#next];
      if (exact === undefined && next !== undefined) this.#operands.push(next);
      this.#addNext(name, declared.kind);
    }
  }

  #abbreviated(name: string): Declared | undefined {
    if (this.#long || name.length < 3) return undefined;
    for (const [each, declared] of this.#declared) if (each.startsWith(name)) return declared;
    return undefined;
  }

  #sortCluster(word: Argument, start: string): void {
    for (let at = 1; at < start.length; at += 1) {
      const name = `-${start[at]}`;
      const declared = this.#declared.get(name);
      const rest: Text = after(word.text, at + 1);
      if (declared !== undefined && (rest.length > 0 || declared.attached)) {
        this.#add(name, declared.kind, { ...word, text: withoutEquals(rest) });
        return;
      }
      if (declared !== undefined) {
        this.#addNext(name, declared.kind);
        return;
      }
      this.#options.push({ name });
    }
    if (known(word.text) === null) this.#unsure = true;
  }

  #addNext(name: string, kind: Kind): void {
    if (kind === "argv") {
      this.#options.push({ name });
      this.#rest = this.#takeRest();
      return;
    }
    const value = this.#words[this.#next];
    this.#next += 1;
    this.#add(name, kind, value);
  }

  #add(name: string, kind: Kind | undefined, value: Argument | undefined): void {
    this.#options.push({ name, ...(value === undefined ? {} : { value }), ...(kind === undefined ? {} : { kind }) });
  }

  #takeRest(): readonly Argument[] {
    const rest = this.#words.slice(this.#next);
    this.#next = this.#words.length;
    return rest;
  }
}

/** Some programs take `-o=x` for `-ox`. */
function withoutEquals(text: Text): Text {
  return beginning(text).startsWith("=") ? textOf(...after(text, 1)) : text;
}

const declarations = new WeakMap<Spec, ReadonlyMap<string, Declared>>();

function declaredBy(spec: Spec): ReadonlyMap<string, Declared> {
  const before = declarations.get(spec);
  if (before !== undefined) return before;
  const declared = new Map<string, Declared>();
  const declare = (table: Spec["takes"], attached: boolean): void => {
    for (const [spellings, kind] of Object.entries(table ?? {})) {
      for (const spelling of spellings.split(" ")) declared.set(spelling, { kind, attached });
    }
  };
  declare(spec.takes, false);
  declare(spec.may, true);
  declarations.set(spec, declared);
  return declared;
}
