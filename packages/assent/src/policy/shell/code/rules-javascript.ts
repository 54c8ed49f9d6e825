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
  joinsBelow,
  joinsPaths,
  kills,
  links,
  mayConnect,
  modes,
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
  type Call,
  hiddenText,
  isKnown,
  joinValues,
  textIn,
  textOfCodes,
  textValue,
  unknown,
  type Value,
} from "./values.ts";

function option(call: Call, name: string): Value | undefined {
  const found = call.args.find((value) => value.is === "list" && value.named.has(name));
  return found?.is === "list" ? found.named.get(name) : undefined;
}

function isOn(value: Value | undefined): boolean {
  return value !== undefined && !(value.is === "name" && ["false", "undefined", "null"].includes(value.path));
}

/** `spawn("rm", ["-rf"], { shell: true })` */
const spawns: Rule = {
  handed: "runs",
  apply: (call, to) => {
    const [program, second] = call.args;
    const list = second?.is === "list" && second.items.length === 0 && second.named.size > 0 ? undefined : second;
    if (isOn(option(call, "shell")) && program !== undefined) to.shell(asLine(program, list));
    else runWith(program, list, to);
    return undefined;
  },
};

function asLine(program: Value, list: Value | undefined): Value {
  if (list === undefined) return program;
  if (list.is !== "list" || list.more || !list.items.every((item) => item.is === "text")) return unknown;
  return textValue([program, ...list.items].map((item) => textIn(item) ?? "\uF8FF").join(" "));
}

const spawnsList: Rule = {
  handed: "runs",
  apply: (call, to) => {
    const [first] = call.args;
    const words = first?.is === "list" && first.named.has("cmd") ? first.named.get("cmd") : first;
    if (words?.is === "list") to.run(words.items, words.more);
    else to.shell(words ?? unknown);
    return undefined;
  },
};

const loads: Rule = gives((call, to) => {
  const [name] = call.args;
  const text = textIn(name);
  if (text !== undefined && isKnown(text) && name?.is === "text" && name.joined !== true) {
    return { is: "name", path: moduleName(text) };
  }
  if (isOwnPlace(name)) return unknown;
  to.unseen("loads a module whose name is made only when it runs");
  return unknown;
});

/** A file of the project, by a path that begins with a folder or comes with the command. */
function isOwnPlace(value: Value | undefined): boolean {
  if (value === undefined) return true;
  if (value.is === "name") return value.call === undefined || /^(?:path|require|process|import)\b/u.test(value.path);
  if (value.is !== "text") return false;
  const own = /^(?:\.{0,2}\/|[A-Za-z]:|\uF8FF\/|[\uE000-\uEFFF])/u;
  return own.test(value.text) || value.text.includes("/package.json");
}

function running(): RuleTable {
  return {
    "child_process.exec child_process.execSync .execSync shelljs.exec shell.exec sh.exec execa.command execaCommand execaCommandSync execa.execaCommand execa.commandSync":
      shell(0),
    ".doShellScript $.system $.NSTask": shell(0),
    "$ $.sync bun.$ Bun.$ zx.$ execa.$": shell(0),
    "child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync .spawnSync .execFileSync .execFile execa execaSync execa.execa execa.execaSync cross-spawn cross-spawn.sync":
      spawns,
    "child_process.fork": forks,
    "Bun.spawn Bun.spawnSync Deno.run": spawnsList,
    "Deno.Command": {
      handed: "runs",
      apply: (call, to) => {
        runWith(call.args[0], option(call, "args"), to);
        return undefined;
      },
    },
    "Worker worker_threads.Worker .Worker": does((call, to) => {
      const options = call.args[1];
      if (options?.is === "list" && options.named.has("eval")) to.code("javascript", call.args[0]);
    }),
    "eval vm.runInThisContext vm.runInNewContext vm.runInContext vm.Script vm.compileFunction .runInThisContext .runInNewContext":
      code("javascript"),
    "setTimeout setInterval setImmediate": does((call, to) => {
      if (call.args[0]?.is === "text") to.code("javascript", call.args[0]);
    }),
    "Function AsyncFunction GeneratorFunction .constructor.constructor": does(makesFunction),
    ".constructor": does((call, to) => {
      if (/constructor\.constructor$|^(?:\?|\[\]|'')\./u.test(call.path) || call.args.at(-1)?.is === "text")
        makesFunction(call, to);
    }),
    "module._compile ._compile": code("javascript"),
    "process.dlopen process.binding process._linkedBinding": asksFor("exec-unseen", "loads machine code"),
  };
}

function makesFunction(call: Call, to: Findings): undefined {
  // Reaching for it by way of another object is done only to hide it.
  if (call.path.endsWith("constructor.constructor")) to.unseen("runs program text in a hidden way");
  else to.code("javascript", call.args.at(-1));
}

function lookingUp(): RuleTable {
  return {
    "require import module.require process.mainModule.require .require": loads,
    "module.createRequire createRequire .createRequire": gives(() => ({ is: "name", path: "require" })),
    "process.getBuiltinModule": loads,
    "util.promisify promisify": gives((call) => call.args[0]),
    "Reflect.get": gives((call, to) => {
      const [object, name] = call.args;
      const text = textIn(name);
      if (object?.is !== "name") return unknown;
      if (text !== undefined && isKnown(text)) return { is: "name", path: shortened(`${object.path}.${text}`) };
      if (/^(?:child_process|fs|globalThis|global)/u.test(object.path))
        to.unseen("picks what it runs by a name that is not known");
      return unknown;
    }),
    "Reflect.apply": {
      wraps: true,
      apply: (call, to) => {
        const [target, , list] = call.args;
        return target?.is === "name" ? javascriptRules.called(passedOn(call, target.path, list), to) : undefined;
      },
    },
    ".call .apply .bind": {
      wraps: true,
      apply: (call, to) => {
        const path = call.receiver.is === "name" ? call.receiver.path : "?";
        const [, ...rest] = call.args;
        if (call.path.endsWith(".apply")) return javascriptRules.called(passedOn(call, path, rest[0]), to);
        if (call.path.endsWith(".bind") && rest.length === 0) return call.receiver;
        return javascriptRules.called({ ...call, path, args: rest }, to);
      },
    },
  };
}

function joining(): RuleTable {
  return {
    ".split": gives((call) => (textIn(call.args[0]) === " " ? splitText(call.receiver) : undefined)),
    ".join": gives((call) => joinedList(call.receiver, call.args[0])),
    ".concat": gives((call) =>
      call.args.length > 0 && call.args.every((value) => value.is === "text")
        ? call.args.reduce((left, right) => joinValues(left, right), call.receiver)
        : undefined,
    ),
    ".trim .toString": gives((call) => (call.receiver.is === "text" ? call.receiver : undefined)),
    "URL String String.raw path.resolve.one": sameText,
    "path.resolve path.posix.resolve": joinsPaths,
    "path.join path.posix.join": joinsBelow,
    "String.fromCharCode String.fromCodePoint": gives(({ args }) =>
      args[0]?.is === "number" ? (textOfCodes(args) ?? hiddenText) : undefined,
    ),
    atob: gives(({ args: [first] }) => (first?.is === "text" ? hiddenText : undefined)),
    "Buffer.from": gives(({ args: [text, coding] }) =>
      text?.is === "text" && /^(?:base64|base64url|hex)$/u.test(textIn(coding) ?? "") ? hiddenText : undefined,
    ),
    ".push .unshift": does((call) => {
      if (call.receiver.is === "list") call.receiver.more = true;
    }),
  };
}

function passedOn(call: Call, path: string, list: Value | undefined): Call {
  return { ...call, path, args: list?.is === "list" ? list.items : [unknown] };
}

/** One file, unless the options say everything below it. */
const removesMaybeAll: Rule = {
  handed: "removes",
  apply: (call, to) => {
    const [path, options] = call.args;
    const unseen = options?.is === "name" && !/^(?:function|err|e|cb|callback|done|console\..*)$/u.test(options.path);
    if (isOn(option(call, "recursive")) || unseen)
      to.danger("delete-recursive", "removes a folder with everything in it");
    else to.remove(path);
    return undefined;
  },
};

const removesAllOnly: Rule = does((call, to) => {
  if (isOn(option(call, "recursive"))) to.danger("delete-recursive", "removes a folder with everything in it");
});

function changing(): RuleTable {
  return {
    ".rm .rmdir .remove": removesAllOnly,
    "fs.rm fs.rmSync fs.rmdir fs.rmdirSync .rmSync .rmdirSync Deno.remove Deno.removeSync": removesMaybeAll,
    "rimraf rimraf.sync rimraf.rimraf rimraf.rimrafSync rimrafSync del del.sync del.deleteAsync del.deleteSync fs.remove fs.removeSync fs.emptyDir fs.emptyDirSync fs.emptydir .removeSync .emptyDirSync shelljs.rm trash":
      recursive,
    "fs.unlink fs.unlinkSync .unlinkSync .unlink": removes(0),
    "fs.readdir fs.readdirSync fs.opendir fs.opendirSync fs.glob fs.globSync .readdirSync .readdir glob glob.sync glob.globSync glob.glob fast-glob fast-glob.sync globby Deno.readDir Deno.readDirSync":
      walks,
    "process.chdir Deno.chdir": enters,
    "fs.writeFile fs.writeFileSync fs.appendFile fs.appendFileSync fs.createWriteStream fs.truncate fs.truncateSync fs.mkdir fs.mkdirSync fs.outputFile fs.outputFileSync fs.outputJson fs.outputJsonSync fs.writeJson fs.writeJsonSync fs.ensureDir fs.ensureDirSync fs.ensureFile fs.chown fs.chownSync fs.lchown fs.lchownSync fs.utimes fs.utimesSync .writeFileSync .appendFileSync .createWriteStream .writeFile .appendFile Bun.write Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile Deno.writeFileSync Deno.mkdir Deno.truncate Deno.create":
      writes(0),
    "fs.open fs.openSync": does((call, to) =>
      isOn(call.args[1]) && textIn(call.args[1])?.[0] !== "r" ? to.write(call.args[0]) : to.show(call.args[0]),
    ),
    "fs.rename fs.renameSync fs.move fs.moveSync .renameSync Deno.rename Deno.renameSync": writes(0, 1),
    "fs.copyFile fs.copyFileSync fs.cp fs.cpSync fs.copy fs.copySync .copyFileSync .cpSync Deno.copyFile": copies,
    "fs.symlink fs.symlinkSync fs.link fs.linkSync .symlinkSync .linkSync Deno.symlink": links(),
    "fs.chmod fs.chmodSync .chmodSync Deno.chmod Deno.chmodSync fs.lchmod fs.fchmod": modes(),
    "fs.readFile fs.readFileSync fs.createReadStream .readFileSync .createReadStream Bun.file Deno.readTextFile Deno.readTextFileSync Deno.readFile":
      shows(0),
  };
}

/** An address, or an object with a host. */
const connectsTo: Rule = does((call, to) => {
  const [first, second] = call.args;
  const host = option(call, "host") ?? option(call, "hostname") ?? option(call, "url") ?? option(call, "path");
  if (first?.is === "number") to.connect(second?.is === "name" ? unknown : (textIn(second) ?? "localhost"));
  else if (first?.is === "text" && second?.is === "text" && /^\d+$/u.test(first.text)) to.connect(second);
  else if (option(call, "port") !== undefined && host === undefined) to.connect("localhost");
  else to.connect(textIn(first) === undefined ? (host ?? unknown) : first);
});

function reaching(): RuleTable {
  return {
    "fetch http.get http.request https.get https.request http2.connect axios axios.get axios.post axios.put axios.delete axios.patch axios.head axios.request got got.get got.post got.put node-fetch undici.fetch undici.request undici.stream superagent.get superagent.post needle.get needle ky ky.get ky.post request request.get request.post WebSocket ws EventSource Deno.connect XMLHttpRequest.open":
      connectsTo,
    "net.connect net.createConnection net.Socket.connect tls.connect net.connect.connect": connectsTo,
    "dgram.send dgram.connect": connects(2),
    "dns.lookup dns.resolve dns.resolve4 dns.resolveTxt dns.promises.lookup": connects(0),
    "WebTransport RTCPeerConnection": connects(0),
    ".get .post .put .patch .request .sendBeacon": mayConnect,
    ".connect": does((call, to) => {
      if (/^(?:net|tls|ssh2|ftp|basic-ftp)\b/u.test(call.path)) connectsTo.apply(call, to);
    }),
  };
}

function rights(): RuleTable {
  return {
    "process.setuid process.seteuid process.setgid process.setegid process.setgroups process.initgroups": privilege,
    "process.kill": kills(0),
  };
}

export const javascriptRules = new Rules(running, lookingUp, joining, changing, reaching, rights);
