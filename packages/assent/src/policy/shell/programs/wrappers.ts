import type { Deed } from "../deeds.ts";
import { asks, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { type Argument, beginning, spanOfWords, textOf } from "../text.ts";
import { isIn, quoted, runsIn, shellOf, withoutOptions, withVariables, word } from "./calls.ts";
import { parallelTools } from "./wrappers-input.ts";
import { secretKeepers } from "./wrappers-settings.ts";
import { multiplexers } from "./wrappers-terminals.ts";

/** Options, then the command. */
function before(takes = "", more: Spec = {}): Spec {
  return {
    stops: true,
    operands: ["argv"],
    ...more,
    takes: { ...(takes === "" ? {} : { [takes]: "text" as const }), ...more.takes },
  };
}

/** A value, then the command: `timeout 5 npm test`. */
function afterOne(takes = "", more: Spec = {}): Spec {
  return before(takes, { operands: ["text", "argv"], ...more });
}

/** Options of its own in `NAME=value` form, and another way to write all of them in one word. */
function env(given: Given): readonly Deed[] {
  const split = given.values("-S --split-string");
  if (split.length > 0) {
    const texts = split.flatMap(({ text }) => [
      " ",
      ...text.map((piece) => (typeof piece === "string" ? piece.replaceAll("\\_", " ") : piece)),
    ]);
    const rest = given.operands.map((each) => ` ${quoted(each)}`);
    return [
      ...forgotten(given),
      { does: "shell", text: textOf("env", ...texts, ...rest), span: spanOfWords([...split, ...given.operands]) },
    ];
  }
  const [first, ...others] = given.operands;
  const { variables, argv } = withVariables(first !== undefined && isIn(first, "-") ? others : given.operands);
  return [...forgotten(given), ...variables, ...namedLater(argv), ...runsIn(given.values("-C --chdir")[0], argv)];
}

/** `-i`, `-`, `-u NAME` */
function forgotten({ has, values, operands: [first] }: Given): readonly Deed[] {
  if (has("-i --ignore-environment") || (first !== undefined && isIn(first, "-")))
    return [{ does: "forget", name: null }];
  return values("-u --unset").map((name) => ({ does: "forget", name: word(name) }));
}

/** `$NAME=value`: a variable, but nobody knows which. */
function namedLater([first]: readonly Argument[]): readonly Deed[] {
  const isVariable = first?.text.some((piece) => typeof piece === "string" && piece.includes("=")) === true;
  const isHole = first !== undefined && beginning(first.text) === "" && first.text.length > 0;
  return isVariable && isHole
    ? [asks("exec-injected", "sets a variable whose name is not known before it runs", first)]
    : [];
}

/** `flock file command`, `flock file -c text`, `flock 9`. */
function flock({ operands: [, second, ...rest] }: Given): readonly Deed[] {
  if (second === undefined) return [];
  return isIn(second, "-c --command") ? shellOf(rest.slice(0, 1)) : runs([second, ...rest]);
}

/** The words are one text for a shell, unless -x. */
function watch(given: Given): readonly Deed[] {
  return given.has("-x --exec") ? runs(given.operands) : shellOf(given.operands);
}

/** `script -c text file`, also with the options last; on macOS `script file command`. */
function script({ words, operands: [file] }: Given): readonly Deed[] {
  if (file === undefined) return [];
  const argv = words.slice(words.indexOf(file) + 1);
  const isCommand = argv[0] !== undefined && !beginning(argv[0].text).startsWith("-");
  return [{ does: "write", path: file }, ...(isCommand ? runs(argv) : [])];
}

/** What stands between or after `--`, or else all operands. */
function afterDashes({ words, operands }: Given): readonly Deed[] {
  const end = words.findIndex((each) => isIn(each, "--"));
  return end < 0 ? runs(operands) : runs(words.slice(end + 1));
}

/** Programs that hold many others: the first word says which. */
function applets(): Spec {
  return {
    style: "none",
    also: ({ words }) => {
      const [first] = words;
      return first === undefined || /^--(list|list-full|help|show|install)$/.test(word(first))
        ? installs(words)
        : runs(words);
    },
  };
}

function installs([first, ...folders]: readonly Argument[]): readonly Deed[] {
  if (first === undefined || !isIn(first, "--install")) return [];
  return folders.filter((each) => !beginning(each.text).startsWith("-")).map((path) => ({ does: "write", path }));
}

/** The dynamic loader, called by name. */
function loader(): Spec {
  return before("--library-path --inhibit-rpath --audit --argv0 --glibc-hwcaps-prepend --glibc-hwcaps-mask", {
    takes: { "--preload": "program" },
    also: (given) =>
      given.has("--preload --audit --library-path")
        ? [asks("exec-injected", "loads a library of another place into a program")]
        : [],
  });
}

const loaders =
  "ld-linux-x86-64.so.2 ld-linux.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3 ld-linux-riscv64-lp64d.so.1 ld64.so.1 ld64.so.2 ld.so ld.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 ld-musl-armhf.so.1 ld-musl-i386.so.1 ld-elf.so.1 ld-2.31.so ld-2.35.so ld-2.36.so ld-2.39.so dyld linux64.so";

function daemon(given: Given): readonly Deed[] {
  const programs = given.values("-x --exec -a --startas");
  const rights = given.has("-c --chuid -r --chroot")
    ? [asks("privilege-escalation", "runs with another user's rights")]
    : [];
  const stopped = given.has("-K --stop") ? [asks("system-service", "stops services of this machine")] : [];
  return [
    ...rights,
    ...stopped,
    ...(given.has("-K --stop") ? [] : programs).flatMap((program) =>
      runsIn(given.values("-d --chdir")[0], [program, ...given.operands]),
    ),
  ];
}

function nodemon(given: Given): readonly Deed[] {
  const commands = given.values("-x --exec");
  const [first] = given.operands;
  const script = commands.length === 0 && first !== undefined;
  return script ? [{ does: "script", path: first, language: "javascript" }] : [];
}

/** `command -v name` only looks. */
function command(given: Given): readonly Deed[] {
  return given.has("-v -V") ? [] : runs(given.operands);
}

/** `firejail`, `bwrap`: a box around the command, with places of the machine in it. */
function bubble(): Spec {
  return { style: "none", also: boxed };
}

function boxed({ words }: Given): readonly Deed[] {
  const values: Readonly<Record<string, number>> = {
    bind: 2,
    "dev-bind": 2,
    "ro-bind": 2,
    "bind-try": 2,
    "dev-bind-try": 2,
    "ro-bind-try": 2,
    symlink: 2,
    setenv: 2,
    file: 2,
    "bind-data": 2,
    "ro-bind-data": 2,
    chmod: 2,
    "unshare-user": 0,
    "unshare-all": 0,
    "share-net": 0,
    "die-with-parent": 0,
    "new-session": 0,
    "unshare-pid": 0,
    "unshare-net": 0,
    "unshare-ipc": 0,
    "unshare-uts": 0,
    "unshare-cgroup": 0,
    clearenv: 0,
    "as-pid-1": 0,
    "unshare-user-try": 0,
    "unshare-cgroup-try": 0,
    "disable-userns": 0,
  };
  let at = 0;
  while (at < words.length && word(words[at]).startsWith("--") && word(words[at]) !== "--") {
    at += 1 + (values[word(words[at]).slice(2)] ?? 1);
  }
  return runs(words.slice(word(words[at]) === "--" ? at + 1 : at));
}

function userOf(): Spec {
  return {
    also: (given) => (given.has("-u -U") ? [asks("privilege-escalation", "runs with another user's rights")] : []),
  };
}

export const wrappers: Programs = {
  ...parallelTools,
  ...multiplexers,
  ...secretKeepers,
  env() {
    return {
      stops: true,
      takes: { "-u --unset -C --chdir -S --split-string -a --argv0 -P -L -U": "text" },
      may: { "--block-signal --default-signal --ignore-signal": "text" },
      also: env,
    };
  },
  "timeout gtimeout": () => afterOne("-k --kill-after -s --signal"),
  nice: () => before("-n --adjustment"),
  ionice: () => before("-c --class -n --classdata -p --pid -P --pgid -u --uid"),
  "nohup setsid chronic catchsegv unbuffer fakechroot tsocks torify linux32 linux64 i386 x86_64 uname26 eatmydata winpty ifne zrun builtin":
    () => before(),
  "fakeroot fakeroot-ng": () => before("-l --lib --faked -s -i -b -p"),
  torsocks: () => before("-u --user -p --pass -P --port -a --address"),
  "proxychains proxychains4": () => before("-f"),
  "dbus-run-session dbus-launch": () => before("--config-file --dbus-daemon"),
  nocache: () => before("-n"),
  setarch: () => ({ style: "none", also: ({ words }) => runs(withoutOptions(words.slice(1))) }),
  stdbuf: () => before("-i --input -o --output -e --error"),
  "time gtime": () => before("-f --format", { takes: { "-o --output": "write" } }),
  chrt: () => afterOne("-T --sched-runtime -P --sched-period -D --sched-deadline"),
  taskset: () => afterOne(),
  numactl() {
    return before(
      "-N --cpunodebind -C --physcpubind -m --membind -i --interleave -p --preferred -P --preferred-many -w --weighted-interleave --shm -f --file --offset --length --shmmode",
    );
  },
  prlimit: () => before("-p --pid -o --output"),
  faketime() {
    return {
      stops: true,
      takes: { "-f -p --pid": "text" },
      also: (given) => runs(given.has("-f") ? given.operands : given.operands.slice(1)),
    };
  },
  logsave: () => ({ stops: true, operands: ["write", "argv"] }),
  // Elsewhere it only tells what machine this is.
  arch() {
    return {
      style: "long",
      stops: true,
      takes: { "-arch -d": "text", "-e": "variable" },
      operands: ["argv"],
      output: "word",
    };
  },
  proot() {
    return before(
      "-r --rootfs -b --bind -q --qemu -w --pwd --cwd -v --verbose -m --mount -S -R -i --change-id -k --kernel-release",
    );
  },
  runcon() {
    return {
      stops: true,
      takes: { "-t --type -u --user -r --role -l --range": "text" },
      // The context is one word, or given by options.
      also: (given) =>
        runs(given.has("-t --type -u --user -r --role -l --range -c") ? given.operands : given.operands.slice(1)),
    };
  },
  "systemd-inhibit": () => before("--what --who --why --mode"),
  "systemd-cat": () => before("-t --identifier -p --priority --stderr-priority --level-prefix --namespace"),
  script() {
    return {
      takes: {
        "-c --command": "shell",
        "-E --echo -m --logging-format -o --output-limit": "text",
        "-I --log-in -O --log-out -B --log-io -T --log-timing": "write",
      },
      may: { "-t --timing": "write" },
      also: script,
    };
  },
  scriptreplay: () => ({}),
  flock() {
    return {
      stops: true,
      takes: { "-w --wait --timeout -E --conflict-exit-code": "text", "-c --command": "shell" },
      operands: ["write", "text"],
      also: flock,
    };
  },
  "lockf setlock lckdo": () => ({ stops: true, takes: { "-t -W": "text" }, operands: ["write", "argv"] }),
  "watch viddy hwatch"() {
    return {
      stops: true,
      takes: { "-n --interval -q --equexit -s --shotsdir": "text" },
      may: { "-d --differences": "text" },
      also: watch,
    };
  },
  entr: () => ({ stops: true, also: (given) => (given.has("-s") ? shellOf(given.operands) : runs(given.operands)) }),
  nodemon() {
    return {
      takes: { "-x --exec": "shell", "-w --watch -i --ignore -e --ext -d --delay -s --signal --config --cwd": "text" },
      also: nodemon,
    };
  },
  watchexec() {
    return before(
      "-e --exts -f --filter -i --ignore -w --watch -W --watch-non-recursive -s --signal -d --debounce --stop-signal --stop-timeout --on-busy-update -o --shell --workdir --emit-events-to --delay-run --project-origin -E --env --filter-file --ignore-file",
      { also: ({ operands }) => shellOf(operands) },
    );
  },
  "onchange chokidar": () => ({ takes: { "-c --command": "shell" }, also: afterDashes }),
  reflex() {
    return {
      stops: true,
      takes: { "-r --regex -R --inverse-regex -g --glob -G --inverse-glob -d --decoration -c --config": "text" },
      also: afterDashes,
    };
  },
  rlwrap() {
    return before("-b -C -D -e -f -g -H -l -M -O -P -q -s -S -t -w", {
      takes: { "-z": "shell" },
      may: { "-a -A -m -p": "text" },
    });
  },
  "xvfb-run": () =>
    before("-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait"),
  caffeinate: () => before("-t -w"),
  command: () => ({ stops: true, also: command }),
  exec: () => before("-a"),
  "busybox toybox coreutils uutils": applets,
  [loaders]: loader,
  chpst: () => before("-u -U -b -e -/ -C -n -l -L -m -d -o -p -f -c -r -t", userOf()),
  softlimit: () => before("-a -c -d -f -l -m -o -p -r -s -t"),
  envdir: () => afterOne(),
  "start-stop-daemon"() {
    return {
      takes: {
        "-x --exec -a --startas -p --pidfile -n --name -u --user -g --group -c --chuid -r --chroot -d --chdir -N --nicelevel -s --signal -R --retry -I --iosched -k --umask -P --procsched -O --output --pid --ppid":
          "text",
      },
      may: { "--start": "text" },
      also: daemon,
    };
  },
  daemonize: () => before("-c -e -o -p -l -u -E"),
  cgexec: () => before("-g"),
  firejail: () => before(),
  bwrap: bubble,
  cpulimit: () => before("-l --limit -p --pid -e --exe -P --path"),
  retry: () => before("-t --times -d --delay"),
  sshpass: () => before("-p -f -d -P"),
  hyperfine() {
    return {
      takes: {
        "-p --prepare -c --cleanup -s --setup --conclude --reference": "shell",
        "-S --shell -w --warmup -r --runs -m --min-runs -M --max-runs -P --parameter-scan -L --parameter-list -D --parameter-step-size --style -u --time-unit -n --command-name --sort":
          "text",
        "--export-json --export-csv --export-markdown --export-asciidoc --export-orgmode --output": "write",
      },
      operands: ["shell"],
    };
  },
  "concurrently conc"() {
    return {
      takes: {
        "-n --names -c --prefix-colors -p --prefix -s --success -m --max-processes -l --prefix-length -t --timestamp-format --restart-tries --restart-after --default-input-target --name-separator --hide":
          "text",
        "--teardown": "shell",
      },
      also: ({ operands }) =>
        operands
          .filter((each) => !/^(npm|yarn|pnpm|bun|node|deno):/.test(beginning(each.text)))
          .flatMap((each) => shellOf([each])),
    };
  },
  "pee mispipe": () => ({ operands: ["shell"] }),
  "npm-run-all run-s run-p npm-run-all2": () => ({}),
  "cross-env cross-env-shell": () => ({ style: "none", also: crossEnvironment }),
};

function crossEnvironment({ name, words }: Given): readonly Deed[] {
  const { variables, argv } = withVariables(words);
  if (name === "cross-env") return [...variables, ...runs(argv)];
  return [...variables, ...shellOf(argv)];
}
