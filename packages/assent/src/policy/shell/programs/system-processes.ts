import type { Deed } from "../deeds.ts";
import { asks, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, known, shown } from "../text.ts";
import { givenOf, sortWords } from "../words.ts";
import { isIn, word } from "./calls.ts";

const everybody = "ends processes of this machine, not only its own";

/** `1` is what started all others, `-1` is all of them. */
const endsAll = (pid: Argument): boolean => {
  const text = known(pid.text);
  return text !== null && /^[-+]?\d+$/.test(text) && Math.abs(Number(text)) === 1;
};

/** The first word that begins with a dash is the signal; after it, a dash makes it a group of processes. */
function kill({ words }: Given): readonly Deed[] {
  const [first, ...rest] = words;
  if (first === undefined || isIn(first, "-l -L --list --table -t")) return [];
  const signal = /^(-s|-n|--signal|-q|--queue)$/.test(word(first));
  const attached = !signal && word(first).startsWith("-") && word(first) !== "--";
  const pids = signal ? rest.slice(1) : attached ? rest : words;
  const onlyAsks = isIn(first, "-0") || (signal && rest[0] !== undefined && isIn(rest[0], "0"));
  if (attached && rest.length === 0 && endsAll(first)) return [asks("system-process", everybody, first)];
  if (onlyAsks) return [];
  return pids.filter((pid) => endsAll(pid) || endsDaemon(pid)).map((pid) => asks("system-process", everybody, pid));
}

const daemons = new RegExp(
  `^(${[
    "systemd",
    "systemd-.*",
    "init",
    "launchd",
    "kernel_task",
    "windowserver",
    "loginwindow",
    "sshd",
    "dbus",
    "dbus-.*",
    "networkmanager",
    "wpa_supplicant",
    "dhclient",
    "dhcpcd",
    "crond?",
    "atd",
    "r?syslogd?",
    "syslog-ng",
    "journald",
    "logind",
    "udevd",
    "auditd",
    "polkitd",
    "login",
    "a?getty",
    "dockerd",
    "containerd",
    "kubelet",
    "snapd",
    "firewalld",
    "chronyd",
    "ntpd",
    "cupsd",
    "avahi-daemon",
    "xorg",
    "x",
    "xwayland",
    "gdm3?",
    "sddm",
    "lightdm",
    "gnome-shell",
    "kwin.*",
    "plasmashell",
    "accounts-daemon",
    "upowerd",
    "udisksd",
    "kthreadd",
    "supervisord",
    "runit",
    "runsvdir",
    "s6-svscan",
  ].join("|")})$`,
  "i",
);

/** Patterns that any process would match. */
const matchesAll = /^[.^$*?+[\]a-z0-9\\|()-]{0,1}$|^\^?\.[*+]?\$?$|^\[[^\]]*\][*+]?$/;

function isSystem(pattern: Argument): boolean {
  const text = known(pattern.text);
  if (text === null) return false;
  return text.split("|").some((each) => {
    const bare = each.replaceAll(/^[\^(]+|[$)]+$/g, "").replace(/^(\/usr)?\/(local\/)?(s?bin|lib\/systemd|lib)\//, "");
    return daemons.test(bare) || matchesAll.test(each);
  });
}

/** `$(pidof systemd)`: the number is not known, but whose it is. */
function endsDaemon({ text, span }: Argument): boolean {
  const words = /\b(?:pgrep|pidof)\s+([^)`|;&]*)/.exec(shown(text))?.[1]?.split(/\s+/) ?? [];
  return words.some((each) => !each.startsWith("-") && each !== "" && isSystem({ text: [each], splits: false, span }));
}

function byName(): Spec {
  return {
    takes: {
      "-u --euid --user -U --uid -g --pgroup -G --group -P --parent -t --terminal -s --session --signal -F --pidfile --ns --nslist -r --runstates -O --older -Z --context --cgroup --env":
        "text",
    },
  };
}

function byWholeName(): Spec {
  return {
    takes: { "-u --user -s --signal -o --older-than -y --younger-than -Z --context -n --ns -t -c": "text" },
  };
}

/** `-KILL`, `-9`, `-SIGHUP`: not letters of options. */
const isSignal = (each: Argument): boolean => /^-(\d+|(SIG)?[A-Z]{2,}[0-9+-]*)$/.test(word(each));

function killNamed(spec: Spec, { name, words }: Given): readonly Deed[] {
  const rest = words.filter((each) => !isSignal(each));
  const given = givenOf(name, rest, sortWords(spec, rest));
  const users = given.values("-u --euid --user -U --uid");
  const found = given.operands.filter(isSystem);
  if (words.some((each) => isIn(each, "-0 -l --list"))) return [];
  // To killall, -v is to say more.
  if (users.some((each) => isIn(each, "root 0")) || (name !== "killall" && given.has("-v --inverse")))
    return [asks("system-process", everybody, users[0])];
  if (users.length > 0 && given.operands.length === 0) {
    return [asks("system-process", "ends all that a user runs", users[0])];
  }
  const parents = given.values("-P --parent").filter((each) => name === "pkill" && isIn(each, "0 1"));
  return [...found, ...parents].map((each) => asks("system-process", everybody, each));
}

/** What many programs of the machine have open. */
const systemPath = /^\/(?:$|(?:etc|usr|bin|sbin|lib\w*|var|dev|boot|proc|sys|home)(?:\/|$))/;

export const processTools: Programs = {
  kill: () => ({ style: "none", also: kill }),
  "pkill skill": () => ({ style: "none", also: (given) => killNamed(byName(), given) }),
  killall: () => ({ style: "none", also: (given) => killNamed(byWholeName(), given) }),
  "killall5 slay": () => ({ always: { rule: "system-process", reason: everybody } }),
  fuser() {
    return {
      takes: { "-n --namespace": "text" },
      also: (given) =>
        given.has("-k --kill") &&
        (given.has("-m --mount -M --ismountpoint -c") ||
          given.operands.some(({ text }) => systemPath.test(known(text) ?? "")))
          ? [asks("system-process", everybody)]
          : [],
    };
  },
  "pgrep pidof pidwait renice": () => ({}),
};
