import type { Findings } from "./findings.ts";
import {
  asksFor,
  connects,
  copies,
  does,
  formats,
  gives,
  joinsPaths,
  links,
  Rules,
  type RuleTable,
  recursive,
  removes,
  shell,
  shows,
  walks,
  writes,
} from "./rule.ts";
import { argument, type Call, joinValues, noNames, textIn, textValue, unknown, type Value } from "./values.ts";

const tokens = /;[^\n]*|"((?:[^"\\]|\\[\s\S])*)"?|\?\\?[\s\S]|#?['`,]@?|[()[\]]|[^\s()[\]"';`,]+|\s+|[\s\S]/guy;

/** Emacs Lisp: every list whose first word is a name is a call. */
export function readLisp(text: string, to: Findings): undefined {
  const open: Value[][] = [[]];
  tokens.lastIndex = 0;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const [whole, literal] = match;
    if (literal !== undefined) open.at(-1)?.push(literalOf(literal));
    else if (whole === "(" || whole === "[") open.push([]);
    else if (whole === ")" || whole === "]") closeList(open, to);
    else if (!/^(?:[\s;'`,]|#['`,])/u.test(whole)) open.at(-1)?.push(atom(whole));
    if (tokens.lastIndex === 0) break;
  }
  while (open.length > 1) closeList(open, to);
}

function literalOf(text: string): Value {
  return textValue(text.replace(/\\n/gu, "\n").replace(/\\([\s\S])/gu, "$1"));
}

function atom(raw: string): Value {
  return /^-?\d+$/u.test(raw) ? { is: "number", number: Number(raw), raw } : { is: "name", path: raw };
}

function closeList(open: Value[][], to: Findings): undefined {
  const list = open.length > 1 ? open.pop() : undefined;
  const [first, ...args] = direct(list ?? []);
  const call: Call = { path: first?.is === "name" ? first.path : "?", args, named: noNames, receiver: unknown };
  const value = first?.is === "name" ? rules.called(call, to) : undefined;
  if (first?.is === "name" && /^(?:while|dotimes|cl-loop)$/u.test(first.path)) to.repeats = true;
  open
    .at(-1)
    ?.push(value ?? (first?.is === "text" ? { is: "list", items: list ?? [], named: noNames, more: false } : unknown));
}

/** `(funcall 'name …)` is a call of that name. */
function direct(list: readonly Value[]): readonly Value[] {
  const [first, second, ...rest] = list;
  if (first?.is !== "name" || second?.is !== "name") return list;
  return /^(?:funcall|funcall-interactively|apply|mapc|mapcar|seq-do)$/u.test(first.path) ? [second, ...rest] : list;
}

function isNil(value: Value | undefined): boolean {
  return value === undefined || (value.is === "name" && value.path === "nil");
}

function starts(program: number, from: number) {
  return does((call, to) => {
    const words = [argument(call, program) ?? unknown, ...call.args.slice(from)];
    to.run(words);
  });
}

function running(): RuleTable {
  return {
    "shell-command async-shell-command shell-command-to-string call-process-shell-command process-lines-shell compile grep shell-command-on-region.one eshell-command":
      shell(0),
    "start-process-shell-command start-file-process-shell-command": shell(2),
    "shell-command-on-region": shell(2),
    "call-process process-file": starts(0, 4),
    "call-process-region": starts(2, 6),
    "start-process start-file-process": starts(2, 3),
    "process-lines": starts(0, 1),
    "make-process": asksFor("exec-unseen", "starts a process"),
    "shell eshell term ansi-term": asksFor("exec-unseen", "starts a shell that takes any command"),
    concat: gives((call) => call.args.reduce((left, right) => joinValues(left, right), textValue(""))),
    "expand-file-name": gives((call, to) =>
      joinsPaths.apply({ ...call, args: call.args.slice(0, 2).toReversed() }, to),
    ),
    format: formats,
    "eval eval-expression": does(() => undefined),
    "read read-from-string": does((call, to) => to.code("emacs", call.args[0])),
  };
}

function changing(): RuleTable {
  return {
    "delete-directory": does((call, to) => {
      if (isNil(call.args[1])) to.remove(call.args[0]);
      else to.danger("delete-recursive", "removes a folder with everything in it");
    }),
    "f-delete": recursive,
    "delete-file": removes(0),
    "directory-files directory-files-recursively file-expand-wildcards": walks,
    "write-region append-to-file": writes(2),
    "write-file make-directory set-visited-file-name": writes(0),
    "copy-file copy-directory": copies,
    "rename-file": writes(0, 1),
    "make-symbolic-link add-name-to-file": links(),
    "set-file-modes": does((call, to) => {
      const mode = call.args[1];
      to.mode(mode?.is === "name" ? textValue(mode.path.replace(/^#o/u, "")) : mode);
      to.write(call.args[0]);
    }),
  };
}

function reaching(): RuleTable {
  return {
    "insert-file-contents find-file-noselect": shows(0),
    "with-temp-file": writes(0),
    "url-retrieve url-retrieve-synchronously url-copy-file url-insert-file-contents browse-url eww": connects(0),
    "open-network-stream": connects(2),
    "make-network-process": does((call, to) => {
      const at = call.args.findIndex((value) => value.is === "name" && value.path === ":host");
      if (at >= 0) to.connect(textIn(call.args[at + 1]) ?? unknown);
    }),
    "signal-process": does((call, to) => {
      const [first] = call.args;
      if (first?.is === "number" && Math.abs(first.number) === 1)
        to.danger("system-process", "ends the first process or every process");
    }),
    "module-load": asksFor("exec-unseen", "loads machine code"),
  };
}

const rules: Rules = new Rules(running, changing, reaching);
