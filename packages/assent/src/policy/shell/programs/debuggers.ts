import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Kind, type Programs, type Spec, same } from "../spec.ts";
import { beginning } from "../text.ts";
import { each, shellText, starts, without } from "./arguments.ts";
import { isIn } from "./calls.ts";

/** An option of gdb and every beginning of it from that many characters on, with its kind. */
function cut(option: string, from: number, kind: Kind): Readonly<Record<string, Kind>> {
  const spellings = Array.from({ length: option.length - from + 1 }, (_, more) => option.slice(0, from + more));
  return { [spellings.join(" ")]: kind };
}

function gdb(): Spec {
  return {
    style: "long",
    takes: {
      "-ex -iex": "code:gdb",
      ...cut("-eval-command", 3, "code:gdb"),
      ...cut("-init-eval-command", 7, "code:gdb"),
      "-x -ix": "script:gdb",
      ...cut("-command", 4, "script:gdb"),
      ...cut("-init-command", 7, "script:gdb"),
      ...cut("-args", 2, "argv"),
      "-p -pid -c -core -s -symbols -e -exec -se -d -directory -cd -l -b -tty -i -interpreter -data-directory": "text",
    },
    also: ({ has }): readonly Deed[] => (has("-batch") ? [] : [{ does: "run-input", language: "gdb" }]),
  };
}

function lldb(): Spec {
  return {
    takes: {
      "-o --one-line -O --one-line-before-file -k --one-line-on-crash": "code:gdb",
      "-s --source -S --source-before-file -K --source-on-crash": "script:gdb",
      "-f --file -c --core -p --attach-pid -n --attach-name -a --arch -l --script-language": "text",
    },
    may: { "--source-quietly": "text" },
    stops: true,
    operands: ["argv"],
    also: ({ has }): readonly Deed[] => (has("-b --batch") ? [] : [{ does: "run-input", language: "gdb" }]),
  };
}

/** An output that begins with `|` or `!` is a command. */
function traceOutput({ values }: Given): readonly Deed[] {
  return values("-o --output").map((value) =>
    starts(value, "| !") ? shellText(without(value, 1)) : { does: "write", path: value },
  );
}

function strace(): Spec {
  return {
    takes: {
      "-o --output": "text",
      "-e --trace -p --attach -s --string-limit -a --columns -b --detach-on -I --interruptible -O --summary-columns":
        "text",
      "-S --summary-sort-by -P --trace-path -X --const-print-style -U --inject --fault --signal --abbrev --verbose":
        "text",
      "-E --env": "variable",
      "-u --user": "text",
    },
    may: { "--relative-timestamps --absolute-timestamps --summary-only --summary --decode-fds --decode-pids": "text" },
    danger: { "-u --user": danger("privilege-escalation", "runs a program as another user") },
    stops: true,
    operands: ["argv"],
    also: traceOutput,
  };
}

function ltrace(): Spec {
  return {
    takes: {
      "-o --output": "text",
      "-e -l --library -x -n --indent -a --align -s -A -D --debug -F --config -p -w -u": "text",
    },
    danger: { "-u": danger("privilege-escalation", "runs a program as another user") },
    stops: true,
    operands: ["argv"],
    also: traceOutput,
  };
}

/** Those of perf that run a command. */
function measured(): Spec {
  return {
    takes: {
      "-o --output": "write",
      "-e --event -F --freq -c --count -p --pid -t --tid -C --cpu -r --repeat -I --interval-print -x --field-separator":
        "text",
      "-u --uid -G --cgroup --call-graph -m --mmap-pages -k --clockid -D --delay -M --metrics --filter --timeout":
        "text",
      "--pre --post": "shell",
    },
    stops: true,
    operands: ["argv"],
  };
}

function reported(): Spec {
  return {
    takes: {
      "-i --input": "read",
      "--objdump --addr2line": "program",
      "-s --script -g --gen-script": "text",
      "-F --fields --sort --stdio-color --dsos --comm --symbols --percent-limit": "text",
    },
    also: ({ values, has }) =>
      has("-s --script")
        ? values("-s --script").map((path): Deed => ({ does: "script", path, language: "python" }))
        : [],
  };
}

function perf(): Spec {
  return {
    takes: { "--exec-path --debugfs-dir --buildid-dir --debug": "text" },
    may: { "-p --paginate --no-pager --list-opts": "text" },
    commands: {
      ...same("stat record trace mem c2c lock sched kmem ftrace", measured()),
      ...same("report annotate diff script", reported()),
    },
  };
}

function valgrind(): Spec {
  return {
    takes: {},
    may: {
      "--log-file --xml-file --massif-out-file --callgrind-out-file --cachegrind-out-file --dhat-out-file": "write",
      "--db-command": "shell",
      "--suppressions": "read",
      "--tool --leak-check --log-socket": "text",
    },
    stops: true,
    operands: ["argv"],
    also: ({ values }) => values("--log-socket").map((host): Deed => ({ does: "connect", host })),
  };
}

/** Programs that run the command which follows. */
function runs(): Spec {
  return {
    takes: {
      "-o --output --output-dir": "write",
      "-p --pid -r --rate -d --duration -f --format -F --frequency": "text",
    },
    stops: true,
    operands: ["argv"],
  };
}

function replays(): Spec {
  return {
    takes: {
      "-x --gdb-x": "script:gdb",
      "-d --debugger": "program",
      "-p --onprocess -f --onfork -g --goto -o": "text",
    },
  };
}

/** The first operand is where to listen, or where the output goes. */
function afterFirst({ operands }: Given): readonly Deed[] {
  const argv = operands.slice(1);
  return argv.length === 0 ? [] : [{ does: "run", argv }];
}

function delveDeeds({ words }: Given): readonly Deed[] {
  const at = words.findIndex((word) => isIn(word, "exec"));
  const argv = at < 0 ? [] : words.slice(at + 1).filter((word) => !isIn(word, "--") && !starts(word, "--"));
  const connects = words.findIndex((word) => isIn(word, "connect"));
  const host = connects < 0 ? undefined : words[connects + 1];
  return [
    ...(argv.length === 0 ? [] : [{ does: "run", argv } as const]),
    ...(host === undefined ? [] : [{ does: "connect", host } as const]),
  ];
}

/** D programs and the like can call `system`. */
function probes({ values }: Given): readonly Deed[] {
  return values("-n -e").flatMap((code): readonly Deed[] =>
    /\bsystem\s*\(|copyout|raise\s*\(|panic\s*\(/.test(beginning(code.text))
      ? [asks("exec-option", "runs a command from a probe", code)]
      : [],
  );
}

function probing(): Spec {
  return {
    takes: { "-n -e -P -m -f -i -x -p -I -b": "text", "-c": "shell", "-o": "write", "-s": "read" },
    danger: { "-w --unsafe": danger("system-kernel", "lets probes change the system") },
    also: probes,
  };
}

/** Object files: most only print. */
const binaries: Programs = {
  "nm objdump readelf size addr2line c++filt ldd otool dwarfdump llvm-nm llvm-objdump llvm-readelf"() {
    return {
      takes: { "-j --section -M -m -b -e --exe --start-address --stop-address": "text" },
      operands: ["read"],
    };
  },
  "strip llvm-strip": () => ({ takes: { "-o": "write", "-K -N -R -F -I -O": "text" }, operands: ["write"] }),
  "objcopy llvm-objcopy"() {
    return {
      takes: { "-j -R -O -I -B -F -K -N -L -G -W --set-section-flags --rename-section --redefine-sym": "text" },
      operands: ["read", "write"],
      also: ({ operands }) => (operands.length === 1 ? each("write", operands) : []),
    };
  },
  patchelf() {
    return {
      takes: {
        "--set-rpath --set-interpreter --replace-needed --add-needed --remove-needed --set-soname --add-rpath": "text",
        "--output": "write",
      },
      also: ({ operands, has }) => (has("--print-rpath") || has("--print-needed") ? [] : each("write", operands)),
    };
  },
  install_name_tool: () => ({ also: ({ operands }) => each("write", operands.slice(-1)) }),
  "callgrind_annotate cg_annotate cg_diff ms_print vgdb heaptrack_print flamegraph.pl gprof"() {
    return {
      operands: ["read"],
    };
  },
  "gcov lcov genhtml gcovr llvm-cov llvm-profdata"() {
    return {
      takes: { "-o --output --output-file --output-directory": "write" },
      operands: ["text"],
    };
  },
};

export const debuggers: Programs = {
  "gdb gdb-multiarch rust-gdb cgdb ugdb gdbtui": gdb,
  "lldb rust-lldb": lldb,
  gdbserver: () => ({ takes: { "--wrapper": "argv" }, stops: true, also: afterFirst }),
  strace,
  ltrace,
  perf,
  valgrind,
  rr() {
    return {
      commands: {
        record: {
          ...runs(),
          takes: { "-o --output-trace-dir": "write", "-n -c -t -i": "text", "-v --env": "variable" },
        },
        replay: replays(),
      },
    };
  },
  "uftrace samply py-spy rbspy": () => ({ commands: { record: runs(), live: runs(), top: runs(), run: runs() } }),
  "heaptrack catchsegv memusage xtrace": runs,
  "dtruss iprofiler": runs,
  kcov: () => ({ stops: true, also: (given) => [...each("write", given.operands.slice(0, 1)), ...afterFirst(given)] }),
  dlv: () => ({ style: "none", also: delveDeeds }),
  "dtrace bpftrace": probing,
  ...binaries,
};
