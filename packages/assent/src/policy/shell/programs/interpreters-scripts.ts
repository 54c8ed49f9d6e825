import type { Language } from "../code/index.ts";
import type { Deed } from "../deeds.ts";
import { asks, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { type Argument, beginning, known, spanOfWords, type Text, textOf } from "../text.ts";
import { givenOf, sortWords } from "../words.ts";
import { isIn, shellOf, word } from "./calls.ts";

function input(language: Language): Deed {
  return { does: "run-input", language };
}

function code(language: Language, text: Text, values: readonly Argument[]): Deed {
  return { does: "code", language, text, span: spanOfWords(values) };
}

/** A script, or standard input where none is named. */
function scriptOrInput(language: Language, first: Argument | undefined): readonly Deed[] {
  if (first === undefined || isIn(first, "- /dev/stdin /dev/fd/0")) return [input(language)];
  return [{ does: "script", path: first, language }];
}

/** Several -e are lines of one program. */
function lines(values: readonly Argument[]): Text {
  return textOf(...values.flatMap(({ text }, index) => (index === 0 ? [...text] : ["\n", ...text])));
}

/** Files that a line-by-line program goes through: changed in place, or shown. */
function goneThrough(given: Given): readonly Deed[] {
  if (given.has("-i")) return given.operands.map((path) => ({ does: "write", path }));
  return given.has("-n -p") ? given.operands.map((path) => ({ does: "show", path })) : [];
}

function perlOptions(): Spec {
  return {
    stops: true,
    takes: { "-e -E -I -M -m -F": "text" },
    may: { "-i -x -C -D -d": "text" },
  };
}

/** `-l` and `-0` may have digits after them, and then the next letter: `-0777ne`. */
function withoutDigits(each: Argument): Argument {
  const [given, ...others] = each.text;
  if (typeof given !== "string" || !/^-[a-zA-Z0-9]/.test(given)) return each;
  const first = given.replace(/^(-(?:(?![eEIMmFixCDd])\w)*?)0x[\da-fA-F]+/, "$1");
  const end = first.search(/[eEIMmFixCDd]/);
  const letters = (end < 0 ? first : first.slice(0, end)).replaceAll(/0[0-7]*/g, "").replaceAll(/l[0-7]*/g, "l");
  return {
    ...each,
    text: textOf(letters === "-" && end < 0 ? "-l" : letters, end < 0 ? "" : first.slice(end), ...others),
  };
}

function perlCall({ name, words }: Given): readonly Deed[] {
  const rest = words.map(withoutDigits);
  return perl(givenOf(name, rest, sortWords(perlOptions(), rest)));
}

function perl(given: Given): readonly Deed[] {
  const codes = given.values("-e -E");
  const used = given.values("-M -m").map(({ text }) => textOf("use ", ...text.map(imports), ";\n"));
  if (given.has("-v -V -h")) return [];
  // `-d` alone is the debugger, which is told what to run.
  if (given.values("-d").some(({ text }) => text.length === 0))
    return [asks("exec-option", "starts Perl's debugger, which runs what it is given")];
  if (codes.length > 0) return [code("perl", textOf(...used.flat(), ...lines(codes)), codes), ...goneThrough(given)];
  const [first, ...others] = given.operands;
  const changed = given.has("-i") ? others.map((path): Deed => ({ does: "write", path })) : [];
  const injected = used.length > 0 ? [code("perl", used.flat(), given.values("-M -m"))] : [];
  return given.has("-c") ? injected : [...injected, ...scriptOrInput("perl", first), ...changed];
}

/** `-MFile::Path=rmtree,mkpath` names what is used of it. */
const imports = (piece: Text[number]): Text[number] =>
  typeof piece === "string"
    ? piece.replace(/^([\w:]+)=(.*)$/s, (_, name: string, list: string) => `${name} qw(${list.replaceAll(",", " ")})`)
    : piece;

function ruby(given: Given): readonly Deed[] {
  const codes = given.values("-e");
  const libraries = given.values("-r --require");
  const [first, ...others] = given.operands;
  if (given.has("-c") || given.words.every((each) => isIn(each, "-v --version -h")) === given.words.length > 0)
    return [];
  // `ruby -run -e rm -- -r build`: commands of the shell, as a library.
  if (libraries.some((each) => isIn(each, "un"))) return runs([...codes, ...given.operands]);
  // Any other name is a library that is installed.
  const loaded = libraries.filter(({ text }) => /^[./]|^$/.test(beginning(text)));
  const scripts = loaded.map((path): Deed => ({ does: "script", path, language: "ruby" }));
  if (codes.length > 0) {
    const required = libraries.map((each) => `require "${word(each)}"\n`);
    return [...scripts, code("ruby", textOf(...required, ...lines(codes)), codes), ...goneThrough(given)];
  }
  const changed = given.has("-i") ? others.map((path): Deed => ({ does: "write", path })) : [];
  return [...scripts, ...scriptOrInput("ruby", first), ...changed];
}

/** Settings of PHP that make it load a file. */
function phpSettings(given: Given): readonly Deed[] {
  return given
    .values("-d --define")
    .flatMap((each) =>
      known(each.text) === null ||
      /^(auto_(pre|ap)pend_file|(zend_)?extension(_dir)?|sendmail_path|open_basedir|disable_functions|allow_url_include)\b/.test(
        word(each),
      )
        ? [asks("exec-injected", "gives PHP a setting that loads or allows other code", each)]
        : [],
    );
}

function php(given: Given): readonly Deed[] {
  const codes = given.values("-r --run -B --process-begin -R --process-code -E --process-end");
  const files = given.values("-f --file -F --process-file");
  const settings = phpSettings(given);
  const [first] = given.operands;
  if (given.has("-l --syntax-check -i --info -m --modules -v -S --server --ini --re --rf --rc --ri -h"))
    return settings;
  if (given.has("-s --syntax-highlight -w --strip"))
    return [...settings, ...given.operands.map((path): Deed => ({ does: "show", path }))];
  if (codes.length > 0) return [...settings, ...codes.map((each) => code("php", each.text, [each]))];
  const scripts = files.length > 0 ? files.flatMap((each) => scriptOrInput("php", each)) : scriptOrInput("php", first);
  return [...settings, ...scripts];
}

function lua(given: Given): readonly Deed[] {
  const codes = given.values("-e");
  const [first] = given.operands;
  const texts = codes.map((each) => code("lua", each.text, [each]));
  if (given.has("-v -b") && first === undefined) return texts;
  if (first === undefined && codes.length > 0 && !given.has("-i")) return texts;
  return [...texts, ...scriptOrInput("lua", first)];
}

function tcl(given: Given): readonly Deed[] {
  const told = given.values("-c -f");
  const [first] = given.operands;
  return told.length > 0 && first === undefined ? [] : scriptOrInput("tcl", first);
}

function rscript(given: Given): readonly Deed[] {
  const codes = given.values("-e --eval");
  const files = given.values("-f --file");
  const [first, , third] = given.operands;
  if (codes.length > 0) return [code("r", lines(codes), codes)];
  if (files.length > 0) return files.flatMap((each) => scriptOrInput("r", each));
  if (first !== undefined && isIn(first, "CMD"))
    return isIn(given.operands[1] ?? first, "BATCH") ? scriptOrInput("r", third) : [];
  return scriptOrInput("r", given.name === "Rscript" ? first : undefined);
}

function osascript(given: Given): readonly Deed[] {
  const language: Language = given.values("-l").some((each) => /javascript|jxa/i.test(word(each)))
    ? "javascript"
    : "applescript";
  const codes = given.values("-e");
  const [first] = given.operands;
  return codes.length > 0 ? [code(language, lines(codes), codes)] : scriptOrInput(language, first);
}

/** PowerShell takes any beginning of an option's name, in any case, and all words after -Command as its text. */
function powershell(given: Given): readonly Deed[] {
  const [first, ...rest] = given.words;
  if (first === undefined) return [input("powershell")];
  if (!/^[-/]./.test(beginning(first.text))) {
    return given.name.startsWith("powershell") ? textOfPowershell(given.words) : scriptOrInput("powershell", first);
  }
  const option = word(first)
    .toLowerCase()
    .replace(/^(--?|\/)/, "");
  if (/^(e|ec|en.*)$/.test(option)) return [asks("exec-unseen", "runs a text that is encoded", first)];
  if (/^(c|com.*|cwa)$/.test(option)) return textOfPowershell(rest);
  if (/^(f|fi.*)$/.test(option)) return scriptOrInput("powershell", rest[0]);
  if (/^(v|ve.*|h|he.*|\?)$/.test(option)) return [];
  const takesOne = /^(ex.*|ep|w|wi.*|wo.*|wd|inp.*|if|o|ou.*|of|con.*|cus.*|p|ps.*|set.*)$/.test(option);
  return powershell({ ...given, words: takesOne ? rest.slice(1) : rest });
}

function textOfPowershell(rest: readonly Argument[]): readonly Deed[] {
  if (rest.length === 0) return [];
  if (rest[0] !== undefined && isIn(rest[0], "-")) return [input("powershell")];
  const texts = rest.flatMap(({ text }, index): Text => (index === 0 ? text : [" ", ...text]));
  // Plain commands are mostly the same in a shell, where they can be looked into.
  return [code("powershell", textOf(...texts), rest)];
}

function scriptOptions(): Spec {
  return { stops: true };
}

export const scripting: Programs = {
  "perl perl5": () => ({ style: "none", also: perlCall }),
  "ruby jruby truffleruby mruby"() {
    return {
      ...scriptOptions(),
      takes: { "-e -r --require -I -C -E --encoding --external-encoding -F": "text" },
      may: { "-i -0 -x -W -T -K": "text" },
      also: ruby,
    };
  },
  "irb pry"() {
    return {
      ...scriptOptions(),
      takes: { "-e --exec": "code:ruby", "-r -I": "text" },
      also: ({ operands: [first] }) => scriptOrInput("ruby", first),
    };
  },
  "php php7 php8 php7.4 php8.0 php8.1 php8.2 php8.3 php8.4 hhvm php-cgi"() {
    return {
      ...scriptOptions(),
      takes: {
        "-r --run -B --process-begin -R --process-code -E --process-end -f --file -F --process-file -d --define -c --php-ini -S --server -t --docroot -z --zend-extension --rf --rc --re --rz --ri":
          "text",
      },
      also: php,
    };
  },
  "lua lua5.1 lua5.2 lua5.3 lua5.4 luajit texlua nodemcu-lua"() {
    return {
      ...scriptOptions(),
      takes: { "-e -l -j": "text" },
      may: { "-O": "text" },
      also: lua,
    };
  },
  "tclsh tclsh8.6 wish wish8.6 jimsh"() {
    return {
      style: "none",
      also: ({ operands: [first] }) => scriptOrInput("tcl", first),
    };
  },
  "expect expectk": () => ({ ...scriptOptions(), takes: { "-c": "code:tcl", "-f": "script:tcl" }, also: tcl }),
  "Rscript R littler": () => ({ takes: { "-e --eval -f --file -g --gui": "text" }, stops: true, also: rscript }),
  osascript: () => ({ ...scriptOptions(), takes: { "-e -l -s": "text" }, also: osascript }),
  "pwsh powershell powershell.exe pwsh.exe pwsh-preview": () => ({ style: "none", also: powershell }),
  "cmd.exe": () => ({
    style: "none",
    also: ({ words }) => shellOf(words.filter((each) => !/^\/\w$/.test(word(each)))),
  }),
};
