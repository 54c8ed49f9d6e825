import type { Findings } from "./findings.ts";
import {
  asksFor,
  command,
  connects,
  copies,
  does,
  forks,
  formats,
  gives,
  joinedList,
  links,
  modes,
  privilege,
  type Rule,
  Rules,
  type RuleTable,
  recursive,
  removesAll,
  runWords,
  shell,
  walks,
  writes,
} from "./rule.ts";
import { type Call, isKnown, textIn, textValue, unknown, type Value } from "./values.ts";

/** `open(F, ">x")`, `open(my $f, "-|", "cmd")`, `open F, "cmd|"` */
function opensFile(call: Call, to: Findings): undefined {
  const [, how, ...rest] = call.args;
  if (how === undefined) return;
  const mode = textIn(how);
  if (mode === undefined && rest.length === 0) return;
  const text = (mode ?? "").trim();
  if (rest.length > 0 && /^(?:-\||\|-)/u.test(text)) return runWords(rest, to);
  if (rest.length > 0) return mode === undefined || /^\+?>|^\+</u.test(text) ? to.write(rest[0]) : to.show(rest[0]);
  if (text.startsWith("|")) return to.shell(text.slice(1));
  if (text.endsWith("|")) return to.shell(text.slice(0, -1));
  const place = text.replace(/^(?:\+?[<>]{1,2})\s*/u, "");
  if (/^\+?>|^\+</u.test(text)) to.write(place);
  else to.show(place);
}

const unlinks: Rule = {
  handed: "removes",
  apply: (call, to) => {
    if (call.args.length === 0) to.removes = true;
    return removesAll.apply(call, to);
  },
};

/** The object is made with its host among the arguments. */
function connectsPeer(call: Call, to: Findings): undefined {
  if (call.args.length === 0) return;
  const flat = call.args.flatMap((value) => (value.is === "list" ? value.items : [value]));
  const at = flat.findIndex((value) => /^(?:-)?(?:PeerAddr|PeerHost|Host)$/u.test(textIn(value) ?? nameOf(value)));
  if (at >= 0) return to.connect(flat[at + 1] ?? unknown);
  if (flat.some((value) => /^(?:Listen|LocalPort|LocalAddr)$/u.test(textIn(value) ?? nameOf(value)))) return;
  // Pairs that do not say it.
  to.connect(flat.length % 2 === 0 ? unknown : (flat[0] ?? unknown));
}

function nameOf(value: Value): string {
  return value.is === "name" ? value.path : "";
}

function running(): RuleTable {
  return {
    "system exec POSIX::system CORE::system CORE::exec CORE::GLOBAL::system &CORE::system": command(),
    "readpipe IPC::Open3::open3.one": shell(0),
    "open3 IPC::Open3::open3": command(3),
    "open2 IPC::Open2::open2": command(2),
    "run IPC::Run::run capture IPC::System::Simple::capture systemx capturex": does((call, to) => {
      if (call.args[0]?.is === "list" || call.args[0]?.is === "text") runWords(call.args.slice(0, 1), to);
    }),
    eval: does((call, to) => {
      const [first] = call.args;
      if (first !== undefined && first.is !== "list") to.code("perl", first);
    }),
    "syscall POSIX::setuid POSIX::setgid": privilege,
    do: does(() => undefined),
    require: does(() => undefined),
  };
}

function changing(): RuleTable {
  return {
    "rmtree remove_tree File::Path::rmtree File::Path::remove_tree .remove_tree .rmtree File::Path->rmtree pathrmdir File::Remove::remove":
      recursive,
    "find finddepth File::Find::find File::Find::finddepth opendir readdir .children": walks,
    "glob File::Glob::bsd_glob": gives((call, to) => {
      to.walks = true;
      return call.args[0];
    }),
    "unlink POSIX::remove POSIX::unlink": unlinks,
    rmdir: unlinks,
    open: does(opensFile),
    sysopen: writes(1),
    chdir: does((call, to) => to.enter(call.args[0] ?? textValue("~"))),
    "mkdir truncate utime": writes(0),
    "rename move mv File::Copy::move": writes(0, 1),
    "copy cp File::Copy::copy": copies,
    "symlink link": links(),
    chmod: does((call, to) => {
      const [mode, ...paths] = call.args;
      to.mode(mode);
      for (const path of paths) to.write(path);
    }),
    chown: does((call, to) => {
      for (const path of call.args.slice(2)) to.write(path);
    }),
    ".spew .spurt .append .touch .mkpath": does((call, to) => to.write(call.receiver)),
    write_file: writes(0),
  };
}

function reaching(): RuleTable {
  return {
    "get getprint getstore head mirror LWP::Simple::get LWP::Simple::getprint LWP::Simple::getstore": does(
      (call, to) => {
        if (call.args.length > 0) to.connect(call.args[0]);
      },
    ),
    ".get .post .request .mirror .head .put .delete": does((call, to) => {
      const text = call.args
        .map((value) => textIn(value))
        .find((each) => each !== undefined && /^(?:https?|ftp):/u.test(each));
      if (text !== undefined) to.connect(text);
      else if (/LWP|HTTP::|Mojo/u.test(call.path)) to.connect(unknown);
    }),
    "IO::Socket::INET IO::Socket::SSL IO::Socket::IP Net::FTP Net::SMTP IO::Socket::INET.new IO::Socket::SSL.new IO::Socket::IP.new IO::Socket::INET6.new Net::FTP.new Net::SMTP.new Net::SSH.new Net::Telnet.new":
      does(connectsPeer),
    "inet_aton gethostbyname Socket::inet_aton": connects(0),
  };
}

function others(): RuleTable {
  return {
    fork: forks,
    kill: does((call, to) => {
      const [, ...processes] = call.args;
      if (processes.some((value) => value.is === "number" && [1, -1].includes(value.number))) {
        to.danger("system-process", "ends the first process or every process");
      }
    }),
    "unpack pack chr MIME::Base64::decode_base64 decode_base64 reverse lc uc ucfirst": gives(() => unknown),
    sprintf: formats,
    join: gives((call) =>
      joinedList({ is: "list", items: call.args.slice(1), named: new Map(), more: false }, call.args[0]),
    ),
    "POSIX::_exit": does(() => undefined),
    "DynaLoader::dl_load_file": asksFor("exec-unseen", "loads machine code"),
    "&": does((call, to) => {
      if (call.args.some((value) => !isKnown(textIn(value) ?? ""))) to.unseen();
    }),
    "File::chmod": modes(),
  };
}

export const perlRules = new Rules(running, changing, reaching, others);
