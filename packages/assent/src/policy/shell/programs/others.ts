import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { beginning, known } from "../text.ts";
import { connectsUrls } from "./support.ts";

/** Words are names or texts, never code. */
function names(): Spec {
  return { style: "none" };
}

/** Media tools take URLs where they take files. */
function mediaHosts({ words }: Given): readonly Deed[] {
  return connectsUrls(words);
}

function toFile(): Spec {
  return { operands: ["read"], last: "write", also: mediaHosts };
}
function oneLetterOutput(): Spec {
  return { takes: { "-o --output --out": "write" }, operands: ["read"] };
}

function texEscape({ words }: Given): readonly Deed[] {
  return words.some(({ text }) => /^--?(?:shell-escape|enable-write18)$/.test(known(text) ?? ""))
    ? [asks("exec-option", "lets a document run programs")]
    : [];
}

function tex(): Spec {
  return { style: "long", takes: { "-output-directory -outdir": "write" }, also: texEscape };
}
const loads = danger("exec-option", "loads a library");
const machines = danger("delete-store", "throws away a virtual machine");

/** Programs of no larger group. */
export const otherTools: Programs = {
  "type help history jobs wait disown bg fg exit return break continue logout times caller dirs umask ulimit": names,
  "shift suspend true false : cowsay figlet lolcat toilet tput clear reset": names,
  "ssh-keygen"() {
    return {
      takes: { "-f": "write", "-t -b -C -N -P -m -a -O -I -n -V -z": "text", "-R -F": "text", "-s -w -D": "read" },
      danger: { "-D -w": loads, "-A": danger("overwrite-system", "makes the keys of this machine") },
    };
  },
  "ssh-add": () => ({ takes: { "-t -T -S -e -s": "text" }, danger: { "-s -S": loads } }),
  "ssh-agent": () => ({ takes: { "-a": "write", "-t -E -O -P": "text" }, stops: true, operands: ["argv"] }),
  age() {
    return {
      takes: { "-o --output": "write", "-i --identity -R --recipients-file": "read", "-r": "text" },
      operands: ["read"],
    };
  },
  pass() {
    return {
      commands: {
        show: { always: danger("secret-read", "shows a password") },
        rm: {},
        insert: {},
        generate: {},
        ls: {},
      },
    };
  },
  keytool: () => ({ style: "long", takes: { "-keystore -file -destkeystore": "write" } }),
  certbot: () => ({
    always: danger("network-send", "asks an authority for certificates"),
    unless: "certificates plugins",
  }),
  "ffprobe ffplay mediainfo identify exiv2": () => ({ style: "long", also: mediaHosts }),
  "sox inkscape cwebp dwebp gifsicle": toFile,
  "dot neato circo fdp sfdp twopi mmdc plantuml": oneLetterOutput,
  "pdflatex xelatex lualatex latex tex pdftex latexmk tectonic bibtex biber makeindex": tex,
  "yamllint markdownlint markdownlint-cli2 vale cspell codespell typos commitlint hadolint actionlint"() {
    return {
      operands: ["read"],
    };
  },
  security() {
    return {
      commands: {
        "find-generic-password": { always: danger("secret-read", "shows a password of the keychain") },
        "find-internet-password": { always: danger("secret-read", "shows a password of the keychain") },
        "dump-keychain": { always: danger("secret-read", "shows the keychain") },
        "delete-keychain": { always: danger("delete-store", "throws away a keychain") },
        "add-trusted-cert": { always: danger("system-settings", "changes whom this machine trusts") },
      },
    };
  },
  defaults: () => ({ commands: { write: { also: globalDefaults }, delete: { also: globalDefaults }, read: {} } }),
  tcpdump: () => ({ takes: { "-w": "write", "-r -F": "read", "-z": "program", "-i -c -s -C -G -W -Z -U": "text" } }),
  "tshark dumpcap": () => ({ takes: { "-w": "write", "-r": "read", "-i -c -f -Y -T -e": "text" } }),
  "qemu-img"() {
    return {
      commands: {
        create: { operands: ["write"] },
        convert: { operands: ["read"], last: "write" },
        info: {},
        resize: { operands: ["write"] },
      },
    };
  },
  virsh() {
    return {
      commands: { destroy: { always: machines }, undefine: { always: machines }, "vol-delete": { always: machines } },
    };
  },
  VBoxManage: () => ({ commands: { unregistervm: { always: machines }, closemedium: { always: machines } } }),
  plutil() {
    return {
      style: "long",
      takes: { "-o": "write", "-e -convert -extract -replace -insert -remove": "text" },
      also: ({ operands, has }) =>
        has("-o") || !has("-convert -replace -insert -remove -create")
          ? []
          : operands.slice(-1).map((path) => ({ does: "write", path })),
    };
  },
  PlistBuddy() {
    return {
      style: "long",
      takes: { "-c": "text" },
      also: ({ operands, values }) =>
        values("-c").every(({ text }) => /^print/i.test(known(text) ?? "")) && values("-c").length > 0
          ? []
          : operands.slice(-1).map((path) => ({ does: "write", path })),
    };
  },
  augtool() {
    return {
      takes: { "-r --root -l --load-file -f --file -t --transform -L": "text" },
      also: ({ operands: [verb], has, values }) =>
        has("-s --autosave") ||
        values("-f --file").length > 0 ||
        /^(?:set|rm|ins|mv|cl|save|setm)/.test(known(verb?.text ?? []) ?? "set")
          ? [asks("system-settings", "changes settings of this machine")]
          : [],
    };
  },
  logrotate() {
    return {
      takes: { "-s --state -l --log": "write", "-m --mail": "program" },
      always: danger("system-settings", "changes logs, and runs what its settings say"),
      unless: "-d --debug",
    };
  },
  configure: () => ({ takes: { "--cache-file": "write", "--srcdir --prefix --host --build --target": "text" } }),
  "lp lpr lpstat lpq cancel"() {
    return {
      takes: { "-h -H": "host", "-d -P -n -o -t -U -#": "text" },
      operands: ["read"],
    };
  },
  uconv: () => ({ operands: ["show"] }),
  sd: () => ({ operands: ["text", "text", "write"] }),
};

/** Settings of one's own programs are one's own affair. */
function globalDefaults({ operands }: Given): readonly Deed[] {
  const [domain] = operands;
  return domain === undefined || !beginning(domain.text).startsWith("/") ? [] : [{ does: "write", path: domain }];
}
