import type { Deed } from "../deeds.ts";
import { danger, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, after, beginning, known } from "../text.ts";
import { connects, inPlaceOf, plain, sendsAt } from "./support.ts";

const tells = "--help --version help version";
const sends = danger("network-send", "sends files or messages to another machine");
const tunnel = danger("network-tunnel", "opens a way between this machine and others");
const fetches = danger("network-host", "talks to another machine");

/** Sends outwards by nature, however it is called. */
function always(): Spec {
  return { always: sends, unless: tells };
}

/** Only with these subcommands, at any place, it sends. */
function sendsWith(verbs: RegExp, what: string): Spec {
  return {
    also: ({ operands }) => (plain(operands).some((word) => verbs.test(word)) ? [sendsAt(what, operands[0])] : []),
  };
}

/** Every word is a host, but for numbers and options. */
function toHosts(): Spec {
  return {
    also: ({ operands }) => operands.filter(({ text }) => !/^[\d:,-]+$/u.test(known(text) ?? "")).flatMap(connects),
  };
}

/** The host is the value of an option. */
function hostAfter(options: string, more = ""): Spec {
  return { takes: { [options]: "host", ...(more === "" ? {} : { [more]: "text" }) } };
}

function forwards(): Spec {
  return {
    style: "none",
    also: ({ words }) =>
      words.flatMap((word, index): readonly Deed[] => {
        const start = beginning(word.text);
        const next = words[index + 1];
        const option = /^-F=?/u.exec(start)?.[0];
        if (option === undefined) return [];
        const attached = { ...word, text: after(word.text, option.length) };
        return attached.text.length > 0 ? connects(attached) : next === undefined ? [] : connects(next);
      }),
  };
}

/** `/v:host`, as clients of Windows' desktop take it. */
function desktop(): Spec {
  return {
    style: "none",
    also: ({ words }) =>
      words.flatMap((word) => {
        const start = beginning(word.text);
        const found = /^\/(?:v|g|gw):/u.exec(start);
        if (found !== null) return connects({ ...word, text: after(word.text, found[0].length) });
        return /^[-/+]/u.test(start) ? [] : connects(word);
      }),
  };
}

/** Where the stream goes is part of one long word. */
function streamed({ words }: Given): readonly Deed[] {
  return words.flatMap((word): readonly Deed[] => {
    const target = /\b(?:dst|host)=(?!["']?(?:[./]|localhost|127\.))["']?([\w.[\]:-]+)/u.exec(
      beginning(word.text),
    )?.[1];
    if (target !== undefined && /[.:]/u.test(target) && !/\.(?:mp\d|mkv|ts|avi|ogg|webm|flv|wav)$/u.test(target))
      return connects(inPlaceOf(word, target));
    const url = /^(?:[\w-]+=)?(?=(?!file:)[a-z][\w+.-]*:\/\/)/iu.exec(beginning(word.text));
    return url === null ? [] : connects({ ...word, text: after(word.text, url[0].length) });
  });
}

/** Runs something on all of these. */
function manyHosts(): Spec {
  return {
    takes: { "-H --hosts -t --targets -n --nodes": "text", "-u --user -i --identity -f -c": "text" },
    also: ({ values }) =>
      values("-H --hosts -t --targets -n --nodes").flatMap((hosts): readonly Deed[] => {
        const text = known(hosts.text);
        return text === null ? connects(hosts) : text.split(",").flatMap((host) => connects(inPlaceOf(hosts, host)));
      }),
  };
}

/** `:pserver:user@host:/path`. */
function cvs(): Spec {
  return {
    takes: { "-d": "text", "-e": "program", "-m -r -D -t": "text", "-z": "text" },
    also: ({ operands, values }) => [
      ...values("-d").flatMap((root): readonly Deed[] => {
        const found = /^:(?!local|fork)[\w;=.-]+:(?:[^@/]*@)?/u.exec(beginning(root.text));
        if (found !== null) return connects({ ...root, text: until(after(root.text, found[0].length)) });
        return /^[^:/]+:/u.test(beginning(root.text)) ? [{ does: "remote", place: root, use: "read" }] : [];
      }),
      ...(/^(?:commit|ci|import)$/u.test(plain(operands)[0] ?? "") ? [sendsAt("changes", operands[0])] : []),
    ],
  };
}

function until(text: Argument["text"]): Argument["text"] {
  const start = beginning(text);
  const end = start.search(/[:/]/u);
  return end < 0 ? text : [start.slice(0, end)];
}

function images(): Spec {
  return {
    also: ({ operands: [verb, ...rest] }) =>
      /^(?:sign|attest|attach|copy|upload|save|clean|push|cp)$/u.test(known(verb?.text ?? []) ?? "push")
        ? [sendsAt("something about an image", rest.at(-1))]
        : [],
  };
}

/** Names of brokers, several with commas. */
function brokers(): Spec {
  return {
    takes: { "--bootstrap-server --broker-list --zookeeper --brokers -b": "text", "--topic --group --from": "text" },
    also: ({ values }) =>
      values("--bootstrap-server --broker-list --zookeeper --brokers -b").flatMap((hosts) => {
        const text = known(hosts.text);
        return text === null ? connects(hosts) : text.split(",").flatMap((host) => connects(inPlaceOf(hosts, host)));
      }),
  };
}

const kafka = "console-producer console-consumer topics consumer-groups configs acls get-offsets producer-perf-test"
  .split(" ")
  .flatMap((name) => [`kafka-${name}`, `kafka-${name}.sh`])
  .join(" ");

const messengers =
  "signal-cli telegram-send slackcat slack-cli slacktee twurl toot sendxmpp go-sendxmpp matrix-commander ntfy apprise irssi weechat gotify " +
  "mattermost-cli mmctl discord.sh xdg-email";
const uploads =
  "pastebinit gist wgetpaste termbin fiche hastebin privatebin transfer.sh imgur-uploader onionshare onionshare-cli dbxcli gdrive skicka " +
  "dropbox_uploader.sh megaput megacopy megasync mega-put mega-cp mega-sync megarm mega-rm b2 backblaze-b2 ia youtube-upload webtorrent " +
  "lsyncd nextcloudcmd owncloudcmd onedrive insync cadaver";
const downloads = "megaget megadl megals mega-get mega-ls you-get streamlink spotdl gdown";
const tunnels =
  "iodine iodined dnscat dnscat2 dns2tcpc dns2tcpd ptunnel ptunnel-ng icmptunnel stunnel stunnel4 gsocket gs-netcat openvpn zerotier-cli " +
  "proxytunnel corkscrew htc hts tunnelto tor v2ray xray ss-local sslocal revsocks rathole";

export const sharingTools: Programs = {
  [uploads]: always,
  [messengers]: always,
  [downloads]: () => ({ always: fetches, unless: tells }),
  [tunnels]: () => ({ always: tunnel, unless: tells }),
  "gost glider 3proxy": forwards,
  "curlftpfs ftpfs davfs mount.davfs s3fs gcsfuse goofys": () => ({ always: fetches, unless: tells }),
  "ftpget ftpput": () => ({ takes: { "-u -p -P": "text" }, operands: ["host", "text"] }),
  "cryptcat dbd sbd powercat pwncat": toHosts,
  "gnutls-cli testssl testssl.sh sslscan sslyze ssldump"() {
    return {
      takes: {
        "-p --port --starttls-proto --priority --sni-hostname --alpn": "text",
        "--x509cafile --x509certfile": "read",
      },
      also: toHosts().also ?? (() => []),
    };
  },
  "hping hping3 nping zmap unicornscan p0f nikto sqlmap gobuster ffuf wfuzz dirb hydra medusa whatweb wpscan amass subfinder nuclei"() {
    return {
      takes: { "-p --port -c --count -i -w -W -U -P -t": "text", "-u --url -h -host -d": "host" },
      also: toHosts().also ?? (() => []),
    };
  },
  "speedtest speedtest-cli fast-cli tarsnap": always,
  "qperf netperf ztcp"() {
    return {
      takes: { "-H --host": "host", "-l -t -p": "text" },
      also: ({ operands }) => operands.slice(0, 1).flatMap(connects),
    };
  },
  "rdiff-backup bup"() {
    return {
      takes: { "-r --remote": "text", "--remote-schema": "program", "-n --name": "text" },
      also: ({ operands, values }) =>
        [...operands, ...values("-r --remote")].map((place): Deed => ({ does: "remote", place, use: "write" })),
    };
  },
  "sonar-scanner": always,
  "plink pterm"() {
    return {
      takes: { "-l -P -pw -i -m -L -R -D -hostkey": "text" },
      stops: true,
      operands: ["host", "text"],
    };
  },
  psftp: () => ({ operands: ["host", "text"] }),
  cvs,
  "fab bolt mussh dsh": manyHosts,
  "cosign notation": images,
  nsupdate: () => ({ always: danger("network-send", "changes what a name server says"), unless: "-V" }),
  "ipmitool racadm": () => hostAfter("-H -r", "-U -P -I -L -p"),
  "evans ghz": () => hostAfter("--host", "-p --port --proto --call"),
  influx() {
    return {
      style: "long",
      takes: { "-host --host": "host", "-port -database -execute -username -password": "text" },
    };
  },
  [kafka]: brokers,
  "xfreerdp xfreerdp3 wlfreerdp sdl-freerdp": desktop,
  "vlc cvlc nvlc mplayer mpv gst-launch-1.0 gst-launch streamripper": () => ({ style: "none", also: streamed }),
  rebar3: () => sendsWith(/^(?:publish|retire)$/u, "a package"),
  pod: () => sendsWith(/^(?:push|trunk)$/u, "a package"),
  swaks: () => ({ always: danger("network-send", "sends mail"), unless: tells }),
};
