import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { beginning, known, textOf } from "../text.ts";
import {
  each,
  here,
  lastPart,
  prints,
  printsOption,
  runsContent,
  shellText,
  starts,
  urls,
  without,
} from "./arguments.ts";
import { isIn } from "./calls.ts";
import { copying } from "./files-copy.ts";
import { deletion } from "./files-delete.ts";
import { search } from "./files-find.ts";

/** `of=` is written, `if=` is read; what it is for is named among what needs approval. */
function blocks({ words }: Given): readonly Deed[] {
  return words.flatMap((word): readonly Deed[] => {
    if (starts(word, "of=")) return each("write", [without(word, 3)]);
    return starts(word, "if=") ? each("show", [without(word, 3)]) : [];
  });
}

function dd(): Spec {
  return {
    style: "none",
    always: danger("system-disk", "copies blocks, over whatever is there"),
    also: blocks,
  };
}

/** `execute(…)`, `reload:…` and the like in a key binding are run by a shell. */
const bound = /(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|transform[a-z-]*|preview)[^\w\s+,-](.*)/s;

function bindings({ values }: Given): readonly Deed[] {
  return values("--bind").flatMap((value): readonly Deed[] => {
    const [first, ...rest] = value.text;
    const inner = typeof first === "string" ? bound.exec(first)?.[1] : undefined;
    if (inner === undefined) return known(value.text) === null ? [shellText(value)] : [];
    const text = textOf(rest.length === 0 ? inner.replace(/[)\]}>~!@#$%^&*;|/]$/, "") : inner, ...rest);
    return [{ does: "shell", text, span: value.span }];
  });
}

/** A template names a file that is made; without a folder it is one in the folder for such files. */
function temporary({ operands, has }: Given): readonly Deed[] {
  return has("-u --dry-run") || has("-t --tmpdir") ? [] : each("write", operands);
}

function opened({ operands, has }: Given): readonly Deed[] {
  const path = operands.filter(({ text }) => /\.(?:app|pkg|command|sh|desktop|AppImage)$/.test(known(text) ?? ""));
  const installs = path.filter(({ text }) => /\.pkg$/.test(known(text) ?? ""));
  return [
    ...urls(operands),
    ...(has("--args") ? [] : path.filter(({ text }) => /\.(?:command|sh)$/.test(known(text) ?? ""))).map(
      (script): Deed => ({ does: "script", path: script, language: "shell" }),
    ),
    ...installs.map((each) => asks("system-package", "opens an installer", each)),
  ];
}

function statDeeds({ values }: Given): readonly Deed[] {
  return printsOption(values("-c --format --printf"));
}

function lastNames({ operands }: Given): readonly Deed[] {
  return printsOption(operands.map((operand) => ({ ...operand, text: lastPart(operand.text) })));
}

function gioDeeds({ operands, words }: Given): readonly Deed[] {
  if (words.some((word) => isIn(word, "--empty"))) return [asks("delete-bulk", "empties the trash")];
  const [command, ...rest] = operands;
  if (isIn(command, "trash remove mkdir set save rename")) return each("write", rest);
  if (isIn(command, "copy move"))
    return [...each("read", rest.slice(0, -1)), ...each("write", rest.slice(-1)), ...urls(rest)];
  return isIn(command, "cat") ? [...each("show", rest), ...urls(rest)] : urls(rest);
}

function listing(): Spec {
  return { takes: { "-I --ignore --hide --ignore-glob": "text" } };
}

const made: Programs = {
  "mkdir gmkdir": () => ({ takes: { "-m --mode": "mode" }, may: { "--context": "text" }, operands: ["write"] }),
  mkfifo: () => ({ takes: { "-m --mode": "mode" }, operands: ["write"] }),
  "touch gtouch"() {
    return {
      takes: { "-d --date -t --time -A": "text", "-r --reference": "read" },
      operands: ["write"],
    };
  },
  "truncate gtruncate": () => ({ takes: { "-s --size": "text", "-r --reference": "read" }, operands: ["write"] }),
  fallocate: () => ({ takes: { "-l --length -o --offset": "text" }, operands: ["write"] }),
  mkfile: () => ({ operands: ["text", "write"] }),
  "split gsplit"() {
    return {
      takes: {
        "-a --suffix-length -b --bytes -C --line-bytes -l --lines -n --number -t --separator -p": "text",
        "--additional-suffix": "text",
        "--filter": "shell",
      },
      may: { "--numeric-suffixes --hex-suffixes": "text" },
      operands: ["read", "write"],
      also: (given) => [
        ...runsContent(given.values("--filter")),
        ...(given.operands.length > 1 || given.has("--filter") ? [] : each("write", [here(given)])),
      ],
    };
  },
  "csplit gcsplit"() {
    return {
      takes: { "-f --prefix": "write", "-b --suffix-format -n --digits": "text" },
      operands: ["read", "text"],
      also: (given) => (given.has("-f --prefix") ? [] : each("write", [here(given)])),
    };
  },
  "tee gtee": () => ({ may: { "--output-error": "text" }, operands: ["write"] }),

  sponge: () => ({ operands: ["write"] }),
  "dd gdd dcfldd dc3dd ddrescue dd_rescue": dd,
  "mktemp gmktemp tempfile"() {
    return {
      takes: { "-p": "write", "--suffix": "text" },
      may: { "--tmpdir": "write" },
      also: temporary,
      output: "path",
    };
  },
};

const told: Programs = {
  "ls gls dir vdir ll la exa eza lsd": listing,
  tree: () => ({ takes: { "-o --output": "write", "-P -I -L -H -T --filelimit --charset": "text" } }),
  "stat gstat": () => ({ takes: { "-c --format --printf": "text" }, also: statDeeds, output: "word" }),
  "du gdu df gdf dust duf dua": () => ({ takes: { "-d --max-depth -t --threshold -B --block-size": "text" } }),
  ncdu: () => ({ takes: { "-o": "write", "-f": "read", "--exclude": "text" } }),
  file: () => ({ takes: { "-f --files-from -m --magic-file": "read", "-F --separator -e --exclude -P": "text" } }),
  "realpath grealpath readlink greadlink": () => ({ output: "path" }),
  "basename gbasename": () => ({ also: lastNames, output: "word" }),
  "dirname gdirname pwd gpwd": () => ({ output: "path" }),
  "pathchk namei findmnt lsblk blkid lsof mdfind mdls locate plocate mlocate slocate"() {
    return {
      takes: { "-o --output -c -s": "text" },
    };
  },
  updatedb: () => ({ takes: { "-o --output": "write", "-l --require-visibility -U --database-root": "text" } }),
  "sync syncfs": () => ({}),
  "which gwhich whereis": () => ({ output: "path" }),
  "inotifywait fswatch inotifywatch"() {
    return {
      takes: { "-o --outfile": "write", "-e --event --exclude -t": "text" },
    };
  },
  "getfattr lsxattr symlinks": () => ({}),
  setfattr() {
    return {
      takes: { "-n --name -v --value -x --remove": "text", "--restore": "read" },
      operands: ["write"],
      also: ({ values }) =>
        values("-n --name")
          .filter(({ text }) => /^(?:security|trusted|system)\./.test(beginning(text)))
          .map((at) => asks("privilege-grant", "gives a file rights or marks of the system", at)),
    };
  },
  "ranger nnn lf mc vifm broot yazi"() {
    return {
      takes: { "--cmd -c -command": "shell", "--selectfile --config": "read" },
    };
  },
};

const others: Programs = {
  fzf() {
    return {
      takes: {
        "--preview": "shell",
        "--bind": "text",
        "-q --query -f --filter -d --delimiter -n --nth --with-nth --preview-window --height --header --prompt": "text",
        "--with-shell": "program",
      },
      also: bindings,
    };
  },
  "sk skim"() {
    return {
      takes: { "--preview -c --cmd": "shell", "--bind -q --query -d --delimiter": "text" },
      also: bindings,
    };
  },
  "open xdg-open gnome-open kde-open wslview sensible-browser x-www-browser start explorer": () => ({ also: opened }),
  gio: () => ({ stops: true, also: gioDeeds }),
  "pbcopy pbpaste wl-copy wl-paste xsel clip": () => ({}),
  xclip: () => ({ style: "long", takes: { "-selection -sel -target -t -display -loops": "text" }, operands: ["read"] }),
  "say espeak notify-send terminal-notifier osd_cat": prints,
  "mkisofs genisoimage xorrisofs": () => ({ style: "long", takes: { "-o -output": "write" }, operands: ["read"] }),
  "convmv detox": () => ({ operands: ["write"] }),
};

/** Programs that make, move, show and take away files. */
export const fileTools: Programs = { ...made, ...told, ...others, ...search, ...copying, ...deletion };
