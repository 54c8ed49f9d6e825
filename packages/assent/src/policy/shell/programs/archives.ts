import type { Deed } from "../deeds.ts";
import { deedsOf } from "../deeds-of.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, beginning, known } from "../text.ts";
import { beginsUnknown, each, here, literal, runsContent, shellText, starts, without } from "./arguments.ts";
import { isIn } from "./calls.ts";

/** What is unpacked can land anywhere below the folder. */
function unpacksInto(folders: readonly Argument[], given: Given): readonly Deed[] {
  return each("write", folders.length === 0 ? [here(given)] : folders);
}

const isStandard = (path: Argument): boolean => isIn(path, "-");

/** An archive whose name has a colon before any slash is on another machine. */
function archive(path: Argument, use: "read" | "write", local: boolean): readonly Deed[] {
  if (isStandard(path)) return [];
  return !local && /^[^/]+:/.test(beginning(path.text)) ? [{ does: "remote", place: path, use }] : each(use, [path]);
}

function checkpoints(values: readonly Argument[]): readonly Deed[] {
  return values.flatMap((value): readonly Deed[] => {
    if (starts(value, "exec=")) return [{ does: "program", text: without(value, 5).text, span: value.span }];
    return beginsUnknown(value) ? [asks("exec-injected", "may run a command at checkpoints", value)] : [];
  });
}

const creates = "-c --create -r --append -u --update -A --catenate --concatenate --delete";

function tarDeeds(given: Given): readonly Deed[] {
  const extracts = given.has("-x --extract --get");
  const shown = given.has("-O --to-stdout");
  const use = given.has(creates) && !extracts ? "write" : "read";
  const folders = [...given.values("-C --directory --cd"), ...given.values("--one-top-level")];
  const unsafe = extracts && given.has("-P --absolute-names --absolute-paths");
  return [
    ...given.values("-f --file").flatMap((path) => archive(path, use, given.has("--force-local"))),
    ...(extracts && !shown ? unpacksInto(folders, given) : []),
    ...(unsafe ? [asks("overwrite-system", "unpacks to wherever the archive says")] : []),
    ...runsContent(given.values("--to-command")),
    ...checkpoints(given.values("--checkpoint-action")),
    ...(use === "write" ? each("read", [...folders, ...given.operands]) : []),
  ];
}

function tarWords(): Spec {
  return {
    takes: {
      "-f --file -C --directory --cd --checkpoint-action": "text",
      "-I --use-compress-program --rsh-command --rmt-command -F --info-script --new-volume-script": "program",
      "--to-command": "shell",
      "-T --files-from -X --exclude-from": "read",
      "-g --listed-incremental --index-file --volno-file": "write",
      "-b --blocking-factor -H --format -K --starting-file -L --tape-length -N --newer --newer-mtime --after-date":
        "text",
      "-V --label --exclude --exclude-tag --exclude-ignore --transform --xform --owner --group --mode --mtime": "text",
      "--strip-components --suffix --record-size --level --sort --pax-option --warning --quoting-style --owner-map":
        "text",
      "--group-map --hole-detection --exclude-ignore-recursive --exclude-tag-all --exclude-tag-under": "text",
    },
    may: { "--one-top-level --backup --checkpoint --totals --list --no-check-device --atime-preserve": "text" },
    danger: {
      "--remove-files": danger("delete-recursive", "deletes what it has packed"),
      "--recursive-unlink": danger("delete-recursive", "deletes folders before it unpacks"),
    },
    also: tarDeeds,
  };
}

function bsdtarWords(): Spec {
  return {
    ...tarWords(),
    takes: {
      ...tarWords().takes,
      "-I": "read",
      "-s": "text",
      "--options --passphrase --gid --uid --gname --uname": "text",
    },
  };
}

const oldValued = new Set("fCIFTXgbHKLNV");

/** `tar xzf a.tgz`: letters without a dash, whose values follow in their order. */
function oldStyle(words: readonly Argument[]): readonly Argument[] {
  const [first, ...rest] = words;
  const letters = first === undefined ? "" : beginning(first.text);
  if (first === undefined || letters === "" || letters.startsWith("-")) return words;
  let next = 0;
  const options = [...letters].flatMap((letter) => {
    const value = oldValued.has(letter) ? rest[next++] : undefined;
    return [literal(`-${letter}`, first), ...(value === undefined ? [] : [value])];
  });
  return [...options, ...rest.slice(next)];
}

/** The first word may be a cluster without a dash; otherwise as the spec says. */
function bundled(spec: Spec): Spec {
  return { style: "none", also: ({ name, words }) => deedsOf(name, spec, oldStyle(words)) ?? [] };
}

/** Packing replaces the file by another; `-c` only prints, `-t` and `-l` only look. */
function packs({ operands, has }: Given): readonly Deed[] {
  if (has("-c --stdout --to-stdout")) return each("show", operands);
  return each(has("-t --test -l --list") ? "read" : "write", operands);
}

function packing(): Spec {
  return {
    takes: { "-S --suffix -T --threads -p --processes -b --blocksize -M --memlimit": "text", "-o --output": "write" },
    also: packs,
  };
}

function zstd(): Spec {
  return {
    takes: {
      "-o --output-dir-flat --output-dir-mirror": "write",
      "-D --patch-from --filelist": "read",
      "-M --memory": "text",
    },
    may: { "-T --threads --long --fast --train --format --ultra": "text" },
    also: packs,
  };
}

function zipDeeds(given: Given): readonly Deed[] {
  const { words } = given;
  const log = words.findIndex((word) => isIn(word, "-lf --logfile-path"));
  return [...(log < 0 ? [] : each("write", words.slice(log + 1, log + 2))), ...testDeeds(words)];
}

function testDeeds(words: readonly Argument[]): readonly Deed[] {
  const at = words.findIndex((word) => starts(word, "-TT") || starts(word, "--unzip-c"));
  const option = words[at];
  const next = words[at + 1];
  if (option === undefined) return [];
  const equals = beginning(option.text).indexOf("=");
  if (equals > 0) return [shellText(without(option, equals + 1))];
  const attached = without(option, 3);
  if (starts(option, "-TT") && attached.text.length > 0) return [shellText(attached)];
  return next === undefined ? [] : [shellText(next)];
}

function zip(): Spec {
  return {
    takes: {
      "-b --temp-path -n --suffixes -t --from-date -P --password -s --split-size": "text",
      "-O --output-file": "write",
    },
    danger: { "-m --move": danger("delete-recursive", "deletes what it has packed") },
    operands: ["write", "read"],
    also: zipDeeds,
  };
}

function unzipDeeds(given: Given): readonly Deed[] {
  const looks = given.has("-l") || given.has("-t") || given.has("-v") || given.has("-Z") || given.has("-z");
  const shows = given.has("-p") || given.has("-c");
  const used = each(shows ? "show" : "read", given.operands.slice(0, 1));
  return looks || shows ? used : [...used, ...unpacksInto(given.values("-d"), given)];
}

function unzip(): Spec {
  return {
    takes: { "-d -P -x": "text" },
    danger: { "-:": danger("overwrite-system", "unpacks to wherever the archive says") },
    also: unzipDeeds,
  };
}

/** 7z and rar: a command, options with their values attached, the archive, and files. */
function commanded(given: Given): readonly Deed[] {
  const operands = given.words.filter((word) => !starts(word, "-"));
  const [command, path, ...rest] = operands;
  if (command === undefined || path === undefined) return [];
  const folder = given.name.includes("rar") ? "-op" : "-o";
  const folders = given.words.filter((word) => starts(word, folder)).map((word) => without(word, folder.length));
  const lastFolder = rest.filter((word) => beginning(word.text).endsWith("/") || isIn(word, ". .."));
  const moved =
    given.words.find((word) => isIn(word, "-sdel -df -dr -dw")) ?? (isIn(command, "m mf") ? command : undefined);
  const gone = moved === undefined ? [] : [asks("delete-recursive", "deletes what it has packed", moved)];
  if (isIn(command, "x e")) {
    const printed = given.words.some((word) => isIn(word, "-so"));
    const into = given.name.includes("rar") ? [...folders, ...lastFolder] : folders;
    return [...each("read", [path]), ...(printed ? [] : unpacksInto(into, given))];
  }
  if (isIn(command, "l t i b p lb lt vb v vt")) return each(isIn(command, "p") ? "show" : "read", [path]);
  return [...gone, ...each("write", [path]), ...each("read", rest)];
}

function sevenZip(): Spec {
  return { style: "none", also: commanded };
}

function cpioDeeds(given: Given): readonly Deed[] {
  const folders = given.values("-D --directory");
  if (given.has("-t --list")) return [];
  if (given.has("-p --pass-through")) return unpacksInto(given.operands.slice(-1), given);
  if (given.has("-i --extract")) return given.has("--to-stdout") ? [] : unpacksInto(folders, given);
  return each("write", given.values("-F --file"));
}

function cpio(): Spec {
  return {
    takes: {
      "-F --file -D --directory -C --io-size -H --format -R --owner -M --message": "text",
      "-E --pattern-file -I": "read",
      "-O": "write",
      "--rsh-command": "program",
    },
    may: { "--block-size": "text" },
    also: cpioDeeds,
  };
}

/** `-s ',^,/etc/,'`: where the names are said to begin with a folder. */
function renamed(values: readonly Argument[]): readonly Argument[] {
  return values.flatMap((value) => {
    const folder = /^(.)(?:(?!\1).)*\1(\/(?:(?!\1).)*)/s.exec(beginning(value.text))?.[2];
    return folder === undefined ? [] : [literal(folder, value)];
  });
}

function paxDeeds(given: Given): readonly Deed[] {
  if (given.has("-r") && given.has("-w")) return each("write", given.operands.slice(-1));
  if (given.has("-r"))
    return [
      ...each("read", given.values("-f")),
      ...unpacksInto([], given),
      ...each("write", renamed(given.values("-s"))),
    ];
  return given.has("-w") ? each("write", given.values("-f")) : each("read", given.values("-f"));
}

function arDeeds(given: Given): readonly Deed[] {
  const dashed = starts(given.words[0], "-");
  const letters = known(given.words[0]?.text ?? []) ?? "";
  const rest = dashed ? given.operands : given.operands.slice(1);
  const path = rest.filter(({ text }) => /\.(?:a|lib|deb|o)$/.test(known(text) ?? "x.a")).slice(0, 1);
  if (/[tp]/.test(letters)) return each("read", path);
  return letters.includes("x")
    ? [...each("read", path), ...unpacksInto(given.values("--output"), given)]
    : each("write", path);
}

const into = (folder: string): Spec => ({
  takes: { [folder]: "text", "-P --password -p": "text" },
  also: (given) => [...each("read", given.operands), ...unpacksInto(given.values(folder), given)],
});

export const archiveTools: Programs = {
  "tar gtar star": () => bundled(tarWords()),
  bsdtar: () => bundled(bsdtarWords()),
  "gzip gunzip pigz unpigz bzip2 bunzip2 pbzip2 xz unxz pixz lzma unlzma lzip plzip compress uncompress lzop": packing,
  "zstd unzstd pzstd": zstd,
  "lz4 unlz4": () => ({ operands: ["read", "write"] }),
  brotli: () => ({ takes: { "-o --output": "write", "-q --quality -w --lgwin -S --suffix": "text" }, also: packs }),
  "gzexe znew": () => ({ operands: ["write"] }),
  zip,
  unzip,
  "zipinfo lsar zipdetails unzipsfx lsinitramfs": () => ({ operands: ["read"] }),
  "zipnote zipsplit zipcloak advzip": () => ({ operands: ["write"] }),
  funzip: () => ({ operands: ["show"] }),
  "7z 7za 7zr 7zz p7zip rar unrar": sevenZip,
  "cpio gcpio bsdcpio": cpio,
  pax: () => ({ takes: { "-f -s -x -o -b -B -E -G -U -T -p": "text" }, also: paxDeeds }),
  "ar gar llvm-ar gcc-ar": () => ({ takes: { "--plugin": "read", "--output --target": "text" }, also: arDeeds }),
  ranlib: () => ({ operands: ["write"] }),
  unar: () => into("-o -output-directory"),
  "cabextract unsquashfs": () => into("-d --directory --dest"),
  "aunpack dtrx ouch atool": () => into("-X --extract-to -d --dir"),
  mksquashfs: () => ({ style: "long", operands: ["read", "write"] }),
  xar: () => bundled(tarWords()),
  // An archive of this kind is a script, and unpacking runs it.
  unshar: () => ({ takes: { "-d --directory": "write" }, operands: ["script"] }),
  shar: () => ({ takes: { "-o --output-prefix": "write" }, operands: ["show"] }),
};
