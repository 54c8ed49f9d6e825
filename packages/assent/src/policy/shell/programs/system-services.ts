import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { asksUnless, isIn, onlyReads } from "./calls.ts";

const services = danger("system-service", "starts, stops or changes services of this machine");
const power = danger("system-power", "stops or restarts this machine");
const settings = danger("system-settings", "changes settings of this machine");
const schedule = danger("system-schedule", "changes what this machine runs at set times");

function unitOptions(): Spec {
  return {
    takes: {
      "-t --type -s --signal --state -p --property -P -n --lines -o --output --root --image --kill-whom --kill-who --kill-value --what --job-mode --preset-mode -M --machine --when --timestamp --drop-in --legend --message --boot-loader-menu --boot-loader-entry --reboot-argument":
        "text",
      "-H --host": "host",
    },
  };
}

const unitReads =
  "status show cat list-units list-unit-files list-timers list-sockets list-jobs list-dependencies list-machines list-automounts list-paths is-active is-enabled is-failed is-system-running get-default show-environment whoami";
const powerVerbs =
  "reboot poweroff halt kexec soft-reboot suspend hibernate hybrid-sleep suspend-then-hibernate sleep exit";

/** The person's own services are their own, but switching the machine off is not. */
function units(given: Given): readonly Deed[] {
  const [verb] = given.operands;
  // Without a verb it lists.
  if (verb === undefined) return [];
  if (isIn(verb, powerVerbs)) return [{ does: "danger", danger: power, at: verb }];
  if (given.has("--user") || onlyReads({ verbs: unitReads }, given)) return [];
  return [{ does: "danger", danger: services, at: verb }];
}

/** `at`, `batch`: what is to run later comes from a file or on standard input. */
function later(given: Given): readonly Deed[] {
  if (given.has("-l -c -V")) return [];
  const files = given.values("-f");
  if (files.length > 0 || given.has("-d -r")) return [{ does: "danger", danger: schedule }];
  return [
    { does: "danger", danger: schedule },
    { does: "run-input", language: "shell" },
  ];
}

function busCalls(): Spec {
  return {
    also: (given) =>
      given.words.some((each) => isIn(each, "--system -y")) &&
      !given.words.some((each) => isIn(each, "introspect monitor"))
        ? [asks("system-settings", "talks to services of this machine")]
        : [],
  };
}

function setsName(): Spec {
  return {
    takes: { "-F --file": "read" },
    also: ({ operands: [name], has }) =>
      name !== undefined || has("-F --file -b --boot") ? [{ does: "danger", danger: settings }] : [],
  };
}

export const serviceTools: Programs = {
  systemctl: () => ({ ...unitOptions(), also: units }),
  service: () => asksUnless(services, { seconds: "status", lone: true, options: "--status-all" }),
  "rc-service"() {
    return asksUnless(services, {
      seconds: "status describe",
      lone: true,
      options: "-l --list -e --exists -r --resolve",
    });
  },
  "rc-update": () => asksUnless(services, { verbs: "show -v", bare: true }),
  "rc-status": () => ({}),
  "update-rc.d insserv": () => ({ always: services }),
  "invoke-rc.d": () => asksUnless(services, { seconds: "status", lone: true }),
  chkconfig() {
    return asksUnless(services, {
      options: "-l --list",
      bare: true,
      lone: true,
      but: "--add --del --level --override",
    });
  },
  initctl: () => asksUnless(services, { verbs: "list status show-config check-config usage", bare: true }),
  launchctl() {
    return asksUnless(services, {
      verbs:
        "list print print-disabled print-cache blame dumpstate getenv error hostinfo resolveport examine limit managername managerpid manageruid variant dumpjpcategory procinfo",
      bare: true,
    });
  },
  "sv s6-svc s6-rc svc": () => asksUnless(services, { verbs: "status list" }),
  supervisorctl() {
    return asksUnless(
      services,
      { verbs: "status tail avail pid maintail", bare: true },
      { takes: { "-c -s -u -p": "text" } },
    );
  },
  monit: () => asksUnless(services, { verbs: "status summary report procmatch", options: "-t" }),
  nginx: () => asksUnless(services, { options: "-t -T -v -V -h", but: "-s" }, { takes: { "-s -c -p -g -e": "text" } }),
  "apachectl apache2ctl httpd apache2"() {
    return {
      takes: { "-k -f -d -c -C -D -e": "text" },
      also: (given) =>
        onlyReads({ verbs: "configtest status fullstatus graceful-status", options: "-t -S -v -V -M -l -L -h" }, given)
          ? []
          : [{ does: "danger", danger: services }],
    };
  },
  "a2ensite a2dissite a2enmod a2dismod a2enconf a2disconf phpenmod phpdismod lighty-enable-mod"() {
    return {
      always: services,
    };
  },
  "exportfs rndc postfix doveadm pg_ctlcluster pg_dropcluster pg_createcluster rabbitmqctl varnishadm asterisk smbcontrol lpadmin cupsenable cupsdisable"() {
    return asksUnless(services, {
      verbs: "status list check list_queues cluster_status",
      options: "-v",
      bare: true,
      but: "-a -r -u -ra -au",
    });
  },
  "cloud-init cloud-id ubuntu-drivers pro ua": () =>
    asksUnless(settings, { verbs: "status query list devices debug analyze schema collect-logs", bare: true }),
  journalctl() {
    return {
      danger: {
        "--vacuum-size --vacuum-time --vacuum-files --rotate --flush --sync --relinquish-var --smart-relinquish-var --setup-keys --update-catalog":
          danger("system-settings", "changes the logs of this machine"),
      },
    };
  },
  loginctl() {
    return asksUnless(
      services,
      {
        verbs:
          "list-sessions session-status show-session list-users user-status show-user list-seats seat-status show-seat",
        bare: true,
      },
      unitOptions(),
    );
  },
  hostnamectl: () => asksUnless(settings, { verbs: "status", bare: true, lone: true }, unitOptions()),
  hostname: setsName,
  "domainname nisdomainname ypdomainname": setsName,
  timedatectl() {
    return asksUnless(
      settings,
      { verbs: "status show timesync-status show-timesync list-timezones", bare: true },
      unitOptions(),
    );
  },
  localectl() {
    return asksUnless(
      settings,
      {
        verbs:
          "status list-locales list-keymaps list-x11-keymap-models list-x11-keymap-layouts list-x11-keymap-variants list-x11-keymap-options",
        bare: true,
      },
      unitOptions(),
    );
  },
  hwclock() {
    return asksUnless(settings, {
      options: "-r --show --get",
      bare: true,
      but: "-s --hctosys -w --systohc --set --systz --adjust",
    });
  },
  "ntpdate rdate sntp chronyd ntpd tzdata-update update-locale locale-gen": () => ({ always: settings }),
  chronyc() {
    return asksUnless(settings, {
      verbs: "tracking sources sourcestats activity ntpdata serverstats clients rtcdata waitsync",
      bare: true,
    });
  },
  busctl() {
    return asksUnless(settings, {
      verbs: "list status monitor capture tree introspect get-property",
      options: "--user",
      bare: true,
    });
  },
  "dbus-send gdbus": () => ({ style: "long", ...busCalls() }),
  coredumpctl: () => ({}),
  "systemd-analyze": () => ({}),
  "systemd-tmpfiles systemd-sysusers systemd-firstboot systemd-machine-id-setup": () =>
    asksUnless(settings, { options: "--user --cat-config --dry-run --tldr" }),
  "homectl portablectl userdbctl"() {
    return asksUnless(settings, {
      verbs: "list inspect user group users-in-group groups-of-user services ssh-authorized-keys is-attached",
      bare: true,
    });
  },
  crontab: () => asksUnless(schedule, { options: "-l -V", but: "-r -e -i" }, { takes: { "-u -T -c": "text" } }),
  "fcrontab incrontab": () => asksUnless(schedule, { options: "-l --list" }),
  "at batch": () => ({ takes: { "-q -t -d -r -c": "text", "-f": "script" }, also: later }),
  atq: () => ({}),
  "atrm anacron schtasks": () => ({ always: schedule }),
  "reboot poweroff halt pm-suspend pm-hibernate pm-suspend-hybrid zzz telinit shutdown"() {
    return {
      always: power,
      unless: "--show",
    };
  },
  init: () => ({ always: power }),
  rtcwake: () => ({ always: power }),
  wall: () => ({ always: danger("system-settings", "writes to everybody's terminal") }),
  watchdog: () => ({ always: power }),
  "openrc-shutdown": () => ({ always: power }),
};
