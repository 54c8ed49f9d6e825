import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, after, beginning, known, type Text, textOf } from "../text.ts";
import { coded, each, literal, urls, without } from "./arguments.ts";
import { isIn } from "./calls.ts";

/** sed on macOS takes the ending of the copy as a word of its own. */
const ending = /^(?:\.[\w.~-]*)?$/;

function sedDeeds({ operands, has }: Given): readonly Deed[] {
  const inPlace = has("-i -I --in-place");
  const [first] = operands;
  const rest = inPlace && first !== undefined && ending.test(known(first.text) ?? "-") ? operands.slice(1) : operands;
  const scripted = has("-e --expression -f --file");
  const [script, ...files] = rest;
  const paths = scripted ? rest : files;
  const use = each(inPlace ? "write" : "show", paths);
  return scripted || script === undefined ? use : [coded("sed", script), ...use];
}

function sed(): Spec {
  return {
    takes: { "-e --expression": "code:sed", "-f --file": "script:sed", "-l --line-length": "text" },
    may: { "-i -I --in-place": "text" },
    also: sedDeeds,
  };
}

const assignment = /^[A-Za-z_]\w*=/;

/** `-v name=value` is as if the program began with it. */
function assigned(values: readonly Argument[]): Text {
  return values.flatMap(({ text }) => {
    const name = assignment.exec(beginning(text))?.[0];
    if (name === undefined) return [];
    const value = after(text, name.length).map((piece) =>
      typeof piece === "string" ? piece.replaceAll('"', '\\"') : piece,
    );
    return ["BEGIN{", name, '"', ...value, '"}\n'];
  });
}

/** `-W source=…` and other long options in the way of POSIX. */
function otherOptions(values: readonly Argument[]): readonly Deed[] {
  return values.flatMap((value): Deed[] => {
    const equals = beginning(value.text).indexOf("=");
    return equals < 0 ? [] : [coded("awk", without(value, equals + 1))];
  });
}

function awkDeeds({ operands, has, values }: Given): readonly Deed[] {
  const variables = assigned([
    ...values("-v --assign"),
    ...operands.filter(({ text }) => assignment.test(beginning(text))),
  ]);
  const included = values("-i --include");
  const libraries = included.filter((each) => !isIn(each, "inplace inplace.awk"));
  const sources = [...values("-e --source"), ...(has("-f --file -e --source -E --exec") ? [] : operands.slice(0, 1))];
  const files = operands.filter((each) => !sources.includes(each) && !assignment.test(beginning(each.text)));
  return [
    ...sources.map((source): Deed => coded("awk", { ...source, text: textOf(...variables, ...source.text) })),
    ...libraries.map((path): Deed => ({ does: "script", path, language: "awk" })),
    ...otherOptions(values("-W")),
    ...each(libraries.length < included.length ? "write" : "show", files),
  ];
}

function awk(): Spec {
  return {
    stops: true,
    takes: {
      "-F --field-separator -v --assign -W": "text",
      "-f --file -E --exec": "script:awk",
      "-e --source -i --include": "text",
    },
    may: { "-o --pretty-print -d --dump-variables -p --profile": "write", "-L --lint": "text" },
    danger: { "-l --load": danger("exec-option", "loads a library into awk") },
    also: awkDeeds,
  };
}

/** Options of jq with how many words they take. */
const jqOptions: ReadonlyMap<string, number> = new Map([
  ...["-f", "--from-file", "-L", "--library-path", "--indent"].map((option) => [option, 1] as const),
  ...["--arg", "--argjson", "--slurpfile", "--rawfile", "--argfile"].map((option) => [option, 2] as const),
]);

/** The words of jq that are no options and no values: the filter, and files unless they are said to be texts. */
function jqDeeds({ words }: Given): readonly Deed[] {
  const plain: Argument[] = [];
  const files: Argument[] = [];
  const end = words.findIndex((word) => isIn(word, "--args --jsonargs"));
  const looked = end < 0 ? words : words.slice(0, end);
  for (let at = 0; at < looked.length; at += 1) {
    const word = looked[at] ?? literal("");
    const option = known(word.text) ?? "";
    const taken = jqOptions.get(option) ?? 0;
    if (option.endsWith("file")) files.push(...looked.slice(at + taken, at + taken + 1));
    else if (!beginning(word.text).startsWith("-")) plain.push(word);
    at += taken;
  }
  const filtered = words.some((word) => isIn(word, "-f --from-file"));
  return each("show", [...files, ...(filtered ? plain : plain.slice(1))]);
}

const yqCommands = "eval e eval-all ea r w read write";

function yqDeeds({ operands, has }: Given): readonly Deed[] {
  const rest = isIn(operands[0], yqCommands) ? operands.slice(1) : operands;
  const files = rest.length < 2 || has("--from-file --expression") ? rest : rest.slice(1);
  const looksLikeFile = ({ text }: Argument): boolean =>
    known(text) === null || /^[^.]|^\.{1,2}\/|\.\w+$/.test(known(text) ?? "");
  const paths = rest.length < 2 ? files.filter(looksLikeFile) : files;
  return each(has("-i --inplace -I --in-place") ? "write" : "show", paths);
}

/** In its language, `system` and `exec` run commands, and `tee >` and `split` write. */
function millerDeeds({ words, has, values }: Given): readonly Deed[] {
  const runs = words.find(({ text }) =>
    /\b(?:system|exec|hostname|os\.execute)\s*\(|[|]\s*"|>\s*"/.test(beginning(text)),
  );
  const files = has("-I")
    ? words.filter(({ text }) => /\.(?:csv|tsv|json|txt|dkvp|xtab)$/.test(known(text) ?? ""))
    : [];
  return [
    ...(runs === undefined ? [] : [asks("exec-option", "may run a command from its expression", runs)]),
    ...each(
      "write",
      files.filter((file) => !values("--from").includes(file)),
    ),
  ];
}

/** A line that begins with `!` is run by a shell. */
function calculatorDeeds({ values }: Given): readonly Deed[] {
  return values("-e --expression").flatMap(({ text, span }): Deed[] => {
    const mark = beginning(text).indexOf("!");
    return mark < 0 ? [] : [{ does: "shell", text: after(text, mark + 1), span }];
  });
}

/** sed, awk and others whose arguments are programs. */
export const textCode: Programs = {
  "sed gsed ssed": sed,
  "awk gawk mawk nawk original-awk goawk": awk,
  "jq gojq jaq": () => ({ style: "none", also: jqDeeds }),
  "yq tomlq xq"() {
    return {
      takes: { "-o --output-format -p --input-format --indent --split-exp -s --arg": "text", "--from-file": "read" },
      also: yqDeeds,
    };
  },
  dasel() {
    return {
      takes: {
        "-f --file": "show",
        "-o --out": "write",
        "-s --selector -r --read -w --write -v --value -t --type": "text",
      },
    };
  },
  mlr() {
    return {
      style: "long",
      takes: { "-prepipe -prepipex": "shell", "-from": "show", "-load -mload -s": "read" },
      also: millerDeeds,
    };
  },
  dc: () => ({ takes: { "-e --expression": "text", "-f --file": "read" }, also: calculatorDeeds }),
  bc: () => ({ takes: { "-e --expression": "text", "-f --file": "read" }, operands: ["read"] }),
  xmlstarlet: () => ({ also: ({ operands, has }) => each(has("-L --inplace") ? "write" : "show", operands.slice(-1)) }),
  xmllint() {
    return {
      style: "long",
      takes: { "-output -o": "write", "-xpath -schema -encode -pattern": "text" },
      operands: ["show"],
      also: ({ operands }) => urls(operands),
    };
  },
  crudini: () => ({ also: ({ operands, has }) => each(has("--get") ? "show" : "write", operands.slice(0, 1)) }),
};
