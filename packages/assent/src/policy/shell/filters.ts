import { type Argument, known } from "./text.ts";

/** What plain filters make of a known text, in their simplest forms; `null` for all others. */
export function filtered(name: string, words: readonly Argument[], input: string): string | null {
  const given = words.map(({ text }) => known(text));
  if (given.includes(null)) return null;
  const values = given.map((word) => word ?? "");
  switch (name) {
    case "tr":
      return translated(values, input);
    case "cut":
      return cutOut(values, input);
    case "head":
    case "tail":
      return oneLine(name, values, input);
    case "sort":
      return values.length === 0 ? lines(input).sort().map(ended).join("") : null;
    default:
      return null;
  }
}

/**
 * Programs that only make a text of another, with how many operands they take before they read files: what comes out of them
 * was known to whoever wrote the command.
 */
const textMakers: ReadonlyMap<string, number> = new Map([
  ...["cat", "rev", "tac", "base64", "base32", "basenc", "xxd", "od", "hexdump", "sort", "uniq", "fold", "paste"].map(
    none,
  ),
  ...["gzip", "gunzip", "zcat", "bzip2", "xz", "fmt", "nl", "shuf", "tee", "column", "iconv", "envsubst"].map(none),
  ...["sed", "awk", "gawk", "mawk", "grep", "cut", "head", "tail", "jq", "yq", "openssl"].map(
    (name) => [name, 1] as const,
  ),
  ["tr", 2],
  ...[
    "echo",
    "printf",
    "expr",
    "bc",
    "dc",
    "basename",
    "dirname",
    "seq",
    "numfmt",
    "factor",
    "true",
    ":",
    "test",
    "[",
  ].map(any),
  ...["python", "python2", "python3", "perl", "ruby", "node", "php", "lua", "bash", "sh", "dash", "eval", "set"].map(
    any,
  ),
]);

function none(name: string): readonly [string, number] {
  return [name, 0];
}

function any(name: string): readonly [string, number] {
  return [name, Number.POSITIVE_INFINITY];
}

export function isTextMaker(name: string, words: readonly (string | null)[]): boolean {
  const most = textMakers.get(name);
  const operands = words.filter((word) => word !== null && !word.startsWith("-")).length;
  return most !== undefined && operands <= most && !words.includes(null);
}

function lines(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

function ended(line: string): string {
  return `${line}\n`;
}

function translated(values: readonly string[], input: string): string | null {
  const [first = "", second = "", ...more] = values;
  if (more.length > 0) return null;
  if (first === "-d") return second.length === 0 ? null : removed(expandSet(second), input);
  if (first.startsWith("-") || first === "" || second === "") return null;
  const from = expandSet(first);
  const to = expandSet(second);
  if (from === null || to === null || to.length === 0) return null;
  return Array.from(input, (char) => {
    const at = from.lastIndexOf(char);
    return at < 0 ? char : (to[Math.min(at, to.length - 1)] ?? char);
  }).join("");
}

function removed(set: readonly string[] | null, input: string): string | null {
  return set === null
    ? null
    : Array.from(input)
        .filter((char) => !set.includes(char))
        .join("");
}

const classes: Readonly<Record<string, string>> = {
  "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
  "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "[:space:]": " \t\n\r\v\f",
  "[:blank:]": " \t",
  "[:digit:]": "0123456789",
};

function expandSet(set: string): readonly string[] | null {
  const whole = classes[set];
  if (whole !== undefined) return Array.from(whole);
  if (/\[[:=.]/.test(set) || set.length > 200) return null;
  const plain = set.replace(/\\(.)/g, (_, char: string) => ({ n: "\n", t: "\t", r: "\r", "\\": "\\" })[char] ?? char);
  return Array.from(plain.replace(/(.)-(.)/g, (_, from: string, to: string) => range(from, to)));
}

function range(from: string, to: string): string {
  const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
  if (last < first) return from + to;
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index)).join("");
}

function cutOut(values: readonly string[], input: string): string | null {
  const options = values.join(" ");
  const [, delimiter = "", field = ""] = /^-d ?'?(.)'? -f ?(\d+)$/.exec(options) ?? [];
  if (delimiter === "") return null;
  return lines(input)
    .map((line) => (line.includes(delimiter) ? (line.split(delimiter)[Number(field) - 1] ?? "") : line))
    .map(ended)
    .join("");
}

function oneLine(name: string, values: readonly string[], input: string): string | null {
  if (!/^(?:-n ?|-)1$/.test(values.join(" "))) return null;
  const all = lines(input);
  return ended((name === "head" ? all[0] : all.at(-1)) ?? "");
}
