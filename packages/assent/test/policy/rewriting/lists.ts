/** Steps that build the whole command from a list: arrays, positional parameters, braces, word splitting, functions. */
import type { Random } from "../../simulation/random.ts";
import { type Form, freshName, lineOf, pick, type Step, single, type Word } from "./form.ts";

const live = (text: string): Word => ({ value: text, text, live: true });
const textsOf = (words: readonly Word[]) => words.map(({ text }) => text).join(" ");
const valuesOf = (words: readonly Word[]) => words.map(({ value }) => value).join(" ");
const areSimple = (words: readonly Word[]) => words.every((word) => !word.live && /^[\w./:=@%+-]+$/.test(word.value));

/** The words from some point on come from what `write` makes of them. */
function list(
  name: string,
  write: (words: readonly Word[], name: string, random: Random) => { before?: string; use: string } | undefined,
  from: "first" | "any" = "any",
): Step {
  return {
    name,
    on: "form",
    apply(form, random) {
      // What was split by another sign would be split by it here too.
      if (form.before.some((text) => text.includes("IFS="))) return undefined;
      const start = from === "first" ? 0 : random.below(form.words.length);
      const made = write(form.words.slice(start), freshName(random, lineOf(form).text), random);
      if (made === undefined || form.words.length === 0) return undefined;
      const before = made.before === undefined ? form.before : [...form.before, made.before];
      return { ...form, before, words: [...form.words.slice(0, start), live(made.use)], bash: true };
    },
  };
}

/** Only where no assignment stands before the command: a function's call takes it, its body may not. */
function called(name: string, write: (form: Form, name: string) => Form | undefined): Step {
  return {
    name,
    on: "form",
    apply: (form, random) =>
      form.words.length > 0 && form.assignments.length === 0 && !/\$(?:[@\d]|\{@)/.test(form.words[0]?.text ?? "")
        ? write(form, freshName(random, lineOf(form).text))
        : undefined,
  };
}

export const listSteps: readonly Step[] = [
  list("an array", (words, name, random) => ({
    before: `${name}=(${textsOf(words)})`,
    use:
      pick(random, [
        `"\${${name}[@]}"`,
        areSimple(words) ? `\${${name}[*]}` : `"\${${name}[@]}"`,
        `"\${${name}[@]:0}"`,
      ]) ?? "",
  })),
  list("an array that grows", (words, name) => ({
    before: `${name}=(); ${words.map(({ text }) => `${name}+=(${text})`).join("; ")}`,
    use: `"\${${name}[@]}"`,
  })),
  list("positional parameters", (words, _name, random) => {
    const isCounted = words.length < 10 && words.every((each) => !each.live);
    const each = words.map((_, at) => `"$${at + 1}"`).join(" ");
    return {
      before: `set -- ${textsOf(words)}`,
      use: pick(random, ['"$@"', isCounted ? each : '"$@"', `"\${@}"`]) ?? "",
    };
  }),
  list("one variable that is split", (words, name) =>
    areSimple(words) ? { before: `${name}=${single(valuesOf(words))}`, use: `$${name}` } : undefined,
  ),
  list("split by another sign", (words, name) =>
    areSimple(words) && words.every(({ value }) => !value.includes(","))
      ? { before: `IFS=,; ${name}=${words.map(({ value }) => value).join(",")}`, use: `$${name}` }
      : undefined,
  ),
  list("read into an array", (words, name) =>
    areSimple(words)
      ? { before: `read -r -a ${name} <<< ${single(valuesOf(words))}`, use: `"\${${name}[@]}"` }
      : undefined,
  ),
  list("lines of a file", (words, name) =>
    areSimple(words)
      ? { before: `mapfile -t ${name} < <(printf '%s\\n' ${textsOf(words)})`, use: `"\${${name}[@]}"` }
      : undefined,
  ),
  list("substituted words", (words) =>
    areSimple(words) && !words[0]?.value.startsWith("-") ? { use: `$(echo ${textsOf(words)})` } : undefined,
  ),
  list("braces", (words) =>
    words.length > 1 && areSimple(words) && words.every(({ value }) => !/[,=]/.test(value))
      ? { use: `{${words.map(({ text }) => text).join(",")}}` }
      : undefined,
  ),
  called("all by a function", (form, name) => ({
    ...form,
    before: [...form.before, `${name}() { "$@"; }`],
    words: [live(name), ...form.words],
  })),
  called("the program in a function", (form, name) => ({
    ...form,
    before: [...form.before, `${name}() { ${form.words[0]?.text} "$@"; }`],
    words: [live(name), ...form.words.slice(1)],
  })),
  called("the program by a parameter", (form, name) => ({
    ...form,
    before: [...form.before, `${name}() { local tool="$1"; shift; $tool "$@"; }`],
    words: [live(name), ...form.words],
  })),
];
