import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { known } from "../text.ts";
import { asksUnless, isIn, word } from "./calls.ts";
import { carried } from "./network-peers.ts";

const firewall = danger("system-settings", "changes the firewall of this machine");
const network = danger("system-settings", "changes the network of this machine");

/** Any beginning of these will do for `ip`, but for one letter that could be another word's. */
const showing = ["show", "list", "lst", "ls", "get", "monitor", "help", "showdump", "save", "count"];

function isShowing(verb: string, object: string): boolean {
  if (verb === "s") return !"link".startsWith(object);
  return (
    verb !== "" && (verb.length > 1 || verb === "l" || verb === "g") && showing.some((each) => each.startsWith(verb))
  );
}

function ip(given: Given): readonly Deed[] {
  const [object, verb, , ...argv] = given.operands;
  if (given.has("-b -ba -bat -batc -batch")) return [{ does: "danger", danger: network }];
  if (object === undefined || isIn(object, "help monitor mon")) return [];
  if (isIn(object, "netns vrf") && verb !== undefined && isIn(verb, "exec")) {
    return [asks("privilege-escalation", "runs in another network namespace", verb), ...runs(argv)];
  }
  if (isIn(object, "netns") && verb !== undefined && isIn(verb, "identify pids list-id")) return [];
  const tells = known(object.text) !== null && (verb === undefined || isShowing(word(verb), word(object)));
  return tells ? [] : [{ does: "danger", danger: network, at: verb ?? object }];
}

/** Asks when it has that many operands, or one of these options. */
function from(count: number, options = "", spec: Spec = {}): Spec {
  return {
    ...spec,
    also: (given) =>
      given.operands.length >= count || given.has(options) ? [{ does: "danger", danger: network }] : [],
  };
}

const managed = "show status list monitor permissions logging hostname connectivity";

function connections({ operands: [object, verb, next, value] }: Given): readonly Deed[] {
  if (object === undefined || isIn(object, "monitor help")) return [];
  if (verb === undefined || (next === undefined && isIn(verb, "wifi wwan all"))) return [];
  if (isIn(verb, managed) && !(isIn(verb, "hostname logging") && next !== undefined)) return [];
  if (isIn(verb, "wifi") && next !== undefined && isIn(next, "list show-password")) return [];
  return [{ does: "danger", danger: network, at: value ?? verb }];
}

/** `iw dev`, `iw dev wlan0 link`, `iw reg get` */
function wireless({ operands: [object, verb, what] }: Given): readonly Deed[] {
  if (object === undefined || isIn(object, "list event help commands features")) return [];
  const tells = isIn(object, "dev phy")
    ? verb === undefined || isIn(what, "info link scan survey get channels")
    : isIn(object, "reg") && isIn(verb, "get");
  return tells ? [] : [{ does: "danger", danger: network, at: verb ?? object }];
}

function firewallCommand({ words }: Given): readonly Deed[] {
  const changes = words.filter((each) => {
    const text = known(each.text);
    return (
      text === null ||
      (text.startsWith("--") &&
        !/^--(state|list-|get-|query-|info-|check-config|zone=|zone$|permanent|version|help|policy|path-|direct|ipset=)/.test(
          text,
        ))
    );
  });
  const sets = words.some((each) => /^--(state|list-|get-|query-|info-|check-config|version|help)/.test(word(each)));
  return changes.length > 0 || !sets ? [{ does: "danger", danger: firewall }] : [];
}

function tables(): Spec {
  return asksUnless(
    firewall,
    {
      options: "-L --list -S --list-rules -C --check",
      but: "-A --append -I --insert -D --delete -R --replace -F --flush -X --delete-chain -P --policy -N --new-chain -Z --zero -E --rename-chain",
    },
    {
      takes: {
        "-t --table -p --protocol -s --source -d --destination -j --jump -i --in-interface -o --out-interface -m --match -w --wait":
          "text",
      },
    },
  );
}

const nicChanges =
  "-s --change -K --features --offload -G --set-ring -A --pause -C --coalesce -L --set-channels -X --set-rxfh-indir --rxfh -N -U --config-nfc --config-ntuple -E --change-eeprom -f --flash -r --negotiate -t --test -p --identify --reset --set-priv-flags --set-dump -W --set-eee --set-phy-tunable --set-fec --set-module -Q --per-queue --set-plca-cfg";

export const networkSettings: Programs = {
  "iptables ip6tables iptables-nft ip6tables-nft iptables-legacy ip6tables-legacy arptables ebtables": tables,
  "iptables-restore ip6tables-restore iptables-apply ip6tables-apply ebtables-restore arptables-restore iptables-nft-restore iptables-legacy-restore shorewall ipfw":
    () => ({ always: firewall }),
  "iptables-save ip6tables-save": () => ({}),
  nft() {
    return asksUnless(
      firewall,
      { verbs: "list describe monitor get", options: "-c --check", but: "-f --file -i --interactive" },
      { takes: { "-I --includepath -D --define": "text", "-f --file": "read" } },
    );
  },
  ufw: () => asksUnless(firewall, { verbs: "status show", seconds: "list info", options: "--dry-run" }),
  "firewall-cmd": () => ({ style: "none", also: firewallCommand }),
  "firewall-offline-cmd": () => ({ style: "none", also: firewallCommand }),
  ipset: () => asksUnless(firewall, { verbs: "list save test -L", options: "-L --list -S --save -T --test" }),
  ipvsadm: () => asksUnless(firewall, { options: "-L -l --list -S --save" }),
  conntrack: () => asksUnless(firewall, { options: "-L --dump -G --get -S --stats -C --count -E --event" }),
  pfctl() {
    return asksUnless(
      firewall,
      { options: "-s", but: "-f -F -d -e -k -K -T -t -z" },
      { takes: { "-s -f -F -k -K -T -t": "text" } },
    );
  },
  ip() {
    return {
      style: "long",
      stops: true,
      takes: { "-n -netns -f -family -rc -rcvbuf -l -loops": "text", "-b -batch": "read" },
      also: ip,
    };
  },
  bridge: () => ({ style: "long", stops: true, also: ip }),
  tc: () => ({ style: "long", stops: true, takes: { "-n -netns -cf -conf": "text", "-b -batch": "read" }, also: ip }),
  ifconfig: () => from(2),
  route: () => asksUnless(network, { verbs: "get monitor show print -n", bare: true }),
  nmcli() {
    return {
      takes: { "-f --fields -m --mode -g --get-values -e --escape -c --colors -w --wait": "text" },
      also: connections,
    };
  },
  "nmtui nmtui-connect nmtui-edit nmtui-hostname ifup ifdown ifrename dhclient dhcpcd udhcpc wg-quick wpa_supplicant pppd pon poff hostapd resolvconf vconfig":
    () => ({ always: network }),
  ethtool: () => asksUnless(network, { lone: true, but: nicChanges }),
  brctl: () => asksUnless(network, { verbs: "show showmacs showstp" }),
  iw: () => ({ also: wireless }),
  iwconfig: () => from(2),
  iwlist: () => ({}),
  rfkill: () => asksUnless(network, { verbs: "list event", bare: true }),
  arp: () => from(9, "-d --delete -s --set -f --file"),
  wg: () => asksUnless(network, { verbs: "show showconf genkey genpsk pubkey", bare: true }),
  "openvpn vpnc openconnect wireguard-go"() {
    return {
      always: danger("network-tunnel", "opens a tunnel to another network"),
    };
  },
  netplan: () => asksUnless(network, { verbs: "get status info" }),
  networkctl: () => asksUnless(network, { verbs: "list status lldp label cat", bare: true }),
  resolvectl() {
    return asksUnless(
      network,
      {
        verbs: "status statistics query service openpgp tlsa show-cache show-server-state monitor",
        lone: true,
        bare: true,
        but: "--flush",
      },
      { also: ({ operands }) => operands.slice(1).flatMap(carried) },
    );
  },
  "systemd-resolve"() {
    return asksUnless(
      network,
      { options: "--status --statistics", bare: true, lone: true },
      { also: ({ operands }) => operands.flatMap(carried) },
    );
  },
  scutil: () => asksUnless(network, { options: "--get --dns --proxy --nwi -r -w --nc", but: "--set --prefs" }),
  networksetup() {
    return {
      style: "none",
      also: ({ words }) =>
        words.some((each) => !/^-(get|list|show|print|version|help|is)/.test(word(each)) && word(each).startsWith("-"))
          ? [{ does: "danger", danger: network }]
          : [],
    };
  },
};
