import { beginning, known, type Text, textOf } from "./text.ts";

export type HostKind = "loopback" | "local" | "external" | "unknown";

/** Stands for what is not known. Beyond ASCII, so that no host with it is taken for a known one. */
const hole = "\uFFFC";

const localSchemes: ReadonlySet<string> = new Set(
  "about abstract blob data fd file ipc javascript npipe sqlite sqlite3 unix unix-connect".split(" "),
);
/** Their host is the name of a store somewhere else. */
const storeSchemes: ReadonlySet<string> = new Set(
  "abfs abfss az docker gs hdfs oci r2 s3 s3a s3n wasb wasbs".split(" "),
);
/** Without a host they mean this machine. */
const databaseSchemes: ReadonlySet<string> = new Set(
  "amqp amqps mongodb mysql mysqlx mariadb postgres postgresql redis rediss".split(" "),
);
const webSchemes: ReadonlySet<string> = new Set("ftp ftps http https sftp ws wss".split(" "));

/** Where a URL, `host`, `host:port`, `user@host` or `user@host:path` leads. What programs read differently is unknown. */
export function hostOf(given: Text): HostKind {
  const [first] = given;
  if (typeof first === "object") return first.hole === "path" ? "local" : "unknown";
  const written = flat(given);
  if (/[\p{Cc}]/u.test(written)) return "unknown";
  const settings = connectionSettings(written);
  if (settings !== null) return settings;
  const url = /^(?:jdbc:)?([a-z][a-z0-9+.-]*):(\/\/)?/iu.exec(written);
  if (url === null) return ofPlain(written);
  const [start, scheme = "", slashes] = url;
  return ofUrl(
    { scheme: scheme.toLowerCase(), rest: written.slice(start.length), slashes: slashes !== undefined },
    written,
  );
}

type Url = { readonly scheme: string; readonly rest: string; readonly slashes: boolean };

function ofUrl({ scheme, rest, slashes }: Url, written: string): HostKind {
  if (scheme === "file") return fileHost(slashes ? rest : "");
  if (localSchemes.has(scheme) || scheme.endsWith("+unix")) return "local";
  if (slashes) return storeSchemes.has(scheme) ? "external" : ofAuthority(rest, scheme);
  // `http:evil.example` is a URL for some and a host and a port for others.
  return webSchemes.has(scheme) && !/^\d+(?:$|[/?#])/u.test(rest) ? "unknown" : ofPlain(written);
}

/** An operand as scp and rsync read it: a host before the first colon, unless a slash comes before that. */
export function remotePlace(given: Text): { readonly host: Text } | { readonly path: Text } {
  const [first] = given;
  const written = flat(given);
  if (/^(?:rsync|scp|sftp|ssh):\/\//iu.test(written)) return { host: given };
  const bracket = /^[^/:[]*\[[^\]/]*\]/u.exec(written);
  const colon = written.indexOf(":", bracket?.[0].length ?? 0);
  const slash = written.indexOf("/");
  if (colon > 0 && (slash < 0 || colon < slash)) return { host: cut(given, colon) };
  return typeof first === "object" && first.hole === "any" ? { host: given } : { path: given };
}

/** The host of a shell's /dev/tcp/HOST/PORT, with the port where all of it is known. */
export function networkDevice(path: Text): Text | null {
  const device = /^\/+dev\/+(?:tcp|udp)\//u.exec(beginning(path));
  if (device === null) return null;
  const [, ...more] = path;
  const rest = textOf(beginning(path).slice(device[0].length), ...more);
  const written = flat(rest);
  const slash = written.indexOf("/");
  if (slash < 0) return rest;
  const [host, port] = [written.slice(0, slash), written.slice(slash + 1)];
  const isKnown = !written.includes(hole) && /^\d+$/u.test(port);
  return isKnown ? textOf(host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`) : cut(rest, slash);
}

/**
 * Whether a connection may lead to one of these ports. Where the host has its port in it, that decides; some programs have it
 * apart, in a word that may not be known.
 */
export function leadsTo(
  ports: readonly string[],
  { host, words }: { readonly host: Text; readonly words: readonly Text[] },
): boolean {
  if (ports.length === 0) return false;
  const whole = known(host);
  const port = portIn(whole ?? beginning(host), whole === null ? "" : "|$");
  if (port !== undefined) return ports.includes(port.replace(/^0+/u, ""));
  // curl makes several of one: `481{5,6}`, `48[10-20]`.
  if (/^(?:[a-z][\w+.-]*:\/\/)?[^/?#]*:[^/?#]*[{[]/iu.test(whole ?? "")) return true;
  return (whole === null ? [host, ...words] : words).some((word) => {
    const numbers = known(word)?.split(/\D+/u);
    return numbers === undefined || numbers.some((each) => ports.includes(each.replace(/^0+/u, "")));
  });
}

function portIn(written: string, orEnd: "" | "|$"): string | undefined {
  const place = String.raw`^(?:[a-z][\w+.-]*:\/\/)?(?:[^\/?#@]*@)?(?:\[[^\]]*\]|[^:\/?#]*):(\d+)(?:[\/?#]`;
  return new RegExp(`${place}${orEnd})`, "iu").exec(written)?.[1];
}

/** With a mark for each hole. A pattern that matches no file stays as it is written. */
function flat(text: Text): string {
  return text
    .map((piece) =>
      typeof piece === "string" ? piece : piece.hole === "glob" && isPlain(piece.from) ? piece.from : hole,
    )
    .join("");
}

function isPlain(pattern: string): boolean {
  return /^[\w.:?*[\]!^-]*$/u.test(pattern);
}

/** The text up to that place in its flat form. */
function cut(text: Text, end: number): Text {
  const pieces: Text[number][] = [];
  let left = end;
  for (const piece of text) {
    if (left <= 0) break;
    pieces.push(typeof piece === "string" ? piece.slice(0, left) : piece);
    left -= flat([piece]).length;
  }
  return textOf(...pieces);
}

function fileHost(rest: string): HostKind {
  const host = upTo(rest, /[/?#\\]/u);
  return host === "" || host.startsWith(hole) || /^localhost$/iu.test(host) ? "local" : "external";
}

/** `host=… dbname=…` */
function connectionSettings(written: string): HostKind | null {
  if (
    !/^\s*\w+\s*=\s*[^\s?&]/u.test(written) ||
    !/(?:^|\s)(?:host|hostaddr|dbname|user|port|service)\s*=/u.test(written)
  )
    return null;
  const hosts = [...written.matchAll(/(?:^|\s)host(?:addr)?\s*=\s*'?([^\s']*)/gu)].map((found) => found[1] ?? "");
  if (/(?:^|\s)service\s*=/u.test(written)) return "unknown";
  if (hosts.length === 0) return written.includes(hole) && !/=\S*$/u.test(written) ? "unknown" : "local";
  return together(hosts.flatMap((host) => host.split(",")).map(ofPlain));
}

/** Without a scheme. */
function ofPlain(written: string): HostKind {
  if (/^(?:\/(?!\/)|\.{1,2}(?:\/|$)|~)/u.test(written)) return "local";
  const start = written.startsWith("//") ? 2 : 0;
  return ofAuthority(written.slice(start), "");
}

function ofAuthority(rest: string, scheme: string): HostKind {
  const authority = upTo(rest, /[/?#]/u);
  const after = rest.slice(authority.length);
  if (authority.length > longestAuthority) return "unknown";
  // Programs differ in where they take the host to end and which @ they take.
  if (authority.includes("\\") || (/^[?#\\]/u.test(after) && /[@\\]/u.test(after))) return "unknown";
  const at = authority.lastIndexOf("@");
  const user = authority.slice(0, Math.max(at, 0));
  if (user.includes("@") || /[{}[\]<>"\s]/u.test(user)) return "unknown";
  if (user.includes(hole) && webSchemes.has(scheme)) return "unknown";
  const hosts = alternatives(authority.slice(at + 1));
  if (hosts === null) return "unknown";
  return together(hosts.map((host) => ofHostAndPort(host, scheme)));
}

function ofHostAndPort(written: string, scheme: string): HostKind {
  if (/^[0-9a-f]*:[0-9a-f:]*:[0-9a-f:.]*$/iu.test(written)) return ofAddress(written);
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/su.exec(written);
  if (parts === null) return "unknown";
  const [, host = "", port = ""] = parts;
  if (scheme !== "" && !/^(?:\d+|[{}[\],\d-]+)?\uFFFC*$/u.test(port)) return "unknown";
  if (host !== "") return host.startsWith("[") ? ofAddress(host.slice(1, -1)) : ofName(host);
  if (databaseSchemes.has(scheme)) return "local";
  return scheme === "" && /^\d+$/u.test(port) ? "loopback" : "unknown";
}

const loopbackNames: ReadonlySet<string> = new Set(
  "localhost localhost4 localhost6 localhost.localdomain localhost4.localdomain4 localhost6.localdomain6 ip6-localhost ip6-loopback".split(
    " ",
  ),
);

function ofName(written: string): HostKind {
  const name = written.toLowerCase().replace(/\.$/u, "");
  if (!/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/u.test(name)) return "unknown";
  if (/^(?:0x[0-9a-f]*|\d+)$/u.test(name.slice(name.lastIndexOf(".") + 1))) return ofNumbers(name.split("."));
  return loopbackNames.has(name) || name.endsWith(".localhost") ? "loopback" : "external";
}

/** As inet_aton reads it: one to four numbers, the last one fills the rest; also octal and hexadecimal. */
function ofNumbers(parts: readonly string[]): HostKind {
  const numbers = parts.map(numberOf);
  const last = numbers.at(-1) ?? Number.NaN;
  const leading = numbers.slice(0, -1);
  const isAddress = numbers.length <= 4 && leading.every((each) => each <= 255) && last < 256 ** (5 - numbers.length);
  if (!isAddress) return "unknown";
  const address = leading.reduce((sum, each, index) => sum + each * 256 ** (3 - index), last);
  return Math.floor(address / 256 ** 3) === 127 || address === 0 ? "loopback" : "external";
}

function numberOf(written: string): number {
  if (/^0x[0-9a-f]+$/u.test(written)) return Number.parseInt(written.slice(2), 16);
  if (/^0[0-7]+$/u.test(written)) return Number.parseInt(written, 8);
  return /^(?:0|[1-9]\d*)$/u.test(written) ? Number(written) : Number.NaN;
}

function ofAddress(written: string): HostKind {
  if (!/^[0-9a-f:.]+$/iu.test(written)) return /^[0-9a-f:.]+%[\w-]+$/iu.test(written) ? "external" : "unknown";
  const url = URL.parse(`http://[${written}]/`);
  if (url === null) return "unknown";
  const isLoopback = /^\[(?:::1?|::ffff:7f[0-9a-f]{2}:[0-9a-f]+|::ffff:0:0)\]$/u.test(url.hostname);
  return isLoopback ? "loopback" : "external";
}

/** All of them must be harmless. */
function together(kinds: readonly HostKind[]): HostKind {
  for (const kind of ["external", "unknown", "loopback"] as const) if (kinds.includes(kind)) return kind;
  return kinds.length === 0 ? "unknown" : "local";
}

const mostAlternatives = 64;
const longestAuthority = 1024;

/** curl's `{a,b}` and `[1-9]` in a host, and lists of hosts; `null` when it is none of these, or too many. */
function alternatives(written: string): readonly string[] | null {
  let found: readonly string[] = [""];
  const pieces = written.match(/\{[^{}]*\}|\[\w+-\w+(?::\d+)?\]|[^{}]|[{}]/gsu) ?? [];
  for (const piece of pieces) {
    if (piece === "{" || piece === "}") return null;
    const choices = choicesOf(piece);
    found =
      choices.length === 1 ? appended(found, piece) : found.flatMap((each) => choices.map((choice) => each + choice));
    if (found.length > mostAlternatives) return null;
  }
  return found.flatMap((each) => each.split(","));
}

function appended(found: readonly string[], piece: string): readonly string[] {
  const only = piece.startsWith("{") ? piece.slice(1, -1) : piece;
  return found.map((each) => each + only);
}

/** Of a range the two ends: what is between them is as they are. */
function choicesOf(piece: string): readonly string[] {
  if (piece.startsWith("{")) return piece.slice(1, -1).split(",");
  const range = /^\[(\w+)-(\w+)/u.exec(piece);
  return range === null ? [piece] : [range[1] ?? "", range[2] ?? ""];
}

function upTo(text: string, end: RegExp): string {
  const at = text.search(end);
  return at < 0 ? text : text.slice(0, at);
}
