import type { Findings } from "./findings.ts";
import {
  code,
  command,
  connects,
  copies,
  does,
  forks,
  formats,
  gives,
  joinedList,
  joinsBelow,
  joinsPaths,
  links,
  opens,
  privilege,
  type Rule,
  Rules,
  type RuleTable,
  recursive,
  removesAll,
  runWords,
  sameText,
  shows,
  walks,
  writes,
} from "./rule.ts";
import { type Call, isKnown, textIn, textValue, unknown, type Value } from "./values.ts";

/** The environment and the options of a new process are hashes. */
function isHash(value: Value): boolean {
  return value.is === "list" && value.named.size > 0;
}

const starts: Rule = {
  handed: "runs",
  apply: (call, to) => {
    const words = call.args.filter((value) => !isHash(value));
    runWords(words, to);
    return undefined;
  },
};

/** `Kernel.open("|cmd")`, `open("http://…")`, `open("x", "w")` */
function opensAny(call: Call, to: Findings): undefined {
  const text = textIn(call.args[0]);
  if (text?.startsWith("|") === true) return to.shell(text.slice(1));
  if (text !== undefined && /^(?:https?|ftp):/iu.test(text)) return to.connect(text);
  opens().apply(call, to);
}

const sends: Rule = {
  wraps: true,
  apply: (call, to) => {
    const [name, ...rest] = call.args;
    const text = textIn(name);
    const base = call.receiver.is === "name" ? `${call.receiver.path}.` : "";
    if (text !== undefined && isKnown(text)) {
      const bare = /^(?:system|exec|spawn|eval|open|fork|`)$/u.test(text);
      return rubyRules.called({ ...call, path: bare ? text : `${base}${text}`, args: rest }, to);
    }
    if (/^(?:Kernel|Object|File|Process|FileUtils|self|IO)?\.?$/u.test(base))
      to.unseen("picks what it runs by a name that is not known");
    return undefined;
  },
};

function running(): RuleTable {
  return {
    "system exec spawn sh .system IO.popen Process.spawn Process.exec Kernel.system Kernel.exec Kernel.spawn popen ` .spawn":
      starts,
    "Open3.capture2 Open3.capture2e Open3.capture3 Open3.popen2 Open3.popen2e Open3.popen3 Open3.pipeline .capture2e .capture3":
      starts,
    "PTY.spawn Shell.system": command(),
    "eval instance_eval class_eval module_eval binding.eval .instance_eval .class_eval .module_eval .eval RubyVM.InstructionSequence.compile":
      does((call, to) => {
        if (call.args.length > 0) to.code("ruby", call.args[0]);
      }),
    "send __send__ public_send .send .__send__ .public_send": sends,
    "method .method": gives((call) => {
      const text = textIn(call.args[0]);
      if (text === undefined) return undefined;
      return { is: "name", path: call.receiver.is === "name" ? `${call.receiver.path}.${text}` : text };
    }),
    ".call": {
      apply: (call, to) =>
        call.receiver.is === "name"
          ? rubyRules.called({ ...call, path: call.receiver.path, receiver: unknown }, to)
          : undefined,
    },
    "Object.const_get const_get .const_get": gives((call) => {
      const text = textIn(call.args[0]);
      return text !== undefined && isKnown(text) ? { is: "name", path: text } : undefined;
    }),
    "Marshal.load Fiddle.dlopen Fiddle.Function.new": does((call, to) => {
      if (call.args[0]?.is === "text") to.unseen("runs code that cannot be seen");
    }),
    "RubyVM.InstructionSequence.new": code("ruby"),
  };
}

const onPath = (apply: (call: Call, to: Findings) => void): Rule =>
  does((call, to) => {
    if (call.receiver.is === "name" && /Pathname/u.test(call.receiver.path)) apply(call, to);
  });

function joinedPath(call: Call, to: Findings): Value {
  const place = joinsPaths.apply({ ...call, args: [call.receiver, ...call.args] }, to) ?? unknown;
  return { is: "name", path: "Pathname()", call: { ...call, args: [place] } };
}

const removesEach = removesAll;

function changing(): RuleTable {
  return {
    "FileUtils.rm_r FileUtils.rm_rf FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure FileUtils.safe_unlink_r rm_r rm_rf rmtree remove_dir remove_entry_secure .rmtree .rm_rf .rm_r":
      recursive,
    "File.delete File.unlink FileUtils.rm FileUtils.rm_f FileUtils.remove FileUtils.safe_unlink Dir.delete Dir.rmdir Dir.unlink FileUtils.rmdir rm rm_f":
      removesEach,
    ".delete .unlink": onPath((call, to) => to.remove(call.receiver)),
    "Dir.glob Dir.each_child Dir.children Dir.entries Dir.foreach Find.find Dir.new.each Pathname.glob .each_child .children .glob":
      walks,
    "Dir.chdir FileUtils.cd FileUtils.chdir cd": does((call, to) => to.enter(call.args[0] ?? textValue("~"))),
    "File.write IO.write File.binwrite IO.binwrite File.truncate Dir.mkdir FileUtils.mkdir FileUtils.mkdir_p FileUtils.makedirs FileUtils.touch FileUtils.chown_r mkdir_p touch File.mkfifo":
      writes(0),
    "File.open File.new IO.sysopen Zlib.GzipWriter.open": opens(),
    "open Kernel.open URI.open": does(opensAny),
    "File.read IO.read File.readlines IO.readlines File.foreach File.binread IO.foreach": does((call, to) => {
      const text = textIn(call.args[0]);
      if (text?.startsWith("|") === true && call.path.startsWith("IO")) to.shell(text.slice(1));
      else shows(0).apply(call, to);
    }),
    "File.rename FileUtils.mv FileUtils.move mv": writes(0, 1),
    "FileUtils.cp FileUtils.cp_r FileUtils.copy FileUtils.copy_file FileUtils.install FileUtils.copy_entry IO.copy_stream cp cp_r":
      copies,
    "File.symlink File.link FileUtils.ln FileUtils.ln_s FileUtils.ln_sf FileUtils.symlink": links(),
    "File.chmod FileUtils.chmod FileUtils.chmod_R chmod": does((call, to) => {
      const [mode, ...paths] = call.args;
      to.mode(mode);
      for (const path of paths) to.write(path);
    }),
    "File.chown FileUtils.chown FileUtils.chown_R": does((call, to) => to.write(call.args[2])),
    ".read .binread .readlines .each_line": onPath((call, to) => to.show(call.receiver)),
    ".write .binwrite .mkpath .mkdir": onPath((call, to) => to.write(call.receiver)),
  };
}

function paths(): RuleTable {
  return {
    "Pathname Pathname.new": gives((call) => ({ is: "name", path: "Pathname()", call })),
    ".expand_path .realpath .cleanpath": gives((call) =>
      textIn(call.receiver) === undefined ? undefined : call.receiver,
    ),
    ".join": gives((call, to) => {
      if (call.receiver.is === "list") return joinedList(call.receiver, call.args[0]);
      const isPath = call.receiver.is === "name" && call.receiver.path === "Pathname()";
      return isPath ? joinedPath(call, to) : undefined;
    }),
  };
}

function reaching(): RuleTable {
  return {
    "Net::HTTP.get Net.HTTP.get Net.HTTP.get_response Net.HTTP.get_print Net.HTTP.post Net.HTTP.post_form Net.HTTP.start Net.HTTP.new Net.FTP.new Net.FTP.open Net.SMTP.start Net.SMTP.new Net.SSH.start TCPSocket.new TCPSocket.open Socket.tcp UDPSocket.connect HTTParty.get HTTParty.post Faraday.get Faraday.post Faraday.new RestClient.get RestClient.post Excon.get HTTP.get HTTP.post Addrinfo.tcp Resolv.getaddress Typhoeus.get Down.download Mechanize.get":
      does((call, to) => {
        const [first] = call.args;
        if (first !== undefined) to.connect(first.is === "name" && /\.host$/u.test(first.path) ? unknown : first);
      }),
    "URI URI.parse URI.HTTP.build URI.encode String": sameText,
    "Net.HTTP.Get.new Net.HTTP.Post.new": does(() => undefined),
    ".connect": does((call, to) => {
      if (/Socket/u.test(call.path)) to.connect(call.args[0] ?? unknown);
    }),
    "UDPSocket.send .send_udp": connects(2),
  };
}

function others(): RuleTable {
  return {
    "fork Process.fork Kernel.fork": forks,
    "loop Kernel.loop": does((_, to) => {
      to.repeats = true;
    }),
    "Process.kill": does((call, to) => {
      if (call.args.slice(1).some((value) => value.is === "number" && [1, -1].includes(value.number))) {
        to.danger("system-process", "ends the first process or every process");
      }
    }),
    "Process.setuid Process.UID.change_privilege Process.Sys.setuid Process.UID.grant_privilege Process.Sys.setresuid Process.euid= syscall Dir.chroot":
      privilege,
    "File.join": joinsBelow,
    "format sprintf Kernel.format Kernel.sprintf": formats,
    "File.expand_path File.absolute_path": gives((call, to) =>
      joinsPaths.apply({ ...call, args: call.args.toReversed() }, to),
    ),
    ".freeze .strip .chomp .to_s .dup .b": gives((call) => (call.receiver.is === "text" ? call.receiver : undefined)),
    ".concat": gives((call) =>
      call.receiver.is === "text"
        ? textValue(`${call.receiver.text}${textIn(call.args[0]) ?? "\uF8FF"}`, true)
        : undefined,
    ),
    "ENV.store": does((call, to) => to.variable(textIn(call.args[0]) ?? "?", call.args[1] ?? unknown)),
  };
}

export const rubyRules = new Rules(running, changing, paths, reaching, others);
