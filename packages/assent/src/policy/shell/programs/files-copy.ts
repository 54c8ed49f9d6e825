import type { Deed } from "../deeds.ts";
import { asks, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, beginning, known, textOf } from "../text.ts";
import { each, inFolder, lastPart } from "./arguments.ts";
import { isIn } from "./calls.ts";

/** Where each source goes: what was at the source is at the place from then on. */
type Placed = { readonly source: Argument; readonly place: Argument };

const target = "-t --target-directory";

function isFolder(destination: Argument): boolean {
  const last = destination.text.at(-1);
  return (typeof last === "string" && last.endsWith("/")) || isIn(destination, ". ..");
}

function placed({ operands, values, has }: Given): readonly Placed[] {
  const folder = values(target).at(-1);
  const sources = folder === undefined ? operands.slice(0, -1) : operands;
  const destination = folder ?? operands.at(-1);
  if (destination === undefined) return [];
  const into =
    folder !== undefined || sources.length > 1 || (isFolder(destination) && !has("-T --no-target-directory"));
  // With all the folders that it was in.
  const isDeep = has("--parents");
  return sources.map((source) => {
    if (isDeep) return { source, place: { ...destination, text: textOf(...destination.text, "/", ...source.text) } };
    return { source, place: into ? inFolder(destination, source) : destination };
  });
}

/** The sources are used as said, and come to be elsewhere. */
function transfer(given: Given, use: "read" | "write"): readonly Deed[] {
  const places = placed(given);
  const sources = places.map(({ source }) => source);
  if (places.length === 0) return each("write", given.operands);
  return [
    ...each(use, sources),
    ...places.map(({ source, place }): Deed => ({ does: "copy", path: place, from: source })),
  ];
}

/** What a link leads to counts from the folder in which it is; `symbolic` ones are written so. */
function links(places: readonly Placed[], symbolic: boolean): readonly Deed[] {
  return places.map(({ source, place }) => ({
    does: "link",
    path: place,
    target: symbolic ? source : fromFolderOf(place, source),
  }));
}

/** A path from here, as it is seen from the folder of another. */
function fromFolderOf(place: Argument, source: Argument): Argument {
  const folder = /^.*\//s.exec(beginning(place.text))?.[0] ?? "";
  const isFixed =
    /^\/|\.\./.test(folder) || beginning(source.text).startsWith("/") || typeof source.text[0] !== "string";
  if (folder === "" || isFixed) return source;
  const depth = folder.split("/").filter((part) => part !== "" && part !== ".").length;
  return { ...source, text: textOf("../".repeat(depth), ...source.text) };
}

function linkDeeds(given: Given): readonly Deed[] {
  const symbolic = given.has("-s --symbolic") && !given.has("-r --relative");
  const [only] = given.operands;
  if (given.operands.length === 1 && only !== undefined && given.values(target).length === 0) {
    return links([{ source: only, place: { ...only, text: lastPart(only.text) } }], symbolic);
  }
  return links(placed(given), symbolic);
}

function copyDeeds(given: Given): readonly Deed[] {
  if (given.has("-s --symbolic-link")) return links(placed(given), true);
  if (given.has("-l --link")) return links(placed(given), false);
  return transfer(given, "read");
}

function moveDeeds(given: Given): readonly Deed[] {
  const nowhere = given.operands.length > 1 && isIn(given.operands.at(-1), "/dev/null");
  const gone = nowhere ? [asks("delete-recursive", "moves files to where nothing is kept")] : [];
  return [...gone, ...transfer(given, "write")];
}

const backup = { "--backup": "text" } as const;
const common = { [target]: "write", "-S --suffix": "text" } as const;

function copy(): Spec {
  return {
    takes: { ...common, "--no-preserve": "text", "--sparse": "text" },
    may: { ...backup, "--preserve --reflink --context --update --link": "text" },
    also: copyDeeds,
  };
}

function install(): Spec {
  return {
    takes: { ...common, "-m --mode": "mode", "-o --owner -g --group -B -f -N": "text", "--strip-program": "program" },
    may: { ...backup, "--context --strip": "text" },
    also: (given) => (given.has("-d --directory") ? each("write", given.operands) : transfer(given, "read")),
  };
}

/** Removing a permission is written like an option. */
const takesAway = /^-[rwxXstugoa][rwxXstugoa,=+-]*$/;
const ownKeys =
  /^\/(?:home|Users)\/[^/]+\/\.(?:ssh|gnupg|config|local|bashrc|profile|zshrc)\b(?!.*\.\.)|^(?:\.\/)?\.git\/hooks\//;

/** A mode of one's own keys and hooks is no change of what they do. */
function changed(paths: readonly Argument[]): readonly Deed[] {
  const isKey = ({ text }: Argument): boolean => ownKeys.test(known(text) ?? "");
  return [
    ...each("read", paths.filter(isKey)),
    ...each(
      "write",
      paths.filter((path) => !isKey(path)),
    ),
  ];
}

function modeDeeds({ operands, words, has }: Given): readonly Deed[] {
  const taken = words.find(({ text }) => takesAway.test(known(text) ?? ""));
  // `-x,o+w` gives as well.
  if (taken !== undefined && /[+=]/.test(known(taken.text) ?? ""))
    return [{ does: "mode", mode: taken }, ...changed(operands)];
  const without = has("--reference") || taken !== undefined;
  const [mode, ...paths] = operands;
  if (without || mode === undefined) return changed(operands);
  return [{ does: "mode", mode }, ...changed(paths)];
}

function ownerDeeds({ operands, has }: Given): readonly Deed[] {
  return changed(has("--reference") ? operands : operands.slice(1));
}

const worldWrites = /(?:^|,)(?:d(?:efault)?:)?o(?:ther)?:{1,2}(?:[rx-]*w|[2367])/;

function aclDeeds({ values, operands }: Given): readonly Deed[] {
  const open = values("-m --modify --set").find(({ text }) => worldWrites.test(beginning(text)));
  const writes = each("write", operands);
  return open === undefined ? writes : [asks("system-mode", "lets everybody write", open), ...writes];
}

/** Words that set or clear attributes begin with a sign. */
function attributeDeeds({ words }: Given): readonly Deed[] {
  const numbered = words.filter(
    (word, index) => !isIn(words[index - 1], "-v -p") && !/^[-+=]/.test(beginning(word.text)),
  );
  return each("write", numbered);
}

function owner(): Spec {
  return { takes: { "--reference": "read", "--from": "text" }, also: ownerDeeds };
}

export const copying: Programs = {
  "cp gcp": copy,
  "mv gmv"() {
    return {
      takes: common,
      may: { ...backup, "--update": "text" },
      also: moveDeeds,
    };
  },
  "ln gln link": () => ({ takes: common, may: backup, also: linkDeeds }),
  "install ginstall": install,
  ditto: () => ({ takes: { "--arch --keepParent": "text" }, also: (given) => transfer(given, "read") }),
  "chmod gchmod": () => ({ takes: { "--reference": "read" }, also: modeDeeds }),
  "chown gchown chgrp gchgrp": owner,
  setfacl() {
    return {
      takes: {
        "-m --modify --set -x --remove": "text",
        "-M --modify-file -X --remove-file --set-file --restore": "read",
      },
      also: aclDeeds,
    };
  },
  "getfacl lsattr": () => ({}),
  chattr: () => ({ style: "none", also: attributeDeeds }),
  chflags: () => ({ operands: ["text", "write"] }),
  xattr: () => ({ also: ({ operands, has }) => (has("-d -w -c") ? each("write", operands.slice(-1)) : []) }),
  rename: () => ({ takes: { "-e": "code:perl" }, operands: ["code:perl", "write"] }),
  "prename perl-rename file-rename": () => ({ takes: { "-e": "code:perl" }, operands: ["code:perl", "write"] }),
  "mmv mcp mad mln": () => ({ operands: ["text"], last: "write" }),
  lndir: () => ({ operands: ["read", "write"] }),
  stow: () => ({ takes: { "-t --target": "write", "-d --dir": "read", "--ignore --defer --override": "text" } }),
};
