import type { Deed } from "../deeds.ts";
import { deedsOf } from "../deeds-of.ts";
import { asks, danger, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { type Argument, after, beginning, known } from "../text.ts";
import { sortWords } from "../words.ts";
import { shellOf } from "./calls.ts";
import { connects, isDryRun } from "./support.ts";

const files = danger("network-redirect", "takes its settings from a file, which can name other hosts and programs");

function sshOptions(): Spec {
  return {
    takes: {
      "-b -c -e -L -l -m -O -o -p -Q -R -W -w -B -P -D -S -F": "text",
      "-E": "write",
      "-i": "read",
      "-J": "host",
      "-I": "text",
    },
    danger: { "-I": danger("exec-option", "loads a library into ssh") },
    stops: true,
  };
}

function ssh(): Spec {
  return { ...sshOptions(), also: (given) => [...settings(given), ...session(given)] };
}

/** The host, and what is run there: only told apart when the host is this machine. */
function session({ operands: [host, ...rest], has }: Given): readonly Deed[] {
  if (host === undefined || has("-G")) return [];
  if (rest[0] === undefined) return [...connects(host), { does: "run-input", language: "shell" }];
  if (!beginning(rest[0].text).startsWith("-")) return [...connects(host), ...shellOf(rest)];
  const options: Spec = { ...sshOptions(), also: settings };
  return [...connects(host), ...(deedsOf("ssh", options, rest) ?? []), ...shellOf(sortWords(options, rest).operands)];
}

/** `-o Name=value` or `-o "Name value"`, and the file of settings. */
function settings({ values }: Given): readonly Deed[] {
  return [...values("-o").flatMap(setting), ...values("-F").flatMap(settingsFile)];
}

function settingsFile(file: Argument): readonly Deed[] {
  const path = known(file.text);
  return path === "none" || path === "/dev/null" ? [] : [{ does: "danger", danger: files, at: file }];
}

const programSettings =
  /^(?:proxycommand|localcommand|knownhostscommand|authorizedkeyscommand|xauthlocation|match|pkcs11provider|securitykeyprovider)$/u;

function setting(option: Argument): readonly Deed[] {
  const found = /^\s*([a-z\d]+)\s*[=\s]\s*"?/iu.exec(beginning(option.text));
  if (found === null) {
    const isKnown = known(option.text) !== null;
    return isKnown ? [] : [asks("exec-option", "changes a setting of ssh that is not known before it runs", option)];
  }
  const name = (found[1] ?? "").toLowerCase();
  const value = { ...option, text: after(option.text, found[0].length) };
  if (known(value.text) === "none") return [];
  if (programSettings.test(name)) return [{ does: "program", text: value.text, span: option.span }];
  if (name === "remotecommand") return [{ does: "shell", text: value.text, span: option.span }];
  if (name === "hostname" || name === "proxyjump") return connects(value);
  return name === "include" ? [{ does: "danger", danger: files, at: option }] : [];
}

function copyOptions(): NonNullable<Spec["takes"]> {
  return {
    "-c -l -o -P -X -F": "text",
    "-i": "read",
    "-J": "host",
    "-S -D": "program",
  };
}

function scp(): Spec {
  return { takes: copyOptions(), operands: ["remote-read"], last: "remote-write", also: settings };
}

function sftp(): Spec {
  return {
    takes: { ...copyOptions(), "-b": "read", "-B -R -s": "text" },
    operands: ["host", "write"],
    also: settings,
  };
}

const deletes =
  "--del --delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --delete-missing-args";

function rsync(): Spec {
  return {
    takes: {
      "-e --rsh --rsync-path": "program",
      "-f --filter --exclude --include --chmod --chown --max-size --min-size --bwlimit --timeout --contimeout --port":
        "text",
      "-B --block-size -M --remote-option --info --debug --out-format --log-file-format --suffix": "text",
      "--compress-level --zl --zc --compress-choice --checksum-choice --cc --usermap --groupmap --sockopts --max-delete":
        "text",
      "--protocol --iconv --skip-compress --modify-window -@ --address --max-alloc --stop-after --stop-at --outbuf":
        "text",
      "--copy-as": "text",
      "--exclude-from --include-from --files-from --password-file --read-batch --early-input": "read",
      "--log-file --backup-dir --partial-dir -T --temp-dir --write-batch --only-write-batch": "write",
      "--compare-dest --copy-dest --link-dest": "text",
    },
    may: { [deletes]: "text", "--delete-missing --partial --compress --max --backup": "text" },
    operands: ["remote-read"],
    last: "remote-write",
    also: (given) => deletions(given),
  };
}

/** A dry run deletes nothing. */
function deletions(given: Given): readonly Deed[] {
  const { has, words } = given;
  if (isDryRun(given, "-n --dry-run") && !has("--no-n")) return [];
  const isGiven = has(deletes) || words.some(({ text }) => /^--del/u.test(beginning(text)));
  return [
    ...(isGiven ? [asks("delete-bulk", "deletes whatever the source does not have")] : []),
    ...(has("--remove-source-files --remove-sent-files")
      ? [asks("delete-bulk", "deletes the files it has copied")]
      : []),
    ...(has("--daemon") ? [asks("network-tunnel", "lets other machines copy files")] : []),
  ];
}

const tunnel = danger("network-tunnel", "opens a way between this machine and others");

export const sshTools: Programs = {
  ssh,
  scp,
  sftp,
  rsync,
  autossh: () => ({ ...ssh(), takes: { ...ssh().takes, "-M": "text" } }),
  slogin: ssh,
  "mosh et"() {
    return {
      takes: { "--ssh --server --client": "program", "-p --port --family --predict --bind-server": "text" },
      stops: true,
      also: ({ operands: [host, ...rest] }) => (host === undefined ? [] : [...connects(host), ...runs(rest)]),
    };
  },
  sshfs() {
    return {
      takes: { "-o -p -F": "text" },
      operands: ["remote-read", "write"],
      also: (given) => [...settings(given), ...mounted(given)],
    };
  },
  "ssh-copy-id"() {
    return {
      takes: { "-i": "read", "-o -p -t -F": "text" },
      always: danger("network-send", "puts a key onto another machine"),
      unless: "-n -h",
    };
  },
  "ssh-keyscan": () => ({ takes: { "-p -T -t -O": "text", "-f": "read" }, operands: ["host"] }),
  sshuttle: () => ({ always: tunnel }),
  rsh: () => ({ takes: { "-l": "text" }, stops: true, operands: ["host", "argv"] }),
  rlogin: () => ({ operands: ["host"] }),
  rcp: scp,
  pscp: scp,
  unison: () => ({ takes: { "-sshcmd -rshcmd": "program" }, style: "long", operands: ["remote-write"] }),
  "git-upload-pack": () => ({}),
};

function mounted({ operands: [place] }: Given): readonly Deed[] {
  return place === undefined ? [] : [{ does: "connect", host: place }];
}
