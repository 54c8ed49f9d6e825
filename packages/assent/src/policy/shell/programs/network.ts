import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec, same } from "../spec.ts";
import { type Argument, beginning, known } from "../text.ts";
import { curl } from "./network-curl.ts";
import { peerTools } from "./network-peers.ts";
import { sharingTools } from "./network-sharing.ts";
import { sshTools } from "./network-ssh.ts";
import { fetchers, wget } from "./network-wget.ts";
import { connects, connectsUrls, inPlaceOf, isUrl, plain } from "./support.ts";

const sends = danger("network-send", "sends files to another machine");
const fetches = danger("network-host", "fetches files from another machine");
const removes = danger("delete-bulk", "deletes whatever is at the place");
const drops = danger("delete-store", "deletes stored backups");
const tunnel = danger("network-tunnel", "opens a way from other machines to this one");

function copies(): Spec {
  return { operands: ["remote-read"], last: "remote-write" };
}
function mirrors(): Spec {
  return { ...copies(), always: removes, unless: "-n --dry-run" };
}

/** `:sftp,host=name:path`: a place that is described on the spot. */
function described({ words }: Given): readonly Deed[] {
  return words.flatMap((word) => {
    const host = /^:\w+,(?:.*,)?(?:host|url|endpoint)="?([^,"]+)/u.exec(beginning(word.text))?.[1];
    return host === undefined ? [] : connects(inPlaceOf(word, host.replace(/:(?!\/\/|\d).*$/u, "")));
  });
}

function rclone(): Spec {
  return {
    also: described,
    takes: {
      "--config --filter --include --exclude --transfers --checkers --bwlimit --log-level --max-age --min-age": "text",
      "--filter-from --include-from --exclude-from --files-from": "read",
      "--log-file --backup-dir": "write",
      "--password-command": "program",
      "--http-proxy": "host",
    },
    commands: {
      ...same("copy copyto", copies()),
      ...same("sync move moveto bisync", mirrors()),
      ...same("delete purge rmdirs cleanup dedupe", { always: removes, unless: "-n --dry-run" }),
      copyurl: { operands: ["host", "remote-write"] },
      rcat: { operands: ["remote-write"] },
      cat: { operands: ["remote-read"] },
      ...same("serve mount nfsmount link rcd", { always: tunnel }),
      config: {
        commands: {
          show: { always: danger("secret-read", "shows stored passwords") },
          dump: { always: danger("secret-read", "shows stored passwords") },
        },
      },
    },
  };
}

const elsewhere = /^(?:sftp|s3|rest|azure|gs|b2|rclone|swift|ssh|https?):/iu;

/** A repository on another machine; one that is not named is the user's own choice. */
function backups({ values, operands }: Given): readonly Deed[] {
  const command = operands[0] === undefined ? "" : known(operands[0].text);
  const isFar = values("-r --repo").some(({ text }) => elsewhere.test(beginning(text)) || typeof text[0] === "object");
  return [
    ...(isFar ? [asks("network-send", "uses a repository on another machine")] : []),
    ...(/^(?:forget|prune)$/u.test(command ?? "prune") ? [{ does: "danger" as const, danger: drops }] : []),
  ];
}

function restic(): Spec {
  return {
    takes: {
      "-r --repo --tag --host --exclude --include -o --option --limit-upload": "text",
      "-p --password-file --files-from --exclude-file": "read",
      "-t --target": "write",
      "--password-command": "program",
    },
    danger: { "-o --option": danger("exec-option", "changes options that can run programs") },
    also: backups,
  };
}

function borg(): Spec {
  return {
    takes: {
      "--rsh --remote-path": "program",
      "-C --compression -e --encryption --exclude -P --prefix -a --glob-archives --keep-daily --keep-weekly --keep-monthly":
        "text",
    },
    may: { "--list --stats": "text" },
    also: ({ operands: [command, ...places], has }) => {
      const name = command === undefined ? "" : (known(command.text) ?? "delete");
      const drop = /^(?:delete|prune|compact)$/u.test(name) && !has("-n --dry-run");
      return [
        ...places.slice(0, 1).map((place): Deed => ({ does: "remote", place, use: "read" })),
        ...(drop ? [{ does: "danger" as const, danger: drops }] : []),
      ];
    },
  };
}

function storage(): Spec {
  return {
    takes: { "-c --config --access_key --secret_key --region -C --config-dir": "text", "--host --host-bucket": "host" },
    commands: {
      ...same("put sync mb cp mv mirror modify setacl signurl share", { always: sends, unless: "-n --dry-run" }),
      ...same("get cat", { always: fetches }),
      ...same("del rm rb expire", { always: removes, unless: "-n --dry-run" }),
      alias: { commands: { set: { operands: ["text", "host", "text"] } } },
    },
  };
}

/** Load on an address. */
function load(): Spec {
  return {
    takes: {
      "-n -c -t -q -z -d -T -H -A -C -P -w -s -i -k -m -D -a -b -r -u -R --latency --duration --threads --connections --header":
        "text",
      "-p -f -l": "text",
      "-X -x --proxy": "text",
      "-o -g -e --script": "text",
    },
    also: ({ operands }) => operands.flatMap(connects),
  };
}

function brokers(): Spec {
  return {
    takes: {
      "-h --host -L --url --proxy": "host",
      "-p --port -t --topic -m --message -u --username -P --pw -i --id -q --qos -C -W -k -V -F -T -R": "text",
      "-f --file --cafile --cert --key": "read",
    },
  };
}

function kcat(): Spec {
  return {
    takes: { "-b -t -p -o -e -c -X -d -k -K -D -f -s -r -G -q -z": "text", "-F": "text", "-l": "read" },
    danger: { "-F": danger("network-unknown-host", "takes its hosts from a file") },
    also: ({ values }) =>
      values("-b").flatMap((hosts) => {
        const text = known(hosts.text);
        return text === null ? connects(hosts) : text.split(",").flatMap((host) => connects(inPlaceOf(hosts, host)));
      }),
  };
}

function grpcurl(): Spec {
  return {
    style: "long",
    takes: {
      "-d -H -rpc-header -reflect-header -authority -import-path -format -max-time -connect-timeout -servername -user-agent -expand-headers":
        "text",
      "-proto -protoset -cacert -cert -key": "read",
      "-protoset-out": "write",
    },
    stops: true,
    operands: ["host", "text"],
  };
}

function remoteDesktop(): Spec {
  return { style: "long", also: ({ operands }) => operands.filter(isHost).flatMap(connects) };
}

function isHost({ text }: Argument): boolean {
  return !/^[/+:]\w/u.test(beginning(text));
}

function sharing(): Spec {
  return {
    always: danger("network-send", "hands files to another machine"),
    unless: "--help help version",
  };
}

function k6(): Spec {
  return {
    commands: {
      cloud: { always: danger("network-send", "sends the test to another machine") },
      run: {
        takes: { "-o --out -u --vus -d --duration -e --env -i --iterations": "text" },
        also: ({ operands }) => connectsUrls(operands),
      },
    },
  };
}

function snmp(): Spec {
  return {
    takes: { "-v -c -u -l -a -A -x -X -e -E -n -t -r -O -m -M -P -I -L": "text" },
    also: ({ operands: [host] }) => (host === undefined ? [] : connects(host)),
  };
}

function ldap(): Spec {
  return {
    takes: { "-H -h": "host", "-D -w -b -s -p -l -z -o -O -U -X -Y -R -a -e -E": "text", "-f -y": "read" },
  };
}

function smb(): Spec {
  return {
    takes: {
      "-c --command": "text",
      "-U --user -p --port -W -m -n -O -d -A -T -D": "text",
      "-L --list -I --ip-address": "host",
    },
    operands: ["host", "text"],
    also: ({ values }) =>
      plain(values("-c --command")).flatMap((text) =>
        /(?:^|;)\s*!/u.test(text) ? [asks("exec-option", "runs a program from within smbclient")] : [],
      ),
  };
}

function vegeta(): Spec {
  return {
    commands: { attack: { always: danger("network-unknown-host", "sends requests to addresses that are not seen") } },
  };
}

export const networkTools: Programs = {
  ...sharingTools,
  curl,
  curlie: curl,
  "wget wget2": wget,
  ...fetchers,
  ...sshTools,
  ...peerTools,
  rclone,
  restic,
  "borg borg2": borg,
  "s3cmd mc mcli s5cmd s4cmd": storage,
  "duplicity duplicati-cli": () => ({ also: ({ operands }) => connectsUrls(operands.filter(isUrl)) }),
  "mosquitto_pub mosquitto_sub mosquitto_rr": brokers,
  "kcat kafkacat": kcat,
  grpcurl,
  "ab wrk wrk2 hey siege bombardier autocannon oha plow ali httperf": load,
  k6,
  vegeta,
  "croc wormhole magic-wormhole ffsend sendme": sharing,
  "ngrok cloudflared localtunnel lt bore frpc frps inlets chisel zrok telebit pagekite"() {
    return {
      always: tunnel,
      unless: "--version version help",
    };
  },
  tailscale: () => ({ always: tunnel, unless: "status ip version netcheck whois ping help" }),
  "snmpget snmpwalk snmpbulkwalk snmpset snmpgetnext snmptrap snmptable": snmp,
  "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd": ldap,
  smbclient: smb,
  smbget: () => ({ operands: ["host"] }),
  "iperf3 iperf"() {
    return {
      takes: { "-c --client": "host", "-p --port -t --time -P -b -i -n -B -w -f -l": "text", "--logfile": "write" },
    };
  },
  "rdesktop vncviewer remmina": remoteDesktop,
  "showmount rpcclient rpcinfo": () => ({ takes: { "-U -c -p": "text" }, operands: ["host"] }),
  "ipfs syncthing transmission-cli transmission-remote"() {
    return {
      unless: "--version version id stats",
      always: danger("network-send", "shares files with other machines"),
    };
  },
};
