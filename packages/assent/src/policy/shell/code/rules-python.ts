import type { Findings } from "./findings.ts";
import { moduleName, shortened } from "./names.ts";
import {
  asksFor,
  code,
  connects,
  copies,
  does,
  enters,
  forks,
  gives,
  joinedList,
  joinsPaths,
  kills,
  links,
  mayConnect,
  modes,
  opens,
  privilege,
  type Rule,
  Rules,
  type RuleTable,
  recursive,
  removes,
  runWith,
  sameText,
  shell,
  shows,
  splitText,
  walks,
  writes,
} from "./rule.ts";
import {
  argument,
  type Call,
  hiddenText,
  isKnown,
  joinedPath,
  listValue,
  noNames,
  textIn,
  textOfCodes,
  textValue,
  unknown,
  unknownPart,
  type Value,
} from "./values.ts";

/** `subprocess.run` and its kin: a list of words, or one text. */
const starts: Rule = {
  handed: "runs",
  apply: (call, to) => {
    const words = argument(call, 0, "args");
    const usesShell = call.named.get("shell");
    const program = textIn(call.named.get("executable"));
    const variables = call.named.get("env");
    for (const [name, value] of variables?.is === "list" ? variables.named : noNames) to.variable(name, value);
    if (program !== undefined)
      to.run([textValue(program), ...(words?.is === "list" ? words.items.slice(1) : [textValue("-")])]);
    if (words?.is !== "list") to.shell(words ?? unknown);
    else if (usesShell !== undefined && isTrue(usesShell)) to.shell(words.items[0]);
    else to.run(words.items, words.more);
    return undefined;
  },
};

function isTrue(value: Value): boolean {
  return !(value.is === "name" && value.path === "False");
}

/** `os.execl(path, arg0, …)`, `os.spawnlp(mode, path, arg0, …)` */
function replaces(from: number, listed: boolean): Rule {
  return {
    handed: "runs",
    apply: (call, to) => {
      const [program, second, ...rest] = call.args.slice(from);
      if (program === undefined) return undefined;
      if (listed && second?.is === "list") runWith(program, { ...second, items: second.items.slice(1) }, to);
      else if (listed) to.unseen();
      else to.run([program, ...rest.filter((value) => value.is !== "list" || value.named.size === 0)]);
      return undefined;
    },
  };
}

function running(): RuleTable {
  return {
    "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput popen2.popen2 posix.system":
      shell(0, "cmd", "command"),
    ".system .getoutput .getstatusoutput": shell(0),
    "pexpect.run pexpect.spawn pexpect.spawnu": { handed: "runs", apply: (call, to) => expectRun(call, to) },
    "asyncio.create_subprocess_shell": shell(0, "cmd"),
    "asyncio.create_subprocess_exec": { handed: "runs", apply: (call, to) => void to.run(call.args) },
    "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen .check_call .check_output .Popen":
      starts,
    "os.execl os.execle os.execlp os.execlpe": replaces(0, false),
    "os.execv os.execve os.execvp os.execvpe os.posix_spawn os.posix_spawnp .execv .execve .execvp": replaces(0, true),
    "os.spawnl os.spawnle os.spawnlp os.spawnlpe": replaces(1, false),
    "os.spawnv os.spawnve os.spawnvp os.spawnvpe": replaces(1, true),
    "pty.spawn": asksFor("exec-unseen", "starts a shell or a program in a terminal of its own"),
    "sh.Command plumbum.local": { handed: "runs", apply: (call, to) => void to.run([call.args[0] ?? unknown], true) },
    "exec eval timeit.timeit timeit.repeat timeit.Timer cProfile.run": code("python"),
    "code.interact code.InteractiveConsole IPython.embed": asksFor(
      "exec-unseen",
      "starts an interpreter that takes any command",
    ),
    "runpy.run_path runpy.run_module": does(() => undefined),
    "marshal.loads types.FunctionType types.CodeType .__subclasses__": asksFor(
      "exec-unseen",
      "runs code that cannot be seen",
    ),
    "pickle.loads pickle.load cPickle.loads dill.loads": does((call, to) => {
      if (call.args[0]?.is === "text") to.unseen("unpacks objects that may run anything");
    }),
  };
}

function expectRun(call: Call, to: Findings): undefined {
  const list = call.args[1];
  if (list?.is === "list") runWith(call.args[0], list, to);
  else to.shell(call.args[0]);
  return undefined;
}

function lookingUp(): RuleTable {
  return {
    "__import__ importlib.import_module importlib.__import__": gives((call, to) => {
      const text = textIn(call.args[0]);
      if (text !== undefined && isKnown(text)) return { is: "name", path: moduleName(text) };
      if (call.args[0]?.is === "name" && call.args[0].call === undefined) return { is: "name", path: "import" };
      to.unseen("loads a module whose name is made only when it runs");
      return unknown;
    }),
    "getattr .__getattribute__": gives((call, to) => {
      const [object, name] = call.path === "getattr" ? call.args : [call.receiver, call.args[0]];
      const text = textIn(name);
      const path = object?.is === "name" ? object.path : "?";
      if (text !== undefined && isKnown(text)) return { is: "name", path: shortened(`${path}.${text}`) };
      if (/^(?:os|subprocess|shutil|builtins|posix|__builtins__|import|sys)\b/u.test(path)) {
        to.unseen("picks what it runs by a name that is not known");
      }
      return unknown;
    }),
    vars: gives((call) => call.args[0]),
    compile: gives((call) => call.args[0]),
    "operator.methodcaller": { handed: "runs", apply: (call, to) => pythonRules.called(methodCall(call), to) },
    "functools.partial": gives((call, to) => {
      const [first, ...rest] = call.args;
      if (first?.is === "name" && rest.length > 0) pythonRules.called({ ...call, path: first.path, args: rest }, to);
      return first;
    }),
  };
}

function joining(): RuleTable {
  return {
    "shlex.split": gives((call) => splitText(call.args[0])),
    ".split": gives((call) => (call.args.length === 0 ? splitText(call.receiver) : undefined)),
    ".join": gives((call) => joinedList(call.args[0], call.receiver)),
    ".format": gives((call) => {
      const text = textIn(call.receiver);
      return text === undefined ? undefined : textValue(text.replace(/\{[^{}]{0,40}\}/gu, unknownPart), true);
    }),
    ".encode .decode .strip .rstrip .lstrip .as_posix .__str__": gives((call) =>
      textIn(call.receiver) === undefined ? undefined : decodedText(call),
    ),
    ".resolve .absolute .expanduser": gives((call) =>
      textIn(call.receiver) === undefined ? undefined : call.receiver,
    ),
    ".joinpath": gives((call) => pathOf(joinPath([call.receiver, ...call.args]))),
    "str bytes os.fspath": gives((call) => {
      const text = textIn(call.args[0]);
      return text === undefined ? call.args[0] : textValue(text);
    }),
    "os.path.expandvars": gives((call) => {
      const text = textIn(call.args[0]);
      return text === undefined ? undefined : textValue(text.replace(/\$(?:\w+|\{\w+\})/gu, unknownPart), true);
    }),
    "os.path.expanduser os.path.abspath os.path.realpath os.path.normpath urllib.request.Request": sameText,
    "os.path.join": joinsPaths,
    list: gives((call) => (call.args[0]?.is === "list" ? call.args[0] : undefined)),
    ".append .extend .insert": does((call) => {
      if (call.receiver.is === "list") call.receiver.more = true;
    }),
  };
}

/** Decoding with a codec hides what the text is. */
function decodedText(call: Call): Value | undefined {
  const codec = textIn(call.args[0]);
  if (codec !== undefined && !/^(?:utf-?8|ascii|latin-?1)$/iu.test(codec)) return unknown;
  return textValue(textIn(call.receiver) ?? "");
}

function methodCall(call: Call): Call {
  return { ...call, path: `?.${textIn(call.args[0]) ?? ""}`, args: call.args.slice(1), receiver: unknown };
}

const onReceiver = (apply: (call: Call, to: Findings) => void): Rule =>
  does((call, to) => {
    if (call.receiver.is === "name" && call.receiver.path.endsWith("Path()")) apply(call, to);
  });

function changing(): RuleTable {
  return {
    "shutil.rmtree .rmtree distutils.dir_util.remove_tree setuptools.distutils.dir_util.remove_tree": recursive,
    "os.removedirs": does((call, to) => to.remove(call.args[0])),
    "os.remove os.unlink os.rmdir send2trash.send2trash": removes(0),
    "os.walk os.listdir os.scandir os.fwalk glob.glob glob.iglob .iterdir .rglob .glob .walk .scandir": walks,
    ".unlink .rmdir": does((call, to) => to.remove(call.receiver)),
    "open io.open codecs.open gzip.open bz2.open lzma.open zipfile.ZipFile tarfile.open": opens(),
    "os.open": does((call, to) =>
      call.args[1]?.is === "name" && call.args[1].path.endsWith("O_RDONLY")
        ? to.show(call.args[0])
        : to.write(call.args[0]),
    ),
    ".open": onReceiver((call, to) => {
      const mode = argument(call, 0, "mode");
      if (mode !== undefined && (mode.is !== "text" || /[wax+]/u.test(mode.text))) to.write(call.receiver);
      else to.show(call.receiver);
    }),
    ".read_text .read_bytes": does((call, to) => to.show(call.receiver)),
    ".write_text .write_bytes .touch": does((call, to) => to.write(call.receiver)),
    ".mkdir": onReceiver((call, to) => to.write(call.receiver)),
    ".rename .replace": onReceiver((call, to) => {
      to.write(call.receiver);
      to.write(call.args[0]);
    }),
    ".symlink_to .hardlink_to .link_to": onReceiver((call, to) => to.link(call.args[0], call.receiver)),
    ".chmod .lchmod": onReceiver((call, to) => {
      to.mode(call.args[0]);
      to.write(call.receiver);
    }),
  };
}

function moving(): RuleTable {
  return {
    "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree": copies,
    "shutil.move os.rename os.replace os.renames": writes(0, 1),
    "os.symlink os.link": links(),
    "os.chmod os.lchmod os.fchmod": modes(),
    "os.chdir contextlib.chdir": enters,
    "os.chown os.lchown shutil.chown os.mkdir os.makedirs os.truncate os.utime os.mknod os.mkfifo shutil.unpack_archive":
      writes(0),
    "shutil.unpack_archive .extractall": does((call, to) =>
      to.write(argument(call, call.path.startsWith("shutil") ? 1 : 0, "path", "extract_dir")),
    ),
    "linecache.getlines fileinput.input": shows(0),
    "os.environ.update": does((call, to) => {
      const [first] = call.args;
      const set = [...(first?.is === "list" ? first.named : []), ...call.named];
      for (const [name, value] of set) to.variable(name, value);
    }),
    "os.putenv os.environ.setdefault": does((call, to) =>
      to.variable(textIn(call.args[0]) ?? "?", call.args[1] ?? unknown),
    ),
  };
}

function reaching(): RuleTable {
  return {
    "urllib.request.urlopen urllib.urlopen urllib2.urlopen urlopen .urlopen": connects(0, "url"),
    "urllib.request.urlretrieve urllib.urlretrieve wget.download": does((call, to) => {
      to.connect(call.args[0] ?? unknown);
      to.write(call.args[1]);
    }),
    "requests.get requests.post requests.put requests.delete requests.patch requests.head requests.options": connects(
      0,
      "url",
    ),
    "httpx.get httpx.post httpx.put httpx.delete httpx.patch httpx.head httpx.stream aiohttp.get aiohttp.post aiohttp.ws_connect":
      connects(0, "url"),
    "requests.request httpx.request aiohttp.request": connects(1, "url"),
    ".get .post .put .patch .head .ws_connect .fetch .connect_ws": mayConnect,
    "pandas.read_csv pd.read_csv pandas.read_json pd.read_json pandas.read_html pd.read_html": mayConnect,
    "http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPConnection ftplib.FTP ftplib.FTP_TLS smtplib.SMTP smtplib.SMTP_SSL telnetlib.Telnet poplib.POP3 imaplib.IMAP4 imaplib.IMAP4_SSL websocket.create_connection websockets.connect xmlrpc.client.ServerProxy asyncio.open_connection socket.gethostbyname socket.getaddrinfo nntplib.NNTP":
      does((call, to) => {
        if (call.args.length + call.named.size > 0) to.connect(argument(call, 0, "host", "url") ?? unknown);
      }),
    "socket.create_connection socket.connect socket.connect_ex socket.sendto .create_connection .connect_ex .sendto":
      does(connectTuple),
    ".connect": does((call, to) => {
      if (call.args.some((value) => value.is === "list" && value.items.length === 2)) connectTuple(call, to);
      else if (/paramiko|ftplib|smtplib|SSHClient/u.test(call.path)) to.connect(call.args[0] ?? unknown);
    }),
    "paramiko.connect paramiko.Transport asyncssh.connect fabric.Connection": connects(0, "hostname", "host"),
    "webbrowser.open": connects(0),
  };
}

function connectTuple(call: Call, to: Findings): undefined {
  const tuple = call.args.find(({ is }) => is === "list");
  const host = tuple?.is === "list" ? tuple.items[0] : undefined;
  // The path of a socket in the file system is one text.
  if (host === undefined && textIn(call.args[0])?.startsWith("/") === true) return;
  to.connect(host ?? unknown);
}

function rights(): RuleTable {
  return {
    "os.setuid os.seteuid os.setreuid os.setresuid os.setgid os.setegid os.setgroups os.initgroups os.chroot .setuid .setresuid .syscall":
      privilege,
    "os.kill os.killpg": kills(0),
    "os.fork os.forkpty .fork": forks,
    "os.reboot .reboot": asksFor("system-power", "restarts the machine"),
  };
}

export const pythonRules = new Rules(running, lookingUp, joining, changing, moving, reaching, rights, () => ({
  "pathlib.Path pathlib.PurePath pathlib.PosixPath pathlib.PurePosixPath Path PurePath PosixPath PurePosixPath": gives(
    (call) => pathOf(call.args.length > 1 ? joinPath(call.args) : (call.args[0] ?? textValue("."))),
  ),
  "bytes.fromhex bytes base64.b64decode base64.b32decode base64.b16decode binascii.unhexlify codecs.decode": gives(
    (call) => (textIn(call.args[0]) === undefined ? unknown : hiddenText),
  ),
  chr: gives(({ args: [code] }) => (code?.is === "number" ? (textOfCodes([code]) ?? hiddenText) : undefined)),
  tuple: gives((call) => (call.args[0]?.is === "list" ? call.args[0] : listValue([]))),
  "subprocess.list2cmdline shlex.join": gives(() => undefined),
}));

function pathOf(place: Value): Value {
  const path = "pathlib.Path()";
  return { is: "name", path, call: { path, args: [place], named: noNames, receiver: unknown } };
}

function joinPath(args: readonly Value[]): Value {
  return joinedPath(args, /^\//u) ?? unknown;
}
