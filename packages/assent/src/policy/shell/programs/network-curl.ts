import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Spec } from "../spec.ts";
import { type Argument, after, beginning, known } from "../text.ts";
import { afterFirst, connects, doubtfulOperands, flags, inPlaceOf, isUrl, write } from "./support.ts";

const uploads = "-d --data --data-ascii --data-binary --data-urlencode --json --url-query --variable";
const proxies =
  "-x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --proxy1.0 --ipfs-gateway --doh-url";
const expanded = danger("network-unknown-host", "builds the address from variables while it runs");

function takes(): NonNullable<Spec["takes"]> {
  return {
    "-A --user-agent -b --cookie -C --continue-at -e --referer -E --cert -H --header -m --max-time -P --ftp-port":
      "text",
    "-Q --quote -r --range -t --telnet-option -u --user -U --proxy-user -w --write-out -X --request": "text",
    "-y --speed-time -Y --speed-limit -z --time-cond -K --config --url --resolve --connect-to --retry": "text",
    "--connect-timeout --retry-delay --retry-max-time --max-redirs --max-filesize --limit-rate --rate --interface":
      "text",
    "--local-port --dns-servers --dns-interface --dns-ipv4-addr --dns-ipv6-addr --noproxy --proxy-header": "text",
    "--ciphers --curves --tls-max --tls13-ciphers --cert-type --key --key-type --pass --pinnedpubkey --crlfile": "text",
    "--cacert --capath --proxy-cacert --proxy-capath --proxy-cert --proxy-key --proxy-pass --proxy-ciphers": "text",
    "--proto --proto-default --proto-redir --request-target --create-file-mode --parallel-max --keepalive-time": "text",
    "--keepalive-cnt --happy-eyeballs-timeout-ms --expect100-timeout --form-string --oauth2-bearer --aws-sigv4": "text",
    "--mail-from --mail-rcpt --mail-auth --login-options --sasl-authzid --service-name --delegation --ip-tos": "text",
    "--unix-socket": "read",
    "--abstract-unix-socket --ftp-account --ftp-method --ftp-alternative-to-user --hostpubmd5": "text",
    "--hostpubsha256 --pubkey --tlsuser --tlspassword --tlsauthtype --tftp-blksize --haproxy-clientip --ech": "text",
    "--trace-config --krb --random-file --egd-file --proxy-service-name --vlan-priority --engine --expand-url": "text",
    "--socks5-gssapi-service --proxy-pinnedpubkey --proxy-tls13-ciphers --proxy-cert-type --proxy-key-type": "text",
    "-F --form": "text",
    [uploads]: "text",
    [proxies]: "text",
    "-T --upload-file --netrc-file --etag-compare": "read",
    "-o --output --output-dir -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --libcurl": "write",
    "--etag-save --hsts --alt-svc --ssl-sessions": "write",
  };
}

export function curl(): Spec {
  return {
    takes: takes(),
    may: {
      ...flags("--head --netrc --parallel --location --fail --ssl --get --trace-time --trace-ids -h --help --next"),
    },
    danger: {
      "-K --config": danger("network-unknown-host", "takes addresses and options from a file"),
      "--expand-url --expand-proxy --expand-connect-to --expand-resolve": expanded,
      "--engine": danger("exec-option", "loads a library into curl"),
    },
    also: (given) => [...addresses(given), ...uploaded(given), ...saved(given), ...unsure(given), ...doubtful(given)],
  };
}

/** What it connects to: the proxy, the addresses that stand in for hosts, and the URLs, unless a socket stands in for all. */
function addresses(given: Given): readonly Deed[] {
  const { values, has, operands } = given;
  const proxied = values(proxies).flatMap(connects);
  if (has("--unix-socket --abstract-unix-socket")) return proxied;
  const instead = [...values("--resolve").flatMap(resolved), ...values("--connect-to").flatMap(connectedTo)];
  const urls = [...operands, ...values("--url")].filter((url) => !instead.some(({ matches }) => matches(url)));
  return [...proxied, ...instead.flatMap(({ address }) => connects(address)), ...urls.flatMap(address)];
}

function address(url: Argument): readonly Deed[] {
  if (!beginning(url.text).startsWith("@")) return connects(url);
  return [asks("network-unknown-host", "takes addresses from a file", url)];
}

type Instead = { readonly address: Argument; matches(url: Argument): boolean };

/** `host:port:address[,address]…`, of which a `+` before the host means the same. */
function resolved(entry: Argument): readonly Instead[] {
  const text = known(entry.text);
  if (text === null) return [{ address: entry, matches: () => false }];
  const found = /^\+?(\*|\[[^\]]*\]|[^:[]+):(\d+):(.+)$/u.exec(text);
  if (found === null) return [];
  const [, host = "", port = "", list = ""] = found;
  return list.split(",").map((each) => ({
    address: inPlaceOf(entry, each),
    matches: (url) => isFor(url, host === "*" ? "" : host, port),
  }));
}

/** `host:port:otherHost:otherPort`, where each may be missing. */
function connectedTo(entry: Argument): readonly Instead[] {
  const text = known(entry.text);
  if (text === null) return [{ address: entry, matches: () => false }];
  const [, host = "", port = "", other = ""] =
    /^(\[[^\]]*\]|[^:[]*):(\d*):(\[[^\]]*\]|[^:[]*)(?::\d*)?$/u.exec(text) ?? [];
  return other === "" ? [] : [{ address: inPlaceOf(entry, other), matches: (url) => isFor(url, host, port) }];
}

/** Whether the URL is of that host and port; none given is any. Only URLs as plain as can be are told. */
function isFor(url: Argument, host: string, port: string): boolean {
  const found = /^(?:(https?):\/\/)?([\w.-]+)(?::(\d+))?(?:[/?#][^\\]*)?$/iu.exec(known(url.text) ?? "");
  if (found === null) return false;
  const [, scheme = "http", name = "", given = scheme.toLowerCase() === "https" ? "443" : "80"] = found;
  return (host === "" || host.toLowerCase() === name.toLowerCase()) && (port === "" || port === given);
}

/** Files whose content is sent: `-d @file`, `-F name=@file`. */
function uploaded({ values }: Given): readonly Deed[] {
  const files = values(uploads).flatMap((value) => {
    const found = /^[^=@]*@/u.exec(beginning(value.text));
    return found === null ? [] : [{ ...value, text: after(value.text, found[0].length) }];
  });
  const parts = values("-F --form").flatMap((value) => {
    const file = afterFirst(value, "=@") ?? afterFirst(value, "=<");
    const path = file === null ? null : known(file.text);
    return file === null ? [] : [path === null ? file : inPlaceOf(file, path.split(";")[0] ?? "")];
  });
  return [...files, ...parts].map((path): Deed => ({ does: "read", path }));
}

function saved({ has, operands, values }: Given): readonly Deed[] {
  const told = values("-w --write-out").flatMap(writtenOut);
  if (!has("-O --remote-name --remote-name-all -J --remote-header-name")) return told;
  return [...told, ...[...operands, ...values("--url")].map((url) => write(savedAs(url)))];
}

/** `-w '%output{file}…'`. */
function writtenOut(format: Argument): readonly Deed[] {
  return [...beginning(format.text).matchAll(/%output\{(?:>>)?([^}]*)/gu)].map(([, path = ""]) =>
    write(inPlaceOf(format, path)),
  );
}

/** The file in this folder that a download makes. */
export function savedAs(url: Argument): Argument {
  const name = known(url.text)?.split(/[?#]/u)[0]?.split("/").at(-1) ?? "";
  return inPlaceOf(url, name === "" || !isUrl(url) ? "index.html" : `./${name}`);
}

function unsure({ unsure: isUnsure }: Given): readonly Deed[] {
  return isUnsure ? [asks("network-unknown-host", "has options that are not known before it runs")] : [];
}

function doubtful(given: Given): readonly Deed[] {
  return doubtfulOperands(given, takes()).flatMap(connects);
}
