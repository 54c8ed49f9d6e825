import type { Deed } from "../deeds.ts";
import { asks, type Programs, type Spec, same } from "../spec.ts";
import { type Argument, beginning } from "../text.ts";
import { repositoryDeeds } from "./git-config.ts";
import { runsPackage } from "./packages-node.ts";
import { afterFirst, connects, connectsUrls, flags, inPlaceOf, isDryRun, isUrl } from "./support.ts";

export function publishes(): Spec {
  return {
    also: (given) => (isDryRun(given, "--dry-run -n --list") ? [] : [asks("network-send", "publishes the package")]),
  };
}
export function runsRest(): Spec {
  return { stops: true, operands: ["argv"] };
}

/** Requirements as pip takes them: names, paths, `git+URL`, `name @ URL`. */
function requirements(words: readonly Argument[]): readonly Deed[] {
  return words.flatMap((word): readonly Deed[] => {
    const place = /^[\w.[\],-]+\s*@\s*/u.exec(beginning(word.text));
    const bare = place === null || isUrl(word) ? word : (afterFirst(word, "@") ?? word);
    const trimmed = inPlaceOf(bare, ...bare.text.map((piece) => (typeof piece === "string" ? piece.trim() : piece)));
    const source = /^(?:git|hg|svn|bzr)\+/u.test(beginning(trimmed.text))
      ? (afterFirst(trimmed, "+") ?? trimmed)
      : trimmed;
    if (/^git@/u.test(beginning(source.text))) return repositoryDeeds(source);
    return isUrl(source) && !/^file:/u.test(beginning(source.text)) ? connects(source) : [];
  });
}

function pipInstall(): Spec {
  return {
    takes: {
      "-i --index-url --extra-index-url --proxy --trusted-host --default-index --index --publish-url": "host",
      "-r --requirement -c --constraint -e --editable -f --find-links --python --platform --python-version --abi":
        "text",
      "--timeout --retries --log -C --config-settings --global-option --install-option --upgrade-strategy --group":
        "text",
      "-t --target --prefix --root -d --dest -w --wheel-dir --cache-dir --src -b --build": "write",
    },
    may: flags("--pre --user --upgrade --index-strategy --python-preference"),
    also: ({ operands, values }) => [
      ...requirements([...operands, ...values("-e --editable")]),
      ...connectsUrls(values("-r --requirement -c --constraint -f --find-links")),
    ],
  };
}

const sourceKeys = /(?:index-url|extra-index-url|proxy|trusted-host|repositories\.|source|registry|mirror)/u;

/** Settings that name the place packages come from. */
export function settings(): Spec {
  return {
    also: ({ operands: [key, ...values] }) =>
      key !== undefined && sourceKeys.test(beginning(key.text)) ? connectsUrls(values) : [],
  };
}

function pip(): Spec {
  return {
    takes: { "--python --log --cache-dir": "text", "--proxy": "host" },
    commands: {
      ...same("install download wheel", pipInstall()),
      config: { commands: { set: settings() } },
      uninstall: {},
    },
  };
}

function uvRun(): Spec {
  return {
    takes: {
      "--with --with-editable --with-requirements --extra --group -p --python --package --project --directory -m --module":
        "text",
      "--env-file": "read",
      "-i --index-url --default-index --index --extra-index-url": "host",
    },
    may: flags("--no-project --isolated --locked --frozen"),
    stops: true,
    also: ({ operands: [first], values }) => [
      ...requirements(values("--with --with-editable")),
      ...(first !== undefined && isUrl(first) ? connects(first) : []),
    ],
    operands: ["argv"],
  };
}

function uv(): Spec {
  return {
    takes: { "--directory --project --config-file --cache-dir --color --python": "text" },
    commands: {
      pip: pip(),
      run: uvRun(),
      tool: { commands: { run: runsPackage(), install: pipInstall() } },
      ...same("add lock sync", pipInstall()),
      publish: publishes(),
      build: { takes: { "-o --out-dir": "write" } },
      venv: { takes: { "-p --python --prompt": "text" }, operands: ["write"] },
      init: { takes: { "-p --python --name": "text" }, operands: ["write"] },
      x: runsPackage(),
    },
  };
}

function poetry(): Spec {
  return {
    takes: { "-C --directory -P --project": "text" },
    commands: {
      publish: publishes(),
      run: runsRest(),
      ...same("add install update", pipInstall()),
      source: { commands: { add: { takes: { "--priority": "text" }, operands: ["text", "host"] } } },
      config: settings(),
      ...same("upload deploy", publishes()),
    },
  };
}

function conda(): Spec {
  return {
    commands: {
      run: { takes: { "-n --name -p --prefix --cwd": "text" }, stops: true, operands: ["argv"] },
      ...same("install create update", {
        takes: { "-c --channel -n --name -f --file": "text", "-p --prefix": "write" },
        also: ({ operands, values }) => connectsUrls([...operands, ...values("-c --channel -f --file")]),
      }),
      upload: publishes(),
      config: { takes: { "--add --set --prepend --append": "text" }, also: ({ operands }) => connectsUrls(operands) },
    },
  };
}

export const pythonPackageTools: Programs = {
  "pip pip3 pip3.10 pip3.11 pip3.12 pip3.13": pip,
  pipx: () => ({
    commands: { run: runsPackage(), install: pipInstall(), inject: pipInstall(), upgrade: {}, runpip: {} },
  }),
  uv,
  uvx: runsPackage,
  virtualenv: () => ({ takes: { "-p --python --prompt --app-data": "text" }, operands: ["write"] }),
  "django-admin django-admin.py"() {
    return {
      commands: { startproject: { operands: ["text", "write"] }, startapp: { operands: ["text", "write"] } },
    };
  },
  cookiecutter() {
    return {
      takes: { "-o --output-dir": "write", "-c --checkout --directory --config-file": "text" },
      also: ({ operands: [place] }) =>
        place !== undefined && /^(?:gh|gl|bb|hg|git\+?|https?):|^git@/iu.test(beginning(place.text))
          ? [asks("network-host", "copies a repository from elsewhere", place)]
          : [],
    };
  },
  "poetry pdm rye": poetry,
  hatch: () => ({ commands: { publish: publishes(), run: runsRest(), shell: {} } }),
  pipenv: () => ({ commands: { run: runsRest(), install: pipInstall() } }),
  flit: () => ({ commands: { publish: publishes() } }),
  maturin: () => ({ commands: { ...same("publish upload", publishes()) } }),
  twine: () => ({ commands: { upload: publishes(), register: publishes() } }),
  "conda mamba micromamba": conda,
  anaconda: () => ({ commands: { upload: publishes() } }),
};
