import type { Deed } from "../deeds.ts";
import { asks, danger, type Programs, runs, type Spec, same } from "../spec.ts";
import { type Argument, beginning, known, textOf } from "../text.ts";
import { compiledPackageTools } from "./packages-compiled.ts";
import { nodeTools, runsPackage } from "./packages-node.ts";
import { publishes, pythonPackageTools, runsRest, settings } from "./packages-python.ts";
import { connectsUrls, plain } from "./support.ts";

function gem(): Spec {
  return {
    commands: {
      ...same("push yank owner", publishes()),
      ...same("install i update fetch", {
        takes: {
          "-s --source -p --http-proxy": "host",
          "-v --version -P": "text",
          "-i --install-dir -n --bindir": "write",
        },
        also: ({ operands }) => connectsUrls(operands),
      }),
      ...same("exec x", runsPackage()),
      sources: { takes: { "-a --add": "host", "-r --remove": "text" } },
      unpack: { takes: { "--target": "write", "-v --version": "text" } },
    },
  };
}

function bundle(): Spec {
  return {
    takes: { "--gemfile": "text" },
    commands: {
      exec: runsRest(),
      e: runsRest(),
      config: settings(),
      add: { takes: { "--git --source": "host", "--github": "text" } },
      open: {},
      console: {},
    },
  };
}

function dotnet(): Spec {
  return {
    commands: {
      nuget: {
        commands: {
          push: publishes(),
          delete: publishes(),
          add: { commands: { source: { takes: { "-n --name -u -p": "text" }, operands: ["host"] } } },
        },
      },
      new: { takes: { "-o --output": "write", "-n --name -f --framework -lang": "text" } },
      ...same("restore add tool build run test publish pack", {
        takes: {
          "-s --source --add-source": "text",
          "-o --output": "write",
          "-c --configuration -f --framework -r --runtime --project -v --verbosity": "text",
        },
        also: ({ values }) => connectsUrls(values("-s --source --add-source")),
      }),
    },
  };
}

function composer(): Spec {
  return {
    takes: { "-d --working-dir": "text" },
    commands: {
      ...same("exec", { takes: { "-d --working-dir": "text" }, stops: true, operands: ["argv"] }),
      config: settings(),
      ...same("require install update", { takes: { "--repository": "host", "-d --working-dir": "write" } }),
      "create-project": {
        takes: { "--repository --repository-url": "host", "-s --stability": "text" },
        operands: ["text", "write", "text"],
      },
      archive: { takes: { "--dir": "write", "-f --format --file": "text" } },
    },
  };
}

function nix(): Spec {
  return {
    takes: {
      "--extra-experimental-features --option -I --log-format": "text",
      "-f --file --expr": "text",
      "--store": "host",
    },
    commands: {
      run: {
        stops: true,
        also: ({ operands: [place, ...rest] }) =>
          place === undefined
            ? []
            : [
                ...flake(place),
                ...runs([
                  {
                    ...place,
                    text: known(place.text) === null ? place.text : textOf(beginning(place.text).replace(/^.*#/su, "")),
                  },
                  ...rest.slice(known(rest[0]?.text ?? []) === "--" ? 1 : 0),
                ]),
              ],
      },
      ...same("shell develop", { takes: { "-c --command": "argv" }, also: ({ operands }) => operands.flatMap(flake) }),
      ...same("build eval", { takes: { "-o --out-link": "write" }, also: ({ operands }) => operands.flatMap(flake) }),
      copy: { takes: { "--to --from": "host" } },
      "collect-garbage": {},
    },
  };
}

function flake(place: Argument): readonly Deed[] {
  return /^(?:github|gitlab|sourcehut|git\+|https?|tarball\+)/u.test(beginning(place.text))
    ? [asks("network-host", "fetches code from another machine", place)]
    : [];
}

const changesSystem = danger("system-package", "changes software that all projects share");

function brew(): Spec {
  return {
    commands: {
      ...same(
        "install uninstall remove rm upgrade reinstall tap untap link unlink cask bundle autoremove pin migrate",
        {
          always: changesSystem,
          unless: "--dry-run -n",
        },
      ),
      tap: { always: changesSystem },
      services: { always: danger("system-service", "starts or stops services"), unless: "list info" },
      sh: {},
      ruby: { takes: { "-e": "code:ruby" } },
      exec: runsRest(),
    },
  };
}

/** Version managers: `exec … command`. */
function versions(): Spec {
  return {
    takes: { "-C --cd -E --env": "text" },
    commands: {
      ...same("exec x", { takes: { "-c --command": "shell" }, also: ({ words }) => runs(managed(words)) }),
      run: { stops: true, also: ({ operands }) => runs(operands.slice(1)) },
      ...same("plugin plugins plugin-add p", { also: ({ operands }) => connectsUrls(operands) }),
    },
  };
}

/** It has no tasks: what follows its options is a command. */
function volta(): Spec {
  return { commands: { run: { ...runsRest(), takes: { "--node --npm --yarn --pnpm": "text" } } } };
}

function managed(words: readonly Argument[]): readonly Argument[] {
  const at = plain(words).indexOf("--");
  return at >= 0 ? words.slice(at + 1) : words.filter(({ text }, index) => index > 0 || !/^-/u.test(beginning(text)));
}

export const packageTools: Programs = {
  ...nodeTools,
  ...pythonPackageTools,
  ...compiledPackageTools,
  gem,
  "bundle bundler": bundle,
  "composer composer.phar": composer,
  dotnet,
  nuget() {
    return {
      style: "long",
      takes: { "-Source -source -s": "text", "-OutputDirectory": "write" },
      commands: {
        push: publishes(),
        delete: publishes(),
        install: { style: "long", takes: { "-Source -source -s": "host", "-OutputDirectory": "write" } },
      },
    };
  },
  rails: () => ({ commands: { new: { operands: ["write", "text"] } } }),
  "cpan cpanm"() {
    return {
      takes: { "--mirror": "host", "-l -L --local-lib": "write" },
      also: ({ operands }) => connectsUrls(operands),
    };
  },
  luarocks() {
    return {
      takes: { "--server": "host", "--tree": "write" },
      commands: {
        upload: publishes(),
        install: { takes: { "--server": "host" }, also: ({ operands }) => connectsUrls(operands) },
      },
    };
  },
  mix() {
    return {
      commands: {
        "hex.publish": publishes(),
        "ecto.drop": { always: danger("delete-store", "deletes the database") },
        cmd: { stops: true, also: ({ operands }) => runs(operands) },
        run: { takes: { "-e --eval": "text" } },
      },
    };
  },
  "stack cabal": () => ({ commands: { ...same("upload", publishes()), exec: { stops: true, operands: ["argv"] } } }),
  opam: () => ({ commands: { publish: publishes(), exec: { also: ({ words }) => runs(managed(words)) } } }),
  "dart flutter": () => ({ commands: { pub: { commands: { publish: publishes(), global: {} } } } }),
  fastlane: () => ({
    commands: { ...same("deliver supply pilot upload_to_testflight upload_to_app_store", publishes()) },
  }),
  conan: () => ({ commands: { upload: publishes(), remote: { commands: { add: { operands: ["text", "host"] } } } } }),
  nix,
  "nix-shell"() {
    return {
      takes: { "--run --command": "shell", "-p --packages -A --attr -I --argstr --arg": "text", "-E --expr": "text" },
      also: ({ operands }) => connectsUrls(operands),
    };
  },
  "nix-build"() {
    return {
      takes: { "-o --out-link": "write", "-A -E -I --arg --argstr": "text" },
      also: ({ operands }) => connectsUrls(operands),
    };
  },
  "nix-copy-closure": () => ({ always: danger("network-send", "copies programs to another machine") }),
  brew,
  "asdf mise rtx fnm rbenv pyenv nodenv goenv": versions,
  volta,
  direnv: () => ({ commands: { exec: { stops: true, also: ({ operands }) => runs(operands.slice(1)) } } }),
};
