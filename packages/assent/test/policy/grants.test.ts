import { describe, expect, test } from "vitest";
import type { GrantRule } from "../../src/core/index.ts";
import { prefixGrant } from "../../src/policy/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { grantableFor, isGranted, saved } from "./grants.ts";
import { command, policy } from "./places.ts";
import { world } from "./world.ts";

/** What nothing can be granted for, by why. */
const ungrantable: Readonly<Record<string, readonly string[]>> = {
  "the root": [
    "rm -rf /",
    "rm -rf //",
    "rm -rf /.",
    "rm -rf /tmp/..",
    "rm -rf ../../..",
    "rm -rf --no-preserve-root /",
    "rm -rf /*",
    "find / -delete",
    "chmod -R 777 /",
    "sudo chown -R dev /",
    "git -C / clean -fdx",
    "tar -C/ --remove-files -cf all.tar home",
    "cd / && rm -rf home",
    "cd /tmp && cd .. && rm -rf home",
    "pushd /var && cd .. && rm -rf home",
    "bash -c 'rm -rf /'",
    "timeout 5 rm -rf /",
    "x=/; rm -rf $x",
    "rm -rf $(echo /)",
    `rm -rf \${NOTHING:-/}`,
    "python3 -c 'import shutil; shutil.rmtree(\"/\")'",
    "python3 <<'PY'\nimport shutil\nshutil.rmtree('/')\nPY",
    "sh <<'EOF'\nrm -rf /\nEOF",
    "docker run -v /:/host alpine sh",
    "rsync -a --delete empty/ /",
  ],
  "the home": [
    "rm -rf ~",
    "rm -rf ~/",
    "rm -rf ~/*",
    'rm -rf "$HOME"',
    "rm -rf $HOME/",
    "rm -rf /home/dev",
    "rm -rf ..",
    "rm -rf ../.",
    "rm -rf ~dev",
    "find ~ -delete",
    "cd && rm -rf *",
    "cd .. && rm -rf project other",
    "chmod -R 777 ~",
    "rsync -a --delete empty/ ~/",
    "rm -rf /home",
    "rm -rf /root",
  ],
  "a device": [
    "dd if=/dev/zero of=/dev/sda",
    "dd of=/dev/nvme0n1 if=disk.img",
    "mkfs.ext4 /dev/sdb1",
    "echo x > /dev/sda",
    "cat disk.img >> /dev/sdb",
    "tee /dev/sda < disk.img",
    "shred /dev/sda",
    "wipefs -a /dev/sda",
    "cp disk.img /dev/sda",
    'python3 -c \'open("/dev/sda", "wb").write(b"x")\'',
  ],
  "hidden characters": [
    "r\u200bm -rf build",
    "rm -rf build\u202e",
    "rm -rf build \u001b[2K",
    "rm -rf bu\u00adild",
    `rm -rf build${" ".repeat(300)}; ls`,
    "\u0441url https://example.com",
  ],
  "Assent itself": [
    "assent answer 1 yes",
    "cat ~/.local/share/assent/journal.db",
    "rm -rf ~/.local/share/assent",
    "rm -rf ~/.local",
    "rm -rf ../.local/share",
    "cd ~/.local && rm -rf share",
  ],
  "what is not known": [
    'rm -rf "$TARGET"',
    "rm -rf $(cat list.txt)",
    "rm -rf *",
    "rm -rf build/*",
    'curl "$URL"',
    'eval "$PAYLOAD"',
    "$TOOL -rf build",
    'rm -rf build > "$OUT"',
    "rm -rf build 2> $(mktemp)",
    'MODE="$X" rm -rf build',
    'for each in *; do rm -rf "$each"; done',
    "find . -name dist | xargs rm -rf",
    "echo cm0= | base64 -d | sh",
  ],
  "what cannot be read": ["rm -rf build $(ls", `rm -rf ${"$(echo ".repeat(200)}x${")".repeat(200)}`],
};

describe.each(Object.entries(ungrantable))("of %s", (_what, commands) => {
  verifies("APPR-7h", "nothing can be granted", () => {
    const judged = commands.map((text) => {
      const { verdict } = policy.judge(command(text));
      return [text, verdict, grantableFor(command(text))];
    });
    expect(judged).toEqual(commands.map((text) => [text, "ask", null]));
  });
});

verifies("APPR-7h", "nothing can be granted for the root, from whatever folder it is reached", () => {
  const deep = { cwd: "/home/dev/elsewhere/deep/down" };
  const reached = [
    "cd /tmp && cd .. && rm -rf x",
    "cd /var/tmp; cd ../..; rm -rf x",
    "pushd /srv && pushd .. && rm -rf x",
  ];
  expect(reached.map((text) => grantableFor(command(text, deep)))).toEqual([null, null, null]);
  expect(grantableFor(command("cd .. && cd down && rm -rf x", deep))).not.toBeNull();
});

test("not even a grant that was made for it lets such a command run", () => {
  const signature = JSON.stringify(["rm -rf /", ["rm", "-rf", "/"]]);
  const rule: GrantRule = {
    ...{ tool: "terminal", match: "exact", signature, display: "rm -rf /", root: world.root, categories: ["delete"] },
  };
  expect(isGranted(command("rm -rf /"), saved(rule, "user"))).toBe(false);
  const prefix = prefixGrant(["rm", "-rf"], { root: world.root, categories: ["delete", "overwrite", "system"] });
  expect("refused" in prefix).toBe(false);
  if ("refused" in prefix) return;
  expect(isGranted(command("rm -rf build"), saved(prefix, "user"))).toBe(true);
  const covered = Object.values(ungrantable)
    .flat()
    .filter((text) => isGranted(command(text), saved(prefix, "user")));
  expect(covered).toEqual([]);
});

describe("a prefix", () => {
  const within = { root: world.root, categories: ["network"] };

  /** Anything could be put behind these. */
  const refused: Readonly<Record<string, readonly string[]>> = {
    shells: ["sh -c", "bash -c", "bash -lc", "dash -c", "zsh -c", "ksh -c", "fish -c", "csh -c", "ash -c", "pwsh -c"],
    interpreters: [
      ..."python -c,python3 -c,python3.12 -m,node -e,nodejs -e,deno eval,bun run,perl -e,ruby -e,php -r,lua -e".split(
        ",",
      ),
      ..."luajit -e,awk -f,gawk -f,sed -e,tsx -e,ts-node -e,Rscript -e,julia -e,elixir -e,osascript -e".split(","),
    ],
    wrappers: [
      ..."env A=1,xargs -n1,nohup nice,time -p,timeout 5,nice -n,watch -n,parallel -j,command -p,exec -a".split(","),
      ..."eval x,busybox sh,setsid -w,stdbuf -o0,ionice -c2,taskset -c,flock x,unshare -r,script -c,strace -f".split(
        ",",
      ),
      ..."ltrace -f,gdb --args,entr -r,chronic ls,systemd-run --user,chroot .,nsenter -t,sshpass -p,ssh host".split(
        ",",
      ),
      ..."docker run,podman run,kubectl exec,npx -y,pnpx x,bunx x,uvx x,make -f,tmux new,screen -d,expect -c".split(
        ",",
      ),
      ..."find .,fd -x,watchexec -e,hyperfine x,direnv exec,su -c,firejail x,bwrap x,nix-shell -p,vim -c".split(","),
    ],
    privileges: [
      "sudo -n",
      "sudo ls",
      "su -",
      "doas id",
      "pkexec id",
      "runuser -u",
      "gosu root",
      "setpriv -d",
      "run0 id",
    ],
    "programs that nobody knows": [
      "frobnicate now",
      "./deploy.sh now",
      "/usr/bin/git push",
      "bin/git push",
      "gitt push",
    ],
    "single words": ["git", "curl", "rm"],
    "Assent itself": ["assent answer", "assent run", "assent policy"],
  };

  verifies("APPR-7j", "of what runs others, of what is not known, and of one word alone is refused", () => {
    const granted = Object.values(refused)
      .flat()
      .filter((words) => !("refused" in prefixGrant(words.split(" "), within)));
    expect(granted).toEqual([]);
    expect(prefixGrant([], within)).toEqual({ refused: "a prefix needs the program and at least one more word" });
  });

  const rule = prefixGrant(["git", "push", "origin"], within);
  const grant = saved(
    "refused" in rule ? { tool: "", match: "exact", signature: "", display: "", ...within } : rule,
    "project",
  );

  verifies("APPR-7j", "says what it covers", () => {
    expect(rule).toEqual({
      ...{ tool: "terminal", match: "prefix", signature: '["git","push","origin"]', display: "git push origin …" },
      ...within,
    });
  });

  const covered = [
    "git push origin",
    "git push origin main",
    "git  push 'origin' \"main\" --tags",
    "git push origin 'a;b'",
  ];
  const others = [
    ..."git push,git push originally main,git push other main,git pull origin,git fetch origin main".split(","),
    ..."/usr/bin/git push origin,./git push origin main,env git push origin,sudo git push origin,A=1 git push origin".split(
      ",",
    ),
    ..."git push origin main | cat,ls | git push origin main,git push origin main &,(git push origin main)".split(","),
    ..."git push origin main; ls,git push origin main && ls,git push origin main || ls,! git push origin main".split(
      ",",
    ),
    ..."git push origin main > out,git push origin main 2>&1,git push origin main < in,git push origin <<< x".split(
      ",",
    ),
    ...'git push origin $(id -u),git push origin "$X",git push origin `id`,git push origin <(id),git push origin $X'.split(
      ",",
    ),
    "git push origin main\nls",
    "git -C ../other push origin main",
    "if true; then git push origin main; fi",
    "git push origin main --receive-pack='rm -rf build'",
    "git push origin main --exec='sudo id'",
  ];

  verifies("APPR-7j", "covers commands of one plain step that begin with its words, and no others", () => {
    expect(covered.filter((text) => !isGranted(command(text), grant))).toEqual([]);
    expect(others.filter((text) => isGranted(command(text), grant))).toEqual([]);
  });

  verifies("APPR-7j", "covers nothing that has more found in it than it was given for", () => {
    const curl = prefixGrant(["curl", "-s"], within);
    expect("refused" in curl).toBe(false);
    if ("refused" in curl) return;
    const judged = (text: string) => isGranted(command(text), saved(curl, "project"));
    expect(judged("curl -s https://example.com/a.json")).toBe(true);
    expect(judged("curl -s https://example.com/a.json -o /etc/motd")).toBe(false);
    expect(judged("curl -s https://example.com/a.json -o ~/.bashrc")).toBe(false);
    expect(judged("curl -s file:///home/dev/.local/share/assent/journal.db https://example.com/")).toBe(false);
  });

  verifies("APPR-7j", "covers nothing that runs another program, also where its words are plain", () => {
    const bisect = prefixGrant(["git", "bisect"], { root: world.root, categories: ["delete", "network"] });
    if ("refused" in bisect) throw new Error(bisect.refused);
    expect(isGranted(command("git bisect run rm -rf build"), saved(bisect, "project"))).toBe(false);
    expect(isGranted(command("git bisect run sh -c 'rm -rf build'"), saved(bisect, "project"))).toBe(false);
  });

  test("counts in its project alone, and for a person everywhere", () => {
    const there = command("git push origin main", { cwd: "/home/dev/other" });
    expect(isGranted(there, grant)).toBe(false);
    expect(isGranted(there, { ...grant, scope: "user" })).toBe(true);
  });
});
