import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, after, beginning, known } from "../text.ts";
import { afterFirst, connects, flags, inPlaceOf, plain, write } from "./support.ts";

const listens = "waits for other machines to connect";

function netcat(): Spec {
  return {
    takes: {
      "-p --source-port -s --source -w --wait -q -i --idle-timeout -X --proxy-type -G -I -O -T -V -m --max-conns -M -P":
        "text",
      "-d --delay --proxy-auth --ssl-cert --ssl-key --ssl-alpn --ssl-servername --ssl-ciphers --ssl-trustfile": "text",
      "-e --exec -c --sh-exec": "program",
      "-x --proxy": "host",
      "-o --output --hex-dump": "write",
      "--allowfile --denyfile": "read",
    },
    may: flags("--ssl --listen"),
    danger: { "--lua-exec --lua-exec-internal": danger("exec-option", "runs a script for every connection") },
    also: ({ operands, has }) => {
      if (has("-U --unixsock --vsock")) return [];
      if (!has("-l --listen -L")) return operands.slice(0, 1).flatMap(connects);
      const hosts = operands.filter(({ text }) => !/^\d+$/u.test(known(text) ?? ""));
      return hosts.length === 0 ? [asks("network-tunnel", listens)] : hosts.flatMap(connects);
    },
  };
}

function socat(): Spec {
  return {
    takes: { "-b -t -T -l -L -W -S": "text", "-lf -r -R": "write" },
    // `-!!TCP:host:80` looks like an option.
    also: ({ operands, words }) =>
      [...operands, ...words.filter(({ text }) => beginning(text).startsWith("-!!"))]
        .flatMap(halves)
        .flatMap(socatAddress),
  };
}

/** `in!!out` are two addresses in one word. */
function halves(word: Argument): readonly Argument[] {
  const text = known(word.text);
  return text === null ? [word] : text.split("!!").map((half) => inPlaceOf(word, half));
}

const connecting =
  /^(?:tcp|udp|udplite|sctp|dccp|ip|openssl|ssl|dtls|socks\w*|proxy|ws|wss)\d?(?:-(?:connect|client|sendto|datagram))*$/u;

function socatAddress(address: Argument): readonly Deed[] {
  const start = beginning(address.text);
  const [type = ""] = start.toLowerCase().split(/[:,]/u);
  const value = afterFirst(address, ":");
  if (start === "" && address.text.length > 0)
    return [asks("exec-unseen", "opens an address that is not known", address)];
  if (value === null) return start.includes("/") ? [write(address)] : [];
  const before = withoutOptions(value);
  if (/^(?:exec|system|shell)/u.test(type)) return [{ does: "program", text: before.text, span: address.span }];
  if (
    /-(?:listen|l|recv|recvfrom|server)$|^(?:udp|ip)\d?-recv/u.test(type) &&
    !/^(?:unix|abstract|vsock)/u.test(type)
  ) {
    const isLocal = /,(?:bind|so-bindtodevice)=(?:127\.|localhost\b|\[::1\]|lo\b)/iu.test(start);
    return isLocal ? [] : [asks("network-tunnel", listens, address)];
  }
  if (connecting.test(type)) return connects(before);
  return /^(?:open|create|creat|gopen|file)$/u.test(type) ? [write(before)] : [];
}

function withoutOptions(value: Argument): Argument {
  const text = known(value.text);
  return text === null ? value : inPlaceOf(value, text.split(",")[0] ?? "");
}

/** Looking a name up, or whether a machine is there: ordinary, but not with a name that carries something unseen. */
function lookUp(): Spec {
  return { takes: lookUpOptions(), also: ({ operands }) => operands.flatMap(carried) };
}

function lookUpOptions(): NonNullable<Spec["takes"]> {
  return { "-c -i -I -s -t -T -w -W -M -m -p -Q -l -f -q -g -z -C -n -k -b --port --type --count --interval": "text" };
}

export function carried(name: Argument): readonly Deed[] {
  if (known(name.text) !== null) return [];
  return [asks("network-unknown-host", "asks for a name that can carry data to another machine", name)];
}

function dig(): Spec {
  return {
    takes: { "-b -c -k -p -q -t -x -y -m": "text", "-f": "read" },
    danger: { "-f": danger("network-unknown-host", "takes the names to look up from a file") },
    also: ({ operands, values }) =>
      [...operands, ...values("-q -x")].flatMap((name) =>
        beginning(name.text).startsWith("@") ? connects({ ...name, text: after(name.text, 1) }) : carried(name),
      ),
  };
}

/** The second operand is the server that is asked. */
function asksServer(): Spec {
  return {
    ...lookUp(),
    also: ({ operands }) => [...operands.flatMap(carried), ...operands.slice(1, 2).flatMap(connects)],
  };
}

function nmap(): Spec {
  return {
    style: "long",
    takes: {
      "-oN -oX -oG -oA -oS": "write",
      "-iL -iR -p -e -g -S -D -sI -b -exclude -top-ports -script -script-args -datadir -max-retries": "text",
      "-min-rate -max-rate -host-timeout -dns-servers -resume -proxies -stylesheet -max-rtt-timeout": "text",
    },
    danger: {
      "-iL -iR": danger("network-unknown-host", "takes the hosts from elsewhere"),
      "-interactive -datadir": danger("exec-option", "can run programs"),
    },
    operands: ["host"],
    also: ({ values }) =>
      values("-script")
        .filter(({ text }) => !/^[\w,*-]+$/u.test(known(text) ?? "/"))
        .map((at) => asks("exec-option", "runs scripts from a file", at)),
  };
}

const methods = /^[A-Z]+$/u;

/** `[METHOD] URL [item …]`; a URL that begins with a colon is of this machine. */
function httpie(): Spec {
  return {
    takes: {
      "-a --auth -A --auth-type -p --print -s --style -P --history-print --timeout --verify --cert --ssl --max-redirects":
        "text",
      "--session-read-only --format-options --response-charset --response-mime --boundary --raw --default-scheme":
        "text",
      "-o --output": "write",
      "--session": "text",
      "--proxy": "text",
      "--cert-key": "read",
    },
    may: flags("--pretty --unsorted --form --json --print-body"),
    also: ({ operands, values }) => {
      const isMethod = methods.test(known(operands[0]?.text ?? []) ?? "");
      const [url, ...items] = isMethod ? operands.slice(1) : operands;
      const isHere =
        url !== undefined &&
        /^:(?:\d*(?:\/|$)|\/)/u.test(beginning(url.text)) &&
        !beginning(url.text).startsWith("://");
      const files = items.flatMap((item) => {
        const found = /^[^=:@]*(?::?=)?@/u.exec(beginning(item.text));
        return found === null ? [] : [{ ...item, text: after(item.text, found[0].length) }];
      });
      return [
        ...(url === undefined || isHere ? [] : connects(url)),
        ...values("--proxy").flatMap((proxy) => connects(afterFirst(proxy, ":") ?? proxy)),
        ...files.map((path): Deed => ({ does: "read", path })),
      ];
    },
  };
}

function websocat(): Spec {
  return {
    takes: {
      "-H --header -p --protocol --origin --basic-auth --ping-interval --close-status-code -B --buffer-size -s": "text",
      "--exec --cmd --sh-c": "program",
      "--socks5 --ws-c-uri": "host",
    },
    also: ({ operands, values }) => [
      ...operands.flatMap((place): readonly Deed[] => {
        const start = beginning(place.text);
        if (/^(?:exec|sh-c|cmd):/u.test(start))
          return [{ does: "program", text: afterFirst(place, ":")?.text ?? [], span: place.span }];
        return start === "-" || /^[\w-]*listen[\w-]*:|^(?:stdio|mirror|literal):/u.test(start) ? [] : connects(place);
      }),
      ...plain(values("-s")).flatMap((port) =>
        /^(?:127\.|localhost)|^\d+$/u.test(port) ? [] : [asks("network-tunnel", listens)],
      ),
    ],
  };
}

const mails = danger("network-send", "sends mail");

function mail({ operands, values }: Given): readonly Deed[] {
  const receivers = [...operands, ...values("-c -b")];
  return receivers.length === 0 ? [] : [{ does: "danger", danger: mails }];
}

function mailer(): Spec {
  return {
    takes: { "-s -c -b -r -S -q -u -T": "text", "-a -A -f -i -H": "text", "--exec -e": "program", "-F": "text" },
    may: { "--subject --append --attach": "text" },
    danger: { "-F": danger("exec-option", "takes its settings from a file") },
    also: mail,
  };
}

export const peerTools: Programs = {
  "nc ncat netcat nc.openbsd nc.traditional": netcat,
  socat,
  telnet: () => ({ takes: { "-l -e -b -n -X -S -k": "text" }, operands: ["host", "text"] }),
  "ftp ncftp tnftp pftp tftp atftp ncftpget ncftpput ncftpls"() {
    return {
      takes: { "-u -p -P -l -m -c -s -T -N -A": "text", "-o": "write" },
      operands: ["host", "text"],
    };
  },
  lftp: () => ({ always: danger("network-host", "talks to a file server") }),
  "ping ping6 arping fping traceroute traceroute6 tcptraceroute tracepath mtr host6": lookUp,
  "dig drill kdig dog doggo": dig,
  nslookup: () => ({ ...asksServer(), style: "long", takes: {} }),
  host: asksServer,
  whois: () => ({ takes: { "-h --host": "host", "-p --port -i -T -g -s -t -v -q": "text" }, operands: ["host"] }),
  finger() {
    return {
      also: ({ operands }) => operands.filter(({ text }) => known(text)?.includes("@") !== false).flatMap(connects),
    };
  },
  nmap,
  masscan: nmap,
  rustscan: () => ({ takes: { "-a --addresses": "host", "-p --ports -r -b -t -u": "text" }, stops: true }),
  "http https xh xhs httpie": httpie,
  websocat,
  wscat() {
    return {
      takes: {
        "-c --connect --proxy": "host",
        "-l --listen -H --header -x --execute -o --origin -s --subprotocol": "text",
      },
    };
  },
  "mail mailx Mail s-nail nail mutt neomutt": mailer,
  "sendmail ssmtp msmtp exim exim4 sendemail mpack": () => ({ always: mails, unless: "-bp -bv --serverinfo" }),
};
