import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { type Argument, known, shown } from "../text.ts";
import { asksUnless, isIn, onlyReads } from "./calls.ts";

const packages = danger("system-package", "installs, removes or changes packages of this machine");
function asksAlways(): Spec {
  return { always: packages };
}

/** Settings of apt that name a command. */
function aptSettings(given: Given): readonly Deed[] {
  return given.values("-o --option").flatMap((value) => {
    const named =
      known(value.text) === null || /invoke|pager|dpkg|bin|solver|hooks|options|proxy|dir/i.test(shown(value.text));
    return named ? [asks("exec-option", "gives apt a setting that can name a command", value)] : [];
  });
}

const apt = (verbs: string): Spec =>
  asksUnless(
    packages,
    { verbs, options: "-s --simulate --just-print --dry-run --recon --no-act", bare: true },
    {
      takes: {
        "-o --option -t --target-release --default-release -a --host-architecture": "text",
        "-c --config-file": "read",
      },
      also: aptSettings,
    },
  );

const simulated = "-s --simulate --just-print --dry-run --recon --no-act";

const debReads =
  "-l --list -s --status -L --listfiles -S --search -p --print-avail -I --info -c --contents -f --field --get-selections --compare-versions --print-architecture --print-foreign-architectures -W --show -V --verify -C --audit --fsys-tarfile --dry-run --no-act --simulate -b --build --ctrl-tarfile --validate-pkgname --validate-version";
const debChanges =
  "-i --install -r --remove -P --purge --unpack --configure --set-selections --clear-selections --add-architecture --remove-architecture -A --record-avail --update-avail --merge-avail --clear-avail --triggers-only --pre-invoke --post-invoke --status-logger --root --instdir";

/** Unpacking goes to the folder that is named last. */
function unpacks(given: Given): readonly Deed[] {
  const [, folder] = given.operands;
  const goes = given.has("-x --extract -X --vextract -e --control -R --raw-extract") && folder !== undefined;
  return goes ? [{ does: "write", path: folder }] : [];
}

const debExtracts = "-x --extract -X --vextract -e --control -R --raw-extract";

/** A macro of rpm can run a shell or Lua. */
function rpmMacros(given: Given): readonly Deed[] {
  return given.values("-E --eval -D --define").flatMap((value: Argument) => {
    const text = shown(value.text);
    const runsSomething = known(value.text) === null || /%\(|%\{lua|%\{uncompress|%\[|%\{load|%\{expand/.test(text);
    return runsSomething ? [asks("exec-option", "gives rpm a macro that can run a command", value)] : [];
  });
}

function rpm(): Spec {
  return asksUnless(
    packages,
    {
      options: "-q --query -V --verify -K --checksig -E --eval --showrc --querytags --test",
      but: "-i --install -U --upgrade -F --freshen -e --erase --import --initdb --rebuilddb --setperms --setugids --setcaps --restore",
      bare: true,
    },
    {
      takes: {
        "-E --eval -D --define --qf --queryformat --root --dbpath -r --rcfile --load": "text",
        "--pipe": "shell",
      },
      // Also the beginning of `--queryformat`.
      may: { "--query": "text" },
      also: rpmMacros,
    },
  );
}

/** `rpm -qi`: the letter means something else in a query. */
function rpmCall(given: Given): readonly Deed[] {
  const queries = given.has("-q --query -V --verify -K --checksig");
  const changes = given.has("--import --install --upgrade --freshen --erase --initdb --rebuilddb --restore");
  return queries && !changes ? rpmMacros(given) : (rpm().also?.(given) ?? []);
}

const dnfReads =
  "list info search repolist repoinfo repoquery provides whatprovides deplist check check-update updateinfo help grouplist groupinfo leaves download changelog";

function pacman(given: Given): readonly Deed[] {
  const asksFor =
    given.has("-Q --query -T --deptest -F --files -V -h") ||
    (given.has("-S --sync") && given.has("-s --search -i --info -l --list -g --groups -p --print"));
  const changes =
    given.has("-R --remove -U --upgrade -D --database") ||
    (given.has("-S --sync") && given.has("-y --refresh --sysupgrade -c --clean"));
  return asksFor && !changes ? [] : [{ does: "danger", danger: packages }];
}

function pacmanSpec(): Spec {
  return {
    takes: { "-r --root -b --dbpath --config --arch --cachedir --color": "text" },
    also: pacman,
  };
}

function flatpak(given: Given): readonly Deed[] {
  const [verb] = given.operands;
  const reading =
    "list info search remotes history ps documents document-info permissions permission-show remote-ls remote-info run config build build-init build-export build-finish";
  return onlyReads({ verbs: reading, bare: true }, given)
    ? []
    : [{ does: "danger", danger: packages, ...(verb ? { at: verb } : {}) }];
}

/** `guix shell … -- command` and the like. */
function afterDashes({ words }: Given): readonly Deed[] {
  const end = words.findIndex((each) => isIn(each, "--"));
  return end < 0 ? [] : runs(words.slice(end + 1));
}

const changesAnyway =
  "add-apt-repository apt-add-repository ppa-purge gdebi alien checkinstall urpmi urpme urpmi.update xbps-install xbps-remove xbps-reconfigure xbps-pkgdb pkg_add pkg_delete installpkg removepkg upgradepkg unattended-upgrade unattended-upgrades do-release-upgrade transactional-update installer dpkg-preconfigure dselect synaptic update-manager apt-cdrom pkgadd pkgrm";

export const packageTools: Programs = {
  apt: () => apt("list search show policy depends rdepends showsrc changelog moo download source why why-not"),
  "apt-get": () => apt("changelog download source check indextargets print"),
  nala: () => apt("list search show history policy"),
  "apt-cache": () => ({ takes: { "-o --option": "text" }, also: aptSettings }),
  "apt-config": () => ({}),
  "apt-mark": () => asksUnless(packages, { verbs: "showauto showmanual showhold showinstall showremove showpurge" }),
  "apt-key": () => asksUnless(packages, { verbs: "list finger export exportall" }),
  "apt-file": () => asksUnless(packages, { verbs: "search list show find" }, { takes: { "-a -s -c": "text" } }),
  aptitude: () =>
    asksUnless(packages, { verbs: "search show why why-not versions changelog download", options: simulated }),
  dpkg() {
    return asksUnless(
      packages,
      { options: `${debReads} ${debExtracts}`, but: debChanges },
      {
        takes: { "--root --instdir --admindir": "text", "--pre-invoke --post-invoke --status-logger": "shell" },
        also: unpacks,
      },
    );
  },
  "dpkg-deb": () => ({ also: unpacks }),
  "dpkg-query": () => ({}),
  "dpkg-divert": () => asksUnless(packages, { options: "--list --listpackage --truename" }),
  "dpkg-statoverride": () => asksUnless(packages, { options: "--list" }),
  "yum dnf dnf5 microdnf tdnf dnf-3"() {
    return asksUnless(
      packages,
      { verbs: dnfReads, seconds: "list info", bare: true, but: "--setopt" },
      {
        takes: {
          "--enablerepo --disablerepo --repo --repoid -c --config --releasever --setopt -x --exclude --installroot --forcearch --qf --queryformat --destdir --downloaddir":
            "text",
        },
      },
    );
  },
  rpm: () => ({ ...rpm(), also: rpmCall }),
  rpmquery: () => ({}),
  "rpmdb rpmkeys": () => asksUnless(packages, { options: "-K --checksig --list" }),
  zypper() {
    return asksUnless(
      packages,
      {
        verbs:
          "search se info if list-updates lu repos lr services ls patterns pt products pd packages pa what-provides wp patches pch list-patches lp versioncmp vcmp licenses locks ll ps needs-rebooting targetos tos source-download",
        bare: true,
      },
      { takes: { "-R --root -c --config -D --reposd-dir --plus-repo": "text" } },
    );
  },
  "pacman yay paru pikaur trizen": pacmanSpec,
  pamac: () => asksUnless(packages, { verbs: "search list info checkupdates" }),
  makepkg: () => ({ danger: { "-i --install -s --syncdeps -r --rmdeps": packages } }),
  apk() {
    return asksUnless(
      packages,
      { verbs: "info list search policy dot stats audit verify manifest fetch", options: "-s --simulate", bare: true },
      { takes: { "-p --root -X --repository --arch --keys-dir --repositories-file": "text" } },
    );
  },
  snap() {
    return asksUnless(packages, {
      verbs:
        "list info find search changes tasks services connections interfaces interface known logs whoami model get pack run warnings saved",
      bare: true,
    });
  },
  flatpak: () => ({ stops: true, also: flatpak }),
  port() {
    return asksUnless(packages, {
      verbs:
        "installed list search info deps contents provides variants outdated dependents rdeps location file dir echo cat homepage work notes livecheck",
    });
  },
  emerge: () => asksUnless(packages, { options: "-p --pretend -s --search -S --searchdesc --info --list-sets" }),
  "equery eix qlist xbps-query rpm2cpio rpmspec pkg-config pkgconf": () => ({}),
  eopkg: () =>
    asksUnless(packages, { verbs: "list-installed li list-available la search sr info list-repo lr history hs" }),
  swupd: () => asksUnless(packages, { verbs: "bundle-list bundle-info search info check-update" }),
  opkg() {
    return asksUnless(packages, {
      verbs: "list list-installed list-upgradable info status files search find whatprovides",
    });
  },
  slackpkg: () => asksUnless(packages, { verbs: "search info file-search show-changelog" }),
  pkg() {
    return asksUnless(packages, {
      verbs: "info search query which audit stats rquery list-all list-installed show files shlib check",
      bare: true,
    });
  },
  pkgin: () => asksUnless(packages, { verbs: "list ls avail search show-deps pkg-content stats" }),
  pkgutil: () => ({ danger: { "--forget --unlink --repair": packages } }),
  "nix-env"() {
    return asksUnless(
      packages,
      { options: "-q --query --list-generations --dry-run", but: "--delete-generations" },
      { takes: { "-f --file -p --profile -A --attr": "text" } },
    );
  },
  "nix-collect-garbage": asksAlways,
  "nixos-rebuild darwin-rebuild": () =>
    asksUnless(packages, { verbs: "build dry-build dry-activate build-vm list-generations" }),
  guix() {
    return {
      stops: true,
      also: (given) => [
        ...afterDashes(given),
        ...(onlyReads(
          {
            verbs: "search show describe size build shell environment lint graph hash import edit challenge weather",
            bare: true,
          },
          given,
        )
          ? []
          : [{ does: "danger" as const, danger: packages }]),
      ],
    };
  },
  "rpm-ostree": () => asksUnless(packages, { verbs: "status db search", bare: true }),
  ostree: () => asksUnless(packages, { verbs: "log refs show ls cat diff summary", seconds: "status" }),
  softwareupdate: () => asksUnless(packages, { options: "-l --list --history --list-full-installers" }),
  tasksel: () => asksUnless(packages, { options: "--list-tasks --task-packages --task-desc" }),
  "choco winget scoop mas": () =>
    asksUnless(packages, { verbs: "list search find info show outdated status export which account", bare: true }),
  pkcon() {
    return asksUnless(packages, {
      verbs: "search get-updates get-details get-packages resolve backend-details repo-list",
    });
  },
  [changesAnyway]: asksAlways,
};
