import { expect, test } from "vitest";
import { privilegeTools } from "./privilege.ts";
import { said } from "./spelled.fixture.ts";

const cases: readonly (readonly [string, readonly string[]])[] = [
  ["sudo ls /root", ["privilege-escalation", "run ls /root"]],
  ["sudo -u bob -E id -u", ["privilege-escalation", "run id -u"]],
  ["sudo A=1 make install", ["privilege-escalation", "A=1", "run make install"]],
  ["sudo -s", ["privilege-escalation", "run-input shell"]],
  ["sudo -i", ["privilege-escalation", "run-input shell"]],
  ["sudo -e /etc/hosts", ["privilege-escalation", "write /etc/hosts"]],
  ["sudo -v", ["privilege-escalation", "run-input shell"]],
  ["sudo -n true", ["privilege-escalation", "run true"]],
  ["sudo -l", []],
  ["sudo --version", []],
  ["sudo --help", []],
  ["su", ["privilege-escalation", "run-input shell"]],
  ["su - postgres", ["privilege-escalation", "run-input shell"]],
  ["su -c id root", ["privilege-escalation", "shell id"]],
  ["su -s /bin/bash -c id nobody", ["privilege-escalation", "shell id"]],
  ["su --help", []],
  ["runuser -u bob -- rm -rf x", ["privilege-escalation", "run rm -rf x"]],
  ["doas -u bob cat x", ["privilege-escalation", "run cat x"]],
  ["pkexec --user root id", ["privilege-escalation", "run id"]],
  ["gosu root id", ["privilege-escalation", "run id"]],
  ["su-exec root id", ["privilege-escalation", "run id"]],
  ["run0 id", ["privilege-escalation", "run id"]],
  ["setpriv --reuid 0 --clear-groups id", ["privilege-escalation", "run id"]],
  ["chroot /mnt rm -rf x", ["privilege-escalation", "run rm -rf x"]],
  ["nsenter -t 1 -m -u -i -n -p bash", ["privilege-escalation", "run bash"]],
  ["unshare -m bash", ["privilege-escalation", "run bash"]],
  ["unshare -Ur whoami", ["run whoami"]],
  ["capsh --print", []],
  ["capsh --user=root -- -c id", ["privilege-escalation", "run bash -c id"]],
  ["setcap cap_net_raw+ep ./x", ["privilege-grant"]],
  ["machinectl list", []],
  ["machinectl shell root@.host /bin/id", ["privilege-escalation", "run /bin/id"]],
  ["systemd-run --user --scope -- sleep 1", ["run sleep 1"]],
  ["systemd-run --user sleep 1", ["run sleep 1"]],
  ["systemd-run --unit=x rm -rf y", ["privilege-escalation", "run rm -rf y"]],
  ["systemd-run --user --working-directory=/etc tee x", ["shell cd -- /etc\ntee x"]],
  ["sudoedit /etc/hosts", ["privilege-escalation", "write /etc/hosts"]],
  ["visudo", ["privilege-grant"]],
  ["visudo -c", []],
  ["newgrp docker", ["privilege-escalation"]],
  ["sg docker -c docker_ps", ["privilege-escalation", "shell docker ps"]],
];

test.each(cases)("%s", (command, deeds) => {
  expect(said(privilegeTools, command)).toEqual(deeds);
});
