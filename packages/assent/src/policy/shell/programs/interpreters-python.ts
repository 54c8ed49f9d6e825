import type { Deed } from "../deeds.ts";
import { asks, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { type Argument, after, beginning, known } from "../text.ts";
import { givenOf, sortWords } from "../words.ts";
import { isIn, shellOf, word } from "./calls.ts";

/** Options up to -c, -m or the first word that is none. */
type Called = { readonly option: string; readonly value: Argument | undefined; readonly rest: readonly Argument[] };

const ending = "cm";
const taking = "WXQ";

function called(words: readonly Argument[]): Called {
  const [first, ...others] = words;
  if (first === undefined) return { option: "", value: undefined, rest: [] };
  const start = beginning(first.text);
  if (!/^-./.test(start)) return { option: "", value: first, rest: others };
  if (start === "--check-hash-based-pycs") return called(others.slice(1));
  const at = start.startsWith("--") ? -1 : start.split("").findIndex((each) => (ending + taking).includes(each));
  if (at < 0) return called(others);
  const letter = start[at] ?? "";
  const attached = known(first.text)?.length !== at + 1;
  const value = attached ? { ...first, text: after(first.text, at + 1) } : others[0];
  const rest = attached ? others : others.slice(1);
  return ending.includes(letter) ? { option: `-${letter}`, value, rest } : called(rest);
}

function python({ words }: Pick<Given, "words">): readonly Deed[] {
  const { option, value, rest } = called(words);
  if (value === undefined)
    return words.some((each) => isIn(each, "-V -VV -h --help-all")) ? [] : [{ does: "run-input", language: "python" }];
  if (option === "-m") return moduleDeeds(value, rest);
  if (option === "-c") return codeOf(value);
  if (isIn(value, "- /dev/stdin /dev/fd/0")) return [{ does: "run-input", language: "python" }];
  const uploads = isIn(value, "setup.py ./setup.py") && rest.some((each) => isIn(each, "upload register upload_docs"));
  return [
    { does: "script", path: value, language: "python" },
    ...(uploads ? [asks("network-send", "publishes the package", value)] : []),
  ];
}

/** In IPython a line after an exclamation mark is for a shell. */
function codeOf(value: Argument): readonly Deed[] {
  const code: Deed = { does: "code", language: "python", text: value.text, span: value.span };
  const lines = word(value)
    .split("\n")
    .flatMap((line) => /^\s*(?:!{1,2}|%s[xc]|%system|%%(?:bash|sh))\s*(.*)/s.exec(line)?.[1] ?? []);
  return lines.length === 0 ? [code] : lines.flatMap((line) => shellOf([{ ...value, text: [line] }]));
}

/** Modules of Python itself that only compute or show something. */
const harmless =
  "http.server site sysconfig this platform calendar ast dis tokenize tabnanny pyclbr pydoc unittest doctest inspect json json.tool zipapp base64 gzip quopri uuid random sqlite3 encodings.rot_13 turtledemo idlelib symtable pickletools lib2to3 2to3 ensurepip";

function moduleDeeds(module: Argument, rest: readonly Argument[]): readonly Deed[] {
  const name = word(module);
  const operands = rest.filter((each) => !beginning(each.text).startsWith("-"));
  switch (name) {
    case "json.tool":
      return operands.slice(1, 2).map((path) => ({ does: "write", path }));
    case "compileall":
    case "py_compile":
      return operands.map((path) => ({ does: "write", path }));
    case "venv":
    case "virtualenv":
      return operands.slice(-1).map((path) => ({ does: "write", path }));
    case "timeit":
      return timed(rest);
    case "zipfile":
    case "tarfile":
      return [...writesLast(rest, operands)];
    case "pdb":
    case "cProfile":
    case "profile":
    case "trace":
    case "runpy":
      return profiled(rest);
    case "code":
    case "asyncio":
      return [{ does: "run-input", language: "python" }];
    case "smtpd":
    case "ftplib":
    case "telnetlib":
    case "nntplib":
    case "webbrowser":
      return operands.slice(0, 1).map((host) => ({ does: "connect", host }));
    case "IPython":
      return python({ words: rest });
    default:
      return isIn(module, harmless) ? [] : runs([module, ...rest]);
  }
}

/** `python -m timeit -s setup code`. */
function timed(rest: readonly Argument[]): readonly Deed[] {
  const takes = { "-s --setup -n --number -r --repeat -u --unit": "text" } as const;
  const sorted = sortWords({ stops: true, takes }, rest);
  const setups = givenOf("timeit", rest, sorted).values("-s --setup");
  return [...setups, ...sorted.operands].flatMap(codeOf);
}

function writesLast(rest: readonly Argument[], operands: readonly Argument[]): readonly Deed[] {
  const [option] = rest;
  const unpacks = option !== undefined && isIn(option, "-e --extract");
  const packs = option !== undefined && isIn(option, "-c --create");
  const path = unpacks ? operands[1] : packs ? operands[0] : undefined;
  return path === undefined ? [] : [{ does: "write", path }];
}

/** Options, then a script or `-m module`; what a debugger is told with -c can be any code. */
function profiled(rest: readonly Argument[]): readonly Deed[] {
  const told = rest.findIndex((each) => isIn(each, "-c --command"));
  const text = told < 0 ? undefined : rest[told + 1];
  const commands: readonly Deed[] =
    text === undefined || /^(continue|c|q|quit|n|next|s|step|r|return|w|where|bt|l|list|b .*|p \w+)$/.test(word(text))
      ? []
      : [asks("exec-option", "gives the debugger of Python a command", text)];
  const at = rest.findIndex((each) => isIn(each, "-m"));
  const module = at < 0 ? undefined : rest[at + 1];
  if (module !== undefined) return [...commands, ...moduleDeeds(module, rest.slice(at + 2))];
  const path = rest.find((each) => /\.py$|^\/dev\/(?:fd\/|stdin$)/.test(word(each)));
  return [...commands, ...(path === undefined ? [] : [{ does: "script" as const, path, language: "python" as const }])];
}

function spec(): Spec {
  return { style: "none", also: python };
}

const versions = Array.from({ length: 16 }, (_, minor) => `python3.${minor}`).join(" ");

export const pythons: Programs = {
  [`python python2 python2.7 python3 ${versions} pythonw py pypy pypy2 pypy3 ipython ipython3 bpython ptpython micropython jython graalpy`]:
    spec,
};
