import type { Findings } from "./findings.ts";
import {
  asksFor,
  connects,
  does,
  enters,
  forks,
  formats,
  gives,
  joinedList,
  kills,
  links,
  modes,
  opens,
  privilege,
  type Rule,
  Rules,
  type RuleTable,
  removes,
  runWith,
  sameText,
  shell,
  walks,
  writes,
} from "./rule.ts";
import { type Call, isKnown, textIn, unknown, type Value } from "./values.ts";

const remote = /^(?:https?|ftps?|ssh2[\w.]*|compress\.\w+:\/\/https?):\/\//iu;
const callable =
  /^\\?(?:system|exec|passthru|shell_exec|popen|proc_open|pcntl_exec|eval|assert|unlink|rmdir|call_user_func)$/u;

function reads(call: Call, to: Findings): undefined {
  const text = textIn(call.args[0]);
  if (text !== undefined && remote.test(text)) to.connect(text);
  else if (text === undefined || !text.startsWith("php://")) to.show(call.args[0]);
}

/** A function may be given by its name. */
function callsBack(call: Call, to: Findings): undefined {
  const named = call.args.map((value) => textIn(value)).find((text) => text !== undefined && callable.test(text));
  if (named === undefined) return;
  if (/unlink|rmdir/u.test(named)) to.removes = true;
  else to.unseen("hands on a function that runs commands");
}

const starts: Rule = {
  handed: "runs",
  apply: (call, to) => {
    const [first] = call.args;
    if (first?.is === "list") to.run(first.items, first.more);
    else to.shell(first);
    return undefined;
  },
};

function running(): RuleTable {
  return {
    "system exec passthru shell_exec popen": shell(0),
    proc_open: starts,
    pcntl_exec: { handed: "runs", apply: (call, to) => void runWith(call.args[0], call.args[1], to) },
    "eval assert": does((call, to) => {
      const [first] = call.args;
      if (first?.is === "text" || call.path === "eval") to.code("php", first);
    }),
    create_function: does((call, to) => to.code("php", call.args[1])),
    "call_user_func call_user_func_array": {
      wraps: true,
      apply: (call, to) => {
        const [name, ...rest] = call.args;
        const text = textIn(name);
        const [list] = rest;
        if (text !== undefined && isKnown(text)) {
          phpRules.called(
            { ...call, path: text, args: call.path.endsWith("array") && list?.is === "list" ? list.items : rest },
            to,
          );
        } else if (name?.is !== "list" && name?.is !== "name")
          to.unseen("picks what it runs by a name that is not known");
        return undefined;
      },
    },
    "array_map array_walk array_filter usort register_shutdown_function ob_start iterator_apply preg_replace_callback":
      does(callsBack),
  };
}

function loading(): RuleTable {
  return {
    "include include_once require require_once": does((call, to) => {
      const text = textIn(call.args[0]);
      if (text === undefined) return;
      if (remote.test(text)) to.connect(text);
      if (/^(?:data:|php:\/\/(?:input|filter))/iu.test(text))
        to.unseen("runs program text that is made only when it runs");
    }),
    "dl FFI.cdef FFI.load": asksFor("exec-unseen", "loads machine code"),
    preg_replace: does((call, to) => {
      if (/[^\w\s\\]\w*e\w*$/u.test(textIn(call.args[0]) ?? "")) to.code("php", call.args[1]);
    }),
  };
}

function changing(): RuleTable {
  return {
    "unlink rmdir": removes(0),
    "glob scandir opendir readdir RecursiveDirectoryIterator DirectoryIterator FilesystemIterator RecursiveIteratorIterator GlobIterator dir":
      walks,
    chdir: enters,
    "file_put_contents mkdir touch chown chgrp lchown symlinkto": writes(0),
    "fopen gzopen SplFileObject": does((call, to) => {
      const text = textIn(call.args[0]);
      if (text !== undefined && remote.test(text)) to.connect(text);
      else if (text === undefined || !text.startsWith("php://")) opens(0, 1, /[waxc+]/u).apply(call, to);
    }),
    "file_get_contents file readfile highlight_file show_source parse_ini_file simplexml_load_file get_headers":
      does(reads),
    copy: does((call, to) => {
      const text = textIn(call.args[0]);
      if (text !== undefined && remote.test(text)) to.connect(text);
      to.copy(call.args[0], call.args[1]);
    }),
    "rename move_uploaded_file": writes(0, 1),
    "symlink link": links(),
    chmod: modes(),
    putenv: does((call, to) => {
      const [name = "", ...value] = (textIn(call.args[0]) ?? "?").split("=");
      to.variable(name, value.length === 0 ? unknown : { is: "text", text: value.join("=") });
    }),
  };
}

function reaching(): RuleTable {
  return {
    "fsockopen pfsockopen stream_socket_client ftp_connect ftp_ssl_connect ssh2_connect gethostbyname dns_get_record SoapClient":
      connects(0),
    curl_init: does((call, to) => {
      if (call.args.length > 0) to.connect(call.args[0]);
    }),
    curl_setopt: does((call, to) => {
      if (call.args[1]?.is === "name" && call.args[1].path === "CURLOPT_URL") to.connect(call.args[2] ?? unknown);
    }),
    socket_connect: connects(1),
    mail: asksFor("network-send", "sends mail"),
  };
}

function others(): RuleTable {
  return {
    "posix_setuid posix_seteuid posix_setgid posix_setegid": privilege,
    posix_kill: kills(0),
    pcntl_fork: forks,
    "base64_decode hex2bin pack gzinflate gzuncompress str_rot13 strrev chr": gives(() => unknown),
    "strval trim escapeshellcmd realpath": sameText,
    sprintf: formats,
    "implode join": gives((call) => joinedList(call.args[1], call.args[0])),
    array: gives((call): Value => ({ is: "list", items: call.args, named: call.named, more: false })),
  };
}

export const phpRules = new Rules(running, loading, changing, reaching, others);
