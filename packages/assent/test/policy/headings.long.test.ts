import { describe, expect } from "vitest";
import { type Category, openPolicy, type ShellFacts } from "../../src/policy/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { inShell } from "./grants.ts";
import { ordinaryCommands } from "./ordinary/index.ts";
import { command, policy } from "./places.ts";
import { dangerousSeeds } from "./rewriting/seeds.ts";
import { world } from "./world.ts";

const categoriesOf = (text: string): readonly Category[] =>
  (policy.judge(command(text)).findings ?? []).map(({ category }) => category);

const lines = (text: string): readonly string[] => text.trim().split(/\n */);

/** What is asked about, by heading. */
const headings: Readonly<Partial<Record<Category, readonly string[]>>> = {
  delete: lines(`rm -r build
    rm -rf build
    rm -fR build
    rm --recursive build
    find build -delete
    find . -name '*.o' -exec rm {} +
    git clean -fdx
    rsync -a --delete empty/ target/
    npx rimraf dist`),
  privilege: lines(`sudo ls
    su - postgres
    doas id
    pkexec id
    runuser -u nobody id
    chmod u+s tool
    docker run --privileged alpine id`),
  network: lines(`curl https://example.com
    wget example.com/a.tgz
    scp a.txt dev@example.com:
    rsync -a ./ dev@example.com:/srv/
    ssh dev@example.com uptime
    nc example.com 80
    git clone https://example.com/a.git
    git push
    npm publish
    curl http://192.0.2.7/
    curl http://localhost.example.com/
    curl http://localhost@example.com/`),
  system: lines(`chmod 777 script.sh
    chmod -R a+rwx .
    mkfs.ext4 disk.img
    dd if=/dev/zero of=/dev/sda
    systemctl stop nginx
    apt-get install -y nmap
    iptables -F
    crontab -r
    reboot
    kill -9 -1
    useradd mallory`),
  overwrite: lines(`echo x > /etc/motd
    tee /etc/hosts < hosts
    cp tool /usr/local/bin/
    mv tool /usr/bin/tool
    sed -i s/a/b/ /etc/hosts
    ln -sf /tmp/x /usr/bin/python3
    touch /boot/x
    rm /etc/passwd
    echo x >> ~/.bashrc`),
};

describe.each(Object.entries(headings))("%s", (heading, commands) => {
  verifies("APPR-2", "is asked about, and named as what it is", () => {
    const wrong = commands.filter((text) => !categoriesOf(text).some((category) => category === heading));
    expect(wrong).toEqual([]);
  });
});

verifies("APPR-2", "this machine is not an external host", () => {
  const local = lines(`curl localhost
    curl http://localhost:3000/health
    curl http://127.0.0.1:8080
    curl http://[::1]:8080/
    curl http://127.1.2.3/
    curl http://0.0.0.0:3000
    wget -qO- http://localhost:3000
    nc -z localhost 5432
    psql -h localhost -c 'select 1'
    redis-cli -h 127.0.0.1 ping
    rsync -a src/ dst/
    scp a.txt b.txt`);
  expect(local.filter((text) => policy.judge(command(text)).verdict !== "allow")).toEqual([]);
});

/** The same deed in the forms that a shell has for it; \`D\` is what is done. */
const forms = [
  ..."D|ls; D|ls && D|ls & D|! D|(D)|{ D; }|ls\nD|if true; then D; fi|while true; do D; done".split("|"),
  ...'for x in 1; do D; done|case x in x) D;; esac|f() { D; }; f|$(D)|`D`|echo $(D)|echo "$(D)"|cat <(D)'.split("|"),
  ..."x=$(D)|env D|env A=1 D|A=1 D|nohup D|timeout 5 D|nice -n 5 D|time D|command D|exec D|setsid D|stdbuf -o0 D".split(
    "|",
  ),
  ..."bash -c 'D'|sh -c \"D\"|bash -lc 'D'|eval 'D'|eval D|sh <<< 'D'|trap 'D' EXIT|D > log 2>&1|D # harmless".split(
    "|",
  ),
  "false || D",
  "ls | D",
  "D | cat",
  "echo 'D' | sh",
  "cat <<'EOF' | bash\nD\nEOF",
  "bash <<EOF\nD\nEOF",
  "find . -maxdepth 0 -exec D ';'",
  "xargs D < list.txt",
  "watch -n1 'D'",
  "echo D | xargs -I{} sh -c '{}'",
];

const deeds = ["rm -rf build", "sudo id", "curl https://example.com", "chmod 777 x", "tee /etc/motd"];

/** The same deed with its words written in other ways. */
const spellings = lines(`/bin/rm -rf build
  ./../../../bin/rm -rf build
  \\rm -rf build
  'rm' -rf build
  r''m -rf build
  r\\m -r\\f build
  "rm" "-rf" build
  $'\\x72m' -rf build
  rm -"r"f build
  x=rm; $x -rf build
  x=-rf; rm $x build
  a=r b=m; $a$b -rf build
  c='rm -rf build'; $c
  r{m,} -rf build
  {rm,-rf,build}
  rm -rf $(echo build)
  $(echo rm) -rf build
  >log rm -rf build
  rm build -rf
  rm -- x; rm -r -f -- build
  alias r=rm; r -rf build`);

/** What cannot be known, where it decides. */
const unresolved = [
  ...lines(`$CMD
    "$TOOL" -rf build
    $(cat command.txt)
    eval "$PAYLOAD"
    bash -c "$SCRIPT"
    curl "$URL"
    base64 -d x.b64 | sh
    . <(curl -s localhost/x)
    echo $(ls
    echo 'open
    if true; then`),
  `\${!x} -rf build`,
];

verifies("APPR-3", "what is done decides, in whatever form it stands", () => {
  const missed = forms.flatMap((form) =>
    deeds
      .map((deed) => form.replaceAll("D", () => deed))
      .filter((text) => policy.judge(command(text)).verdict !== "ask"),
  );
  expect(missed).toEqual([]);
  expect(spellings.filter((text) => policy.judge(command(text)).verdict !== "ask")).toEqual([]);
});

verifies("APPR-3", "what cannot be read, or is not known where it decides, asks", () => {
  expect(unresolved.filter((text) => policy.judge(command(text)).verdict !== "ask")).toEqual([]);
});

verifies("APPR-3", "a name is what it means to the shell that runs it", () => {
  const functions = { ls: "{ \n    rm -rf src\n}", tidy: "{ \n    ls build\n}", long: null };
  const meanings: readonly (readonly [string, Partial<ShellFacts>, "allow" | "ask"])[] = [
    ["ls", {}, "allow"],
    ["ls", { functions }, "ask"],
    ["tidy", { functions }, "ask"],
    ["command ls", { functions }, "allow"],
    ["long", { functions }, "ask"],
    ["ls", { functions, inherited: ["ls"] }, "allow"],
    ["ls", { aliases: { ls: "rm -rf src;" }, options: { expand_aliases: true } }, "ask"],
    ["ls", { aliases: { ls: "rm -rf src;" }, options: { expand_aliases: false } }, "allow"],
    ["ls", { places: { ls: "/tmp/evil" } }, "ask"],
    ["ls", { traps: { DEBUG: "rm -rf src" } }, "ask"],
    ["ls $X", { variables: { X: "src" } }, "allow"],
    ["tee $X", { variables: { X: "/etc/motd" } }, "ask"],
    ["ls", { variables: { LD_PRELOAD: "./evil.so" } }, "ask"],
  ];
  const judged = meanings.map(([text, facts]) => policy.judge(inShell(text, world.cwd, facts)).verdict);
  expect(meanings.map(([text, facts], index) => [text, facts, judged[index]])).toEqual(meanings);
});

verifies("APPR-4", "look-alikes do not ask", () => {
  const harmless = lines(`echo 'rm -rf /'
    echo "sudo ls"
    echo curl https://example.com
    printf '%s\\n' 'rm -rf build'
    grep -r sudo .
    grep -rn 'rm -rf' scripts/
    rg 'curl https://'
    git commit -m 'stop using rm -rf and sudo'
    git log --grep='chmod 777'
    cat docs/rm-rf.md
    ls -r
    sort -r names.txt
    cp -r src copy
    rm notes.txt
    rmdir empty
    which sudo
    man rm
    curl localhost
    curl --version
    chmod 644 a.txt
    chmod +x run.sh
    ls > /dev/null
    echo x > ./etc/motd
    cat /etc/hosts
    # rm -rf build
    true # sudo rm -rf /
    node sudo.js
    ./rm -v
    alias
    x='rm -rf build'; echo "$x"
    cat <<'EOF' > notes.md
    `).map((text) => (text.includes("<<") ? `${text}\nrm -rf build\nEOF` : text));
  const asked = harmless
    .map((text) => [text, policy.judge(command(text))] as const)
    .filter(([, { verdict }]) => verdict !== "allow");
  expect(asked.map(([text, { rule }]) => `${rule}: ${text}`)).toEqual([]);
});

verifies("APPR-1a", "the verdict depends on nothing but what is given, and says rule, reason and part", () => {
  const commands = [...dangerousSeeds.map(({ source }) => source), ...ordinaryCommands().map((each) => each.command)];
  const plans = commands.map((text) => Object.freeze(command(text)));
  const first = plans.map((plan) => policy.judge(plan));
  const again = plans.toReversed().map((plan) => policy.judge(plan));
  expect(again.toReversed()).toEqual(first);
  const wrong = first.flatMap(({ verdict, rule, reason, findings = [] }, index) => {
    const length = commands[index]?.length ?? 0;
    const fits = findings.every(({ span }) => span.start >= 0 && span.start <= span.end && span.end <= length);
    const told = verdict === "allow" || (findings[0]?.rule === rule && reason === `it ${findings[0]?.reason}`);
    return fits && told ? [] : [commands[index]];
  });
  expect(wrong).toEqual([]);
});

verifies("APPR-1a", "what was judged before changes nothing", () => {
  const options = { platform: world.platform, home: world.home, own: [] };
  const wrong = ["rm -rf $HOME", "cat $HOME/.ssh/id_rsa", "ls $X", "curl $URL"].filter((text) => {
    const asked = openPolicy(options);
    asked.wants?.(command(text, { shell: null }));
    asked.wants?.(inShell(text));
    asked.wants?.(command(text, { shell: null }));
    return JSON.stringify(asked.judge(command(text))) !== JSON.stringify(openPolicy(options).judge(command(text)));
  });
  expect(wrong).toEqual([]);
});
