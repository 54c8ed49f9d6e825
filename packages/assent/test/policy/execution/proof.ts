/** Tries to get out of the sandbox in every way that matters; what succeeds is told. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAll } from "./sandbox.ts";

type Attempt = {
  readonly breaks: string;
  readonly command: string;
  /** Written where the attempt has succeeded. */
  readonly shows?: RegExp;
};

/** What could be broken: files, ports and processes of this machine. */
type Outside = { readonly name: string; readonly folder: string; readonly port: number; readonly process: number };

const places = ["/etc", "/tmp", "/var/tmp", "/root", "/usr/local", "/dev/shm", "/home", "/"];
const succeeded = /^succeeded$/m;

function attempts({ name, folder, port, process: outside }: Outside): readonly Attempt[] {
  return [
    { breaks: "files are seen outside", command: places.map((each) => `echo x > ${each}/${name}`).join("; ") },
    { breaks: "a folder of the machine is seen", command: `ls ${folder} && echo succeeded`, shows: succeeded },
    {
      breaks: "the tests' own files are seen",
      command: `ls ${import.meta.dirname} && echo succeeded`,
      shows: succeeded,
    },
    { breaks: "it is root", command: 'test "$(id -u)" = 0 && echo succeeded', shows: succeeded },
    { breaks: "it has capabilities", command: "grep CapEff /proc/self/status", shows: /[1-9a-f]$/m },
    { breaks: "it mounts", command: "mount -t tmpfs none /mnt && echo succeeded", shows: succeeded },
    { breaks: "it unmounts", command: "umount /usr || umount /proc && echo succeeded", shows: succeeded },
    { breaks: "it changes the kernel", command: "echo 1 > /proc/sys/kernel/panic && echo succeeded", shows: succeeded },
    { breaks: "it changes a device", command: "chmod 600 /dev/null && echo succeeded", shows: succeeded },
    { breaks: "it makes a device", command: "mknod /dev/sda b 8 0 && echo succeeded", shows: succeeded },
    {
      breaks: "it has a terminal",
      command: "test -c /dev/tty && exec 3<> /dev/tty && echo succeeded",
      shows: succeeded,
    },
    { breaks: "it sets its clock", command: "date -s 2000-01-01 && echo succeeded", shows: succeeded },
    {
      breaks: "a namespace in it unlocks what is above",
      command: "unshare --user --map-root-user --mount umount -l /proc && echo succeeded",
      shows: succeeded,
    },
    {
      breaks: "a port of the machine is reached",
      command: `echo x > /dev/tcp/127.0.0.1/${port} && echo succeeded`,
      shows: succeeded,
    },
    {
      breaks: "the network is reached",
      command: "echo x > /dev/udp/203.0.113.1/9 && echo succeeded",
      shows: succeeded,
    },
    { breaks: "it has interfaces", command: "tail -n +3 /proc/net/dev", shows: /^ *(?!lo:)\w+:/m },
    { breaks: "a process outside is seen", command: `kill -0 ${outside} && echo succeeded`, shows: succeeded },
    { breaks: "many processes are seen", command: "ls -d /proc/[0-9]* | wc -l", shows: /^\d\d+$/m },
    { breaks: "processes outside are ended", command: `kill -9 ${outside}; kill -9 -1` },
    { breaks: "it goes on after its end", command: `(sleep 1; echo x > /tmp/${name}) & disown` },
    {
      breaks: "it takes all memory",
      command: "dd if=/dev/zero of=/dev/null bs=1500M count=1 && echo succeeded",
      shows: succeeded,
    },
    { breaks: "it fills the disk", command: "head -c 100M /dev/zero > x && echo succeeded", shows: succeeded },
    { breaks: "it never ends", command: "sleep 60; echo succeeded", shows: succeeded },
  ];
}

/** Which of the sandbox's promises do not hold. */
export async function brokenPromises(): Promise<readonly string[]> {
  const name = `assent-probe-${randomUUID()}`;
  const folder = mkdtempSync(join(tmpdir(), "assent-outside-"));
  let reached = 0;
  const server = createServer((socket) => {
    reached++;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const sleeper = spawn("sleep", ["100"]);
  try {
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const tried = attempts({ name, folder, port, process: sleeper.pid ?? 0 });
    const outcomes = await runAll(
      tried.map(({ command }) => command),
      2,
    );
    const shown = tried.filter(({ shows }, index) => shows?.test(outcomes[index]?.output ?? ""));
    const found = places.filter((place) => existsSync(join(place, name)));
    return [
      ...shown.map(({ breaks }) => breaks),
      ...found.map((place) => `a file was made in ${place}`),
      ...(reached > 0 ? ["a port was reached"] : []),
      ...(sleeper.exitCode === null && sleeper.signalCode === null ? [] : ["a process was ended"]),
    ];
  } finally {
    sleeper.kill("SIGKILL");
    server.close();
    rmSync(folder, { recursive: true });
  }
}
