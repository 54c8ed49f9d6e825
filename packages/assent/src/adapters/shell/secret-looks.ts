/** Keys that say by their beginning whose they are. */
const knownKeys = [
  "sk-[\\w-]{16,}",
  "[sr]k_(?:live|test)_\\w{10,}",
  "gh[opsur]_\\w{16,}",
  "github_pat_\\w{16,}",
  "gl(?:pat|ptt|dt|rt)-[\\w-]{16,}",
  "xox[abeoprs]-[\\w-]{8,}",
  "(?:AKIA|ASIA)[A-Z0-9]{12,}",
  "AIza[\\w-]{20,}",
  "ya29\\.[\\w-]{10,}",
  "eyJ[\\w-]{8,}\\.[\\w-]{4,}",
  "npm_\\w{16,}",
  "pypi-[\\w-]{16,}",
  "hf_\\w{16,}",
  "gsk_\\w{16,}",
  "xai-\\w{16,}",
  "dop_v1_\\w{16,}",
  "SG\\.[\\w-]{8,}\\.[\\w-]{8,}",
  "AGE-SECRET-KEY-\\w{8,}",
];

const named =
  "(?:pass(?:word|phrase|wd|code)?|pwd|secret|token|credential|(?:api|access|auth|private|secret)[-_ ]?key)s?";

const looks = [
  () => new RegExp(`(?<![\\w-])(?:${knownKeys.join("|")})`),
  () => /-----BEGIN [A-Z ]*PRIVATE KEY/,
  // In an address, between a name and the host.
  () => /:\/\/[^\s/:@]*:[^\s/@]+@/,
  () => /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/i,
  // `DB_PASSWORD=…`, `"token": "…"`, `--api-key=…`
  () => new RegExp(`${named}["']?\\s*[=:]\\s*\\S`, "i"),
  // `--password …`
  () => new RegExp(`--?[\\w-]{0,40}${named}\\s+[^\\s-]`, "i"),
  // `my password is …`, `token …`: a word that no sentence would have there.
  () => new RegExp(`\\b${named}\\s+(?:is\\s+)?["']?(?=\\S*[\\d!@#$%^&*+=/_])[^\\s"']{6,}`, "i"),
  () => new RegExp(`\\b${named}\\s+is\\s+\\S`, "i"),
  // Long and of all kinds of characters: made by a machine, and no name.
  () => /(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{32,}/,
];

let made: readonly RegExp[] | null = null;

/** Whether a line may hold something that must not lie about: rather once too often than once too seldom. */
export function looksSecret(line: string): boolean {
  made ??= looks.map((make) => make());
  return made.some((look) => look.test(line));
}
