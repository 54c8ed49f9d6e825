import { type Loose, looseText } from "../../wire/index.ts";

/** What a typed value must be: as a pattern, in words, and as a rule where a pattern cannot say it. */
export type Expected = {
  /** Empty where any text will do. */
  readonly pattern: string;
  readonly words: string;
  readonly fits: (text: string) => boolean;
};

/** Patterns of our own: one of a server's could take for ever to be held against a text. */
const formats: Readonly<Record<string, { readonly pattern: string; readonly words: string }>> = {
  email: { pattern: "[^\\s@]{1,64}@[^\\s@]{1,255}", words: "an e-mail address, such as name@example.org" },
  uri: { pattern: "[A-Za-z][A-Za-z0-9+.\\-]{0,31}:\\S{1,4096}", words: "a URL, such as https://example.org" },
  date: { pattern: "\\d{4}-\\d{2}-\\d{2}", words: "a date, such as 2026-01-31" },
  "date-time": {
    pattern: "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+\\-]\\d{2}:\\d{2})",
    words: "a date and time, such as 2026-01-31T12:00:00Z",
  },
};

const mostLength = 100_000;

export function expectedText(schema: Loose): Expected {
  const least = lengthOf(schema["minLength"]) ?? 0;
  const most = lengthOf(schema["maxLength"]);
  const bounded = least > 1 || most !== null;
  const format = formats[looseText(schema["format"])];
  const length = bounded ? `(?=[\\s\\S]{${least},${most ?? ""}}$)` : "";
  const bounds = [least > 1 ? `at least ${least}` : "", most === null ? "" : `at most ${most}`].filter(Boolean);
  const words = format?.words ?? "a text";
  return {
    pattern: `${length}${format?.pattern ?? (bounded ? "[\\s\\S]*" : "")}`,
    words: bounds.length === 0 ? words : `${words}, of ${bounds.join(" and ")} characters`,
    fits: (value) => {
      const { length: count } = [...value];
      return count >= least && (most === null || count <= most);
    },
  };
}

/** Whether nothing at all could be what it wants: its least is more than its most. */
export function isContrary(schema: Loose): boolean {
  const bounds = [
    ["minLength", "maxLength"],
    ["minimum", "maximum"],
    ["minItems", "maxItems"],
  ] as const;
  return bounds.some(([least, most]) => {
    const [from, upTo] = [finite(schema[least]), finite(schema[most])];
    return from !== null && upTo !== null && from > upTo;
  });
}

export function expectedNumber(schema: Loose): Expected {
  const whole = schema["type"] === "integer";
  const least = finite(schema["minimum"]);
  const most = finite(schema["maximum"]);
  const kind = whole ? "a whole number" : "a number";
  const from = least === null ? "" : ` from ${least}`;
  const upTo = most === null ? "" : ` up to ${most}`;
  return {
    pattern: whole ? "[+\\-]?\\d{1,15}" : "[+\\-]?\\d{1,15}(?:\\.\\d{1,15})?(?:[eE][+\\-]?\\d{1,3})?",
    words: `${kind}${from}${upTo}`,
    fits: (value) => {
      const number = Number(value);
      if (!Number.isFinite(number) || (whole && !Number.isInteger(number))) return false;
      return (least === null || number >= least) && (most === null || number <= most);
    },
  };
}

function lengthOf(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= mostLength ? value : null;
}

function finite(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
