/** Steps that write a word differently: quoting, variables, expansions and substitutions. */
import type { Random } from "../../simulation/random.ts";
import { double, type Form, freshName, lineOf, pick, plain, type Step, single, type Word } from "./form.ts";

const styles: readonly ((value: string, random: Random) => string)[] = [
  single,
  double,
  (value) => `$${double(value)}`,
  escaped,
  (value) => ansi(value, (code) => `\\x${code.toString(16).padStart(2, "0")}`),
  (value) => ansi(value, (code) => `\\${code.toString(8).padStart(3, "0")}`),
  (value) => ansi(value, (code) => `\\u${code.toString(16).padStart(4, "0")}`),
  (value) => ansi(value, (code) => `\\U${code.toString(16).padStart(8, "0")}`),
];

function escaped(value: string): string {
  return value.includes("\n") || value === "" ? single(value) : [...value].map((letter) => `\\${letter}`).join("");
}

function ansi(value: string, write: (code: number) => string): string {
  // Only what a byte and a character mean alike is written by its number.
  const letters = [...value].map((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return code < 128 ? write(code) : letter;
  });
  return `$'${letters.join("")}'`;
}

function mixed(value: string, random: Random): string {
  let text = "";
  for (let at = 0; at < value.length; ) {
    const length = 1 + random.below(3);
    const part = value.slice(at, at + length);
    text += random.chance(0.3) && /^\w+$/.test(part) ? part : (pick(random, styles)?.(part, random) ?? single(part));
    at += length;
  }
  return text === "" ? "''" : text;
}

function withEmptyQuotes(value: string, random: Random): string | undefined {
  if (!/^[\w./-]{2,}$/.test(value)) return undefined;
  const at = 1 + random.below(value.length - 1);
  return value.slice(0, at) + (pick(random, ["''", '""', "$''", "''\"\""]) ?? "") + value.slice(at);
}

/** Replaces one word or target, one that is still written plainly before others. */
export function changeWord(
  form: Form,
  random: Random,
  change: (word: Word, index: number) => string | undefined,
  more: Partial<Form> = {},
): Form | undefined {
  const places = [...form.words, ...form.redirections.map(({ target }) => target)];
  const free = places.flatMap((each, index) => (each.live ? [] : [index]));
  const untouched = free.filter((index) => places[index]?.text === plain(places[index]?.value ?? ""));
  const index = pick(random, untouched.length > 0 ? untouched : free);
  const chosen = index === undefined ? undefined : places[index];
  if (index === undefined || chosen === undefined) return undefined;
  const text = change(chosen, index);
  if (text === undefined) return undefined;
  const changed: Word = { ...chosen, text };
  const words = form.words.map((each, at) => (at === index ? changed : each));
  const redirections = form.redirections.map((each, at) =>
    at + words.length === index ? { ...each, target: changed } : each,
  );
  return { ...form, ...more, words, redirections };
}

function written(name: string, write: (value: string, random: Random) => string | undefined, bash = true): Step {
  return {
    name,
    on: "form",
    apply: (form, random) => changeWord(form, random, ({ value }) => write(value, random), { bash: form.bash || bash }),
  };
}

/** `set` makes the variable; `use` is the word, quoted where its value could fall apart. */
function variable(
  name: string,
  write: (name: string, value: string, random: Random) => { set: string; use: string } | undefined,
  bash = true,
): Step {
  return {
    name,
    on: "form",
    apply(form, random) {
      const variableName = freshName(random, lineOf(form).text);
      let set = "";
      const changed = changeWord(form, random, ({ value }) => {
        const made = write(variableName, value, random);
        set = made?.set ?? "";
        return made && (/^[\w./:=@%+-]+$/.test(value) && random.chance(0.5) ? made.use : `"${made.use}"`);
      });
      return changed && { ...changed, before: [...form.before, set], bash: form.bash || bash };
    },
  };
}

const isName = (value: string) => /^[\w./:@%+-]+$/.test(value);

/** As `echo` and `printf` can tell it without taking it for an option. */
const isTold = (value: string) => isName(value) && !value.startsWith("-");

export const wordSteps: readonly Step[] = [
  written("quoted", (value, random) => pick(random, styles)?.(value, random)),
  written("quoted again", (value, random) => pick(random, styles)?.(value, random)),
  written("quoted in parts", mixed),
  written("empty quotes", withEmptyQuotes),
  written("escaped", escaped, false),
  written("default of nothing", (value, random) => {
    const name = `unset${random.below(1_000)}`;
    return isName(value)
      ? pick(random, [`\${${name}:-${value}}`, `"\${${name}-${value}}"`, `\${${name}:=${value}}`])
      : undefined;
  }),
  written("echoed", (value, random) =>
    isTold(value)
      ? pick(random, [`$(echo ${value})`, `\`echo ${value}\``, `"$(printf %s ${value})"`, `$(cat <<< ${value})`])
      : undefined,
  ),
  written("reversed", (value) =>
    isTold(value) && !value.endsWith("-") ? `$(echo ${[...value].reverse().join("")} | rev)` : undefined,
  ),
  written("printed by numbers", (value) =>
    /^[\x20-\x7e]+$/.test(value) && !/\s/.test(value)
      ? `"$(printf '${[...value].map((each) => `\\x${(each.codePointAt(0) ?? 0).toString(16)}`).join("")}')"`
      : undefined,
  ),
  written("a sum", (value, random) => {
    if (!/^[1-9]\d*$/.test(value)) return undefined;
    const part = random.below(Number(value));
    return pick(random, [
      `$((${Number(value) - part} + ${part}))`,
      `$[${value}]`,
      `$((0x${Number(value).toString(16)}))`,
    ]);
  }),
  variable(
    "in a variable",
    (name, value, random) => ({
      set: `${name}=${pick(random, [plain(value), single(value), double(value)])}`,
      use: pick(random, [`$${name}`, `\${${name}}`, `\${${name}:-ls}`]) ?? "",
    }),
    false,
  ),
  variable("declared", (name, value, random) => ({
    set: `${pick(random, ["export", "declare", "declare -r", "readonly", "typeset", "declare -x"])} ${name}=${plain(value)}`,
    use: `\${${name}}`,
  })),
  variable("part of a variable", (name, value, random) =>
    isName(value)
      ? pick(random, [
          { set: `${name}=__${value}__`, use: `\${${name}:2:${value.length}}` },
          { set: `${name}=${value}.tmp`, use: `\${${name}%.tmp}` },
          { set: `${name}=x_${value}`, use: `\${${name}#x_}` },
          { set: `${name}=${value.replace(/^(.)/, "$1@@")}`, use: `\${${name}/@@/}` },
          { set: `${name}=${value}`, use: `\${${name}:0}` },
        ])
      : undefined,
  ),
  variable("lower case of a variable", (name, value) =>
    isName(value) && value === value.toLowerCase()
      ? { set: `${name}=${value.toUpperCase()}`, use: `\${${name},,}` }
      : undefined,
  ),
  variable("printed into a variable", (name, value, random) =>
    pick(random, [
      { set: `printf -v ${name} %s ${plain(value)}`, use: `$${name}` },
      ...(isTold(value)
        ? [{ set: `printf -v ${name} '%s%s' ${value.slice(0, 1)} ${value.slice(1) || "''"}`, use: `$${name}` }]
        : []),
    ]),
  ),
  variable("read into a variable", (name, value) =>
    value.trim() === value && !/[\n\\]/.test(value)
      ? { set: `read -r ${name} <<< ${plain(value)}`, use: `$${name}` }
      : undefined,
  ),
  variable("by another variable's name", (name, value) => ({
    set: `${name}=${plain(value)}; ${name}_via=${name}`,
    use: `\${!${name}_via}`,
  })),
  variable("an array's element", (name, value) => ({ set: `${name}=(ls ${plain(value)} pwd)`, use: `\${${name}[1]}` })),
  variable("a map's element", (name, value) => ({
    set: `declare -A ${name}=([a]=ls [b]=${plain(value)})`,
    use: `\${${name}[b]}`,
  })),
  variable("joined from two", (name, value) =>
    isName(value) && value.length > 1
      ? { set: `${name}=${value.slice(0, 1)}; ${name}2=${value.slice(1)}`, use: `\${${name}}\${${name}2}` }
      : undefined,
  ),
  variable("appended", (name, value) =>
    isName(value)
      ? { set: `${name}=${value.slice(0, 1)}; ${name}+=${plain(value.slice(1))}`, use: `$${name}` }
      : undefined,
  ),
  variable(
    "from a substitution",
    (name, value) => (isTold(value) ? { set: `${name}=$(echo ${value})`, use: `$${name}` } : undefined),
    false,
  ),
  variable(
    "nested default",
    (name, value) => ({ set: `: "\${${name}:=${value.replaceAll(/[\\"$`}]/g, "\\$&")}}"`, use: `$${name}` }),
    false,
  ),
];
