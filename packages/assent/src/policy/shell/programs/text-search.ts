import type { Deed } from "../deeds.ts";
import type { Given, Programs, Spec } from "../spec.ts";
import { beginning } from "../text.ts";
import { each } from "./arguments.ts";

/** The first operand is the pattern, unless an option gives one; what only names or counts shows nothing. */
function searching(patterns: string, silent: string): (given: Given) => readonly Deed[] {
  return ({ operands, has }) => each(has(silent) ? "read" : "show", has(patterns) ? operands : operands.slice(1));
}

function grep(): Spec {
  return {
    takes: {
      "-e --regexp -m --max-count -A --after-context -B --before-context -C --context -d --directories -D --devices":
        "text",
      "--include --exclude --exclude-dir --label --binary-files --group-separator": "text",
      "-f --file --exclude-from": "read",
    },
    may: { "--color --colour": "text" },
    also: searching(
      "-e --regexp -f --file",
      "-l --files-with-matches -L --files-without-match -c --count -q --quiet --silent",
    ),
  };
}

const silent = "-l --files-with-matches --files-without-match -c --count --count-matches -q --quiet --files";

/** Only what has such a name is looked into. */
function only({ values }: Given): readonly Deed[] {
  const globs = values("-g --glob --iglob").filter(({ text }) => !beginning(text).startsWith("!"));
  return each("show", globs);
}

function ripgrep(): Spec {
  return {
    takes: {
      "-e --regexp -g --glob --iglob -t --type -T --type-not --type-add --type-clear -m --max-count": "text",
      "-A --after-context -B --before-context -C --context -r --replace --sort --sortr -j --threads": "text",
      "-M --max-columns -E --encoding -d --max-depth --maxdepth --max-filesize --colors --color --engine": "text",
      "--path-separator --context-separator --field-match-separator --field-context-separator --pre-glob": "text",
      "--dfa-size-limit --regex-size-limit --hyperlink-format --generate": "text",
      "-f --file --ignore-file": "read",
      "--pre --hostname-bin": "program",
    },
    may: { "--ignore": "text" },
    also: (given) => [
      ...searching("-e --regexp -f --file --files", silent)(given),
      ...(given.has(silent) ? [] : only(given)),
    ],
  };
}

function silver(): Spec {
  return {
    takes: {
      "-A --after -B --before -C --context -G --file-search-regex -m --max-count -g --ignore --ignore-dir": "text",
      "--depth -W --width --color-line-number --color-match --color-path -p --path-to-ignore": "text",
      "--pager": "program",
    },
    may: { "--color": "text" },
    also: searching("--files", "-l --files-with-matches -L -c --count"),
  };
}

function ack(): Spec {
  return {
    takes: {
      "-A --after-context -B --before-context -C --context -m --max-count --match --ignore-dir --ignore-file": "text",
      "--type -t --type-add --type-set --type-del": "text",
      "--ackrc --files-from": "read",
      "--output": "code:perl",
      "--pager": "program",
    },
    also: searching("--match -f -g", "-l --files-with-matches -L -c --count"),
  };
}

function ugrep(): Spec {
  return {
    ...grep(),
    takes: { ...grep().takes, "--filter": "shell", "-t --file-type -O --file-extension -g --glob -j --jobs": "text" },
    may: { ...grep().may, "--pager --view": "program" },
  };
}

export const textSearch: Programs = {
  "grep ggrep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep zstdgrep pcregrep pcre2grep agrep rgrep": grep,
  "rg ripgrep": ripgrep,
  rga: () => ({ ...ripgrep(), takes: { ...ripgrep().takes, "--rga-adapters --rga-config-file": "text" } }),
  ag: silver,
  pt: silver,
  "ack ack-grep": ack,
  "ugrep ug": ugrep,
  "ast-grep sg semgrep"() {
    return {
      takes: { "-p --pattern -r --rewrite -l --lang -e --config -c --rule": "text", "-o --output": "write" },
    };
  },
  look: () => ({ operands: ["text", "show"] }),
  zipgrep: () => ({ operands: ["text", "show"] }),
  pdfgrep: () => ({ ...grep() }),
};
