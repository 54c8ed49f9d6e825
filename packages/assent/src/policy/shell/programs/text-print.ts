import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { beginning, known } from "../text.ts";
import { each, here, prints, shellText, starts, urls, without } from "./arguments.ts";
import { isIn } from "./calls.ts";

/** `+!command` and `+cmd` are typed into the pager when it starts. */
function pagerDeeds({ operands }: Given): readonly Deed[] {
  return operands.flatMap((operand): readonly Deed[] => {
    if (!starts(operand, "+")) return each("show", [operand]);
    const command = beginning(operand.text).replace(/^\++/, "");
    const mark = /^[/?&]/.test(command) ? -1 : command.search(/[!|#]/);
    if (mark < 0)
      return known(operand.text) === null && !/^[/?&]/.test(command) ? [shellText(without(operand, 1))] : [];
    const skipped = beginning(operand.text).length - command.length + mark + 1;
    return [shellText(without(operand, skipped))];
  });
}

function less(): Spec {
  return {
    takes: {
      "-b --buffers -h --max-back-scroll -j --jump-target -p --pattern -P --prompt -t --tag -x --tabs": "text",
      "-y --max-forw-scroll -z --window -# --shift -D --color --quotes": "text",
      "-T --tag-file": "read",
      "-o --log-file -O --LOG-FILE": "write",
    },
    danger: {
      "-k --lesskey-file --lesskey-src --lesskey-content": danger(
        "exec-option",
        "gives keys of the pager another meaning",
      ),
    },
    also: pagerDeeds,
  };
}

const show = (...values: readonly string[]): Spec => ({
  takes: Object.fromEntries(values.map((each) => [each, "text"])),
  operands: ["show"],
});
const read = (...values: readonly string[]): Spec => ({ ...show(...values), operands: ["read"] });

function bat(): Spec {
  return {
    takes: {
      "-l --language -H --highlight-line --file-name --theme --style -r --line-range -m --map-syntax --tabs --wrap":
        "text",
      "--terminal-width --color --paging --decorations --italic-text -d --diff-context": "text",
      "--pager": "program",
    },
    may: { "--diff": "text" },
    operands: ["show"],
  };
}

function sort(): Spec {
  return {
    takes: {
      "-k --key -t --field-separator -S --buffer-size --parallel --batch-size --sort --random-source": "text",
      "-T --temporary-directory": "text",
      "-o --output": "write",
      "--files0-from": "read",
      "--compress-program": "program",
    },
    may: { "--check": "text" },
    operands: ["show"],
  };
}

function comparing(): Spec {
  return {
    takes: {
      "-C -U --unified --context -x --exclude -F --show-function-line -I --ignore-matching-lines --label -W --width":
        "text",
      "-X --exclude-from": "read",
      "--from-file --to-file": "show",
      "--diff-program": "program",
      "-o --output": "write",
    },
    may: { "--color --unified --context": "text" },
    operands: ["show"],
  };
}

function patch(): Spec {
  return {
    takes: {
      "-p --strip -F --fuzz -D --ifdef -g --get -V --version-control -B --prefix -Y --basename-prefix -z --suffix":
        "text",
      "-i --input": "read",
      "-o --output -r --reject-file -d --directory": "write",
    },
    danger: { "-e --ed": danger("exec-option", "runs an ed script from the patch") },
    operands: ["write", "read"],
    // The patch itself says which files of this folder change.
    also: (given) =>
      given.has("--dry-run -o --output -d --directory") || given.operands.length > 0
        ? []
        : each("write", [here(given)]),
  };
}

function digest(): Spec {
  return { takes: { "-a --algorithm -l --length": "text" }, operands: ["read"], output: "word" };
}

function base64Deeds({ operands, values }: Given): readonly Deed[] {
  return [...each("show", operands), ...each("write", values("-o --output"))];
}

function encoding(): Spec {
  return { takes: { "-w --wrap -b --break -o --output": "text" }, also: base64Deeds };
}

const printed: Programs = {
  "echo gecho yes gyes expr gexpr true false gtrue gfalse : sleep gsleep factor": prints,
  "cat gcat tac gtac zcat gzcat bzcat xzcat lzcat zstdcat lz4cat ccat": () => show(),
  "rev hexyl comm gcomm": () => show("--output-delimiter -n --length --skip"),
  "cut gcut": () => show("-d --delimiter -f --fields -b --bytes -c --characters --output-delimiter"),
  "paste gpaste": () => show("-d --delimiters"),
  "join gjoin": () => show("-t -1 -2 -a -v -e -o -j"),
  "nl gnl": () => show("-b -d -f -h -i -l -n -s -v -w --body-numbering --number-separator --number-width"),
  "expand unexpand": () => show("-t --tabs"),
  strings: () => show("-n --bytes -t --radix -e --encoding -T --target -s --output-separator"),
  "od god": () => show("-A --address-radix -j --skip-bytes -N --read-bytes -t --format"),
  "hexdump hd": () => ({ takes: { "-e -n -s": "text", "-f": "read" }, operands: ["show"] }),
  "head ghead tail gtail": () => show("-n --lines -c --bytes -s --sleep-interval --pid --max-unchanged-stats"),
  "less zless bzless xzless lesspipe": less,
  "more zmore most pg": () => ({ ...less(), takes: { "-n --lines": "text" }, danger: {} }),
  "bat batcat": bat,
  "sort gsort": sort,
  "uniq guniq": () => ({ ...show("-f --skip-fields -s --skip-chars -w --check-chars"), operands: ["show", "write"] }),
  "shuf gshuf"() {
    return {
      ...show("-n --head-count -i --input-range"),
      takes: { "-n --head-count -i --input-range": "text", "-o --output": "write", "--random-source": "read" },
    };
  },
  "tr gtr": prints,
  "wc gwc tokei cloc scc": () => ({ takes: { "--files0-from": "read" }, operands: ["read"], output: "word" }),
  "fold gfold fmt gfmt": () => show("-w --width -p --prefix -g --goal"),
  "pr gpr": () => show("-l --length -w --width -W --page-width -h --header -o --indent -N --first-line-number"),
  column: () => show("-s --separator -c --output-width -o --output-separator -N --table-columns -H --table-hide -R"),
  "numfmt datamash": () => show("--to --from --field -d --delimiter --format --padding -t -W"),
  "col colrm ul ts tsort": prints,
  "diff gdiff colordiff sdiff diff3 wdiff icdiff difft dwdiff zdiff bzdiff xzdiff": comparing,
  delta: () => ({ ...comparing(), takes: { ...comparing().takes, "--pager": "program" } }),
  "cmp zcmp": () => read("-n --bytes -i --ignore-initial"),
  "diffstat lsdiff filterdiff interdiff splitdiff combinediff": () => ({ operands: ["show"] }),
  "patch gpatch": patch,
  xxd() {
    return {
      takes: { "-c -cols -g -groupsize -l -len -o -s -seek -n -name": "text" },
      style: "long",
      operands: ["show", "write"],
    };
  },
  "base64 gbase64 base32 gbase32 basenc base58 uuencode": encoding,
  uudecode: () => ({ takes: { "-o --output-file": "write" }, operands: ["read"] }),
  "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum cksum sum md5 shasum crc32 xxhsum hashdeep":
    digest,
  envsubst: prints,
  iconv: () => ({ takes: { "-f --from-code -t --to-code": "text", "-o --output": "write" }, operands: ["show"] }),
  "dos2unix unix2dos mac2unix fromdos todos": () => ({ takes: { "-c --convmode": "text" }, operands: ["write"] }),
  recode: () => ({ operands: ["text", "write"] }),
};

function manual(): Spec {
  return {
    takes: {
      "-P --pager": "program",
      "-C --config-file": "script",
      "-M --manpath -S -s --sections -L --locale -m --systems -e --extension -p --preprocessor -r --prompt -E -R":
        "text",
    },
    may: { "-H --html": "program", "-T --troff-device -X --gxditview": "text" },
    also: ({ operands, has }) => (has("-l --local-file") ? each("show", operands) : []),
  };
}

function pandoc(): Spec {
  return {
    takes: {
      "-o --output --extract-media --log": "write",
      "-f --from -r --read -t --to -w --write -V --variable -M --metadata --highlight-style --toc-depth": "text",
      "--template --css -c -H --include-in-header -B -A --bibliography --reference-doc -d --defaults --metadata-file":
        "read",
      "-F --filter --pdf-engine": "program",
      "-L --lua-filter": "script:lua",
    },
    operands: ["show"],
    also: ({ operands }) => urls(operands),
  };
}

const documents: Programs = {
  man: manual,
  "info pinfo"() {
    return {
      takes: { "-o --output": "write", "-f --file -n --node -d --directory": "text", "--restore": "read" },
    };
  },
  "apropos whatis tldr cheat": () => ({}),
  pandoc,
  "glow mdcat gron"() {
    return {
      takes: { "-w --width -s --style": "text" },
      operands: ["show"],
      also: ({ operands }) => urls(operands),
    };
  },
  "jless fx vd visidata jo jc xsv qsv csvcut csvlook csvgrep csvstat csvsort csvjson in2csv"() {
    return {
      takes: { "-o --output": "write", "-c --columns -d --delimiter -s --select": "text" },
      operands: ["text"],
    };
  },
  "figlet toilet lolcat fortune banner cal ncal gcal": prints,
  "cowsay cowthink": () => ({ takes: { "-f": "script:perl", "-e -T -W": "text" } }),
  "dialog whiptail gum zenity kdialog yad": prints,
  "aspell hunspell ispell codespell typos": () => ({ danger: {}, takes: { "-d --lang -l": "text" } }),
  pv: () => ({ takes: { "-o --output": "write", "-L -B -s -i -N -w -H": "text" }, operands: ["show"] }),
  "groff troff nroff pic eqn tbl"() {
    return {
      danger: { "-U": danger("exec-option", "lets the document run commands") },
      operands: ["show"],
    };
  },
};

/** Commands that print a key, or what was enciphered. */
const printsSecrets = "rsa pkey ec dsa enc base64 pkcs8 pkcs12 aes-256-cbc aes-128-cbc";

/** Encryption and certificates: some go to a host, an engine is a library that is loaded. */
function opensslDeeds({ operands, values, has }: Given): readonly Deed[] {
  const [command, ...rest] = operands;
  const shows = isIn(command, printsSecrets) && !has("-out") && !has("-noout") && !has("-pubout");
  const input = each(shows ? "show" : "read", values("-in"));
  if (isIn(command, "engine") && has("-pre -post -t"))
    return [asks("exec-option", "loads a library into openssl", command)];
  if (isIn(command, "s_client s_time")) return [...input, ...rest.map((host): Deed => ({ does: "connect", host }))];
  return [...input, ...each(isIn(command, "rehash") ? "write" : "read", rest)];
}

function openssl(): Spec {
  return {
    style: "long",
    takes: {
      "-in": "text",
      "-inkey -key -certfile -CAfile -cert -CA -CAkey -signature -prverify -config -extfile -untrusted": "read",
      "-out -keyout -writerand -certsout": "write",
      "-connect -proxy -url -host -server": "host",
      "-passin -passout -pass -k -K -iv -S -subj -days -newkey -algorithm -pkeyopt -name -servername -port -accept":
        "text",
      "-inform -outform -keyform -addext -set_serial -starttls -alpn -md -cipher -ciphersuites -iter -checkend": "text",
      "-CApath -nameopt -certopt -extensions -reqexts -rand -groups -curves -sigalgs -ext": "text",
    },
    danger: {
      "-engine -provider -provider-path -keyform_engine": danger("exec-option", "loads a library into openssl"),
    },
    also: opensslDeeds,
  };
}

const keyserver = danger("network-send", "talks to a key server");

function gpg(): Spec {
  return {
    takes: {
      "-o --output": "write",
      "-r --recipient -u --local-user --passphrase --pinentry-mode --default-key --digest-algo": "text",
      "--cipher-algo --status-fd --command-fd --trust-model --options --passphrase-file --keyring": "text",
      "--homedir": "write",
      "--keyserver": "host",
      "--photo-viewer --exec-path --agent-program --dirmngr-program": "program",
    },
    danger: {
      "--locate-keys --auto-key-locate --recv-keys --receive-keys --send-keys --search-keys --refresh-keys --fetch-keys --locate-external-keys":
        keyserver,
      "--delete-secret-keys --delete-secret-and-public-keys": danger("delete-store", "deletes private keys"),
    },
    operands: ["read"],
    // Not by `danger`: --export is no short form of it.
    also: ({ words }) =>
      words.some((word) => starts(word, "--export-secret")) ? [asks("secret-read", "prints private keys")] : [],
  };
}

export const textPrint: Programs = { ...printed, ...documents, openssl, "gpg gpg2": gpg };
