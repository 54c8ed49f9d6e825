import type { Deed } from "../deeds.ts";
import { asks, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, beginning, known, nowhere, shown } from "../text.ts";
import { isIn, shellOf, word } from "./calls.ts";
import { connects, isUrl } from "./support.ts";

/** Words that code needs to reach files, other programs or the network; how they are put together is not looked into. */
const reaches =
  /\b(run|system|shell|exec\w*|spawn\w*|popen|process\w*|command|cmd|rm|rmdir|rmtree|rm_rf|delete\w*|unlink\w*|remove\w*|erase|recursive\w*|download|fetch|curl|wget|slurp|spit|socket\w*|connect|tcp\w*|udp|https?|url|urlopen|gethttp|httpc|open\w*|write\w*|file\w*|files|eval\w*|base64\w*|decode\w*|foreign|ccall|ffi|os|sh|port_open|open_port|execute)\b|[`!]|\/etc|\/dev\//i;

/** Code in a language that nobody here reads: asked about when it could do more than compute. */
function unread(value: Argument): readonly Deed[] {
  const harmless = known(value.text) !== null && !reaches.test(shown(value.text));
  return harmless ? [] : [asks("exec-unseen", "runs code in a language that is not looked into", value)];
}

const notRead: Deed = asks(
  "exec-unseen",
  "runs what it is given on standard input, in a language that is not looked into",
);

const noWord: Argument = { text: [], splits: false, span: nowhere };

/** Options whose value is code. Without them, and without a file, the code comes on standard input. */
function codeAfter(options: string, more: Spec = {}): Spec {
  return {
    stops: true,
    ...more,
    takes: { ...(options === "" ? {} : { [options]: "text" as const }), ...more.takes },
    also: (given) => {
      const codes = given.values(options);
      const [first] = given.operands;
      if (codes.length === 0 && first !== undefined && isUrl(first)) return connects(first);
      if (codes.length > 0) return codes.flatMap(unread);
      const tells =
        (given.operands.length > 0 && !isIn(given.operands[0] ?? noWord, "- /dev/stdin")) ||
        given.words.some((each) => /^-+(v|V|version|h|help|info|\?)$/.test(word(each)));
      return tells || given.has("-f --file -l --load --script -jar -S -M -X -A -T -m --main") ? [] : [notRead];
    },
  };
}

/** Texts that the virtual machine gives to a shell when something goes wrong. */
function java({ words }: Given): readonly Deed[] {
  return words.flatMap((each) => {
    const match = /^-XX:(OnError|OnOutOfMemoryError)=/.exec(word(each));
    return match === null ? [] : shellOf([{ ...each, text: [word(each).slice(match[0].length)] }]);
  });
}

/** Erlang: `-eval code`, `-run module function words`, of which `os cmd` is a shell. */
function erlang(): Spec {
  return {
    style: "long",
    takes: { "-eval --eval": "text" },
    also: (given) => [...given.values("-eval").flatMap(unread), ...given.words.flatMap(erlangCall)],
  };
}

function erlangCall(option: Argument, index: number, words: readonly Argument[]): readonly Deed[] {
  const [module = noWord, called = noWord, ...rest] = words.slice(index + 1);
  if (!isIn(option, "-run -s")) return [];
  if (isIn(module, "os") && isIn(called, "cmd")) {
    const end = rest.findIndex(({ text }) => beginning(text).startsWith("-"));
    return shellOf(end < 0 ? rest : rest.slice(0, end));
  }
  const deletes = isIn(module, "file") && isIn(called, "del_dir_r");
  return deletes ? [asks("delete-recursive", "deletes a folder with all that is in it", called)] : [];
}

export const otherLanguages: Programs = {
  coffee: () => codeAfter("-e --eval", { takes: { "-r --require -o --output": "text" } }),
  "rust-script": () => codeAfter("-e --expr", { takes: { "-d --dep": "text" } }),
  "raku perl6 rakudo": () => codeAfter("-e", { takes: { "-I -M": "text" } }),
  m4() {
    return codeAfter("", {
      takes: { "-D --define -U -I --include -F --freeze-state -R -B -H -L -s": "text" },
    });
  },
  julia() {
    return codeAfter("-e --eval -E --print", {
      takes: { "-L --load -J --sysimage -p --procs -t --threads -C --cpu-target -O --optimize": "text" },
      may: { "--project": "text" },
    });
  },
  "groovy groovysh": () => codeAfter("-e", { takes: { "-cp -classpath --classpath -D --define": "text" } }),
  "scala scala-cli amm": () => codeAfter("-e -c", { takes: { "-cp -classpath --classpath": "text" } }),
  kotlin() {
    return {
      takes: { "-e -expression": "text", "-cp -classpath -d -script": "text" },
      style: "long",
      also: (given) => given.values("-e -expression").flatMap(unread),
    };
  },
  java: () => ({ style: "none", also: java }),
  jshell: () =>
    codeAfter("", { takes: { "--class-path --module-path --add-modules --startup -R -C --feedback": "text" } }),
  "ghci ghc runghc runhaskell"() {
    return {
      takes: { "-e": "text", "-o": "write" },
      also: (given) => given.values("-e").flatMap(unread),
    };
  },
  "elixir iex": () =>
    codeAfter("-e --eval --rpc-eval", { takes: { "-r -pr -pa -pz --cookie --name --sname --erl --boot -S": "text" } }),
  "erl escript": erlang,
  "clojure clj bb": () =>
    codeAfter("-e --eval -i --init", { takes: { "-m --main -f --file -cp -A -M -X -T -Sdeps": "text" } }),
  racket() {
    return codeAfter("-e --eval", {
      takes: { "-f --load -t --require -l --lib -p -r --script -u --require-script -k -m": "text" },
    });
  },
  "guile guile3 scheme chez gosh csi": () => codeAfter("-c -e", { takes: { "-s -l -L -C -x": "text" } }),
  "sbcl ecl clisp ccl": () => codeAfter("--eval -eval -x", { takes: { "--load --script --core": "text" } }),
  "octave octave-cli": () => codeAfter("--eval", { takes: { "-p --path": "text" } }),
  matlab: () => ({
    style: "long",
    takes: { "-batch -r": "text" },
    also: (given) => given.values("-batch -r").flatMap(unread),
  }),
  gnuplot: () => codeAfter("-e", { takes: { "-c": "text" } }),
  ocaml: () => codeAfter("-e", { takes: { "-I -open -init": "text" } }),
  crystal() {
    return {
      takes: { "-o": "write" },
      also: ({ operands: [verb, value] }) => (value !== undefined && word(verb) === "eval" ? unread(value) : []),
    };
  },
  swift: () => ({ stops: true, takes: { "-e": "text" }, also: (given) => given.values("-e").flatMap(unread) }),
  "janet fennel": () => codeAfter("-e --eval"),
};
