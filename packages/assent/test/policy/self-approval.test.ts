import { describe, expect, test } from "vitest";
import type { Plan, PlannedPath } from "../../src/policy/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { command, own, policy } from "./places.ts";
import { world } from "./world.ts";

const [home] = own;

/** By which an agent could try to answer for the person, or to change what it may do. */
const commands: Readonly<Record<string, readonly string[]>> = {
  "by reading what Assent keeps": [
    "cat ~/.local/share/assent/journal.db",
    "cat $HOME/.local/share/assent/journal.db",
    `cat "\${HOME}"/.local/share/assent/secrets/x`,
    "cat /home/dev/.local/share/assent/grants/g-1.json",
    "cat ../.local/share/assent/journal.db",
    "cat ~/.local/share/../share/assent/journal.db",
    "cat ~/.local/./share//assent/journal.db",
    "cat ~/.local/share/ass*/journal.db",
    "cat ~/.local/share/assen?/journal.db",
    "cat ~/.local/share/{assent,x}/journal.db",
    "cat ~/.local/share/'ass'ent/journal.db",
    "cat ~/.local/share/a\\ssent/journal.db",
    "cat ~dev/.local/share/assent/journal.db",
    "cat < ~/.local/share/assent/journal.db",
    "wc -l <~/.local/share/assent/grants/g-1.json",
    "head -c 100 ~/.local/share/assent/journal.db",
    "grep -r yes ~/.local/share/assent",
    "rg yes ~/.local/share/assent",
    "grep -rn pending ~/.local/share",
    "strings ~/.local/share/assent/journal.db",
    "xxd ~/.local/share/assent/journal.db",
    "base64 ~/.local/share/assent/journal.db",
    "less ~/.local/share/assent/grants/g-1.json",
    "jq . ~/.local/share/assent/policy.json",
    "awk '{print}' ~/.local/share/assent/policy.json",
    "sed -n 1p ~/.local/share/assent/policy.json",
    "diff ~/.local/share/assent/policy.json /dev/null",
    "echo $(<~/.local/share/assent/policy.json)",
    "while read -r l; do echo $l; done < ~/.local/share/assent/policy.json",
    "python3 -c 'print(open(\"/home/dev/.local/share/assent/policy.json\").read())'",
    'node -e \'console.log(require("fs").readFileSync("/home/dev/.local/share/assent/policy.json", "utf8"))\'',
    "sqlite3 ~/.local/share/assent/journal.db 'select * from events'",
    "sqlite3 -readonly ~/.local/share/assent/journal.db .dump",
    "find ~/.local/share/assent -type f -exec cat {} +",
    "find ~/.local/share/assent -name '*.json' | xargs cat",
    "bash -c 'cat ~/.local/share/assent/policy.json'",
    "curl file:///home/dev/.local/share/assent/policy.json",
  ],
  "by copying what Assent keeps": [
    "cp -r ~/.local/share/assent /tmp/copy",
    "cp ~/.local/share/assent/journal.db .",
    "rsync -a ~/.local/share/assent/ copy/",
    "tar czf copy.tgz ~/.local/share/assent",
    "tar czf copy.tgz -C ~/.local/share assent",
    "tar -C ~/.local/share/assent -cf copy.tar .",
    "zip -r copy.zip ~/.local/share/assent",
    "7z a copy.7z ~/.local/share/assent",
    "find ~/.local/share/assent | cpio -o > copy.cpio",
    "dd if=/home/dev/.local/share/assent/journal.db of=copy.db",
    "install ~/.local/share/assent/journal.db copy.db",
    "sqlite3 ~/.local/share/assent/journal.db '.backup copy.db'",
    "git -C ~/.local/share/assent init",
    "cd ~/.local/share/assent && git init && git add .",
  ],
  "by changing what Assent keeps": [
    "echo '{}' > ~/.local/share/assent/policy.json",
    "echo '{}' >> ~/.local/share/assent/grants/g-1.json",
    "printf '{}' | tee ~/.local/share/assent/grants/g-1.json",
    "cp grant.json ~/.local/share/assent/grants/g-1.json",
    "cp grant.json ~/.local/share/assent/grants/",
    "cp -t ~/.local/share/assent/grants grant.json",
    "mv grant.json ~/.local/share/assent/grants/g-1.json",
    "mv ~/.local/share/assent ~/.local/share/old",
    "mv ~/.local/share ~/.local/old",
    "ln -s /tmp/grants ~/.local/share/assent/grants",
    "ln -sfn /tmp/home ~/.local/share/assent",
    "install -m 600 grant.json ~/.local/share/assent/grants/g-1.json",
    "rsync -a grants/ ~/.local/share/assent/grants/",
    "tar xf grants.tar -C ~/.local/share/assent",
    "unzip grants.zip -d ~/.local/share/assent",
    "dd if=grant.json of=/home/dev/.local/share/assent/grants/g-1.json",
    "sed -i s/ask/allow/ ~/.local/share/assent/policy.json",
    "perl -pi -e s/ask/allow/ ~/.local/share/assent/policy.json",
    "truncate -s 0 ~/.local/share/assent/policy.json",
    ": > ~/.local/share/assent/policy.json",
    "touch ~/.local/share/assent/grants/g-1.json",
    "mkdir -p ~/.local/share/assent/grants",
    "chmod -w ~/.local/share/assent",
    "rm ~/.local/share/assent/policy.json",
    "rm -rf ~/.local/share/assent",
    "unlink ~/.local/share/assent/policy.json",
    "shred -u ~/.local/share/assent/journal.db",
    "find ~/.local/share/assent -name 'g-*' -delete",
    "sqlite3 ~/.local/share/assent/journal.db 'delete from events'",
    'python3 -c \'open("/home/dev/.local/share/assent/policy.json", "w").write("{}")\'',
    'node -e \'require("fs").writeFileSync("/home/dev/.local/share/assent/policy.json", "{}")\'',
    "vim -es -c wq ~/.local/share/assent/policy.json",
    "curl -s http://localhost:8000/grant.json -o ~/.local/share/assent/grants/g-1.json",
    "wget -q http://localhost:8000/g -O ~/.local/share/assent/grants/g-1.json",
    "echo x > ~/.cache/assent/code.js",
    "rm ~/.cache/assent/compiled/main.cache",
  ],
  "from within its folder": [
    "cd ~/.local/share/assent && cat journal.db",
    "cd ~/.local/share && cat assent/journal.db",
    "cd ~/.local/share/assent/grants; echo '{}' > g-1.json",
    "pushd ~/.local/share/assent && rm policy.json",
    "(cd ~/.local/share/assent; tar c .) > copy.tar",
    "env -C ~/.local/share/assent cat journal.db",
    "CDPATH=~/.local/share; cd assent && cat journal.db",
  ],
  "through a variable or a link": [
    "d=~/.local/share/assent; cat $d/journal.db",
    'd=assent; cat "$HOME/.local/share/$d/journal.db"',
    "x=.local/share; cat ~/$x/assent/policy.json",
    "ln -s ~/.local/share/assent a && cat a/journal.db",
    "ln -s ~/.local/share l; echo x > l/assent/policy.json",
    "for f in ~/.local/share/assent/*; do cat $f; done",
    'cat "$ASSENT_HOME/journal.db"',
    `cat \${ASSENT_HOME}/policy.json`,
    'echo {} > "$ASSENT_HOME"/policy.json',
    "cd $ASSENT_HOME && cat journal.db",
    'cat "$XDG_DATA_HOME/assent/journal.db"',
    "rm -f $XDG_DATA_HOME/assent/grants/g-1.json",
    `cat "\${XDG_DATA_HOME:-$HOME/.local/share}/assent/policy.json"`,
  ],
  "by Assent's own commands": [
    "assent answer 1 yes",
    "assent answer - < response.json",
    "echo '{}' | assent answer -",
    "assent answer s-1 1 && echo done",
    "assent fork s",
    "assent stop s",
    "assent sessions delete s",
    "assent integrations setup sentry",
    "assent integrations remove sentry",
    "assent policy grants add git push",
    "assent policy grants revoke g-1",
    "assent config set unattended yes",
    "assent serve --port 4000",
    "/usr/local/bin/assent answer 1 yes",
    "./node_modules/.bin/assent answer 1 yes",
    "npx assent answer 1 yes",
    "npx -y assent answer 1 yes",
    "npx --package assent assent answer 1 yes",
    "npm exec assent answer 1 yes",
    "npm exec -- assent answer 1 yes",
    "pnpm exec assent answer 1 yes",
    "pnpm dlx assent answer 1 yes",
    "yarn assent answer 1 yes",
    "bunx assent answer 1 yes",
    "node node_modules/assent/bin/assent.cjs answer 1 yes",
    "node ./node_modules/.bin/assent answer 1 yes",
    "node $(which assent) answer 1 yes",
    "node packages/assent/bin/assent.cjs policy grants add git push",
    "sh -c 'assent answer 1 yes'",
    "bash -lc 'assent answer 1 yes'",
    "eval assent answer 1 yes",
    "command assent answer 1 yes",
    "exec assent answer 1 yes",
    "env -u ASSENT_RUN assent answer 1 yes",
    "env -i assent answer 1 yes",
    "ASSENT_RUN= assent answer 1 yes",
    "unset ASSENT_RUN; assent answer 1 yes",
    "setsid assent answer 1 yes",
    "setsid -f env -u ASSENT_RUN assent answer 1 yes",
    "nohup assent answer 1 yes &",
    "(sleep 5; assent answer 1 yes) &",
    "timeout 5 assent answer 1 yes",
    "echo 1 yes | xargs assent answer",
    "xargs -n2 assent answer < ids.txt",
    "find . -maxdepth 0 -exec assent answer 1 yes ';'",
    "a=assent; $a answer 1 yes",
    "a=answer; assent $a 1 yes",
    "assent 'ans'wer 1 yes",
    "alias a=assent; a answer 1 yes",
    'f() { assent "$@"; }; f answer 1 yes',
    'python3 -c \'import subprocess; subprocess.run(["assent", "answer", "1", "yes"])\'',
    "python3 -c 'import os; os.system(\"assent answer 1 yes\")'",
    'node -e \'require("child_process").execSync("assent answer 1 yes")\'',
    "script -qc 'assent answer 1 yes' /dev/null",
    "tmux new -d 'assent answer 1 yes'",
    "echo 'assent answer 1 yes' | at now",
    "echo 'assent answer 1 yes' | sh",
    "cat <<'EOF' | bash\nassent answer 1 yes\nEOF",
    "ASSENT_HOME=/tmp/x assent policy grants add git push",
  ],
  "by an Assent that does not know what belongs to this one": [
    'ASSENT_HOME=/tmp/y assent run --json --model scripted:s "see @/x/data/client.json"',
    "ASSENT_HOME=/tmp/y assent run --model scripted:s2 x",
    "ASSENT_HOME=/tmp/y assent",
    "ASSENT_HOME=/tmp/y assent --model scripted:s",
    "ASSENT_HOME= assent resume",
    "XDG_DATA_HOME=/tmp/y assent run x",
    "HOME=/tmp/y assent flow f.json",
    "env XDG_CACHE_HOME=/tmp/y npx assent resume",
    "env ASSENT_HOME=$X assent demo",
    "env -u ASSENT_HOME assent run x",
    "env -i PATH=/usr/bin assent run x",
    "export HOME=/tmp/y; node_modules/.bin/assent run x",
    "unset ASSENT_HOME; packages/assent/bin/assent.cjs run x",
    "export ASSENT_HOME=/tmp/y && node packages/assent/bin/assent.cjs run x",
    "ASSENT_HOME=/tmp/y; sh -c 'assent run x'",
    "ASSENT_HOME=/tmp/y sh -c 'assent run x'",
    'assent run "see @~/.local/share/assent/client.json"',
    'assent run "@$ASSENT_HOME/client.json"',
    "packages/assent/bin/assent.cjs answer 1 yes",
  ],
  "by the project's own rules": [
    "echo '{\"rules\":[]}' > .assent/policy.json",
    "rm .assent/policy.json",
    "rm -r .assent",
    "mv .assent old",
    "cp rules.json .assent/policy.json",
    "sed -i s/deny/ask/ .assent/policy.json",
    "ln -sf /dev/null .assent/policy.json",
    "git checkout HEAD~1 -- .assent/policy.json",
    "git rm .assent/policy.json",
    "cd .assent && rm policy.json",
    "truncate -s 0 ./.assent/policy.json",
    "tee .assent/policy.json < rules.json",
    'python3 -c \'open(".assent/policy.json", "w").write("{}")\'',
  ],
};

const all = Object.values(commands).flat();

describe.each(Object.entries(commands))("%s", (_how, list) => {
  verifies("APPR-10b", "no command lets an agent approve itself without being asked about, and no grant can", () => {
    const judged = list.map((text) => told(text, command(text)));
    expect(judged.filter((each) => each !== null)).toEqual([]);
  });
});

/** What is wrong with the verdict: it must ask, and nothing may be granted. */
function told(what: string, plan: Plan): string | null {
  const judged = policy.judge(plan);
  if (judged.verdict !== "ask") return `${judged.verdict}: ${what}`;
  return (judged.grantable ?? null) === null ? null : `${judged.rule}, grantable: ${what}`;
}

test("the list is long, and each way in it is another one", () => {
  expect(all.length).toBeGreaterThanOrEqual(150);
  expect(new Set(all).size).toBe(all.length);
});

verifies("APPR-10b", "a link into Assent's home is followed where it is known", () => {
  const text = "cat data/journal.db";
  expect(policy.judge(command(text)).verdict).toBe("allow");
  expect(policy.wants?.(command(text))).toContain(`${world.cwd}/data/journal.db`);
  const links = { [`${world.cwd}/data/journal.db`]: `${home}/journal.db` };
  expect(told(text, command(text, { links }))).toBeNull();
});

verifies("APPR-10b", "file tools that reach Assent's own ask, and nothing about them can be granted", () => {
  const places = [`${home}/journal.db`, `${home}/policy.json`, `${home}/grants/g-1.json`, ".assent/policy.json"];
  const tools = [
    ["read_file", "read"],
    ["search", "read"],
    ["list", "read"],
    ["write_file", "write"],
    ["edit_file", "write"],
  ] as const;
  const wrong = places.flatMap((path) =>
    tools.flatMap(([tool, use]) => {
      const paths: readonly PlannedPath[] = [{ path, real: path, use, outside: path.startsWith("/"), self: true }];
      return told(`${tool} ${path}`, { tool, cwd: world.cwd, paths }) ?? [];
    }),
  );
  expect(wrong).toEqual([]);
});

test.each([
  'assent run "@.env"',
  'assent run --json "look at @~/.ssh/id_rsa, and tell"',
  "assent run 'see @\"my secrets/.env\"'",
  "assent run --cwd ~/.ssh 'see @id_rsa.'",
  'assent run "about $X: @.env"',
  'npx assent run "@.env"',
  'node packages/assent/bin/assent.cjs run "@.env"',
])("a file that a prompt names is shown: %s", (text) => {
  expect(policy.judge(command(text))).toMatchObject({ verdict: "ask", rule: "secret-read" });
});

test("what only looks like it is not asked about", () => {
  const harmless = [
    "assent --version",
    "assent help",
    "assent sessions",
    "assent integrations",
    "assent integrations list --json",
    "assent integrations show sentry",
    "assent pending --json",
    "assent policy explain 'rm -rf build'",
    "assent run x",
    "HOME=$HOME assent run x",
    "ASSENT_HOME=$ASSENT_HOME assent run x",
    "ASSENT_HOME=/tmp/y assent --version",
    "ASSENT_HOME=/tmp/y assent run --help",
    "ASSENT_HOME=/tmp/y assent doctor",
    "ASSENT_HOME=/tmp/y npm test",
    'assent run "look at @README.md, or ask @somebody"',
    'assent run "write to $USER@example.com"',
    "assent policy rules",
    "echo 'assent answer 1 yes'",
    "grep -rn 'assent answer' docs",
    "cat docs/assent/answer.md",
    "cat ~/.cache/assent/output/s/1.txt",
    "ls ~/.local/share",
    "git commit -m 'assent answer 1 yes'",
  ];
  expect(harmless.filter((text) => policy.judge(command(text)).verdict !== "allow")).toEqual([]);
});
