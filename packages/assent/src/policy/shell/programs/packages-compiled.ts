import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, runs, type Spec, same } from "../spec.ts";
import { type Argument, beginning, known } from "../text.ts";
import { literal } from "./arguments.ts";
import { repositoryDeeds } from "./git-config.ts";
import { publishes } from "./packages-python.ts";
import { afterFirst, connects, flags, inPlaceOf, isUrl, write } from "./support.ts";

/** `--config key=value`, where the value may be a program. */
function cargoSettings({ values, operands }: Given): readonly Deed[] {
  const [first, ...rest] = operands;
  const toolchain =
    first !== undefined && beginning(first.text).startsWith("+") ? runs([inPlaceOf(first, "cargo"), ...rest]) : [];
  return [...toolchain, ...values("--config").flatMap(cargoSetting)];
}

function cargoSetting(setting: Argument): readonly Deed[] {
  const start = beginning(setting.text);
  if (
    /(?:runner|linker|rustc|rustdoc|wrapper|credential|alias|proxy|replace-with|registry|\benv\b|paths?)\b/u.test(
      start.split("=")[0] ?? "",
    )
  ) {
    return [asks("exec-option", "changes a setting of cargo that runs programs", setting)];
  }
  const isFile = !start.includes("=");
  return isFile ? [asks("exec-option", "takes settings of cargo from a file", setting)] : [];
}

function cargoInstall(): Spec {
  return {
    takes: {
      "--git --index": "text",
      "--path --branch --tag --rev -F --features --version --target --profile -j --jobs --registry --bin": "text",
      "--root --target-dir": "write",
      "--config": "text",
    },
    also: (given) => [
      ...given.values("--git --index").flatMap((place) => repositoryDeeds(place)),
      ...cargoSettings(given),
    ],
  };
}

function cargoBuild(): Spec {
  return {
    takes: {
      "--config -F --features -p --package --bin --example --test --bench --target --profile -j --jobs --manifest-path -Z":
        "text",
      "--color --message-format": "text",
      "--target-dir --artifact-dir --out-dir": "write",
    },
    may: flags("--tests --bins --examples --benches"),
    also: cargoSettings,
  };
}

function cargo(): Spec {
  return {
    takes: { "--config -Z --color -C": "text" },
    commands: {
      ...same("publish yank owner", { ...publishes(), takes: { "--token --registry --index --config": "text" } }),
      ...same("install add update", cargoInstall()),
      ...same("build b run r test t bench check c clippy doc d rustc fix nextest", cargoBuild()),
      watch: { takes: { "-s --shell": "shell", "-x --exec -w --watch -i --ignore -d --delay": "text" } },
      binstall: { takes: { "--git": "host" } },
      new: { operands: ["write"] },
      init: {
        operands: ["write"],
        also: ({ operands, words }) => (operands.length > 0 ? [] : [write(literal(".", words[0]))]),
      },
      generate: { always: danger("network-host", "copies a repository from elsewhere"), unless: "-p --path" },
    },
    also: (given) => [...cargoSettings(given), ...given.values("-C").map(write)],
  };
}

function goBuild(): Spec {
  return {
    style: "long",
    takes: {
      "-exec -toolexec -vettool": "program",
      "-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir -pkgdir": "write",
      "-C -ldflags -gcflags -asmflags -tags -run -bench -count -timeout -p -mod -modfile -overlay -parallel -cpu -skip -fuzz":
        "text",
      "-covermode -coverpkg -benchtime -buildmode -compiler -installsuffix -fuzztime -gccgoflags -buildvcs -args":
        "text",
    },
  };
}

const goVariables =
  /^(?:CC|CXX|FC|AR|PKG_CONFIG|GOFLAGS(?!=-(?:mod|tags|buildvcs|trimpath|count|v|race)\b[^\s]*$)|GOTOOLCHAIN|GOROOT|GCCGO|GOBIN|GOVCS|GOINSECURE|GONOSUMDB|GOSUMDB|GOPROXY)=/u;

/** Where everybody keeps their modules; elsewhere the path is the name of a machine. */
const usualModules =
  /^(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|golang\.org|go\.uber\.org|go\.[\w.]+|gopkg\.in|google\.golang\.org|cloud\.google\.com|k8s\.io|sigs\.k8s\.io|gotest\.tools|honnef\.co|mvdan\.cc|helm\.sh|entgo\.io|gorm\.io|modernc\.org|rsc\.io|gioui\.org|tailscale\.com)\//;

function goModule(module: Argument): readonly Deed[] {
  const name = known(module.text) ?? "";
  if (!/^[\w-]+(?:\.[\w-]+)+\//.test(name) || usualModules.test(name) || /\.go$/.test(name)) return [];
  return [{ does: "connect", host: { ...module, text: [name.split("/")[0] ?? ""] } }];
}

function go(): Spec {
  return {
    style: "long",
    takes: { "-C": "text" },
    commands: {
      ...same("build test vet generate list", goBuild()),
      ...same("install get", {
        ...goBuild(),
        also: (given) => [...(goBuild().also?.(given) ?? []), ...given.operands.flatMap(goModule)],
      }),
      run: {
        ...goBuild(),
        also: ({ operands: [program] }) => {
          if (program === undefined) return [];
          return /^(?:-|\/dev\/(?:stdin|fd\/.*)|\/proc\/.*)$/u.test(known(program.text) ?? "")
            ? [asks("exec-unseen", "runs what comes on its input", program)]
            : goModule(program);
        },
      },
      env: {
        style: "long",
        also: ({ has, operands }) =>
          has("-w")
            ? operands
                .filter(
                  ({ text }) =>
                    goVariables.test(beginning(text)) &&
                    !/=(?:https:\/\/proxy\.golang\.org|off|direct|local|auto|gcc|clang|g\+\+|clang\+\+)?(?:,direct)?$/u.test(
                      known(text) ?? "?",
                    ),
                )
                .map((at) => asks("exec-option", "changes what go runs or where it fetches from", at))
            : [],
      },
      tool: { style: "long", takes: { "-o": "write" } },
      mod: { style: "long", commands: { init: { style: "long", takes: { "-C": "write" } } } },
    },
  };
}

/** Goals and targets of Java's build tools; those that publish. */
function maven(): Spec {
  return {
    style: "long",
    takes: { "-s -gs -f -P -pl -T -l -D -settings -file -projects -threads": "text", "-log-file": "write" },
    also: ({ words }) => words.flatMap(goal),
  };
}

function goal(word: Argument): readonly Deed[] {
  const place = /^-D[\w.]*(?:repo|url|server|proxy)\w*[\w.]*=/iu.test(beginning(word.text))
    ? afterFirst(word, "=")
    : null;
  if (place !== null && isUrl(place)) return connects(place);
  const text = known(word.text) ?? beginning(word.text);
  if (/^(?:deploy|site-deploy|(?:[\w.-]+:)*(?:deploy|deploy-file|perform|publish|release))$/u.test(text)) {
    return [asks("network-send", "publishes the result", word)];
  }
  if (!/^-Dexec\.(?:executable|args|commandlineArgs)=/u.test(text)) return [];
  return [{ does: "program", text: afterFirst(word, "=")?.text ?? [], span: word.span }];
}

function gradle(): Spec {
  return {
    takes: {
      "-p --project-dir -b --build-file -c --settings-file -x --exclude-task -P --project-prop -D --system-prop -g --tests --console":
        "text",
      "-I --init-script": "text",
      "--include-build": "text",
    },
    danger: { "-I --init-script": danger("exec-option", "runs another script before the project's") },
    also: ({ operands }) =>
      operands
        .filter(({ text }) =>
          /^(?::?[\w-]+:)*(?:publish(?!\w*ToMavenLocal)\w*|upload\w+|release|closeAndRelease\w*|bintrayUpload|appDeploy)$/u.test(
            known(text) ?? "",
          ),
        )
        .map((at) => asks("network-send", "publishes the result", at)),
  };
}

export const compiledPackageTools: Programs = {
  cargo,
  rustup: () => ({ commands: { run: { stops: true, also: ({ operands }) => runs(operands.slice(1)) } } }),
  cross: cargo,
  go,
  "mvn mvnw mvnd": maven,
  "gradle gradlew": gradle,
  sbt() {
    return {
      also: ({ operands }) =>
        operands
          .filter(({ text }) => /publish(?!Local)|sonatype|^release$/u.test(known(text) ?? ""))
          .map((at) => asks("network-send", "publishes the result", at)),
    };
  },
  lein: () => ({ commands: { deploy: publishes() } }),
};
