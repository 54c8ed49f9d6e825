import { leastHidden } from "./ports.ts";

/** A line of a secret of several lines, such as a private key, is a secret of its own from this length on. */
const leastLine = 16;

export type Forms = {
  /** As programs write it into texts. */
  readonly plain: readonly string[];
  /** Without what depends on its neighbours; programs break such texts into lines. */
  readonly encoded: readonly string[];
};

/**
 * The forms in which a value comes out of ordinary programs (INTG-4): as it is, quoted for JSON, for URLs and for shells, in
 * base64 wherever in the encoded text it stands, and in hexadecimal digits. Who turns it round on purpose is not stopped.
 */
export function formsOf(given: string): Forms {
  const value = given.trim();
  if (value.length < leastHidden) return { plain: [], encoded: [] };
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  // The first and the last line of a key file say nothing.
  const parts = lines.length === 1 ? [] : lines.filter((line) => line.length >= leastLine && !line.startsWith("-----"));
  const whole = lines.length === 1 ? [value] : [value, value.replaceAll(/\r?\n/g, "\r\n")];
  const plain = [...whole, ...parts].flatMap((each) => [each, ...inJson(each), ...inUrls(each), ...inShells(each)]);
  return { plain: distinct(plain), encoded: distinct([...inBase64(value), ...inHex(value)]) };
}

function distinct(forms: readonly string[]): readonly string[] {
  return [...new Set(forms)].filter((form) => form.length >= leastHidden);
}

function inJson(value: string): readonly string[] {
  const once = escaped(value);
  const all = [once, withoutOthers(once), once.replaceAll("/", "\\/")];
  return [...all, ...all.map(escaped)];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Some write all but ASCII by numbers. */
function withoutOthers(text: string): string {
  const number = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/[\u0080-\uffff]/g, number);
}

/** Which characters stay as they are differs from program to program. */
function inUrls(value: string): readonly string[] {
  const usual = encodeURIComponent(value.toWellFormed());
  const strict = usual.replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = strict.replaceAll("%2A", "*").replaceAll("~", "%7E").replaceAll("%20", "+");
  const paths = [strict.replaceAll("%2F", "/"), encodeURI(value.toWellFormed())];
  const all = [usual, usual.replaceAll("%20", "+"), strict, form, ...paths];
  return [...all, ...all.map((each) => each.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()))];
}

/** As `printf %q`, `set -x` and their like show it. */
function inShells(value: string): readonly string[] {
  const marked = value.replace(/[\s'";\\|&()<>!{}*[\]?^$`,]/g, "\\$&");
  const named = value.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
  return [marked, marked.replace(/^[#~]/, "\\$&"), value.replaceAll("'", "'\\''"), named];
}

/** Three bytes are four characters: what comes before shifts the value by none, one or two bytes. */
function inBase64(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes, Buffer.alloc(2)]).toString("base64");
    const own = whole.slice(Math.ceil((8 * shift) / 6), Math.floor((8 * (shift + bytes.length)) / 6));
    return [own, own.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(own)];
  });
}

function inHex(value: string): readonly string[] {
  const digits = Buffer.from(value).toString("hex");
  return [digits, digits.toUpperCase()];
}
