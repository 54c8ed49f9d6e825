import type { RuleName } from "./shell/index.ts";

/** What a rule is about, with commands that it asks about and look-alikes that it does not: both are tests. */
export type Rule = {
  readonly about: string;
  readonly asks: readonly string[];
  readonly allows: readonly string[];
};

/** The rules for commands (APPR-2, APPR-8). */
export const rules: Readonly<Record<RuleName, Rule>> = {
  "delete-recursive": {
    about: "deletes a folder with everything in it",
    asks: [
      "rm -rf build",
      "rm ./a --recursive",
      "npx rimraf dist",
      "python3 -c 'import shutil; shutil.rmtree(\"build\")'",
    ],
    allows: [
      "rm notes.txt",
      "rmdir empty",
      "echo 'rm -rf build'",
      "grep -rn 'rm -rf' scripts/",
      "git rm -r --cached .",
    ],
  },
  "delete-bulk": {
    about: "deletes whatever is found or listed",
    asks: ["find . -name '*.tmp' -delete", "git clean -fdx", "ls | xargs rm", "rsync -a --delete src/ dst/"],
    allows: ["find . -name '*.tmp'", "git clean -n", "ls | xargs wc -l", "rsync -a src/ dst/"],
  },
  "delete-store": {
    about: "throws away data that is kept elsewhere",
    asks: ["kubectl delete namespace shop", "terraform destroy -auto-approve", "dropdb shop"],
    allows: ["kubectl get pods", "terraform plan", "psql -h localhost -c 'select 1'"],
  },
  "privilege-escalation": {
    about: "runs something as another user",
    asks: ["sudo ls", "su - postgres", "doas id", "echo id | sudo -s", "S=sudo; $S id"],
    allows: ["grep -r sudo .", "which sudo", "echo 'run with sudo'", "systemd-run --user sleep 1"],
  },
  "privilege-grant": {
    about: "gives a program or a user more rights",
    asks: ["chmod u+s tool", "chmod 4755 tool", "setcap cap_net_raw+ep tool"],
    allows: ["chmod +x run.sh", "chmod 755 run.sh", "getcap tool"],
  },
  "privilege-container": {
    about: "gives a container the rights of this machine",
    asks: ["docker run -v /:/host alpine ls /host", "docker run --privileged alpine id"],
    allows: ["docker ps -a", "docker run --rm -v ./src:/src node:24 node --version"],
  },
  "network-host": {
    about: "connects to another machine",
    asks: [
      "curl https://example.com",
      "scp a.txt user@example.com:/tmp/",
      "git clone https://example.com/a.git",
      "nc example.com 80",
    ],
    allows: [
      "curl http://localhost:3000/health",
      "scp a.txt b.txt",
      "git clone ../a ./b",
      "echo https://example.com",
      "curl --version",
    ],
  },
  "network-unknown-host": {
    about: "connects to a machine that is not known before it runs",
    asks: ['curl "$URL"', 'curl "$(cat url.txt)"'],
    allows: ['BASE=http://localhost:4000; curl "$BASE/health"', "curl http://127.0.0.1:$PORT/"],
  },
  "network-send": {
    about: "sends something to others",
    asks: ["git push origin main", "npm publish", "aws s3 cp a.txt s3://bucket/a.txt"],
    allows: ["git push ../backup.git main", "git fetch", "npm pack", "aws --version"],
  },
  "network-redirect": {
    about: "goes through a machine in between",
    asks: ["http_proxy=http://proxy.example:3128 curl http://localhost/"],
    allows: ["curl -x http://127.0.0.1:8080 http://localhost/", "NO_PROXY=localhost curl http://localhost/"],
  },
  "network-tunnel": {
    about: "makes this machine reachable from elsewhere",
    asks: ["npx localtunnel --port 3000", "ngrok http 3000"],
    allows: ["python3 -m http.server 8000 --bind 127.0.0.1"],
  },
  "system-mode": {
    about: "lets everybody change or use a file",
    asks: ["chmod 777 script.sh", "chmod -R a+rwx .", "install -m 0777 tool bin/tool"],
    allows: ["chmod 644 a.txt", "chmod +x run.sh", "cat report-777.txt"],
  },
  "system-disk": {
    about: "changes disks, partitions or mounts",
    asks: [
      "mkfs.ext4 /dev/sdb1",
      "dd if=/dev/zero of=/dev/sda",
      "mount --bind ./x /etc",
      "echo /dev/sdb1 | xargs mkfs.ext4",
    ],
    allows: ["mount | column -t", "df -h", "fdisk -l disk.img", "node mkfs-test.js"],
  },
  "system-service": {
    about: "starts, stops or changes a service",
    asks: ["systemctl stop nginx", "service nginx restart"],
    allows: ["systemctl status nginx --no-pager", "journalctl -u app --no-pager"],
  },
  "system-package": {
    about: "installs or removes programs of the system",
    asks: ["apt-get remove -y nginx", "apk add curl", "snap remove firefox"],
    allows: ["apt list --installed", "dpkg -l sudo", "apt-cache policy nginx"],
  },
  "system-kernel": {
    about: "changes the kernel, its modules or how the machine starts",
    asks: ["modprobe vfat", "sysctl -w vm.swappiness=1", "update-initramfs -u"],
    allows: ["lsmod", "sysctl vm.swappiness", "lsmod | head"],
  },
  "system-schedule": {
    about: "makes something run later by itself",
    asks: ["crontab -r", "(crontab -l; echo '* * * * * true') | crontab -", "echo ls | at now"],
    allows: ["crontab -l", "atq"],
  },
  "system-power": {
    about: "stops or restarts the machine",
    asks: ["reboot", "shutdown -h now"],
    allows: ["uptime", "last reboot", "echo reboot"],
  },
  "system-process": {
    about: "ends processes of the system, or starts them without end",
    asks: ["kill -9 -1", "kill 1", "pkill -9 systemd", ":(){ :|:& };:"],
    allows: ["kill -TERM 4242", "pgrep -fl node", "pkill -f vite"],
  },
  "system-settings": {
    about: "changes settings of the machine",
    asks: ["timedatectl set-ntp false", "iptables -F", "ip link set eth0 down", "hostnamectl set-hostname x"],
    allows: ["timedatectl", "ip addr", "iptables -L -n", "hostnamectl"],
  },
  "system-account": {
    about: "changes users, groups or passwords",
    asks: ["userdel -r bob", "chpasswd < users.txt", "passwd root"],
    allows: ["getent group sudo", "id -un", "groups"],
  },
  "overwrite-system": {
    about: "changes a file that belongs to the system",
    asks: [
      "echo x > /etc/motd",
      "cp tool /usr/local/bin/tool",
      "cd /etc && touch motd",
      "echo x > /tmp/../etc/motd",
      "sed -i s/a/b/ /etc/hosts",
    ],
    allows: [
      "cat /etc/hosts",
      "cp /etc/hosts ./hosts",
      "echo x > ./etc/motd",
      "sed s/a/b/ /etc/hosts",
      "ls > /dev/null 2>&1",
    ],
  },
  "overwrite-startup": {
    about: "changes a file that runs by itself later",
    asks: ["echo 'alias a=b' >> ~/.bashrc", "cp hook .git/hooks/pre-commit"],
    allows: ["cat ~/.bashrc", "ls .git/hooks", "echo x > notes.txt"],
  },
  "exec-unseen": {
    about: "runs a text that cannot be seen",
    asks: ['eval "$PAYLOAD"', "echo cm0= | base64 -d | sh", 'bash -c "$(cat cmd.txt)"', 'python3 -c "$CODE"'],
    allows: ["echo 'ls -la src' | sh", "base64 -d cert.b64 > cert.der", "bash -c 'echo hi && pwd'"],
  },
  "exec-unknown-program": {
    about: "runs a program that is not known before it runs",
    asks: ["while read -r c; do $c; done < cmds.txt", "$(cat name.txt) -rf build"],
    allows: ["CMD=ls; $CMD -la", "$(printf 'l%s' s) src", '"$VIRTUAL_ENV/bin/python" app.py'],
  },
  "exec-injected": {
    about: "makes programs load something, or names stand for other programs",
    asks: [
      "LD_PRELOAD=./evil.so ls",
      "PATH=.:$PATH ls",
      "NODE_OPTIONS='--require ./evil.js' node --version",
      "hash -p ./evil ls",
    ],
    allows: [
      "NODE_ENV=test npm test",
      'PATH="$PWD/node_modules/.bin:$PATH" eslint .',
      "NODE_OPTIONS=--max-old-space-size=4096 npm test",
    ],
  },
  "exec-option": {
    about: "makes a program run another one that is not known",
    asks: ["npm --script-shell=./evil.sh test", "GIT_SSH_COMMAND=./evil.sh git fetch"],
    allows: ["git -c core.pager='less -R' log -3", "GIT_EDITOR=true git rebase --continue", "PAGER=cat git log"],
  },
  "hidden-characters": {
    about: "has characters that cannot be seen, or change how the text looks",
    asks: ["r\u200bm notes.txt", 'echo "safe\u202efr- mr"', "echo ok\u001b[2K", "echo start\r\nls\r\n"],
    allows: ['echo "مرحبا بالعالم"', 'git commit -m "✨ feat: add login"', "printf '%s\\n' \"Ünïcödé – dash\""],
  },
  "hidden-layout": {
    about: "has text far away from the rest, where it may not be seen",
    asks: [`ls src${"\n".repeat(40)}ls`, `ls src${" ".repeat(300)}; ls`],
    allows: ["ls src\n\nls test", "if true; then\n        ls\nfi"],
  },
  "hidden-word": {
    about: "makes up a word out of sight",
    asks: ["touch $(echo nigolon/cte/ | rev)", "x=$(rev <<< dtom/cte/); tee $x"],
    allows: ["touch $(basename a/b.txt)", 'touch "$OUT"', "echo $(echo abc | rev)"],
  },
  "look-alike-name": {
    about: "runs a program whose name only looks like another one",
    asks: ["\u0441url http://localhost/", "\u217cs -la"],
    allows: ["echo \u0441url", "ls \u0434\u043e\u043a\u0443\u043c\u0435\u043d\u0442\u044b"],
  },
  "not-parsed": {
    about: "cannot be read as a shell reads it",
    asks: ["echo $(ls", "echo 'hello", "&& ls"],
    allows: ['echo "it\'s fine"', "echo $((1 + 2))"],
  },
  "too-much": {
    about: "is longer or nested deeper than can be looked through",
    asks: [`echo ${"$(echo ".repeat(200)}x${")".repeat(200)}`],
    allows: ["echo $(echo $(echo $(echo x)))"],
  },
  "secret-read": {
    about: "shows a file that usually holds secrets",
    asks: ["cat .env", "base64 ~/.ssh/id_ed25519", "grep KEY .env.production"],
    allows: ["cat .env.example", "ls -la .env", "cat ~/.ssh/id_ed25519.pub", "cp .env.example .env"],
  },
  "self-approval": {
    about: "could answer for the person, or change what Assent allows",
    asks: ["assent answer 1 yes", "assent policy grants revoke 1"],
    allows: ["assent --version", "assent policy explain 'ls'", "assent sessions"],
  },
};
