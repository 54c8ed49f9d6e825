import {
  asksFor,
  code,
  connects,
  copies,
  does,
  enters,
  forks,
  formats,
  gives,
  links,
  modes,
  opens,
  Rules,
  type RuleTable,
  recursive,
  removes,
  removesAll,
  runWith,
  sameText,
  shell,
  shows,
  walks,
  writes,
} from "./rule.ts";
import { argument, joinValues, textIn, textValue, unknown, type Value } from "./values.ts";

export const luaRules = new Rules(() => ({
  "os.execute io.popen vim.fn.system nvim.system .execute": shell(0),
  "load loadstring": gives((call, to) => {
    to.code("lua", call.args[0]);
    return unknown;
  }),
  "vim.cmd vim.api.nvim_command vim.api.nvim_exec vim.api.nvim_exec2": code("vim"),
  "io.open": opens(),
  "io.output": writes(0),
  "io.lines io.input": shows(0),
  "os.remove": removes(0),
  "os.rename": writes(0, 1),
  "lfs.dir": walks,
  "lfs.rmdir": removes(0),
  "lfs.chdir": enters,
  "string.format": formats,
  ".format": gives((call, to) => formats.apply({ ...call, args: [call.receiver, ...call.args] }, to)),
  "lfs.mkdir lfs.touch": writes(0),
  "lfs.link": links(),
  "vim.fn.delete": does((call, to) =>
    call.args.length > 1
      ? to.danger("delete-recursive", "removes a folder with everything in it")
      : to.remove(call.args[0]),
  ),
  "socket.connect socket.connect4 http.request https.request socket.http.request ssl.https.request socket.dns.toip":
    connects(0),
  ".connect": does((call, to) => to.connect(call.args[0] ?? unknown)),
  require: gives((call) => {
    const name = textIn(call.args[0]);
    return name === undefined ? undefined : { is: "name", path: name };
  }),
  "posix.setpid posix.setuid": asksFor("privilege-escalation", "changes whose rights it has"),
  "posix.fork": forks,
  "posix.kill": does((call, to) => {
    const [first] = call.args;
    if (first?.is === "number" && Math.abs(first.number) === 1)
      to.danger("system-process", "ends the first process or every process");
  }),
}));

function pasted(values: readonly Value[], between: string): Value {
  return values.reduce(
    (left, right, index) => joinValues(index === 0 ? left : joinValues(left, textValue(between)), right),
    textValue(""),
  );
}

function isOn(value: Value | undefined): boolean {
  return value !== undefined && !(value.is === "name" && /^F(?:ALSE)?$/u.test(value.path));
}

function rRunning(): RuleTable {
  return {
    "system shell pipe base.system": shell(0, "command"),
    "system2 processx.run sys.exec_wait sys.exec_internal processx.process.new": does((call, to) =>
      runWith(argument(call, 0, "command"), argument(call, 1, "args"), to),
    ),
    c: gives((call) => ({ is: "list", items: call.args, named: call.named, more: false })),
    paste0: gives((call) => pasted(call.args, "")),
    paste: gives((call) => pasted(call.args, textIn(call.named.get("sep")) ?? " ")),
    "path.expand normalizePath": sameText,
    setwd: enters,
    sprintf: formats,
    "file.path": gives((call) => pasted(call.args, "/")),
    unlink: {
      handed: "removes",
      apply: (call, to) => {
        if (isOn(argument(call, 1, "recursive")))
          to.danger("delete-recursive", "removes a folder with everything in it");
        else to.remove(call.args[0]);
        return undefined;
      },
    },
    "do.call match.fun": gives((call, to) => {
      const [name, list] = call.args;
      const text = textIn(name);
      if (text === undefined) rRules.mentioned(call.args, to);
      else return rRules.called({ ...call, path: text, args: list?.is === "list" ? list.items : [unknown] }, to);
      return undefined;
    }),
    list: gives((call) => ({ is: "list", items: call.args, named: call.named, more: false })),
  };
}

function rReaching(): RuleTable {
  return {
    "file.remove fs.file_delete": removesAll,
    "fs.dir_delete": recursive,
    "list.files dir list.dirs Sys.glob fs.dir_ls": walks,
    "download.file url httr.GET httr.POST GET POST curl.curl_download curl.curl_fetch_memory RCurl.getURL getURL httr2.request socketConnection browseURL":
      does((call, to) => to.connect(argument(call, 0, "url", "host") ?? unknown)),
    "source readLines read.csv read.table readRDS load scan fread readr.read_csv": does((call, to) => {
      const text = textIn(call.args[0]);
      if (text !== undefined && /^(?:https?|ftp):/u.test(text)) to.connect(text);
      else to.show(text);
    }),
    "eval evalq": does(() => undefined),
    "parse str2lang str2expression": does((call, to) => {
      const text = argument(call, 9, "text") ?? (call.path === "parse" ? undefined : call.args[0]);
      if (text !== undefined) to.code("r", text);
    }),
  };
}

function rChanging(): RuleTable {
  return {
    "writeLines write.csv write.table saveRDS dput cat write": does((call, to) =>
      to.write(argument(call, call.path === "cat" ? 9 : 1, "con", "file")),
    ),
    "sink dir.create file.create pdf png save file.append": does((call, to) =>
      to.write(argument(call, call.path === "save" ? 9 : 0, "file")),
    ),
    "file.copy": copies,
    "file.rename": writes(0, 1),
    "file.symlink file.link": links(),
    "Sys.chmod": modes(),
    file: opens(0, 1),
    "Sys.setenv": does((call, to) => {
      for (const [name, value] of call.named) to.variable(name, value);
    }),
    "tools.pskill": does((call, to) => {
      const [first] = call.args;
      if (first?.is === "number" && Math.abs(first.number) === 1)
        to.danger("system-process", "ends the first process or every process");
    }),
  };
}

export const rRules: Rules = new Rules(rRunning, rReaching, rChanging);
