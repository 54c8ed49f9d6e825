import type { Deed } from "../deeds.ts";
import { deedsOf } from "../deeds-of.ts";
import { asks, danger, type Given, type Programs, runs, type Spec, same } from "../spec.ts";
import { type Argument, beginning, known } from "../text.ts";
import { checkers } from "./build-checkers.ts";
import { withVariables } from "./calls.ts";
import { afterFirst, inPlaceOf, plain, write } from "./support.ts";

function make(): Spec {
  return {
    takes: {
      "-C --directory -f --file --makefile -I --include-dir -o --old-file --assume-old -W --what-if --new-file --assume-new":
        "text",
      "-E --eval": "text",
    },
    may: { "-j --jobs -l --load-average --max-load -O --output-sync --debug --shuffle": "text" },
    danger: { "-E --eval": danger("exec-option", "runs rules that stand in the command") },
    also: ({ operands, values }) => [
      ...operands.flatMap(makeVariable),
      ...installPlaces(operands),
      ...values("-f --file --makefile")
        .filter(({ text }) => /^(?:-|\/dev\/(?:stdin|fd\/.*)|\/proc\/.*)$/u.test(known(text) ?? ""))
        .map((at) => asks("exec-unseen", "runs rules that come from its input", at)),
    ],
  };
}

/** Where rules put what they install, when that is said. */
function installPlaces(operands: readonly Argument[]): readonly Deed[] {
  if (!operands.some(({ text }) => /^(?:un)?install/u.test(beginning(text)))) return [];
  return operands
    .filter(({ text }) => /^(?:DESTDIR|PREFIX|prefix|INSTALL_(?:ROOT|PREFIX))\s*:?=/u.test(beginning(text)))
    .flatMap((word) => {
      const place = afterFirst(word, "=");
      return place === null ? [] : [write(place)];
    });
}

const plainShell = /^(?:(?:\/usr)?\/bin\/)?(?:ba|z|da|k)?sh$/u;

/** `NAME=value`: rules use it as a part of what a shell runs. */
function makeVariable(word: Argument): readonly Deed[] {
  const found = /^([\w.+-]+?)\s*(?::{1,3}|\+|\?|!)?=/u.exec(beginning(word.text));
  if (found === null) return [];
  const [whole, name = ""] = found;
  const value = afterFirst(word, "=") ?? word;
  const text = known(value.text);
  if (whole.endsWith("!=")) return [{ does: "shell", text: value.text, span: word.span }];
  if (name === "SHELL" && plainShell.test(text ?? "")) return [];
  if (/^(?:SHELL|MAKESHELL|\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MFLAGS|MAKEFILES|MAKE)$/u.test(name)) {
    return [asks("exec-option", "changes what make runs its rules with", word)];
  }
  if (text !== null && /\$[({](?:shell|eval|file|guile)\b/u.test(text))
    return [asks("exec-option", "runs what stands in the variable", word)];
  return text === null || !/[\s;&|`$]/u.test(text) ? [] : [{ does: "shell", text: value.text, span: word.span }];
}

function cmake(): Spec {
  return {
    takes: {
      "-E": "text",
      "-D -G -T -A -C -U -S --preset --target -t --config --toolchain --component --graphviz --parallel": "text",
      "-B --prefix --install-prefix": "write",
      "-P": "script",
    },
    may: { "-j --parallel": "text" },
  };
}

/** `cmake -E …` has small commands of its own; they are no programs, so nothing there is run but what it says. */
function cmakeCommands(): Readonly<Record<string, Spec>> {
  return {
    rm: {
      danger: { "-r -R": danger("delete-recursive", "deletes folders with everything in them") },
      operands: ["write"],
    },
    remove_directory: { always: danger("delete-recursive", "deletes folders with everything in them") },
    remove: { operands: ["write"] },
    ...same("copy copy_if_different copy_directory copy_directory_if_different rename create_hardlink", {
      last: "write",
    }),
    create_symlink: { operands: ["text", "write"] },
    ...same("touch touch_nocreate make_directory", { operands: ["write"] }),
    env: { takes: { "--unset --modify": "text" }, stops: true, also: cmakeEnvironment },
    time: { stops: true, operands: ["argv"] },
    chdir: { stops: true, also: ({ operands }) => runs(operands.slice(1)) },
    tar: {
      style: "none",
      also: (given) => {
        const [mode, file] = given.operands;
        if (mode === undefined || !/^-?[a-z]*[xc]/u.test(plain([mode])[0] ?? "")) return [];
        return [write(/x/u.test(plain([mode])[0] ?? "") ? inPlaceOf(mode, ".") : (file ?? mode))];
      },
    },
  };
}

function cmakeEnvironment({ operands }: Given): readonly Deed[] {
  const { variables, argv } = withVariables(operands);
  return [...variables, ...runs(argv)];
}

/** Settings of cmake whose value it runs. */
function launchers({ values }: Given): readonly Deed[] {
  return values("-D")
    .filter(({ text }) =>
      /^CMAKE_\w+_(?:LAUNCHER|CLANG_TIDY|CPPCHECK|CPPLINT|INCLUDE_WHAT_YOU_USE)(?::\w+)?=|^CMAKE_(?:PROJECT_\w*INCLUDE\w*|MAKE_PROGRAM|TOOLCHAIN_FILE)(?::\w+)?=(?:\/tmp|https?:)/u.test(
        beginning(text),
      ),
    )
    .flatMap((setting): readonly Deed[] => {
      const value = afterFirst(setting, "=") ?? setting;
      const isUsual =
        /^(?:[\w/.-]*\/)?(?:s?ccache|distcc|icecc|clang-tidy|cppcheck|cpplint|iwyu|include-what-you-use)(?:;.*)?$/u.test(
          known(value.text) ?? "",
        );
      return isUsual ? [] : [{ does: "program", text: value.text, span: setting.span }];
    });
}

const loaded = danger("exec-option", "makes the compiler run other code");

function compiler(): Spec {
  return {
    style: "long",
    takes: {
      "-o -MF -MJ -dumpdir -serialize-diagnostics -index-store-path": "write",
      "-I -L -l -D -U -x -std -isystem -include -imacros -iquote -idirafter -T -u -z -Xlinker -Xpreprocessor -Xassembler -MT -MQ":
        "text",
      "-Xclang -arch -target -framework -mllvm -param -aux-info -isysroot -F -e -A": "text",
      "-wrapper -B -specs -fplugin -load": "text",
    },
    danger: { "-wrapper -specs -fplugin -load -fpass-plugin -B -fplugin-arg": loaded },
    also: (given) => [...given.words.flatMap(compilerWord), ...unnamed(given)],
  };
}

/** `a.out`, or an object file, in this folder; what comes on standard input nobody has seen. */
function unnamed({ words, operands, has }: Given): readonly Deed[] {
  const [first] = operands;
  const isInput = plain(words).includes("-") || plain(words).includes("/dev/stdin");
  const unseen =
    isInput && !has("-E -fsyntax-only -dM -M -v -S") ? [asks("exec-unseen", "translates what comes on its input")] : [];
  if (
    first === undefined ||
    words.some(({ text }) => /^-o/u.test(beginning(text))) ||
    has("-E -M -MM -fsyntax-only -dumpversion -print-file-name")
  )
    return unseen;
  return [...unseen, write(inPlaceOf(first, "."))];
}

function compilerWord(word: Argument): readonly Deed[] {
  const start = beginning(word.text);
  if ((/^-o./u.test(start) || (start === "-o" && word.text.length > 1)) && !/^-objc/u.test(start))
    return [write(inPlaceOf(word, start.slice(2), ...word.text.slice(1)))];
  const isLoaded =
    /^-(?:B\S|Wl,.*-?-plugin\b|Wl,(?:.*,)?@|fuse-ld=.*\/|-ld-path=|fplugin|fpass-plugin|specs)|^@|^-?-?load$/u.test(
      start,
    );
  const linked = /^-Wl,(?:.*,)?-o,([^,]+)/u.exec(start)?.[1];
  return [
    ...(isLoaded ? [{ does: "danger" as const, danger: loaded, at: word }] : []),
    ...(linked === undefined ? [] : [write(inPlaceOf(word, linked))]),
  ];
}

function rustc(): Spec {
  return {
    takes: {
      "-o --out-dir": "write",
      "-C --codegen -L -l --cfg --crate-type --crate-name --edition --emit --print --target -A -W -D -F --extern -Z":
        "text",
      "--sysroot": "text",
    },
    also: ({ values }) =>
      values("-C --codegen -Z").flatMap((option): readonly Deed[] => {
        const value = afterFirst(option, "=");
        const isProgram = /^(?:linker|ar|codegen-backend|llvm-plugins)=/u.test(beginning(option.text));
        if (
          !isProgram ||
          value === null ||
          /^(?:clang|gcc|cc|lld|rust-lld|mold|[\w-]+-gcc)$/u.test(known(value.text) ?? "")
        )
          return [];
        return [{ does: "program", text: value.text, span: option.span }];
      }),
  };
}

function javac(): Spec {
  return {
    style: "long",
    takes: {
      "-d -s -h": "write",
      "-cp -classpath -class-path -sourcepath -source -target -release -encoding -processor": "text",
      "-processorpath -processor-path -proc -J": "text",
    },
    danger: { "-processorpath -processor-path": loaded },
  };
}

function bazel(): Spec {
  return {
    takes: {
      "--config -c --compilation_mode --jobs --test_filter --test_arg --test_output --output_base --output_user_root":
        "text",
      "--run_under": "shell",
      "--bazelrc": "text",
      "--remote_executor --remote_cache --bes_backend --remote_downloader": "host",
    },
    danger: {
      "--bazelrc": danger("exec-option", "takes its settings from another file"),
      "--workspace_status_command --shell_executable": danger("exec-option", "runs another program"),
    },
  };
}

function assembler(): Spec {
  return {
    style: "long",
    takes: { "-o": "write", "-plugin": "text", "-T -L -l -e -m -z -u -soname -rpath": "text" },
    danger: { "-plugin": loaded },
    also: ({ words }) => words.flatMap(compilerWord),
  };
}

/** After `-E` come words that only the small command understands. */
function cmakeCall(given: Given): readonly Deed[] {
  const at = plain(given.words).indexOf("-E");
  if (at < 0) return launchers(given);
  return deedsOf("cmake", { commands: cmakeCommands() }, given.words.slice(at + 1)) ?? [];
}

function meson(): Spec {
  return {
    commands: {
      setup: { takes: { "-D --prefix --buildtype --cross-file --native-file": "text" } },
      install: { takes: { "-C": "text", "--destdir": "write" } },
      devenv: { takes: { "-C -w": "text" }, stops: true, operands: ["argv"] },
      test: { takes: { "-C": "text", "--wrap --wrapper": "program" } },
    },
  };
}

export const buildTools: Programs = {
  "make gmake bmake mingw32-make": make,
  cmake: () => ({ ...cmake(), also: cmakeCall }),
  "ninja ninja-build samu": () => ({ takes: { "-C -f -j -k -l -d -t -w": "text" } }),
  meson,
  "bazel bazelisk blaze buck buck2 pants": bazel,
  "gcc g++ cc c++ clang clang++ gfortran cpp tcc nvcc emcc em++ icc icx": compiler,
  "gcc-11 gcc-12 gcc-13 gcc-14 g++-11 g++-12 g++-13 g++-14 clang-15 clang-16 clang-17 clang-18 clang-19": compiler,
  "ld ld.lld lld gold mold as nasm yasm": assembler,
  rustc,
  javac,
  "kotlinc scalac swiftc ocamlfind ocamlopt dmd zig nim": () => ({ takes: { "-o -d --out": "write" } }),
  jar: () => ({ also: jarDeeds }),
  ...checkers,
};

/** `jar cf file …`, `jar -xf file`. */
function jarDeeds({ words }: Given): readonly Deed[] {
  const [mode, file] = words;
  const isWritten = mode !== undefined && /^-?[cu]\w*f/u.test(plain([mode])[0] ?? "");
  return isWritten && file !== undefined ? [write(file)] : [];
}
