import type { Deed } from "../deeds.ts";
import { scriptsIn, unescapedJson } from "../package-scripts.ts";
import { asks, danger, type Given, type Programs, runs, type Spec, same } from "../spec.ts";
import { type Argument, beginning, known, shown, withoutDashes } from "../text.ts";
import { literal } from "./arguments.ts";
import { isIn } from "./calls.ts";
import { repositoryDeeds } from "./git-config.ts";
import { afterFirst, connects, connectsUrls, inPlaceOf, isDryRun, isUrl, plain, write } from "./support.ts";

function publishes(): Spec {
  return {
    takes: { "--tag --access --otp --registry -w --workspace": "text" },
    also: (given) => {
      const registry = given.values("--registry").at(-1);
      if (isDryRun(given)) return [];
      return registry === undefined ? [asks("network-send", "publishes the package")] : connects(registry);
    },
  };
}
const shells = danger("exec-option", "runs the project's scripts by another program");

function nodeOptions(): NonNullable<Spec["takes"]> {
  return {
    "--registry --proxy --https-proxy": "host",
    "--git --editor --viewer --browser --python": "program",
    "--workspace --loglevel --tag --omit --include -F --filter --network-concurrency --script-shell --shell": "text",
    "--node-options --userconfig --globalconfig --reporter --use-yarnrc --modules-folder --global-folder": "text",
    "-C --prefix --dir --cwd --cache --cache-folder --pack-destination": "write",
  };
}

function nodeDangers(): NonNullable<Spec["danger"]> {
  return {
    "--script-shell --shell": shells,
    "--node-options": danger("exec-option", "loads other code into node"),
    "--userconfig --globalconfig --use-yarnrc": danger("exec-option", "takes its settings from another file"),
  };
}

/** What to install, where it is not a name: an address, or a repository at a hosting service. */
function packagePlaces(places: readonly Argument[]): readonly Deed[] {
  return places.flatMap((place): readonly Deed[] => {
    const start = beginning(place.text).replace(/^(?:@[\w.-]+\/)?[\w.-]+@(?=https?:|git|ssh:|github:|gitlab:)/u, "");
    const bare = { ...place, text: [start, ...place.text.slice(1)].filter((piece) => piece !== "") };
    if (/^git\+file:|^(?:file|link|workspace|npm|catalog|jsr|portal|patch):/iu.test(start)) return [];
    if (/^git\+/iu.test(start)) return repositoryDeeds(afterFirst(bare, "+") ?? bare);
    if (isUrl(bare) || /^[^@/]+@[^:./]+\.[^:/]+:./u.test(start)) return repositoryDeeds(bare);
    const isHosted =
      /^(?:github|gitlab|bitbucket|gist):|^[\w-]+\/[\w.-]+(?:#|$)/iu.test(start) && !/\.(?:tgz|tar\.gz)$/u.test(start);
    return isHosted ? [asks("network-host", "installs from a repository of a hosting service", place)] : [];
  });
}

/** A package's name as the program it brings: without scope and version. */
function programOf(place: Argument): Argument {
  const name = known(place.text);
  if (name === null || /^[./]/u.test(name)) return place;
  const [, scope = "", bare = name] = /^(?:@([^/]+)\/)?([^@/]+)(?:@.*)?$/u.exec(name) ?? [];
  return inPlaceOf(place, bare === "cli" && scope !== "" ? scope : bare);
}

/** `npx [options] package [words]` runs the package's program with the words. */
export function runsPackage(): Spec {
  return {
    takes: {
      ...nodeOptions(),
      "-w": "text",
      "-p --package --from --with --with-requirements --spec --pip-args": "text",
      "-i --index-url --default-index --index --extra-index-url": "host",
      "-c --call --shell-mode": "shell",
    },
    danger: nodeDangers(),
    stops: true,
    also: ({ operands: [first, ...rest], values }) => [
      ...packagePlaces([...(first === undefined ? [] : [first]), ...values("-p --package --from --with --spec")]),
      ...(first === undefined ? [] : runs([programOf(first), ...rest])),
    ],
  };
}

/** Without a folder of its own it changes the project here. */
function changesHere({ words, has }: Given): readonly Deed[] {
  return has("-g --global -C --prefix --dir --cwd --location --dry-run") ? [] : [write(literal(".", words[0]))];
}

function installs(): Spec {
  return {
    takes: nodeOptions(),
    danger: nodeDangers(),
    also: (given) => [...packagePlaces(given.operands), ...changesHere(given)],
  };
}

const runningKeys =
  /^(?:script-?shell|shell|node-options|git|editor|viewer|browser|init-module|onload-script|userconfig|globalconfig|python|yarn-?path|plugins?|npmrc-auth-file)$/iu;
const addressKeys = /^(?:(?:@[\w.-]+:)?registry|npm-?registry-?server|(?:https?-)?proxy|https?proxy)$/iu;

/** `set key value`, `set key=value`. */
function settings(): Spec {
  return {
    takes: nodeOptions(),
    danger: nodeDangers(),
    also: ({ operands }) => {
      const [first, second] = operands;
      if (first === undefined) return [];
      const key = beginning(first.text).split("=")[0] ?? "";
      const value = afterFirst(first, "=") ?? second;
      if (key === "" || runningKeys.test(key)) return [{ does: "danger", danger: shells, at: first }];
      return addressKeys.test(key) && value !== undefined ? connects(value) : [];
    },
  };
}

function config(): Spec {
  return { takes: nodeOptions(), danger: nodeDangers(), commands: { set: settings() } };
}

function common(): Readonly<Record<string, Spec>> {
  return {
    ...same("publish unpublish deprecate owner access token dist-tag", publishes()),
    ...same("install i in add ci isntall install-test it update up upgrade link ln pack", installs()),
    ...same("exec x", runsPackage()),
    dlx: runsPackage(),
    config: config(),
    c: config(),
    set: settings(),
    explore: { stops: true, also: ({ operands }) => runs(withoutDashes(operands.slice(1))) },
    ...same("init create innit", { takes: nodeOptions(), danger: nodeDangers(), also: changesHere }),
    ...same(
      "run run-script rum urn test t start stop restart uninstall remove rm ls list view info show outdated audit ping search whoami doctor",
      {
        takes: nodeOptions(),
        danger: nodeDangers(),
      },
    ),
  };
}

function tags(): Spec {
  return { commands: { ...same("add rm set remove", publishes()), ls: {} } };
}

function npm(): Spec {
  return {
    takes: { ...nodeOptions(), "-w": "text" },
    danger: nodeDangers(),
    commands: {
      ...common(),
      "dist-tag": tags(),
      "dist-tags": tags(),
      pkg: pkg(),
      "set-script": { also: ({ operands: [name, text] }) => setsScript(name, text) },
      owner: tags(),
      access: { commands: { ...same("set grant revoke public restricted", publishes()) } },
      token: { commands: { ...same("create revoke", publishes()) } },
      ...same("login adduser add-user logout", { takes: nodeOptions(), danger: nodeDangers() }),
    },
  };
}

function pkg(): Spec {
  return { commands: { set: { also: ({ operands }) => operands.flatMap(scriptText) } } };
}

/** `npm pkg set scripts.test=…`, `scripts[test]=…`; all of them at once, in JSON: `scripts={…}` */
function scriptText(setting: Argument): readonly Deed[] {
  const start = beginning(setting.text);
  const value = afterFirst(setting, "=");
  if (/^scripts=/u.test(start) && value !== null) {
    const json = known(value.text);
    return json === null
      ? anyScript(setting)
      : scriptsIn(json).map(([name, text]) => ({ does: "set-script", name, text: [text] }));
  }
  const [, name] = /^scripts[.[]([^=]*?)\]?=/u.exec(start) ?? [];
  if (name !== undefined) return setsScript(inPlaceOf(setting, name), value);
  return /^scripts[.[]/u.test(start) && known(setting.text) === null ? anyScript(setting) : [];
}

function anyScript({ text }: Argument): readonly Deed[] {
  return [{ does: "set-script", name: null, text: [{ hole: "any", from: shown(text) }] }];
}

function setsScript(name: Argument | undefined, value: Argument | null | undefined): readonly Deed[] {
  if (name === undefined || value == null) return [];
  // With `--json` a text stands in quotes.
  const [, json] = /^"((?:[^"\\]|\\.)*)"$/su.exec(known(value.text) ?? "") ?? [];
  const text = json === undefined ? value.text : [unescapedJson(json)];
  return [{ does: "set-script", name: known(name.text), text }];
}

/** Commands of yarn, pnpm and bun that are not names of scripts or programs. */
const ownCommands = new Set(
  (
    "why dedupe import install-completion licenses node policies store prune rebuild rb root bin cache check env fetch help login logout " +
    "patch patch-commit server setup unlink version versions workspace workspaces constraints plugin stage tag team autoclean " +
    "generate-lock-entry deploy approve-builds ignored-builds recursive multi m completion build dev lint format clean release serve " +
    "typecheck type-check watch docs storybook e2e coverage prepare preview pm repl upgrade-interactive global npm self-update search " +
    "unplug info set outdated sbom pkg"
  ).split(" "),
);

/** Anything else is a script of the project or a program of its packages. */
function scripts({ operands }: Pick<Given, "operands">): readonly Deed[] {
  const [first] = operands;
  const name = first === undefined ? null : known(first.text);
  return name === null || ownCommands.has(name) || Object.hasOwn(common(), name) ? [] : runs(operands);
}

/** What is no script is a program of the system to bun, also by a name that is a command of its own elsewhere. */
function scriptsOrPrograms({ operands }: Pick<Given, "operands">): readonly Deed[] {
  const [first] = operands;
  return first !== undefined && isIn(first, "rm ln link unlink install") ? runs(operands) : scripts({ operands });
}

function execs(): Spec {
  return {
    takes: nodeOptions(),
    danger: nodeDangers(),
    stops: true,
    also: ({ operands, has }) => execDeeds(operands, has),
  };
}

function execDeeds(operands: readonly Argument[], has: Given["has"]): readonly Deed[] {
  const [first] = operands;
  const isText = first !== undefined && /\s/.test(known(first.text) ?? "");
  if (first === undefined || !(has("-c --shell-mode") || isText)) return runs(operands);
  return [{ does: "shell", text: first.text, span: first.span }];
}

function workspace(): Spec {
  return { stops: true, also: ({ operands: [, ...rest] }) => scripts({ operands: rest }) };
}

function yarn(): Spec {
  return {
    takes: nodeOptions(),
    danger: nodeDangers(),
    commands: {
      ...common(),
      exec: execs(),
      tag: tags(),
      npm: { commands: { publish: publishes(), tag: tags() } },
      global: { commands: { add: installs(), upgrade: installs() } },
      plugin: { commands: { import: { always: danger("exec-option", "adds code to yarn itself") } } },
      run: { takes: nodeOptions(), danger: nodeDangers(), stops: true, also: scripts },
      workspace: workspace(),
      set: { commands: { version: { always: danger("exec-option", "changes the program that yarn is") } } },
    },
    also: scripts,
  };
}

function pnpm(): Spec {
  return {
    ...yarn(),
    commands: {
      ...common(),
      exec: execs(),
      run: { takes: nodeOptions(), danger: nodeDangers(), stops: true, also: scripts },
      env: {},
      pkg: pkg(),
      "dist-tag": tags(),
    },
  };
}

export function bun(): Spec {
  return {
    takes: {
      ...nodeOptions(),
      "-e --eval -p --print": "code:javascript",
      "-r --preload --require --import": "script:javascript",
      "--env-file": "read",
      "--port": "text",
      "-c --config": "text",
    },
    commands: {
      ...common(),
      x: runsPackage(),
      create: { also: ({ operands }) => packagePlaces(operands) },
      run: { stops: true, also: scriptsOrPrograms },
      build: { takes: { "--outdir --outfile": "write", "--target --format --define": "text" } },
      "patch-commit": {},
    },
    also: scripts,
  };
}

function copies(): Spec {
  return {
    takes: { "--rename --cwd --concurrency -u --up -e --exclude -c --command -t --transform": "text" },
    last: "write",
  };
}

export const nodeTools: Programs = {
  npm,
  "npx pnpx bunx": runsPackage,
  "pnpm cnpm": pnpm,
  "yarn yarnpkg": yarn,
  "rimraf rimraf-cli": () => ({ always: danger("delete-recursive", "deletes folders with everything in them") }),
  "del del-cli": () => ({ always: danger("delete-bulk", "deletes every file that matches"), unless: "-d --dry-run" }),
  shx: () => ({ stops: true, operands: ["argv"] }),
  "cpy cpy-cli cpx cpx2 ncp copyfiles cpr"() {
    return {
      ...copies(),
      danger: { "-C --clean": danger("delete-bulk", "deletes what was at the target") },
    };
  },
  mkdirp: () => ({ takes: { "-m --mode": "mode" }, operands: ["write"] }),
  "wait-on"() {
    return {
      takes: { "-t --timeout -i --interval -d --delay -w --window": "text", "-c --config": "text" },
      also: ({ operands }) => connectsUrls(operands),
    };
  },
  "degit tiged giget": () => ({ always: danger("network-host", "copies a repository from a hosting service") }),
  "lerna nx turbo"() {
    return {
      commands: {
        ...same("publish", publishes()),
        exec: { takes: { "--scope --ignore --concurrency": "text" }, stops: true, operands: ["argv"] },
      },
    };
  },
  "changeset changesets": () => ({ commands: { publish: publishes() } }),
  "semantic-release np release-it"() {
    return {
      always: danger("network-send", "publishes a release"),
      unless: "-d --dry-run --preview",
    };
  },
  "vsce ovsx jsr": () => ({ commands: { ...same("publish unpublish", publishes()) } }),
  "eas expo": () => ({ commands: { ...same("publish submit update build", publishes()) } }),
  "electron-builder"() {
    return {
      takes: { "-p --publish": "text", "-c --config": "text" },
      also: ({ values }) =>
        plain(values("-p --publish")).every((when) => when === "never")
          ? []
          : [asks("network-send", "publishes the program")],
    };
  },
  "chromatic codecov coveralls percy"() {
    return {
      always: danger("network-send", "sends results to another machine"),
      unless: "--dry-run",
    };
  },
  "sentry-cli"() {
    return {
      takes: { "--url": "host", "--auth-token": "text" },
      also: ({ operands }) =>
        plain(operands).some((word) =>
          /^(?:upload|new|finalize|send-event|delete|upload-\w+|set-commits|inject)$/u.test(word),
        )
          ? [asks("network-send", "sends files to another machine")]
          : [],
    };
  },
  snyk: () => ({ commands: { monitor: publishes() } }),
  "lighthouse pa11y newman loadtest artillery"() {
    return {
      takes: { "--output-path -o": "write", "--output --chrome-flags -e --environment": "text" },
      also: ({ operands }) => connectsUrls(operands),
    };
  },
  prisma() {
    return {
      commands: {
        migrate: { commands: { reset: { always: danger("delete-store", "deletes all data of the database") } } },
        db: {
          commands: {
            push: { danger: { "--force-reset": danger("delete-store", "deletes all data of the database") } },
          },
        },
      },
    };
  },
};
