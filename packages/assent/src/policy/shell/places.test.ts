import { describe, expect, it } from "vitest";
import { resolvePath } from "./paths.ts";
import {
  isAboveStartup,
  isContinuousIntegrationFile,
  isEverything,
  isOwnPlace,
  isStartupPlace,
  isSystemPlace,
  type World,
} from "./places.ts";
import type { Hole, Text } from "./text.ts";

const any: Hole = { hole: "any", from: "$X" };
const word: Hole = { hole: "word", from: "$W" };
const path: Hole = { hole: "path", from: "$P" };

const linux: World = {
  ...{ platform: "linux", home: "/home/dev", root: "/home/dev/project" },
  own: ["/home/dev/.assent", "/home/dev/.config/assent", "/usr/lib/node_modules/assent/dist"],
};
const mac: World = { ...linux, platform: "darwin", home: "/Users/dev", root: "/Users/dev/project", own: [] };

/** Patterns, and `$X`, `$W` and `$P` for holes. */
function given(written: string, world: World = linux, cwd = world.root): Text {
  const holes: Readonly<Record<string, Hole>> = { $X: any, $W: word, $P: path };
  const pieces = written.replace(/^~/u, world.home ?? "~").split(/(\*+|\?|\[[^\]]*\]|\$[XWP])/u);
  const text = pieces
    .filter((piece) => piece !== "")
    .map((piece) => holes[piece] ?? (/^(?:\*|\?|\[)/u.test(piece) ? ({ hole: "glob", from: piece } as const) : piece));
  return resolvePath(text, [cwd]);
}

/** Several in each line. */
function list(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "));
}

type Judges = (path: Text, world: World) => boolean;

/** Those of them for which it does not hold. */
function unlike(judges: Judges, expected: boolean, list: readonly string[], world: World = linux): readonly string[] {
  return list.filter((each) => judges(given(each, world), world) !== expected);
}

describe("isSystemPlace", () => {
  it("holds in the folders of the system", () => {
    const yes = list(
      "/etc/motd /etc / //etc//motd ../../../etc/motd /usr/local/bin/tool /bin/ls /sbin/x /lib/x /lib64/x",
      "/boot/x /dev/sda /dev/mem /dev/tty1 /proc/sys/kernel/x /proc/sysrq-trigger /sys/x /var/log/x",
      "/var/spool/cron/crontabs/root /root/x /opt/x /run/systemd/x /proc/self/root/etc/motd /proc/1/fd/1",
      "/tmp/../etc/x /e??/motd /* /*/motd /etc/$X /e$X /$X $X/etc/motd $X/../etc/motd /dev/sd? /dev/nul?",
      "/dev/$X /dev /var/tmpx /dev/shm/../sda /var/folders/x",
    );
    expect(unlike(isSystemPlace, true, yes)).toEqual([]);
  });

  it("does not hold elsewhere", () => {
    const no = list(
      "a.txt etc/motd ./etc/motd /tmp/x /home/dev/x ~/notes.txt /srv/x /mnt/x /foo /data/x /etcetera",
      "/dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/stdin /dev/stdout /dev/stderr /dev/fd/3",
      "/dev/fd/$X /dev/tty /dev/shm/x /dev/pts/0 /dev/ptmx /proc/self/fd/1 /var/tmp/x /run/user/1000/x $X",
      "$X.txt $X/src/a $P $P/etc/x $W.txt out-$X.txt /home/dev/$X /tmp/$X *.log src/*/x $X/* /tmp/$X/../x",
    );
    expect(unlike(isSystemPlace, false, no)).toEqual([]);
  });

  it("knows a Mac", () => {
    const yes = list(
      "/System/x /Library/x /library/x /Applications/A.app /private/etc/x /ETC/x /private/var/db/x",
      "/var/db/x",
    );
    const no = list(
      "/private/tmp/x /tmp/x /var/folders/ab/x /private/var/folders/x /private/var/tmp/x ~/Library/x",
      "/Users/dev/x",
    );
    expect([unlike(isSystemPlace, true, yes, mac), unlike(isSystemPlace, false, no, mac)]).toEqual([[], []]);
  });

  it("never holds in the home and in projects where they are kept", () => {
    const root: World = { ...linux, home: "/root", root: "/opt/app" };
    const service: World = { ...linux, home: "/var/lib/jenkins", root: "/etc" };
    expect([
      unlike(isSystemPlace, false, ["~/x", "~/$X", "~", "/opt/app/x", "/opt/app/$X"], root),
      unlike(isSystemPlace, true, ["/opt/other", "/root/../etc/x", "/opt/app/../x"], root),
      unlike(isSystemPlace, false, ["/var/lib/jenkins/x"], service),
      unlike(isSystemPlace, true, ["/var/lib/x", "motd", "/root/x"], service),
      unlike(isSystemPlace, true, ["/etc/x", "/"], { ...linux, home: "/" }),
      unlike(isSystemPlace, true, ["/etc/x"], { ...linux, home: "/etc" }),
      unlike(isSystemPlace, true, ["/etc/x"], { ...linux, home: null }),
    ]).toEqual([[], [], [], [], [], [], []]);
  });

  it("counts the folder one is in", () => {
    const etc = list("motd $X $X/a $W.conf *.conf nginx/*");
    const tmp = ["motd", "$X", "$X/a", "*.conf"];
    expect(etc.filter((each) => !isSystemPlace(given(each, linux, "/etc"), linux))).toEqual([]);
    expect(tmp.filter((each) => isSystemPlace(given(each, linux, "/tmp"), linux))).toEqual([]);
  });
});

describe("isStartupPlace", () => {
  it("holds for what runs by itself later", () => {
    const yes = list(
      "~/.bashrc ~/.profile ~/.zshrc ~/.ssh/authorized_keys ~/.ssh/config ~/.config/fish/config.fish",
      "~/.gitconfig ~/.config/autostart/x.desktop ~/.config/systemd/user/x.service",
      "~/Library/LaunchAgents/x.plist ~/.npmrc ~/.config/git/config .git/hooks/pre-commit .git/config",
      "../other/.git/hooks/post-merge .git/modules/x/hooks/pre-push .git/hooks/* .git/hooks/$X",
      "~/.cache/assent/compiled/x /home/other/.cache/assent/compiled/x $X/.cache/assent/compiled/x",
      "/root/.bashrc /home/other/.profile $X/.bashrc ~/.bash* ~/.bashr? ~/.z$X /home/$X/.bashrc ../.bashrc",
    );
    expect(unlike(isStartupPlace, true, yes)).toEqual([]);
  });

  it("does not hold for other files", () => {
    const no = list(
      "src/.bashrc dotfiles/.zshrc .npmrc .git/hooks/pre-commit.sample .git/HEAD .git/index ~/notes ~/$X",
      "~/* ~ config hooks/pre-commit src/hooks/useX.ts .gitignore .github/workflows/ci.yml $X $X/config",
      "/tmp/.bashrc / $X/* ~/.config/app/x ~/.cache/assent/output/x ~/.ssh/known_hosts ~/.local/bin/x",
    );
    expect(unlike(isStartupPlace, false, no)).toEqual([]);
  });
});

describe("isAboveStartup", () => {
  it("holds for the folders of a home that start files are in, and for none beside or below them", () => {
    const yes = list(
      "~/.ssh ~/.config ~/.config/systemd ~/.local ~/.local/share ~/.docker ~/.cargo /home/other/.ssh /root/.cache",
    );
    const no = list("~ / /home ~/.config/app ~/.bashrc ~/.local/bin .ssh src/.config ~/$X $X/.ssh ~/.c* /tmp/.ssh ~/x");
    expect([unlike(isAboveStartup, true, yes), unlike(isAboveStartup, false, no)]).toEqual([[], []]);
  });
});

describe("isContinuousIntegrationFile", () => {
  it("tells what a server runs from what it does not", () => {
    const yes = list(
      ".github/workflows/ci.yml .gitlab-ci.yml .circleci/config.yml Jenkinsfile ci/Jenkinsfile.release",
      ".github/workflows/$X",
    );
    const no = list(".github/CODEOWNERS src/ci.yml docs/Jenkins.md .github workflows/x.yml $X * *.yml.bak");
    const judges: Judges = isContinuousIntegrationFile;
    expect([unlike(judges, true, yes), unlike(judges, false, no)]).toEqual([[], []]);
  });
});

describe("isOwnPlace", () => {
  it("holds for what is Assent's, or could be", () => {
    const yes = list(
      "~/.assent ~/.assent/grants.json ../.assent/x ~/.a*/x ~/.asse$X $X/.assent/grants.json $P/.assent/x",
      "~/.* ~/.config/assent/x $X/.config/assent/x /home/*/.assent/x /proc/self/root/home/dev/.assent/x",
      "$X/assent/dist/x $X/home/dev/.assent/x $P/home/dev/.assent/x",
    );
    const no = list(
      "~ ~/x ~/$X ~/* $X $X/dist/x $X/x /home/dev/project/$X * packages/assent/src/x ~/.assentx $X/$X/x",
      "$X/*/x / /.assent/x /.config/assent/x /srv/.assent/x $X/home/dev/x $X/home/x",
    );
    expect([unlike(isOwnPlace, true, yes), unlike(isOwnPlace, false, no)]).toEqual([[], []]);
  });
});

describe("isEverything", () => {
  it("holds for the root, the home, what is in them, and devices", () => {
    const yes = list(
      "/ // /. ~ ~/ /home/dev /* ~/* ~/.* /.* /** /$X $X/* /home /home/* ../ /root /dev/sda /dev/sd? /dev",
      "/dev/* /proc/self/root",
    );
    const no = list("~/x project . * /etc/motd /tmp /tmp/* /dev/null /dev/fd/1 $X $P $P/* $X/a ~/project/* /a*");
    expect([unlike(isEverything, true, yes), unlike(isEverything, false, no)]).toEqual([[], []]);
  });
});
