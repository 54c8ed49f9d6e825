import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs } from "../spec.ts";
import { type Argument, beginning, known } from "../text.ts";
import { each, prints, printsOption, starts, without } from "./arguments.ts";
import { isIn } from "./calls.ts";
import { carried } from "./network-peers.ts";

/** A subscript of a variable's name is evaluated, and with it any command inside. */
function evaluatesName(name: Argument | undefined): readonly Deed[] {
  if (name === undefined) return [];
  const hides = name.text.some((piece) => typeof piece === "string" && /\$\(|`/.test(piece));
  const subscript = known(name.text) === null && beginning(name.text).includes("[");
  return hides || subscript ? [asks("exec-injected", "evaluates a command inside a variable's name", name)] : [];
}

function printfDeeds({ words }: Given): readonly Deed[] {
  const [first, second] = words;
  if (first === undefined || !starts(first, "-v")) return [];
  return evaluatesName(known(first.text) === "-v" ? second : without(first, 2));
}

function testDeeds({ words }: Given): readonly Deed[] {
  return words.flatMap((word, index) => (isIn(word, "-v -R") ? evaluatesName(words[index + 1]) : []));
}

/** A date without `+` is what the clock is set to. */
function dateDeeds({ operands, has }: Given): readonly Deed[] {
  const set = operands.find(({ text }) => /^\d{8,}/.test(beginning(text)));
  const formats = operands.filter((operand) => starts(operand, "+")).map((operand) => without(operand, 1));
  const sets = set === undefined || has("-j -f -r -v") ? [] : [asks("system-settings", "sets the clock", set)];
  return [...sets, ...printsOption(formats)];
}

const clock = danger("system-settings", "sets the clock");
const shellLike: Programs = {
  "printf gprintf": () => ({ style: "none", also: printfDeeds }),
  "test gtest [ [[": () => ({ style: "none", also: testDeeds }),
};

const times: Programs = {
  "date gdate"() {
    return {
      takes: { "-d --date -r --reference -v": "text", "-f --file": "show" },
      may: { "-I --iso-8601 --rfc-3339": "text" },
      danger: { "-s --set": clock },
      also: dateDeeds,
      output: "word",
    };
  },
  "seq gseq"() {
    return {
      takes: { "-f --format -s --separator": "text" },
      also: ({ values }) => printsOption(values("-f --format -s --separator")),
      output: "word",
    };
  },
  "jot uuidgen mcookie pwgen nproc gnproc arch uname guname getconf logname tty": () => ({ output: "word" }),
  "whoami gwhoami id gid": () => ({ output: "word" }),
  "uptime guptime": () => ({}),
};

/** Who and what the machine is, and what it is doing. */
const machine: Programs = {
  "groups users who w last lastb lastlog finger pinky lslogins": prints,
  locale: prints,
  getent() {
    return {
      also: ({ operands: [database, ...keys] }) =>
        isIn(database, "hosts ahosts ahostsv4 ahostsv6") ? keys.flatMap(carried) : [],
    };
  },
  printenv: () => ({ style: "none" }),
  "free vmstat iostat mpstat sar slabtop lscpu lsusb lspci lsmem lsns lsipc numastat sensors": prints,
  pidstat: () => ({ takes: { "-e": "argv" } }),
  "top gtop htop btop atop glances iotop nethogs bashtop gotop": prints,
  "ps pgrep pidof pstree procs pmap pwdx lslocks": prints,
  "lshw hwinfo inxi neofetch fastfetch screenfetch sw_vers system_profiler vm_stat lsb_release": prints,
  "ss netstat": prints,
  "tput clear reset tset stty resize infocmp toe": prints,
  "wall write mesg": prints,
  logger: () => ({
    takes: { "-n --server": "host", "-f --file": "read", "-t --tag -p --priority -P --port -s -i": "text" },
  }),
  "cksfv rhash": () => ({ operands: ["read"] }),
  "errno ascii units gunits dircolors": () => ({ takes: { "-f --file": "read" } }),
  "tzselect zdump": () => ({}),
  csvtool: () => ({ also: ({ operands }) => each("show", operands.slice(1)) }),
};

export const textMachine: Programs = { ...shellLike, ...times, ...machine };
