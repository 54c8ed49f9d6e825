import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { type Argument, spanOfWords } from "../text.ts";
import { asksUnless, isIn, runsIn, shellOf, withVariables, word } from "./calls.ts";

const other = danger("privilege-escalation", "runs with another user's rights");
const grants = danger("privilege-grant", "gives a program or a user more rights");
const entering = danger("privilege-escalation", "runs in another root or in other namespaces");
const container = danger("privilege-container", "runs in a container with rights of its own");

/** `sudo` and its kind: options, perhaps variables, then the command. Without one, a shell. */
function asOther(takes: string, more: Spec = {}): Spec {
  return {
    stops: true,
    always: other,
    takes: { [takes]: "text" },
    also: ({ operands }) => {
      const { variables, argv } = withVariables(operands);
      return [...variables, ...runsOrShell(argv)];
    },
    ...more,
  };
}

function runsOrShell(argv: readonly Argument[]): readonly Deed[] {
  return argv.length === 0 ? [{ does: "run-input", language: "shell" }] : runs(argv);
}

/** `gosu user command`. */
function userFirst(): Spec {
  return { stops: true, always: other, operands: ["text", "argv"] };
}
function rootFirst(): Spec {
  return { stops: true, always: entering, operands: ["text", "argv"] };
}

/** `su` and `runuser`: a user, and what its shell is to run. */
function switches(): Spec {
  return {
    always: other,
    takes: {
      "-c --command --session-command": "shell",
      "-s --shell -g --group -G --supp-group -w --whitelist-environment -u --user": "text",
    },
    also: (given) => {
      const reads = !given.has("-c --command --session-command -u --user");
      return reads ? [{ does: "run-input", language: "shell" }] : [];
    },
  };
}

/** `runuser -u user command` runs it; without -u it is `su`. */
function runuser(given: Given): readonly Deed[] {
  return given.has("-u --user") ? runs(given.operands) : (switches().also?.(given) ?? []);
}

function sudo(): Spec {
  return asOther(
    "-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -r --role -t --type -T --command-timeout -U --other-user -R --chroot -a --auth-type -c --login-class",
    {
      always: other,
      unless: "-l --list -V --version --help",
      also: (given) => {
        if (given.has("-l --list -V --version") || isHelp(given)) return [];
        if (given.has("-e --edit")) return given.operands.map((path) => ({ does: "write", path }));
        const { variables, argv } = withVariables(given.operands);
        const shell = given.has("-s --shell -i --login");
        return [...variables, ...(shell && argv.length > 0 ? shellOf(argv) : runsOrShell(argv))];
      },
    },
  );
}

function isHelp({ words }: Given): boolean {
  return words.length === 1 && ["-h", "--help"].includes(word(words[0]));
}

/** What `--` begins is a call of a shell. */
function capsh({ words }: Given): readonly Deed[] {
  const end = words.findIndex((each) => isIn(each, "-- =="));
  const reads = "--print --supports --current --license --modes --help -h";
  const onlyTells =
    words.length > 0 &&
    words.every((each) => isIn(each, reads) || /^--(decode|explain|suggest|has-[a-z])=/.test(word(each)));
  if (onlyTells) return [];
  const rest = end < 0 ? [] : words.slice(end + 1);
  const text = { text: ["bash"], splits: false, span: spanOfWords(words) };
  return [{ does: "danger", danger: other }, ...runs([text, ...rest])];
}

function namespaces(given: Given): readonly Deed[] {
  const own = given.has("-U --user -r --map-root-user -c --map-current-user --map-user --map-users --map-auto");
  return [...(own ? [] : [{ does: "danger" as const, danger: entering }]), ...runs(given.operands)];
}

function systemdRun(given: Given): readonly Deed[] {
  const { operands } = given;
  const owner = given.has("--user") ? [] : [{ does: "danger" as const, danger: other }];
  if (given.has("-S --shell") && operands.length === 0) return [...owner, { does: "run-input", language: "shell" }];
  return [...owner, ...runsIn(given.values("--working-directory")[0], operands)];
}

function machines({ operands: [first, , ...argv] }: Given): readonly Deed[] {
  if (first === undefined || isIn(first, "list status show image-status show-image list-images list-transfers help"))
    return [];
  if (isIn(first, "shell login")) return [{ does: "danger", danger: other }, ...runs(argv)];
  return [asks("privilege-container", "changes a machine of this system", first)];
}

/** `sg group -c command`, `sg group command`. */
function groupShell({ words: [group, ...rest] }: Given): readonly Deed[] {
  // A search in syntax trees has the same name.
  if (group === undefined || /^(-.+|run|scan|test|new|lsp|completions|help|docs)$/.test(word(group))) return [];
  return [{ does: "danger", danger: other }, ...shellOf(rest.filter((each) => !isIn(each, "-c")))];
}

const namespaceFiles = "-m --mount -u --uts -i --ipc -n --net -p --pid -C --cgroup -T --time -U --user -r --root";

export const privilegeTools: Programs = {
  sudo,
  "sudo-rs": sudo,
  gsudo: sudo,
  "doas dzdo pbrun pfexec please gksudo gksu kdesudo kdesu beesu ksu calife super sux lxqt-sudo lxsudo ktsuss xdg-su mdo userv":
    () => asOther("-u --user -C -a -g -n"),
  pkexec: () => asOther("--user"),
  run0() {
    return asOther(
      "-u --user -g --group -D --chdir --setenv --slice --unit --property --nice --background --machine --description",
    );
  },
  su: switches,
  runuser: () => ({ ...switches(), also: runuser }),
  setpriv() {
    return asksUnless(
      other,
      { options: "-d --dump" },
      {
        stops: true,
        takes: {
          "--reuid --euid --ruid --regid --egid --rgid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig --selinux-label --apparmor-profile --landlock-access --landlock-rule --ptracer --seccomp-filter":
            "text",
        },
        operands: ["argv"],
      },
    );
  },
  "gosu su-exec setuidgid s6-setuidgid s6-envuidgid envuidgid runas": userFirst,
  "s6-applyuidgid": () => asOther("-u -g -G"),
  "chroot arch-chroot enter-chroot jchroot"() {
    return {
      ...rootFirst(),
      takes: { "--userspec --groups -u -g -G": "text" },
    };
  },
  nsenter() {
    return {
      stops: true,
      always: entering,
      takes: { "-t --target -S --setuid -G --setgid -N --net-socket": "text" },
      may: { [namespaceFiles]: "text", "-w --wd -W --wdns": "text" },
      operands: ["argv"],
    };
  },
  unshare() {
    return {
      stops: true,
      takes: {
        "-S --setuid -G --setgid -R --root -w --wd --propagation --setgroups --map-user --map-group --map-users --map-groups --monotonic --boottime":
          "text",
      },
      may: { "-m --mount -u --uts -i --ipc -n --net -p --pid -C --cgroup -T --time --kill-child --mount-proc": "text" },
      also: namespaces,
    };
  },
  capsh: () => ({ style: "none", also: capsh }),
  setcap: () => asksUnless(grants, { options: "-v" }),
  "newuidmap newgidmap": () => ({ always: grants }),
  machinectl() {
    return {
      takes: { "-H --host": "host", "-M --machine -p --property -P -n --lines -o --output --uid -E --setenv": "text" },
      also: machines,
    };
  },
  "systemd-run"() {
    return {
      stops: true,
      takes: {
        "--unit -u --description --slice -p --property --uid --gid --nice --working-directory --service-type --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --timer-property --path-property --socket-property --background --json":
          "text",
        "-E --setenv": "variable",
        "-H --host": "host",
        "-M --machine": "text",
      },
      also: systemdRun,
    };
  },
  "systemd-nspawn lxc-attach lxc-execute lxc-start schroot dchroot"() {
    return {
      ...rootFirst(),
      always: container,
      operands: ["text"],
    };
  },
  "sudoedit doasedit": () => ({ always: other, takes: { "-u --user -g --group": "text" }, operands: ["write"] }),
  visudo: () => asksUnless(grants, { options: "-c --check", but: "-O --owner -P --perms" }),
  newgrp: () => ({ always: other }),
  sg: () => ({ style: "none", also: groupShell }),
  login: () => ({ always: other }),
  sulogin: () => ({ always: other }),
};
