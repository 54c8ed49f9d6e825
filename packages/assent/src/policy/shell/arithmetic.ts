import { anyValue, hidden, type ShellState, type Value, withAssigned } from "./state.ts";
import { known } from "./text.ts";

/** The value of a sum as a shell has it, with the names that it knows; `null` when it is more than a simple one. */
export function sumOf(text: string, lookUp: (name: string) => string | null): number | null {
  const tokens = text.match(/0x[\da-f]+|\d+#\w+|\d+|[A-Za-z_]\w*|[-+*/%()]|\S/gi) ?? [];
  if (tokens.length > 40) return null;
  const reader = new Reader(tokens, lookUp);
  const value = reader.sum();
  return reader.done && Number.isSafeInteger(value) ? value : null;
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #lookUp: (name: string) => string | null;
  #next = 0;

  constructor(tokens: readonly string[], lookUp: (name: string) => string | null) {
    this.#tokens = tokens;
    this.#lookUp = lookUp;
  }

  get done(): boolean {
    return this.#next === this.#tokens.length;
  }

  sum(): number {
    let value = this.#product();
    for (let sign = this.#take("+", "-"); sign !== null; sign = this.#take("+", "-")) {
      const next = this.#product();
      value = sign === "+" ? value + next : value - next;
    }
    return value;
  }

  #product(): number {
    let value = this.#single();
    for (let sign = this.#take("*", "/", "%"); sign !== null; sign = this.#take("*", "/", "%")) {
      const next = this.#single();
      if (sign === "*") value *= next;
      else value = sign === "/" ? Math.trunc(value / next) : value % next;
    }
    return value;
  }

  #single(): number {
    if (this.#take("-") !== null) return -this.#single();
    if (this.#take("+") !== null) return this.#single();
    if (this.#take("(") !== null) {
      const value = this.sum();
      return this.#take(")") === null ? Number.NaN : value;
    }
    const token = this.#tokens[this.#next] ?? "";
    this.#next += 1;
    if (/^0x/i.test(token)) return Number(token);
    if (token.includes("#")) return inBase(token);
    if (/^0\d/.test(token)) return Number.parseInt(token, 8);
    if (/^\d+$/.test(token)) return Number(token);
    const known = /^[A-Za-z_]/.test(token) ? this.#lookUp(token) : null;
    return known !== null && /^-?(?:0|[1-9]\d{0,8})$/.test(known.trim()) ? Number(known) : Number.NaN;
  }

  #take(...wanted: readonly string[]): string | null {
    const token = this.#tokens[this.#next];
    if (token === undefined || !wanted.includes(token)) return null;
    this.#next += 1;
    return token;
  }
}

/** `8#17` is 15. */
function inBase(token: string): number {
  const [base = "", digits = ""] = token.split("#");
  return Number(base) >= 2 && Number(base) <= 36 ? Number.parseInt(digits, Number(base)) : Number.NaN;
}

/** `n=2`, `n+=2`, `n++`, `++n`, or a name alone. */
const setting =
  /^(?:(?<before>\+\+|--)?\s*(?<counted>\w+)\s*(?<after>\+\+|--)?|(?<name>\w+)\s*(?<sign><<|>>|[-+*/%&|^]?)=(?!=)(?<value>.*))$/su;
const settingInside =
  /(?<!\w)([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)?(?:\+\+|--|(?:<<|>>|[-+*/%&|^])?=(?!=))|(?:\+\+|--)\s*([A-Za-z_]\w*)/gu;

/** The state after a sum that sets variables: `n=1+1`, `n+=2`, `n++`. */
export function afterSum(text: string, state: ShellState): ShellState {
  return text.split(",").reduce((before, part) => {
    const {
      before: prefix,
      after: counting = prefix,
      counted,
      name = counted,
      sign,
      value = "1",
    } = setting.exec(part.trim())?.groups ?? {};
    const operation = counting?.slice(0, 1) ?? sign;
    if (name === undefined || operation === undefined || !/^[A-Za-z_]/.test(name)) return afterHiddenSum(part, before);
    const inside = afterHiddenSum(value, before);
    const lookUp = (each: string): string | null => {
      const found = inside.variables.get(each);
      return found?.type === "text" ? known(found.text) : null;
    };
    const sum = sumOf(operation === "" ? value : `${name}${operation}(${value})`, lookUp);
    return sum === null ? withNumber(inside, name) : withAssigned(inside, name, { type: "text", text: [String(sum)] });
  }, state);
}

/** What a sum sets in passing, as `1+(x=2)` and `list[n++]` do, is a number that is not followed. */
export function afterHiddenSum(text: string, state: ShellState): ShellState {
  const isReached = !/&&|\|\||\?/.test(text);
  return [...text.matchAll(settingInside)].reduce((next, [, one, other = ""]) => {
    const name = one ?? other;
    // It may still be nothing, and what stands behind it begin a word.
    return isReached || !isEmpty(next.variables.get(name))
      ? withNumber(next, name)
      : withAssigned(next, name, anyValue(name));
  }, state);
}

function isEmpty(value: Value | undefined): boolean {
  return value === undefined || value.type === "unset" || (value.type === "text" && value.text.length === 0);
}

function withNumber(state: ShellState, name: string): ShellState {
  const before = state.variables.get(name);
  if (before !== undefined && !mayCount(before)) return withAssigned(state, name, hidden(name));
  return withAssigned(state, name, { type: "text", text: [{ hole: "word", from: `$${name}` }] });
}

/** A text may still be there: not every part of a sum is reached, and what looks like one may be quoted. */
function mayCount(value: Value): boolean {
  return (
    value.type === "unset" ||
    (value.type === "text" &&
      value.text.every((piece) => (typeof piece === "string" ? /^[-\d\s]*$/.test(piece) : piece.made !== true)))
  );
}
