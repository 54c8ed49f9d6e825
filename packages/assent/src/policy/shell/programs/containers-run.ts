import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, runs, type Spec } from "../spec.ts";
import { type Argument, beginning, known, type Text, textOf } from "../text.ts";
import { connects, flags, inPlaceOf, write } from "./support.ts";

const hosts = danger("privilege-container", "gives a container the powers of this machine's root");

const kinds =
  "-v --volume --mount --cap-add --device --security-opt --pid --ipc --userns --uts --cgroupns --entrypoint";

export function runOptions(): NonNullable<Spec["takes"]> {
  return {
    [kinds]: "text",
    "-a --attach --add-host --annotation --blkio-weight --blkio-weight-device --cap-drop --cgroup-parent --cgroup-conf":
      "text",
    "--cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime -c --cpu-shares --cpus --cpuset-cpus --cpuset-mems":
      "text",
    "--detach-keys --device-cgroup-rule --device-read-bps --device-read-iops --device-write-bps --device-write-iops":
      "text",
    "--dns --dns-option --dns-opt --dns-search --domainname -e --env --expose --gpus --group-add --health-cmd": "text",
    "--health-interval --health-retries --health-start-period --health-timeout -h --hostname --ip --ip6 --isolation":
      "text",
    "--kernel-memory -l --label --link --link-local-ip --log-driver --log-opt --mac-address -m --memory": "text",
    "--memory-reservation --memory-swap --memory-swappiness --name --network --net --network-alias --net-alias": "text",
    "--oom-score-adj --pids-limit --platform -p --publish --pull --restart --runtime --shm-size --stop-signal": "text",
    "--stop-timeout --storage-opt --sysctl --tmpfs --ulimit -u --user --volume-driver --volumes-from -w --workdir":
      "text",
    "--arch --os --variant --secret --pod --requires --timeout --tz --umask --uidmap --gidmap --index": "text",
    "--env-file --label-file": "read",
    "--cidfile --pidfile --conmon-pidfile": "write",
  };
}

export function runFlags(): NonNullable<Spec["may"]> {
  return flags(
    "--rm --init --detach --publish-all --read-only --tty --interactive --quiet --privileged --no-healthcheck --use-aliases --service-ports --build --no-deps",
  );
}

/** `run [options] image [command]`. */
export function runImage(): Spec {
  return {
    takes: runOptions(),
    may: runFlags(),
    stops: true,
    also: (given) => [...powers(given), ...image(given.operands[0]), ...inside(given)],
  };
}

/** `exec [options] container command`. */
export function executes(): Spec {
  return {
    takes: { "-e --env -u --user -w --workdir --detach-keys --index": "text", "--env-file": "read" },
    may: runFlags(),
    stops: true,
    operands: ["text", "argv"],
    also: ({ has, values }) => (isOn(has, values, "--privileged") ? [{ does: "danger", danger: hosts }] : []),
  };
}

function inside({ operands, values }: Given): readonly Deed[] {
  const entry = values("--entrypoint").filter(({ text }) => text.length > 0);
  return runs([...entry.slice(-1), ...operands.slice(1)]);
}

function isOn(has: Given["has"], values: Given["values"], option: string): boolean {
  return has(option) && known(values(option).at(-1)?.text ?? []) !== "false";
}

/** What lets it out of the container. */
export function powers({ has, values }: Given): readonly Deed[] {
  const spaces = values("--pid --ipc --userns --uts --cgroupns").filter(({ text }) => known(text) === "host");
  const capabilities = values("--cap-add").filter(({ text }) => strong.test(known(text) ?? "ALL"));
  const devices = values("--device").filter(({ text }) => disks.test(known(text) ?? "/dev"));
  const open = values("--security-opt").filter(({ text }) =>
    /unconfined|label[=:]disable/u.test(known(text) ?? "unconfined"),
  );
  return [
    ...(isOn(has, values, "--privileged") ? [{ does: "danger" as const, danger: hosts }] : []),
    ...[...spaces, ...capabilities, ...devices, ...open].map((at): Deed => ({ does: "danger", danger: hosts, at })),
    ...values("-v --volume").flatMap(volume),
    ...values("--mount").flatMap(mount),
  ];
}

const strong = /(?:^|,)(?:CAP_)?(?:ALL|SYS_ADMIN|SYS_MODULE|SYS_RAWIO|SYS_BOOT|DAC_\w+|MKNOD|BPF|MAC_\w+)(?:,|$)/iu;
const disks = /^\/dev(?:\/?$|\/?:|\/(?:sd|hd|vd|xvd|nvme|mmcblk|dm|loop|md|mapper|disk|mem|kmem|port|kmsg))/u;

/** `source:target[:options]`; a source without a slash is the name of a volume. */
export function volume(value: Argument): readonly Deed[] {
  const source = { ...value, text: until(value.text, ":") };
  const options = /:([^:/]*)$/u.exec(String(value.text.at(-1)))?.[1] ?? "";
  return bound(source, /(?:^|,)ro(?:,|$)/u.test(options));
}

function mount(value: Argument): readonly Deed[] {
  const text = known(value.text);
  if (text === null) return bound(/source=|src=/u.test(beginning(value.text)) ? sourceIn(value) : value, false);
  const parts = text.split(",");
  const source = parts.find((part) => /^(?:source|src)=/u.test(part));
  if (source === undefined) return [];
  const isReadOnly = parts.some((part) => /^(?:readonly|ro)(?:=true)?$/u.test(part));
  return bound(inPlaceOf(value, source.slice(source.indexOf("=") + 1)), isReadOnly);
}

function sourceIn(value: Argument): Argument {
  const [, ...rest] = beginning(value.text).split(/(?:source|src)=/u);
  return { ...value, text: until(textOf(rest.join(""), ...value.text.slice(1)), ",") };
}

/** A folder of this machine in a container: whatever it may write there is written here. */
function bound(source: Argument, isReadOnly: boolean): readonly Deed[] {
  const path = known(source.text);
  if (path !== null && (isRoot(path) || /(?:docker|containerd|crio|podman)\.sock$/u.test(path))) {
    return [asks("privilege-container", "gives a container this machine's files or its container service", source)];
  }
  const isPath = typeof source.text[0] === "object" || /^[./~]/u.test(beginning(source.text));
  return isPath && !isReadOnly ? [write(source)] : [];
}

function isRoot(path: string): boolean {
  if (!path.startsWith("/")) return false;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.length === 0;
}

function until(text: Text, character: string): Text {
  const index = text.findIndex((piece) => typeof piece === "string" && piece.includes(character));
  const piece = text[index];
  if (typeof piece !== "string") return text;
  const last = piece.slice(0, piece.indexOf(character));
  return last === "" ? text.slice(0, index) : [...text.slice(0, index), last];
}

/** Registries that a name without a host, or everybody's examples, lead to. */
const usual =
  /^(?:docker\.io|registry-1\.docker\.io|ghcr\.io|gcr\.io|[\w-]+\.gcr\.io|quay\.io|mcr\.microsoft\.com|public\.ecr\.aws|registry\.k8s\.io|k8s\.gcr\.io|[\w-]+-docker\.pkg\.dev|registry\.gitlab\.com|registry\.access\.redhat\.com|docker\.elastic\.co)$/iu;

/** The registry that an image's name leads to, when it names one that is not usual. */
export function image(name: Argument | undefined): readonly Deed[] {
  const host = name === undefined ? null : registryOf(name);
  return name === undefined || host === null || usual.test(host) ? [] : connects(inPlaceOf(name, host));
}

/** The host in an image's name: it has a dot or a port. */
function registryOf({ text }: Argument): string | null {
  const found = /^(?:docker:\/\/)?([\w-]+(?:\.[\w-]+)+(?::\d+)?|localhost(?::\d+)?|[\w-]+:\d+)\//iu.exec(
    beginning(text),
  );
  return found?.[1] ?? null;
}

/** Pushing into a registry on this machine stays here. */
export function pushes({ operands }: Given): readonly Deed[] {
  const target = operands.at(-1);
  const host = target === undefined ? null : registryOf(target);
  if (target !== undefined && host !== null) return connects(inPlaceOf(target, host));
  return [asks("network-send", "sends an image to another machine", target)];
}
