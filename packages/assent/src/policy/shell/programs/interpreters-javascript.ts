import type { Deed } from "../deeds.ts";
import { asks, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { type Argument, beginning, textOf } from "../text.ts";
import { givenOf, sortWords } from "../words.ts";
import { isIn, word } from "./calls.ts";
import { bun as bunPackages } from "./packages-node.ts";

const evaluates = "-e --eval -p --print";

function code({ text, span }: Argument): Deed {
  return { does: "code", language: "javascript", text, span };
}

/** What is loaded first can itself be a program, or come from elsewhere. */
function loaded(given: Given): readonly Deed[] {
  return given
    .values("-r --require --import --loader --experimental-loader --preload")
    .flatMap((each): readonly Deed[] => {
      const start = beginning(each.text);
      if (/^data:/i.test(start)) return [asks("exec-injected", "loads a program that is written in an option", each)];
      if (/^[a-z]+:\/\//i.test(start)) return [{ does: "connect", host: each }];
      // Any other name is a package that is installed.
      return /^[./]/.test(start) || start === "" ? [{ does: "script", path: each, language: "javascript" }] : [];
    });
}

/** A script, a URL, or standard input. */
function script(first: Argument | undefined): readonly Deed[] {
  if (first === undefined || isIn(first, "- /dev/stdin /dev/fd/0"))
    return [{ does: "run-input", language: "javascript" }];
  if (/^https?:/i.test(beginning(first.text))) return [{ does: "connect", host: first }];
  return [{ does: "script", path: first, language: "javascript" }];
}

/** `node node_modules/name/bin.js …` is the program that the package brings. */
function packaged(first: Argument | undefined, words: readonly Argument[]): readonly Deed[] {
  const name = /(?:^|\/)node_modules\/(?:\.bin\/)?(?:@[^/]+\/)?([^/]+)(?:\/|$)/.exec(word(first))?.[1];
  return first === undefined || name === undefined ? [] : runs([{ ...first, text: [name] }, ...words]);
}

function node(given: Given): readonly Deed[] {
  const [first, second] = given.operands;
  const attached = given.values("--eval --print").map(code);
  const apart = given.has("-e -p") || given.words.some((each) => isIn(each, "--eval --print"));
  if (given.has("-v -h --test --run --v8-options --completion-bash --prof-process")) return loaded(given);
  if (attached.length > 0 && !apart) return [...loaded(given), ...attached];
  if (given.has(evaluates)) {
    const texts = first === undefined ? [] : [code(first), ...afterCode(given.name, given.operands.slice(1))];
    return [...loaded(given), ...attached, ...texts];
  }
  const isVerb = first !== undefined && isIn(first, "inspect debug watch");
  const file = isVerb ? second : first;
  const others = file === undefined ? [] : given.operands.slice(given.operands.indexOf(file) + 1);
  return [...loaded(given), ...packaged(file, others), ...script(file)];
}

/** More options may follow a text; of several texts it runs the last. */
function afterCode(name: string, words: readonly Argument[]): readonly Deed[] {
  const given = givenOf(name, words, sortWords(nodeSpec(), words));
  return given.has(evaluates) ? node(given) : loaded(given);
}

function nodeSpec(): Spec {
  return {
    stops: true,
    takes: {
      "-r --require --import --loader --experimental-loader -C --conditions --env-file --env-file-if-exists --title --input-type --test-reporter --test-reporter-destination --test-name-pattern --test-skip-pattern --test-concurrency --test-shard --test-timeout --inspect-port --debug-port --stack-trace-limit --unhandled-rejections --icu-data-dir --openssl-config --redirect-warnings --report-dir --report-directory --report-filename --diagnostic-dir --cpu-prof-dir --cpu-prof-name --heap-prof-dir --heap-prof-name --watch-path --disable-warning --dns-result-order --max-http-header-size --trace-event-categories --snapshot-blob --localstorage-file --experimental-default-type -P --project -O --compilerOptions --tsconfig --cwd":
        "text",
    },
    // Flags that are also the beginning of an option with a value. -e and -p are letters: their text is the next word.
    may: {
      "--test --watch --inspect --inspect-brk --inspect-wait --cpu-prof --heap-prof --check --eval --print --report":
        "text",
    },
    also: node,
  };
}

const sends = (what: string): Spec => ({ also: () => [asks("network-send", `publishes ${what}`)] });

/** Words after options are another program of the registry, with its own. */
function runsPackage({ operands: [first, ...others] }: Given): readonly Deed[] {
  if (first === undefined) return [];
  const name = textOf(
    ...first.text.map((piece) =>
      typeof piece === "string" ? piece.replace(/^npm:/, "").replace(/(.)@[\w.^~-]+$/, "$1") : piece,
    ),
  );
  return runs([{ ...first, text: name }, ...others]);
}

function denoScript(): Spec {
  return {
    stops: true,
    takes: {
      "-c --config --import-map --lock --env --cert --location --seed --v8-flags -L --log-level --preload": "text",
      "-r --require --import": "text",
    },
    may: {
      "--allow-all -A --allow-read --allow-write --allow-net --allow-run --allow-env --allow-ffi --allow-sys --allow-import --env-file --reload --lock --inspect --inspect-brk --watch --check --v8-flags -r --cached-only":
        "text",
    },
    also: (given) => {
      const [first] = given.operands;
      if (first !== undefined && /^(npm|jsr):/.test(beginning(first.text))) return runsPackage(given);
      return [...loaded(given), ...script(first)];
    },
  };
}

function denoEval({ operands: [first], has }: Given): readonly Deed[] {
  return first === undefined || has("-V") ? [] : [code(first)];
}

function fetches(): Spec {
  return {
    takes: { "-n --name --root": "text" },
    also: ({ operands }) =>
      operands.filter((each) => /^https?:/i.test(beginning(each.text))).map((host) => ({ does: "connect", host })),
  };
}

function deno(): Spec {
  return {
    takes: { "-L --log-level": "text" },
    commands: {
      run: denoScript(),
      serve: denoScript(),
      eval: {
        stops: true,
        takes: { "--ext --cert --env": "text" },
        may: { "-p --print --env-file --check": "text" },
        also: denoEval,
      },
      repl: {
        takes: { "--eval": "code:javascript", "--eval-file": "script:javascript" },
        may: { "--allow-all": "text" },
        also: () => [{ does: "run-input", language: "javascript" }],
      },
      publish: sends("a package"),
      deploy: sends("an application"),
      install: fetches(),
      add: fetches(),
      cache: fetches(),
      check: fetches(),
      info: fetches(),
      test: fetches(),
      bench: fetches(),
      compile: { takes: { "-o --output": "write" }, stops: true },
      x: { stops: true, also: runsPackage },
    },
    also: ({ operands }) => {
      const [first] = operands;
      if (first === undefined) return [{ does: "run-input", language: "javascript" }];
      return /\.[cm]?[jt]sx?$|^https?:/.test(beginning(first.text)) ? script(first) : [];
    },
  };
}

/** What packages are, bun's own file of programs knows; here is only what it runs as a shell. */
function bun(): Spec {
  const packages = bunPackages();
  return { ...packages, commands: { ...packages.commands, exec: { operands: ["shell"] } } };
}

export const scriptsOfJavascript: Programs = {
  "node nodejs iojs electron": nodeSpec,
  "tsx ts-node ts-node-esm ts-node-script ts-node-dev tsnd esno esr babel-node swc-node vite-node jiti sucrase-node zx":
    nodeSpec,
  deno,
  bun,
  "qjs d8 jsc rhino jjs"() {
    return {
      stops: true,
      takes: { "-e --eval": "code:javascript" },
      also: (given) => (given.has("-e --eval") ? [] : script(given.operands[0])),
    };
  },
};
