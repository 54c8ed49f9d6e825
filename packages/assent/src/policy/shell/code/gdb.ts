import type { Findings } from "./findings.ts";
import { grammars } from "./grammars.ts";
import { readWith } from "./reader.ts";
import { does, privilege, Rules, removes, shell } from "./rule.ts";
import { unknown } from "./values.ts";

/** Functions of the program under test that gdb can be told to call. */
const calls = new Rules(() => ({
  "system popen": shell(0),
  "execl execlp execv execvp execve execvpe posix_spawn": does((_, to) => to.unseen()),
  "setuid seteuid setresuid setreuid setgid syscall": privilege,
  "unlink remove rmdir": removes(0),
  chmod: does((call, to) => {
    to.mode(call.args[1]);
    to.write(call.args[0]);
  }),
}));

export function readGdb(text: string, to: Findings): undefined {
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").trim();
    if (/^py(?:t(?:h(?:on?)?)?)?$/u.test(line)) {
      const end = lines.findIndex((each, index) => index > at && each.trim() === "end");
      to.code("python", lines.slice(at + 1, end < 0 ? lines.length : end).join("\n"));
      at = end < 0 ? lines.length : end;
    } else command(line, to);
  }
}

function command(line: string, to: Findings): undefined {
  const [, name = "", tail = ""] = /^(\||!|[\w-]+)\s*([\s\S]*)$/u.exec(line) ?? [];
  if (/^(?:shell|shel|she|!)$/u.test(name)) to.shell(tail === "" ? "sh" : tail);
  else if (/^(?:\||pipe?)$/u.test(name)) pipes(tail, to);
  else if (/^(?:python|pytho|pyth|pyt|py|script)$/u.test(name)) to.code("python", tail);
  else if (/^(?:python-interactive|pi)$/u.test(name)) interactive(tail, to);
  else if (/^(?:guile|gu|guile-repl|gr|compile)$/u.test(name)) to.unseen("runs program text that is not looked into");
  else inspects(name, tail, to);
}

function inspects(name: string, tail: string, to: Findings): undefined {
  if (name === "make") to.shell(`make ${tail}`);
  else if (/^(?:target|tar|gdb-remote|gdbremote)$/u.test(name)) connects(name, tail, to);
  else if (/^(?:dump|append|gcore|generate-core-file|save)$/u.test(name)) writes(name, tail, to);
  else if (name === "set" || name === "settings") sets(tail, to);
  else if (/^(?:platform|plat)$/u.test(name) && /^sh/u.test(tail))
    to.shell(tail.replace(/^\w+\s*(?:-h\s)?(?:--\s)?/u, ""));
  // Nearly every other command takes an expression somewhere: `x/s f()`, `break a if f()`, `return f()`.
  else if (!/^(?:echo|help|h|info|i|apropos)$/u.test(name)) expression(tail, to);
}

function interactive(tail: string, to: Findings): undefined {
  if (tail === "") to.unseen("starts an interpreter that takes any command");
  else to.code("python", tail);
}

function pipes(tail: string, to: Findings): undefined {
  const [option = "", delimiter = "|"] = /^-d\s+(\S+)\s+/u.exec(tail) ?? [];
  const rest = tail.slice(option.length);
  const end = rest.indexOf(delimiter);
  if (end < 0) return;
  command(rest.slice(0, end).trim(), to);
  to.shell(rest.slice(end + delimiter.length));
}

function connects(name: string, tail: string, to: Findings): undefined {
  const [kind = "", ...rest] = tail.split(/\s+/u);
  const place = name.startsWith("gdb") ? tail : rest.join(" ");
  if (!name.startsWith("gdb") && !/^(?:ext|rem)/u.test(kind)) return;
  if (place.startsWith("|")) return to.shell(place.slice(1));
  if (place.startsWith("/") || place === "") return;
  const host = place.replace(/^(?:tcp|udp)[46]?:/u, "");
  to.connect(host.startsWith(":") || /^\d+$/u.test(host) ? "localhost" : host);
}

function writes(name: string, tail: string, to: Findings): undefined {
  const words = tail.split(/\s+/u).filter((word) => word !== "");
  if (name === "dump" || name === "append")
    to.write(words.find((word) => !/^(?:binary|ihex|srec|tekhex|verilog|memory|value)$/u.test(word)));
  else to.write(words.at(-1));
}

function sets(tail: string, to: Findings): undefined {
  const logging = /^log\w*\s+file\s+(\S+)/u.exec(tail)?.[1];
  if (logging !== undefined) to.write(logging);
  const wrapper = /^exec-wrapper\s+(.+)/u.exec(tail)?.[1];
  if (wrapper !== undefined) to.shell(wrapper);
  const variable = /^env\w*\s+(\w+)\s*=?\s*(.*)/u.exec(tail);
  if (variable !== null) to.variable(variable[1] ?? "", { is: "text", text: variable[2] ?? "" });
  if (/\(/u.test(tail)) expression(tail, to);
}

function expression(tail: string, to: Findings): undefined {
  const javascript = grammars.javascript?.();
  if (javascript !== undefined)
    readWith(javascript, calls, tail.replace(/\((?:unsigned |const )?(?:int|void|char|long)\s*\**\)/gu, " "), to);
  if (/\bsystem\b(?!\s*\()/u.test(tail) && /\)\s*\(/u.test(tail)) to.shell(unknown);
}
