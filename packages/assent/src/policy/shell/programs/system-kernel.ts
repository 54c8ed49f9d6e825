import type { Deed } from "../deeds.ts";
import { danger, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { known } from "../text.ts";
import { asksUnless, word } from "./calls.ts";

const kernel = danger("system-kernel", "changes the running kernel or how it starts");
const protection = danger("system-settings", "changes what protects this machine");
const settings = danger("system-settings", "changes settings of this machine");

function asksAlways(): Spec {
  return { always: kernel };
}

/** `name=value` sets, `name` shows. */
function sysctl(given: Given): readonly Deed[] {
  const sets = given.operands.some(
    ({ text }) => known(text) === null || text.some((each) => typeof each === "string" && each.includes("=")),
  );
  return sets || given.has("-w --write -p --load -f --system") ? [{ does: "danger", danger: kernel }] : [];
}

function nvramSets(): Spec {
  return {
    also: (given) =>
      given.operands.some((each) => word(each).includes("=")) || given.has("-d -c -f")
        ? [{ does: "danger", danger: kernel }]
        : [],
  };
}

/** `-o` says where it is written; without it the text is only printed. */
function writesWith(): Spec {
  return { takes: { "-o --output": "write" } };
}

const grubTools =
  "grub-install grub2-install grub-set-default grub2-set-default grub-reboot grub2-reboot grub-setpassword grub2-setpassword grub-bios-setup grub2-bios-setup update-grub update-grub2 grub-switch-to-blscfg grub2-switch-to-blscfg lilo extlinux syslinux";

export const kernelTools: Programs = {
  sysctl: () => ({ takes: { "-r --pattern": "text" }, also: sysctl }),
  modprobe() {
    return asksUnless(kernel, {
      options: "-c --showconfig -n --dry-run --show -D --show-depends -R --resolve-alias --dump-modversions -V",
    });
  },
  "insmod rmmod kexec kextload kextunload update-initramfs mkinitcpio dracut installkernel flashrom": asksAlways,
  depmod: () => asksUnless(kernel, { options: "-n --show --dry-run" }),
  kmod: () => asksUnless(kernel, { verbs: "list static-nodes" }),
  "lsmod modinfo getenforce sestatus selinuxenabled aa-status aa-enabled apparmor_status": () => ({}),
  dkms: () => asksUnless(kernel, { verbs: "status" }),
  "kernel-install": () => asksUnless(kernel, { verbs: "inspect list" }),
  dmesg() {
    return {
      takes: { "-f --facility -l --level -s --buffer-size --since --until --time-format -F --file": "text" },
      danger: { "-C --clear -c --read-clear -D --console-off -E --console-on -n --console-level": kernel },
    };
  },
  [grubTools]: asksAlways,
  "grub-mkconfig grub2-mkconfig mkinitramfs": writesWith,
  "grub-editenv grub2-editenv": () => asksUnless(kernel, { seconds: "list" }),
  grubby() {
    return asksUnless(kernel, {
      options: "--info --default-kernel --default-index --default-title",
      but: "--update-kernel --set-default --add-kernel --remove-kernel --set-default-index",
    });
  },
  bootctl() {
    return asksUnless(kernel, {
      verbs: "status list is-installed",
      options: "-p --print-esp-path -x --print-boot-path",
      bare: true,
    });
  },
  efibootmgr() {
    return asksUnless(kernel, {
      options: "-v --verbose",
      bare: true,
      but: "-b --bootnum -B --delete-bootnum -c --create -o --bootorder -n --bootnext -N --delete-bootnext -O --delete-bootorder -a --active -A --inactive -t --timeout -D --remove-dups",
    });
  },
  mokutil() {
    return asksUnless(kernel, {
      options: "-l --list-enrolled --list-new --list-delete --sb-state -t --test-key --pk --kek --db --dbx",
      but: "-i --import -d --delete --reset --disable-validation --enable-validation",
    });
  },
  fwupdmgr() {
    return asksUnless(kernel, {
      verbs:
        "get-devices get-updates get-history get-remotes get-details get-releases get-topology security get-results get-upgrades",
    });
  },
  bpftool: () => asksUnless(kernel, { seconds: "show list dump help", lone: true }),
  udevadm: () => asksUnless(kernel, { verbs: "info monitor settle test test-builtin verify" }),
  "chcpu chmem cpupower cpufreq-set": () => asksUnless(kernel, { verbs: "frequency-info idle-info info monitor" }),
  nvram: nvramSets,
  "setenforce setsebool apparmor_parser aa-enforce aa-complain aa-disable aa-audit aa-teardown aa-remove-unknown aa-genprof aa-logprof aa-autodep aa-mergeprof restorecon chcon fixfiles setfiles authselect pam-auth-update authconfig":
    () => asksUnless(protection, { verbs: "current list show check", options: "-n --dry-run" }),
  "aa-exec": () => ({
    stops: true,
    takes: { "-p --profile -n --namespace": "text" },
    also: ({ operands }) => runs(operands),
  }),
  semanage() {
    return asksUnless(protection, {
      options: "-l --list -E --extract",
      but: "-a --add -d --delete -m --modify -D --deleteall",
    });
  },
  semodule() {
    return asksUnless(protection, {
      options: "-l --list-modules",
      but: "-i --install -r --remove -d --disable -e --enable -R --reload -B --build",
    });
  },
  auditctl: () => asksUnless(protection, { options: "-l -s -v", but: "-D -d -a -A -w -W -e -R" }),
  csrutil: () => asksUnless(protection, { verbs: "status", seconds: "status" }),
  spctl() {
    return asksUnless(protection, {
      options: "--status -a --assess",
      but: "--master-disable --global-disable --add --remove --disable",
    });
  },
  fdesetup() {
    return asksUnless(protection, {
      verbs: "status list isactive haspersonalrecoverykey hasinstitutionalrecoverykey supportsauthrestart",
    });
  },
  profiles: () => asksUnless(protection, { verbs: "list show status", options: "-P -L -C" }),
  "update-ca-certificates update-ca-trust loadkeys debconf-set-selections dpkg-reconfigure"() {
    return {
      always: settings,
    };
  },
  trust: () => asksUnless(settings, { verbs: "list extract dump check-format" }),
  systemsetup() {
    return {
      style: "none",
      also: ({ words }) =>
        words.some((each) => /^-set/.test(word(each))) ? [{ does: "danger", danger: settings }] : [],
    };
  },
  pmset: () => asksUnless(settings, { options: "-g" }),
  ldconfig: () => asksUnless(settings, { options: "-p --print-cache -N", but: "-C -f -n -l" }),
  "update-alternatives alternatives"() {
    return asksUnless(settings, {
      options: "--list --display --query --get-selections",
      but: "--set --install --remove --remove-all --auto --config --all --force --set-selections",
    });
  },
};
